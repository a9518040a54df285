import { useState } from 'react'
import { minutesOf, timeOf } from '../calendar/days.ts'
import { FreeStrip } from '../calendar/free-strip.tsx'
import type { Slot } from '../calendar/hours.ts'
import { instantOf, slotOf } from '../calendar/hours.ts'
import type { Attendee } from '../calendar/invited.ts'
import { busyKeysOf } from '../calendar/busy-keys.ts'
import { dayWords, minuteWords } from '../calendar/words.ts'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import { useSession } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Field } from '../ui/field.tsx'
import styles from './meetings.module.css'
import { t } from '../locales/text.ts'

type Props = Pick<SectionProps, 'record' | 'module'> & { people: Attendee[] }
type Person = { user_id: string; email?: string | null }

/** When all who are invited are free, why somebody is not, and the meeting moved there. */
export default function FindTime({ record, module, people }: Props) {
  const format = useFormat()
  const { timezone } = format
  const [chosen, setChosen] = useState<Slot>()
  const [isOpen, setOpen] = useState(false)
  const { user } = useSession()
  // who organized it comes, whoever looks
  const { user_id: id, email = null } = (record.created_by as Person | null) ?? user
  const now = slotOf(String(record.start), String(record.end), timezone)
  const slot = chosen ?? now
  const isMoved = slot.day !== now.day || slot.from !== now.from
  if (record.all_day) return null
  if (!isOpen) {
    return (
      <p>
        <Button icon="calendar" onClick={() => setOpen(true)}>
          {t('Find a time')}
        </Button>
      </p>
    )
  }
  const at = (minutes: number) => instantOf(slot.day, minutes, timezone)
  const words = t('{day} {time}', {
    day: dayWords(slot.day, format, { weekday: 'short', day: 'numeric', month: 'short' }),
    time: minuteWords(slot.from, format),
  })
  const move = () =>
    changeRecord(
      module,
      String(record.calendar_id),
      { start: at(slot.from), end: at(slot.to) },
      { message: t('Moved to {time}', { time: words }) },
    ).then(() => setChosen(undefined), notifyRefusal)
  return (
    <section aria-label={t('Find a time')} className={styles.find}>
      <div className={styles.at}>
        <Field label={t('Day')}>
          <DateField value={slot.day} onChange={(day) => day && setChosen({ ...slot, day })} />
        </Field>
        <Field label={t('From')}>
          <DateField
            kind="time"
            value={timeOf(slot.from)}
            onChange={(next) =>
              next &&
              setChosen({
                ...slot,
                from: minutesOf(next),
                to: minutesOf(next) + slot.to - slot.from,
              })
            }
          />
        </Field>
        <Button variant="primary" disabled={!isMoved} onClick={() => void move()}>
          {isMoved ? t('Move to {time}', { time: words }) : t('Choose a time')}
        </Button>
      </div>
      <FreeStrip
        people={busyKeysOf([{ type: 'user', id, email }, ...people])}
        slot={slot}
        onChange={setChosen}
        calendar_id={String(record.calendar_id)}
      />
    </section>
  )
}
