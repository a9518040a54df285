import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactElement, type ReactNode, type RefObject } from 'react'
import { classes } from './classes.ts'
import css from './dialog.module.css'
import { EarlyEscape } from './early-escape.tsx'
import { IconButton } from './icon-button.tsx'
import { t } from '../locales/text.ts'

/**
 * A dialog above the page: the focus stays in it and returns to what opened it. With `onSubmit` its
 * inside is a form, so that Enter does what the footer's `type="submit"` button does.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  size = 'small',
  trigger,
  initialFocus,
  closable = true,
  onSubmit,
  children,
}: {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  footer?: ReactNode
  /** 400, 640 or 1040 pixels wide; on a phone it comes from the bottom. */
  size?: 'small' | 'large' | 'wide'
  trigger?: ReactElement
  initialFocus?: RefObject<HTMLElement | null>
  /** Whether Escape, a click beside it and the cross close it. */
  closable?: boolean
  onSubmit?: () => void
  children?: ReactNode
}) {
  const actions = useRef<Base.Root.Actions>(null)
  return (
    <Base.Root
      actionsRef={actions}
      open={open}
      onOpenChange={(next) => {
        if (next || closable) onOpenChange?.(next)
      }}
      disablePointerDismissal={!closable}
    >
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Viewport className={css.viewport}>
          <Base.Popup
            className={classes(css.popup, size !== 'small' && css[size])}
            initialFocus={initialFocus}
          >
            <EarlyEscape actions={actions} />
            <DialogInside footer={footer} onSubmit={onSubmit} body={children}>
              <Base.Title className={css.title}>{title}</Base.Title>
              {description && (
                <Base.Description className={css.description}>{description}</Base.Description>
              )}
            </DialogInside>
            {/* the last element, so that the focus starts in the first field */}
            {closable && (
              <Base.Close
                render={<IconButton label={t('Close')} icon="x" className={css.close} />}
              />
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The head (`children`), body and footer of a dialog or drawer, as a form if it is one. */
export function DialogInside({
  children,
  body,
  footer,
  onSubmit,
}: {
  children: ReactNode
  body: ReactNode
  footer: ReactNode
  onSubmit: (() => void) | undefined
}) {
  const inside = (
    <>
      <div className={css.head}>{children}</div>
      {body && <div className={classes(css.body, !footer && css.bare)}>{body}</div>}
      {footer && <div className={css.footer}>{footer}</div>}
    </>
  )
  if (!onSubmit) return inside
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // a dialog opened from within a form is not part of it
        event.stopPropagation()
        // what is typed and no number would be left out
        const wrong = [...event.currentTarget.elements].find(isWrong)
        if (wrong) wrong.reportValidity()
        else onSubmit()
      }}
    >
      {inside}
    </form>
  )
}

function isWrong(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.validity.customError
}
