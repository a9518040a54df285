import { useEffect } from 'react'
import { redo, undo } from '../data/history.ts'
import { isTyping } from '../ui/typing.ts'

/** Ctrl+Z takes back the last act of a scope and Ctrl+Shift+Z does it again, except in a field, which has its own. */
export function useUndoKeys(scope: string): void {
  useEffect(() => {
    const stopping = new AbortController()
    const pressed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event
      const isControl = (ctrlKey || metaKey) && !altKey
      // what a notice still offers has been taken back by it
      if (!isControl || key.toLowerCase() !== 'z' || defaultPrevented || isTyping(target)) return
      event.preventDefault()
      void (shiftKey ? redo(scope) : undo(scope))
    }
    document.addEventListener('keydown', pressed, { signal: stopping.signal })
    return () => stopping.abort()
  }, [scope])
}
