import { useState } from 'react'
import type { WorkingSpan } from '../data/free-busy.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { DateField } from '../ui/date-field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { SettingBody, SettingRow } from '../ui/setting.tsx'
import styles from './settings.module.css'
import { shortWeekdays, weekdays } from './choices.ts'
import { t } from '../locales/text.ts'

type Props = {
  spans: WorkingSpan[]
  hint: string
  error: string | undefined
  isReadOnly: boolean
  /** whether it was stored */
  onSave: (spans: WorkingSpan[], message: string) => Promise<boolean>
}

/** The hours in which somebody works: days, from and to, several times a day if need be. */
export function WorkingHours({ spans, hint, error, isReadOnly, onSave }: Props) {
  const [days, setDays] = useState([1, 2, 3, 4, 5])
  const [from, setFrom] = useState<string | null>('09:00')
  const [to, setTo] = useState<string | null>('17:00')
  const add = () => {
    if (from && to) void onSave([...spans, { days, from, to }], t('Working hours saved'))
  }
  return (
    <>
      <SettingRow label={t('Working hours')} hint={hint} error={error}>
        {spans.length ? null : <span>{t('Not set')}</span>}
      </SettingRow>
      {spans.map((span, at) => {
        const words = spanWords(span)
        return (
          <SettingRow key={`${words} ${at}`} label={words}>
            {isReadOnly ? null : (
              <IconButton
                icon="trash"
                label={t('Remove {days}', { days: words })}
                onClick={() =>
                  void onSave(
                    spans.filter((each) => each !== span),
                    t('Working hours removed'),
                  )
                }
              />
            )}
          </SettingRow>
        )
      })}
      {isReadOnly ? null : (
        <SettingBody>
          <form
            className={styles.fields}
            onSubmit={(event) => {
              event.preventDefault()
              add()
            }}
          >
            {weekdays.map((label, i) => (
              <Checkbox
                key={label}
                checked={days.includes(i + 1)}
                onChange={(checked) =>
                  setDays(
                    checked
                      ? [...days, i + 1].sort((a, b) => a - b)
                      : days.filter((day) => day !== i + 1),
                  )
                }
              >
                {shortWeekdays[i]}
              </Checkbox>
            ))}
            <DateField kind="time" label={t('Work begins')} value={from} onChange={setFrom} />
            <DateField kind="time" label={t('Work ends')} value={to} onChange={setTo} />
            <Button type="submit" disabled={!days.length || !from || !to || to <= from}>
              {t('Add working hours')}
            </Button>
          </form>
        </SettingBody>
      )}
    </>
  )
}

/** "Mon, Tue, 09:00 – 17:00". */
function spanWords({ days, from, to }: WorkingSpan): string {
  return `${days.map((day) => shortWeekdays[day - 1]).join(', ')}, ${from} – ${to}`
}
