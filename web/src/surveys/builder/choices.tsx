import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Choice } from './draft.ts'
import { freshChoice } from './draft.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = { label: string; add: string; of: Choice[]; onChange: (next: Choice[]) => void }

/** The choices of a question, one a line: Enter begins the next one, and pasted lines become choices. */
export function Choices({ label, add, of, onChange }: Props) {
  const list = useRef<HTMLFieldSetElement>(null)
  const focus = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[at]?.focus())
  const insert = (at: number, labels: string[]) => {
    onChange(of.toSpliced(at, 0, ...labels.map(freshChoice)))
    focus(at + labels.length - 1)
  }
  const move = (at: number, to: number) => {
    const choice = of[at]
    if (!choice || to < 0 || to >= of.length) return
    onChange(of.toSpliced(at, 1).toSpliced(to, 0, choice))
    focus(to)
  }
  return (
    <fieldset ref={list} className={styles.choices}>
      <legend>{label}</legend>
      {of.map(({ value, label: words }, at) => (
        <span key={value}>
          <TextField
            label={`${label}, ${at + 1}`}
            value={words}
            maxLength={1000}
            onChange={(next) =>
              onChange(of.map((each, i) => (i === at ? { ...each, label: next } : each)))
            }
            onPaste={(event) => {
              const lines = event.clipboardData
                .getData('text/plain')
                .split(/\r?\n/)
                .map((line) => line.trim())
                .filter(Boolean)
              if (lines.length < 2) return
              event.preventDefault()
              insert(at + 1, lines.slice(0, 200))
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') insert(at + 1, [''])
              else if (event.key === 'Backspace' && !words && of.length > 1) {
                onChange(of.toSpliced(at, 1))
                focus(Math.max(0, at - 1))
              } else if (event.altKey && event.key === 'ArrowUp') move(at, at - 1)
              else if (event.altKey && event.key === 'ArrowDown') move(at, at + 1)
              else return
              event.preventDefault()
            }}
          />
          <IconButton
            label={words ? t('Remove {words}', { words }) : t('Remove choice {at}', { at: at + 1 })}
            icon="x"
            size="small"
            onClick={() => onChange(of.toSpliced(at, 1))}
          />
        </span>
      ))}
      <Button size="small" variant="quiet" icon="plus" onClick={() => insert(of.length, [''])}>
        {add}
      </Button>
    </fieldset>
  )
}
