import type { KeyboardEvent } from 'react'
import { useRef, useState } from 'react'

/** Where the focus goes when a cell is left. */
export type Next = 'stay' | 'down' | 'next' | 'previous'

type Props = {
  /** what stands in the cell at first: the value, or what was typed or refused */
  initial: string
  /** whether it is more than the value that is stored */
  isTyped: boolean
  onSave: (text: string, next: Next) => void
  onCancel: (next: Next) => void
}

/** The text of a cell while it is edited: Enter and Tab save it, Escape does not, and so does leaving it. */
export function useCellText({ initial, isTyped, onSave, onCancel }: Props) {
  const [text, setText] = useState(initial)
  const isDone = useRef(false)
  const finish = (next: Next, isSaved: boolean) => {
    if (isDone.current) return
    isDone.current = true
    if (!isSaved || (text === initial && !isTyped)) onCancel(next)
    else onSave(text, next)
  }
  const control = {
    autoFocus: true,
    onBlur: () => finish('stay', true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return
      const next: { [key: string]: Next } = {
        Enter: 'down',
        Tab: event.shiftKey ? 'previous' : 'next',
        Escape: 'stay',
      }
      const where = next[event.key]
      if (!where) return
      event.preventDefault()
      event.stopPropagation()
      finish(where, event.key !== 'Escape')
    },
  }
  return { text, setText, control }
}
