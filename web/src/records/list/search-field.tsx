import { useEffect, useEffectEvent } from 'react'
import { TextField } from '../../ui/text-field.tsx'
import { useStateFor } from '../../ui/use-state-for.ts'
import styles from './search-field.module.css'
import { t } from '../../locales/text.ts'

type Props = { words: string; value: string; onChange: (value: string) => void }

/** Searches the list while one types, debounced by 200 ms. */
export function SearchField({ words, value, onChange }: Props) {
  const [text, setText] = useStateFor(value)
  const search = useEffectEvent(() => onChange(text))
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(search, 200)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <div className={styles.search} data-list-search>
      <TextField
        type="search"
        icon="search"
        label={t('Search {many}', { many: words })}
        placeholder={t('Search {many}', { many: words })}
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
