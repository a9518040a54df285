import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { classes } from './classes.ts'
import dialog from './dialog.module.css'
import css from './popup.module.css'

/** A small surface beside what opened it, with anything in it. Not modal: the page stays in use. */
export function Popover({
  trigger,
  title,
  label,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  className,
  children,
}: {
  trigger: ReactElement
  title?: ReactNode
  /** Names it where there is no title. */
  label?: string
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} align={align} side={side} sideOffset={4}>
          <Base.Popup
            className={classes(css.popup, dialog.popover, className)}
            {...(title ? {} : { 'aria-label': label })}
          >
            {title && <Base.Title className={dialog.title}>{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
