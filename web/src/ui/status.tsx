import type { CSSProperties } from 'react'
import { hueOf } from './hue.ts'
import css from './status.module.css'

/** The tones that states have by meaning; other states have the color that the organization chose. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

/** The color of each tone. */
export const toneColors: Record<Tone, string> = {
  good: 'var(--accent)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  info: 'var(--info)',
  quiet: 'var(--faint)',
}

/** A dot and the word. The color comes from `tone`, from `color`, or from the word. */
export function Status({
  children,
  color,
  tone,
}: {
  children: string
  color?: string | null
  tone?: Tone
}) {
  return (
    <span className={css.status}>
      <Dot color={tone ? toneColors[tone] : (color ?? hueOf(children))} />
      <span className={css.text} title={children}>
        {children}
      </span>
    </span>
  )
}

/** The dot alone, where the word stands elsewhere. */
export function Dot({ color }: { color: string }) {
  return <span className={css.dot} style={{ '--hue': color } as CSSProperties} aria-hidden="true" />
}
