import { useRef, useState } from 'react'
import { notify } from '../data/notices.ts'
import { day, today, weekday } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { readDay, workingDay } from './day-words.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import styles from './plan.module.css'
import { t } from '../locales/text.ts'

/** Where the focus goes when a cell is left. */
export type Next = 'stay' | 'down' | 'next' | 'previous'
type Props = {
  label: string
  /** the day that is stored, or the text that was typed already */
  initial: string
  isTyped: boolean
  calendar: ProjectPlan['calendar']
  /** the day after all that the row waits for, for `=` */
  earliest: string | null
  onSave: (day: string | null, next: Next) => void
  onCancel: (next?: Next) => void
}

/** A day in words or numbers: a day off is answered by the working day after it, which a second Enter takes. */
export function DayField({ label, initial, isTyped, calendar, earliest, onSave, onCancel }: Props) {
  const format = useFormat()
  const almanac = { today: today(format.timezone), calendar, locale: format.locale }
  const written = initial && !isTyped ? day(initial, format) : initial
  // languages whose dates are not read back
  const first = isTyped || readDay(written, almanac) === (initial || null) ? written : initial
  const [text, setText] = useState(first)
  const [wrong, setWrong] = useState<string>()
  const [offered, setOffered] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  const end = (run: () => void) => {
    if (isDone.current) return
    isDone.current = true
    run()
  }
  const read = () => {
    const found = readDay(text, almanac, earliest)
    if (found === undefined) {
      const typed = text.trim()
      return {
        error:
          typed === '='
            ? t('It waits for nothing: write fri, dec 4, +3, today or =')
            : t('“{text}” is no day: write fri, dec 4, +3, today or =', { text: typed }),
      }
    }
    const near = found && workingDay(found, calendar)
    if (found === null || near === found) return { day: found }
    const error = t('{day} is not a working day · Enter takes {next}', {
      day: weekday(found, format),
      next: weekday(near ?? found, format),
    })
    return { error, near: near ?? found }
  }
  const finish = (next: Next) => {
    if (offered !== undefined) return end(() => onSave(offered, next))
    if (text === first && !isTyped) return end(() => onCancel(next))
    const found = read()
    if (!('error' in found)) return end(() => onSave(found.day, next))
    setWrong(found.error)
    setOffered(found.near)
  }
  return (
    <>
      <TextField
        label={label}
        autoFocus
        value={text}
        invalid={wrong !== undefined}
        onChange={(next) => {
          setText(next)
          setWrong(undefined)
          setOffered(undefined)
        }}
        onFocus={({ currentTarget }) => {
          if (!isTyped) currentTarget.select()
        }}
        onBlur={() => {
          if (isDone.current) return
          const found = text === first && !isTyped ? undefined : read()
          if (!found) return end(onCancel)
          if (!('error' in found)) return end(() => onSave(found.day, 'stay'))
          notify({ message: t('The day was not changed'), detail: found.error })
          end(onCancel)
        }}
        onKeyDown={(event) => {
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
          if (event.key === 'Escape') end(() => onCancel(where))
          else finish(where)
        }}
        suffix={
          <>
            <input
              ref={picker}
              type="date"
              tabIndex={-1}
              aria-hidden="true"
              style={{ width: 0, padding: 0, border: 0, opacity: 0 }}
              onChange={({ currentTarget }) => {
                const { value } = currentTarget
                if (value) end(() => onSave(value, 'stay'))
              }}
            />
            <IconButton
              label={t('Choose a day')}
              icon="calendar"
              size="small"
              tabIndex={-1}
              // the field keeps the focus, or it would be left
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => picker.current?.showPicker()}
            />
          </>
        }
      />
      {wrong ? (
        <span role="alert" className={styles.error}>
          {wrong}
        </span>
      ) : null}
    </>
  )
}
