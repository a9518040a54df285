import { useRef, useState } from 'react'
import { TextField } from '../ui/text-field.tsx'

/** How a person goes on from a title. */
export type How = 'enter' | 'in' | 'out' | 'back' | 'cancel' | 'leave'

type Props = {
  label: string
  initial: string
  placeholder?: string
  invalid?: boolean
  autoFocus: boolean
  onDone: (text: string, how: How) => void
  /** text of several lines that is pasted */
  onLines?: (text: string) => void
}

/** The title of a milestone or task, as it is typed. */
export function TitleEditor({ initial, autoFocus, onDone, onLines, ...rest }: Props) {
  const [text, setText] = useState(initial)
  const isLeft = useRef(false)
  const leave = (how: How) => {
    isLeft.current = how !== 'leave'
    onDone(text.trim(), how)
  }
  const keys: { [key: string]: How } = { Enter: 'enter', Escape: 'cancel' }
  return (
    <TextField
      {...rest}
      autoFocus={autoFocus}
      maxLength={255}
      value={text}
      onChange={(next) => {
        isLeft.current = false
        setText(next)
      }}
      onBlur={() => {
        if (!isLeft.current) leave('leave')
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain')
        if (!onLines || !pasted.trim().includes('\n')) return
        event.preventDefault()
        isLeft.current = true
        onLines(pasted)
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
        const how =
          event.key === 'Tab'
            ? event.shiftKey
              ? 'out'
              : 'in'
            : event.key === 'Backspace' && text === ''
              ? 'back'
              : keys[event.key]
        if (!how) return
        event.preventDefault()
        event.stopPropagation()
        leave(how)
      }}
    />
  )
}
