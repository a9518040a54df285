import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './toolbar.module.css'

/** The bar of tools over a list: search, filters, and after a `ToolbarSpace` those of the right side. */
export function Toolbar({
  label,
  wrap = false,
  className,
  children,
}: {
  label: string
  /** Breaks into lines where filters are many. */
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
