import type { ReactNode } from 'react'
import css from './card.module.css'
import { classes } from './classes.ts'

/** A part of a page with its own heading and actions. `flush` lets lists reach the edges. */
export function Card({
  title,
  count,
  actions,
  flush = false,
  as: Heading = 'h2',
  className,
  children,
}: {
  title?: ReactNode
  count?: number | null
  actions?: ReactNode
  flush?: boolean
  as?: 'h2' | 'h3'
  className?: string
  children: ReactNode
}) {
  return (
    <section className={classes(css.card, className)}>
      {(title || actions) && (
        <div className={css.head}>
          <Heading className={css.title}>
            {title}
            {count !== undefined && count !== null && <span className={css.count}>{count}</span>}
          </Heading>
          {actions}
        </div>
      )}
      <div className={classes(css.body, flush && css.flush)}>{children}</div>
    </section>
  )
}
