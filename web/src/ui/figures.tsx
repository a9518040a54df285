import type { ReactNode } from 'react'
import css from './figures.module.css'

export type Figure = {
  label: string
  /** nothing is an en dash */
  value: ReactNode
  /** what is said beside it, smaller */
  note?: ReactNode
  /** left out on a phone */
  isEmpty?: boolean
}

type Props = {
  of: Figure[]
  /** actions at the other end of the line */
  children?: ReactNode
}

/** A few figures in a line, each below its label. */
export function Figures({ of, children }: Props) {
  return (
    <div className={css.line}>
      <dl className={css.figures}>
        {of.map(({ label, value, note, isEmpty = value === null }) => (
          <div key={label} data-empty={isEmpty || undefined}>
            <dt>{label}</dt>
            <dd>
              {value ?? '–'}
              {note ? <small>{note}</small> : null}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  )
}
