import type { CSSProperties } from 'react'
import styles from './templates.module.css'

/** A part of a whole, both in percent, from `start` to before `end` of `length` days. */
export function barStyle(start: number, end: number, length: number): CSSProperties {
  const part = (days: number) => `${(100 * days) / Math.max(length, 1)}%`
  return { '--from': part(start), '--wide': part(end - start) } as CSSProperties
}

/** A bar on its track, for the eye alone: the words beside it say the same. */
export function Bar({ start, end, length }: { start: number; end: number; length: number }) {
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} style={barStyle(start, end, length)} />
    </span>
  )
}
