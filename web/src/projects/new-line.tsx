import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { Icon } from '../ui/icons.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './project.module.css'

type Props = { label: string; placeholder: string; onCreate: (title: string) => Promise<void> }

/** A line to type a new item into: Enter creates it and clears the line for another. */
export function NewLine({ label, placeholder, onCreate }: Props) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  async function create() {
    const title = text.trim()
    if (!title || isBusy) return
    setBusy(true)
    try {
      await onCreate(title)
      setText('')
    } catch (error) {
      notifyRefusal(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.newLine}>
      <Icon name="plus" size={14} />
      <TextField
        label={label}
        placeholder={placeholder}
        value={text}
        aria-busy={isBusy}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          void create()
        }}
      />
    </div>
  )
}
