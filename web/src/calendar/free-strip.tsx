import { useQuery } from '@tanstack/react-query'
import type { FreeBusy, PersonBusy } from '../data/free-busy.ts'
import { freeBusyQuery } from '../data/free-busy.ts'
import { localTime } from '../records/field/local-time.ts'
import type { Format } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './free.module.css'
import { minutesOf } from './days.ts'
import type { Slot } from './hours.ts'
import { instantOf, slotOf } from './hours.ts'
import { dayWords, minuteWords } from './words.ts'
import { t } from '../locales/text.ts'

/** The hours that the strip shows. */
const shown = { from: 8 * 60, to: 18 * 60 }
const ticks = [8, 10, 12, 14, 16, 18]
/** How many days ahead free times are looked for. */
const daysAhead = 14

type Props = {
  people: string[]
  slot: Slot
  onChange: (slot: Slot) => void
  /** the meeting that is moved */
  calendar_id?: string
}

/** Who is busy on the day of a meeting, why the chosen time is not free, and the next times at which all are. */
export function FreeStrip({ people, slot, onChange, calendar_id }: Props) {
  const format = useFormat()
  const { timezone } = format
  const { day, from, to } = slot
  const { data, error, refetch } = useQuery(
    freeBusyQuery({
      people,
      from: instantOf(day, 0, timezone),
      to: instantOf(day, daysAhead * 1440, timezone),
      duration: Math.min(Math.max(to - from, 5), 1440),
      ...(calendar_id ? { calendar_id } : {}),
    }),
  )
  const times = data?.suggestions ?? []
  const choose = (suggestion: FreeBusy['suggestions'][number] | undefined) => {
    if (!suggestion) return
    const next = slotOf(suggestion.from, suggestion.to, timezone)
    onChange({ ...next, to: next.from + to - from })
  }
  useShortcuts(
    times.map((_, n) => ({
      keys: `Alt+${n + 1}`,
      label: t('Take free time {number}', { number: n + 1 }),
      group: t('Meeting'),
      run: () => choose(times[n]),
    })),
  )
  if (error && !data) {
    const title = t('Who is free could not be read')
    return <ReadFault small title={title} error={error} onRetry={refetch} />
  }
  if (!data) return <Skeleton height={80} />
  const chosen = { from: instantOf(day, from, timezone), to: instantOf(day, to, timezone) }
  return (
    <section aria-label={t('Who is free')} className={styles.strip}>
      <div className={styles.ticks} aria-hidden>
        {ticks.map((hour) => (
          <span key={hour} style={{ insetInlineStart: left(hour * 60) }}>
            {hour}
          </span>
        ))}
      </div>
      <ul>
        {data.people.map((person) => (
          <Row key={person.id} {...{ person, slot, chosen, format }} />
        ))}
      </ul>
      {times.length ? (
        <div className={styles.times}>
          <span>{people.length === 1 ? t('Free') : t('All are free')}</span>
          {times.map((each, n) => {
            const start = slotOf(each.from, each.to, timezone)
            const words = t('{day} {time}', {
              day: dayWords(start.day, format, { weekday: 'short', day: 'numeric' }),
              time: minuteWords(start.from, format),
            })
            return (
              <Button
                key={each.from}
                aria-keyshortcuts={`Alt+${n + 1}`}
                onClick={() => choose(each)}
              >
                {words}
              </Button>
            )
          })}
        </div>
      ) : (
        <p>{t('No time at which all are free within two weeks')}</p>
      )}
    </section>
  )
}

type RowProps = {
  person: PersonBusy
  slot: Slot
  chosen: { from: string; to: string }
  format: Format
}

function Row({ person, slot, chosen, format }: RowProps) {
  const { timezone } = format
  const name = person.name ?? person.id
  const spans = person.busy.flatMap((each) => {
    const begins = localTime(each.from, timezone)
    const ends = localTime(each.to, timezone)
    if (begins.slice(0, 10) > slot.day || ends.slice(0, 10) < slot.day) return []
    const from = begins.slice(0, 10) < slot.day ? 0 : minutesOf(begins.slice(11))
    const to = ends.slice(0, 10) > slot.day ? 1440 : minutesOf(ends.slice(11))
    return to > shown.from && from < shown.to ? { from, to, key: each.from + each.to } : []
  })
  const why = reasonOf(person, chosen, format)
  return (
    <li>
      <span className={styles.name}>{name}</span>
      <span className={styles.track} aria-hidden>
        {person.known ? (
          spans.map(({ from, to, key }) => (
            <span
              key={key}
              style={{ insetInlineStart: left(from), insetInlineEnd: `calc(100% - ${left(to)})` }}
            />
          ))
        ) : (
          <span className={styles.unknown} />
        )}
        <span
          className={styles.chosen}
          style={{
            insetInlineStart: left(slot.from),
            insetInlineEnd: `calc(100% - ${left(slot.to)})`,
          }}
        />
      </span>
      {why ? <small>{why}</small> : <small className={styles.free}>{t('free')}</small>}
    </li>
  )
}

/** Why somebody is not free at a time, as far as one may see it; undefined where they are. */
function reasonOf(
  { known, busy, working }: PersonBusy,
  { from, to }: { from: string; to: string },
  format: Format,
): string | undefined {
  if (!known) return t('unknown, not in Perennial')
  const there = busy.find((each) => each.from < to && each.to > from)
  if (there) {
    const until = minuteWords(minutesOf(localTime(there.to, format.timezone).slice(11)), format)
    if (there.why === 'holiday') {
      return there.title ? t('holiday: {name}', { name: there.title }) : t('holiday')
    }
    if (there.why === 'away') return t('away')
    if (there.title) return t('{title} until {time}', { title: there.title, time: until })
    return t('busy, private')
  }
  const isAtWork = working.some((each) => each.from <= from && to <= each.to)
  return isAtWork ? undefined : t('outside working hours')
}

/** How far from the start of the strip a minute of the day stands. */
function left(minutes: number): string {
  const within = Math.min(Math.max(minutes, shown.from), shown.to)
  return `${((within - shown.from) / (shown.to - shown.from)) * 100}%`
}
