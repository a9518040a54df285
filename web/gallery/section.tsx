import type { ReactNode } from 'react'
import css from './gallery.module.css'

/** A component's place in the gallery. */
export type Section = { id: string; title: string; content: ReactNode }

/** States of a component beside each other, under a caption. */
export function State({
  name,
  column = false,
  children,
}: {
  name: string
  column?: boolean
  children: ReactNode
}) {
  return (
    <div className={css.state}>
      <div className={css.name}>{name}</div>
      <div className={column ? css.column : css.row}>{children}</div>
    </div>
  )
}
