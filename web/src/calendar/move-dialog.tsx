import { useState } from 'react'
import { instantAt } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'
import { addDays } from '../records/field/format.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { daysBetween, minutesOf, timeOf } from './days.ts'
import type { Entry } from './entries.ts'
import styles from './quick.module.css'
import type { Times } from './shift.ts'
import { later, lengthOf } from './shift.ts'
import { zoneWords } from './words.ts'
import { t } from '../locales/text.ts'

type Props = { entry: Entry; onMove: (times: Times) => void; onClose: () => void }

/** Moves a meeting by fields: the same as by dragging it. */
export default function MoveDialog({ entry, onMove, onClose }: Props) {
  const format = useFormat()
  const { timezone } = format
  const { meeting, first, from: begins, isWhole } = entry
  const [day, setDay] = useState(first)
  const [from, setFrom] = useState(begins)
  const [minutes, setMinutes] = useState(lengthOf(meeting) / 60_000)
  const end = (from + minutes) % 1440
  const submit = () => {
    if (isWhole) {
      return onMove(later(entry, { days: daysBetween(first, day) }))
    }
    const isSame = day === first && from === begins
    const start = isSame ? meeting.start : instantAt(`${day}T${timeOf(from)}`, timezone)
    onMove({ start, end: new Date(Date.parse(start) + minutes * 60_000).toISOString() })
  }
  return (
    <Dialog
      open
      title={t('Move “{title}”', { title: meeting.title })}
      onOpenChange={(open) => !open && onClose()}
      onSubmit={submit}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button variant="primary" type="submit">
            {t('Move')}
          </Button>
        </>
      }
    >
      <div className={isWhole ? styles.form : styles.times}>
        <Field label={t('Day')}>
          <DateField autoFocus value={day} onChange={(next) => next && setDay(next)} />
        </Field>
        {isWhole ? null : (
          <>
            <Field label={t('From')}>
              <DateField
                kind="time"
                value={timeOf(from)}
                onChange={(next) => next && setFrom(minutesOf(next))}
              />
            </Field>
            <Field label={t('To')} hint={zoneWords(timezone, addDays(day, 0), format)}>
              <DateField
                kind="time"
                value={timeOf(end)}
                onChange={(next) =>
                  next && setMinutes((minutesOf(next) - from + 1440) % 1440 || 15)
                }
              />
            </Field>
          </>
        )}
      </div>
    </Dialog>
  )
}
