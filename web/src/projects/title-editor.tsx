import { useRef, useState } from 'react'
import { announce } from '../ui/announce.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './plan.module.css'
import type { Chip, Words } from './title-words.ts'
import { chipsAtEnd, lastChip } from './title-words.ts'

/** How a person goes on from a title. */
export type How = 'enter' | 'in' | 'out' | 'back' | 'panel' | 'cancel' | 'leave'

type Props = {
  label: string
  initial: string
  placeholder?: string
  invalid?: boolean
  autoFocus: boolean
  /** what words at its end can set; none without it */
  words?: Words | undefined
  chips?: Chip[]
  onDone: (text: string, how: How, chips: Chip[]) => void
  /** text of several lines that is pasted */
  onLines?: (text: string) => void
}

/** The title of a milestone or task, as it is typed, with the words at its end that set something else. */
export function TitleEditor({
  initial,
  words,
  chips: before = [],
  onDone,
  onLines,
  ...rest
}: Props) {
  const [text, setText] = useState(initial)
  const [chips, setChips] = useState(before)
  // the text as the last chip left it
  const [bare, setBare] = useState<string>()
  const literal = useRef(new Set<string>())
  const isLeft = useRef(false)
  const leave = (how: How) => {
    isLeft.current = how !== 'leave'
    // what was there before is no word that was just typed
    const isTyped = text.trim() !== initial.trim()
    const found = words && isTyped ? chipsAtEnd(text, words, literal.current) : undefined
    onDone(found?.title ?? text.trim(), how, [...chips, ...(found?.chips ?? [])])
  }
  const type = (next: string) => {
    isLeft.current = false
    const isWordEnd = next.length > text.length && /\S\s$/.test(next)
    const found = words && isWordEnd ? lastChip(next, words) : undefined
    if (!found?.rest || literal.current.has(found.chip.word)) return setText(next)
    setChips([...chips, found.chip])
    setText(`${found.rest} `)
    setBare(`${found.rest} `)
    announce(found.chip.label)
  }
  /** Takes the last chip back to text, where nothing was typed since. */
  const takeBack = () => {
    const last = chips.at(-1)
    if (!last || text !== bare) return false
    literal.current.add(last.word)
    setChips(chips.slice(0, -1))
    setText(`${text.trimEnd()} ${last.word}`)
    setBare(chips.length > 1 ? text : undefined)
    return true
  }
  const keys: { [key: string]: How } = { Enter: 'enter', Escape: 'cancel' }
  return (
    <TextField
      {...rest}
      maxLength={255}
      value={text}
      onChange={type}
      suffix={
        chips.length ? (
          <span style={{ display: 'flex', gap: 4 }}>
            {chips.map(({ word, label }) => (
              <span key={word} className={styles.chip}>
                {label}
              </span>
            ))}
          </span>
        ) : undefined
      }
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
        const { key, currentTarget } = event
        if (event.nativeEvent.isComposing || event.altKey) return
        const isControl = event.ctrlKey || event.metaKey
        if (isControl && key !== 'Enter') return
        const isAtEnd =
          currentTarget.selectionStart === text.length && currentTarget.selectionEnd === text.length
        if (key === 'Backspace' && isAtEnd && takeBack()) return event.preventDefault()
        const how = isControl
          ? 'panel'
          : key === 'Tab'
            ? event.shiftKey
              ? 'out'
              : 'in'
            : key === 'Backspace' && text === ''
              ? 'back'
              : keys[key]
        if (!how) return
        event.preventDefault()
        event.stopPropagation()
        leave(how)
      }}
    />
  )
}
