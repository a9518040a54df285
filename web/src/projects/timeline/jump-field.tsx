import { useState } from 'react'
import { TextField } from '../../ui/text-field.tsx'
import type { Almanac } from '../day-words.ts'
import { readDay } from '../day-words.ts'

type Props = {
  almanac: Almanac
  onShow: (day: string) => void
  onClose: () => void
}

/** A day to be scrolled to, as people write one. */
export function JumpField({ almanac, onShow, onClose }: Props) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <TextField
      label="Go to a day"
      placeholder="dec 4, fri, +10"
      autoFocus
      value={text}
      invalid={isWrong}
      onChange={(next) => {
        setText(next)
        setWrong(false)
      }}
      onBlur={onClose}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.stopPropagation()
        const day = readDay(text, almanac)
        if (day) onShow(day)
        else setWrong(true)
      }}
    />
  )
}
