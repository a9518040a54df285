import type { CSSProperties } from 'react'
import { hueOf } from '../../ui/hue.ts'
import styles from './editor.module.css'

/** A role with its sign: a dot of ours, a ring of the customer's. */
export function RoleSign({ name, isTheirs }: { name: string; isTheirs: boolean }) {
  return (
    <span className={styles.role} style={{ '--hue': hueOf(name) } as CSSProperties}>
      <span className={styles.sign} data-theirs={isTheirs || undefined} aria-hidden="true" />
      <span>{name}</span>
    </span>
  )
}
