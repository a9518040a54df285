import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { IconButton } from './icon-button.tsx'
import { Icon } from './icons.tsx'
import css from './toast.module.css'
import { isTyping } from './typing.ts'
import { t } from '../locales/text.ts'

type Data = { undo?: () => void; action?: { label: string; onSelect: () => void } }

/** The content and actions of a toast. Errors stay until they are closed; others stay 6 s. */
export type ToastOptions = {
  message: string
  detail?: string
  kind?: 'done' | 'fault'
  /** Undoes what the toast reports: a button, and Ctrl+Z while the toast is the newest. */
  undo?: () => void
  /** What Ctrl+Z does instead, for acts that are undone in their order. */
  undoByKey?: () => void
  action?: { label: string; onSelect: () => void }
}

const manager = Toast.createToastManager<Data>()
const stayMs = 6_000

/** The toasts on screen that can be undone, the newest last. */
const undoable = new Map<string, () => void>()

/** Shows a toast and returns a function that closes it. */
export function toast({ message, detail, kind = 'done', ...options }: ToastOptions): () => void {
  const { undo, undoByKey: byKey = undo, action } = options
  const id: string = manager.add({
    title: message,
    description: detail,
    type: kind,
    timeout: kind === 'fault' ? 0 : stayMs,
    data: { undo, action },
    onClose: () => void undoable.delete(id),
  })
  if (byKey) undoable.set(id, byKey)
  return () => manager.close(id)
}

/** Undoes what the newest toast reports; false if there is nothing. */
export function undoNewest(): boolean {
  const newest = [...undoable].at(-1)
  if (!newest) return false
  undoable.delete(newest[0])
  manager.close(newest[0])
  newest[1]()
  return true
}

/** Renders the toasts, in `UiProvider`. F6 moves the focus to them. */
export function ToastViewport() {
  useEffect(() => {
    const stopping = new AbortController()
    document.addEventListener('keydown', undoByKey, { signal: stopping.signal })
    return () => stopping.abort()
  }, [])
  return (
    <Toast.Provider toastManager={manager} timeout={stayMs} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={css.viewport} aria-label={t('Notifications')}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts, close } = Toast.useToastManager<Data>()
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className={css.toast} swipeDirection={['left', 'down']}>
      <Toast.Content className={classes(css.inside, each.type === 'fault' && css.fault)}>
        <Icon name={each.type === 'fault' ? 'circle-alert' : 'circle-check'} />
        <div className={css.words}>
          <Toast.Title className={css.title} render={<div />} />
          {each.description && <Toast.Description className={css.detail} render={<div />} />}
        </div>
        {each.data?.action && (
          <Button
            variant="quiet"
            onClick={() => {
              close(each.id)
              each.data?.action?.onSelect()
            }}
          >
            {each.data.action.label}
          </Button>
        )}
        {each.data?.undo && (
          <Button
            variant="quiet"
            onClick={() => {
              undoable.delete(each.id)
              close(each.id)
              each.data?.undo?.()
            }}
          >
            {t('Undo')}
          </Button>
        )}
        {/* reachable by Tab, so that screen reader users find it */}
        <Toast.Close aria-hidden={undefined} render={<IconButton label={t('Close')} icon="x" />} />
      </Toast.Content>
    </Toast.Root>
  ))
}

/** Ctrl+Z (Command+Z), unless the focus is in a text field. */
function undoByKey(event: KeyboardEvent) {
  const isUndo =
    event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
  if (!isUndo || event.altKey || event.defaultPrevented || isTyping(event.target)) return
  if (undoNewest()) event.preventDefault()
}
