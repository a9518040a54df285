import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef, type ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './dialog.module.css'
import { EarlyEscape } from './early-escape.tsx'
import { t } from '../locales/text.ts'

/** Asks before an action that cannot be undone. `confirm` is the verb and its object: "Delete 3 contacts". */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  cancel = t('Cancel'),
  danger = true,
  busy = false,
  onConfirm,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  confirm: string
  cancel?: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
  children?: ReactNode
}) {
  const cancelRef = useRef<HTMLButtonElement>(null)
  const actions = useRef<AlertDialog.Root.Actions>(null)
  return (
    <AlertDialog.Root actionsRef={actions} open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={css.backdrop} />
        <AlertDialog.Viewport className={css.viewport}>
          <AlertDialog.Popup className={css.popup} initialFocus={cancelRef}>
            <EarlyEscape actions={actions} />
            <div className={css.head}>
              <AlertDialog.Title className={css.title}>{title}</AlertDialog.Title>
              {description && (
                <AlertDialog.Description className={css.description}>
                  {description}
                </AlertDialog.Description>
              )}
            </div>
            {children && <div className={css.body}>{children}</div>}
            <div className={css.footer}>
              <AlertDialog.Close render={<Button ref={cancelRef}>{cancel}</Button>} />
              <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
                {confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
