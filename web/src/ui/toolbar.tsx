import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './toolbar.module.css'

/** The toolbar over a list: search, filters, and after a `ToolbarSpace` the controls at the right. */
export function Toolbar({
  label,
  wrap = false,
  className,
  children,
}: {
  label: string
  /** Wraps if there are many filters. */
  wrap?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <div
      className={classes(css.toolbar, wrap && css.wrap, className)}
      role="group"
      aria-label={label}
    >
      {children}
    </div>
  )
}

/** Pushes what follows to the right. */
export function ToolbarSpace() {
  return <span className={css.space} />
}
