import { useEffect, useState } from 'react'
import { TextField } from '../../ui/text-field.tsx'
import styles from './search-field.module.css'

type Props = { words: string; value: string; onChange: (value: string) => void }

/** Searches the list while one types, debounced by 200 ms. */
export function SearchField({ words, value, onChange }: Props) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 200)
    return () => clearTimeout(timer)
  }, [text]) // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <div className={styles.search} data-list-search>
      <TextField
        type="search"
        icon="search"
        label={`Search ${words}`}
        placeholder={`Search ${words}`}
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          const goesOn = event.key === 'Enter' || event.key === 'ArrowDown'
          if (!goesOn && !(event.key === 'Escape' && text === '')) return
          event.preventDefault()
          firstFound()?.focus()
        }}
      />
    </div>
  )
}

/** The element to focus after the search: the first row, or the first card. */
function firstFound(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main :is(th[data-cell], [data-card] a)')
}
