import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactElement, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { DialogInside } from './dialog.tsx'
import css from './dialog.module.css'
import { EarlyEscape } from './early-escape.tsx'
import { IconButton } from './icon-button.tsx'
import { t } from '../locales/text.ts'

/** A dialog that comes from an edge: filters on a phone, the navigation, a record in passing. */
export function Drawer({
  open,
  onOpenChange,
  title,
  description,
  side = 'right',
  footer,
  trigger,
  onSubmit,
  children,
}: {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  side?: 'right' | 'left' | 'bottom'
  footer?: ReactNode
  trigger?: ReactElement
  onSubmit?: () => void
  children?: ReactNode
}) {
  const actions = useRef<Base.Root.Actions>(null)
  return (
    <Base.Root actionsRef={actions} open={open} onOpenChange={onOpenChange}>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={classes(css.popup, css.drawer, side !== 'right' && css[side])}>
          <EarlyEscape actions={actions} />
          <DialogInside footer={footer} onSubmit={onSubmit} body={children}>
            <Base.Title className={css.title}>{title}</Base.Title>
            {description && (
              <Base.Description className={css.description}>{description}</Base.Description>
            )}
          </DialogInside>
          <Base.Close render={<IconButton label={t('Close')} icon="x" className={css.close} />} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
