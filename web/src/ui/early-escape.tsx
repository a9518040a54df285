import type { Dialog } from '@base-ui/react/dialog'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Dialogs that are open, each by an element in it, the newest last. */
const open: Element[] = []

/**
 * Closes its dialog by an Escape that comes before the focus is in it: the library
 * listens only after the page is painted, and a quick key would be lost. `actions` is the dialog's
 * `actionsRef`.
 */
export function EarlyEscape({ actions }: { actions: RefObject<Dialog.Root.Actions | null> }) {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const mark = ref.current
    if (!mark) return undefined
    open.push(mark)
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || open.at(-1) !== mark) return
      const focused = event.target instanceof Element ? event.target.closest(popups) : null
      // if this dialog, or an open list in it, has the focus, it handles the key itself
      if (focused && !isBelow(focused, mark)) return
      event.preventDefault()
      event.stopPropagation()
      actions.current?.close()
    }
    addEventListener('keydown', close, { capture: true })
    return () => {
      removeEventListener('keydown', close, { capture: true })
      open.splice(open.indexOf(mark), 1)
    }
  }, [actions])
  return <span ref={ref} hidden />
}

const popups = '[role$=dialog],[role=menu],[role=listbox]'

/** Whether a popup is a dialog that another has been opened from. */
function isBelow(popup: Element, mark: Element): boolean {
  return open.some((each) => each !== mark && each.closest('[role$=dialog]') === popup)
}
