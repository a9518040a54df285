import type { ReactNode } from 'react'
import css from './figures.module.css'

type Props = {
  of: { label: string; value: string | null }[]
  /** actions at the other end of the line */
  children?: ReactNode
}

/** A few figures in a line, each below its label; an en dash where there is none. */
export function Figures({ of, children }: Props) {
  const figures = (
    <dl className={css.figures}>
      {of.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
  if (!children) return figures
  return (
    <div className={css.line}>
      {figures}
      {children}
    </div>
  )
}
