import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { classes } from './classes.ts'
import dialog from './dialog.module.css'
import css from './popup.module.css'

/**
 * A small surface beside what opened it, with any content. Not modal: the page remains usable. `trigger` is
 * the button that opens it. With an `anchor` instead, the page opens it there, and the focus returns to it:
 * its button can be on the page before this code is loaded.
 */
export function Popover({
  trigger,
  anchor,
  title,
  label,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  className,
  children,
}: {
  trigger?: ReactElement
  anchor?: HTMLElement
  title?: ReactNode
  /** Its name if there is no title. */
  label?: string
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'left' | 'right'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
  children: ReactNode
}) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { event }) => {
        // the button beside it closes it itself
        const isOwn = event.target instanceof Node && anchor?.contains(event.target)
        if (next || !isOwn) onOpenChange?.(next)
      }}
    >
      {trigger ? <Base.Trigger render={trigger} /> : null}
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          className={css.positioner}
          align={align}
          side={side}
          sideOffset={4}
        >
          <Base.Popup
            finalFocus={anchor ? () => anchor : undefined}
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
