import type { PointerEvent, ReactNode } from 'react'
import { useLayoutEffect, useRef } from 'react'
import type { DueTask, ShownMilestone } from '../data/calendar.ts'
import { localTime } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'
import { classes } from '../ui/classes.ts'
import styles from './calendar.module.css'
import { minutesOf, weekdayOf } from './days.ts'
import type { Entry } from './entries.ts'
import { on, slicesOn, wholeOn } from './entries.ts'
import type { EntryActs } from './entry-button.tsx'
import { EntryButton } from './entry-button.tsx'
import type { Slot } from './hours.ts'
import { hourHeight, minuteAt, y } from './hours.ts'
import { MilestoneLine } from './milestone-line.tsx'
import { countOf } from './month-grid.tsx'
import type { DayHours } from './use-hours.ts'
import { useNow } from './use-now.ts'
import { WorkLine } from './work-line.tsx'
import { dayWords, minuteWords, zoneWords } from './words.ts'
import { ZoneHours } from './zone-hours.tsx'
import { t } from '../locales/text.ts'

type Props = {
  days: string[]
  now: string
  entries: Entry[]
  work: DueTask[]
  acts: EntryActs
  zone2: string | undefined
  /** where a new meeting would be */
  slot: Slot
  /** the slot has the focus of keys */
  slotButton: ReactNode
  /** what is dragged, where it would be */
  ghost: (Slot & { title: string }) | undefined
  press: (day: string, event: PointerEvent<HTMLElement>) => void
  create: (slot: Slot) => void
  showDay: (day: string) => void
  /** when the person works; undefined until it is known */
  hoursOf: ((day: string) => DayHours) | undefined
  milestones: ShownMilestone[]
}

/** The hours of a week or a day, with what stands above them. */
export function TimeGrid(props: Props) {
  const { days, now, zone2, entries, work, acts, showDay, hoursOf, milestones } = props
  const format = useFormat()
  const scroll = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (scroll.current) scroll.current.scrollTop = 7 * hourHeight - 8
  }, [])
  const columns = {
    gridTemplateColumns: `${zone2 ? 132 : 68}px repeat(${days.length}, minmax(0, 1fr))`,
  }
  return (
    <div className={styles.scroll} ref={scroll}>
      <div
        role="grid"
        aria-label={t('Calendar')}
        className={styles.grid}
        aria-colcount={days.length + 1}
      >
        <div role="row" className={classes(styles.heads, styles.columns)} style={columns}>
          <div role="columnheader" className={styles.zones}>
            {zone2 ? <span>{zoneWords(zone2, days[0] ?? now, format)}</span> : null}
            <span>{zoneWords(format.timezone, days[0] ?? now, format)}</span>
          </div>
          {days.map((day) => (
            <div
              key={day}
              role="columnheader"
              className={styles.head}
              aria-current={day === now ? 'date' : undefined}
            >
              <button
                type="button"
                onClick={() => showDay(day)}
                aria-label={`${dayWords(day, format)}, ${countOf(on(entries, day).length)}`}
              >
                <span data-text={dayWords(day, format, { weekday: 'short' })} />{' '}
                <b>{Number(day.slice(8))}</b>
              </button>
            </div>
          ))}
        </div>
        <div role="row" className={classes(styles.whole, styles.columns)} style={columns}>
          <div role="rowheader" className={styles.label}>
            {t('all day')}
          </div>
          {days.map((day) => (
            <div key={day} role="gridcell" className={styles.wholeDay} data-whole={day}>
              <Holiday name={hoursOf?.(day).holiday} />
              {milestones
                .filter((each) => each.day === day)
                .map((each) => (
                  <MilestoneLine key={each.id} milestone={each} />
                ))}
              {work
                .filter((each) => each.day === day)
                .map((each) => (
                  <WorkLine key={each.id} work={each} />
                ))}
              {wholeOn(entries, day).map((entry) => (
                <EntryButton key={entry.key} isLine {...{ entry, acts }} />
              ))}
            </div>
          ))}
        </div>
        <div role="row" className={classes(styles.hours, styles.columns)} style={columns}>
          <div role="rowheader" aria-label={t('Hours')} className={styles.times}>
            {zone2 ? <ZoneHours zone={zone2} days={days} /> : null}
            <div>
              {Array.from({ length: 23 }, (_, at) => (
                <span key={at} style={{ top: y((at + 1) * 60) }}>
                  {minuteWords((at + 1) * 60, format)}
                </span>
              ))}
            </div>
          </div>
          {days.map((day) => (
            <Day key={day} {...props} day={day} />
          ))}
        </div>
      </div>
    </div>
  )
}

function Day({
  day,
  days,
  now,
  entries,
  acts,
  slot,
  slotButton,
  ghost,
  press,
  create,
  showDay,
  hoursOf,
}: Props & { day: string }) {
  const format = useFormat()
  const isAlone = days.length === 1
  const { slices, more } = slicesOn(entries, day, isAlone ? 12 : 4)
  const hours = hoursOf?.(day)
  return (
    // keys reach the same by the slot, which has the focus
    <div
      role="gridcell"
      tabIndex={-1}
      data-day={day}
      data-timed
      className={classes(
        styles.day,
        !hours && weekdayOf(day) > 5 && styles.weekend,
        hours?.holiday !== undefined && styles.holiday,
      )}
      onPointerDown={(event) => press(day, event)}
      onDoubleClick={(event) => {
        if (event.target !== event.currentTarget) return
        const from = Math.floor(minuteAt(event.currentTarget, event.clientY) / 30) * 30
        create({ day, from, to: from + 30 })
      }}
    >
      {hours?.off.map(({ from, to }) => (
        <div
          key={from}
          data-off
          className={styles.off}
          style={{ top: y(from), height: y(to - from) }}
        />
      ))}
      {slices.map(({ entry, from, to, column, columns }) => (
        <EntryButton
          key={entry.key}
          {...{ entry, acts }}
          isLine={to - from < 45}
          isShort={to - from < 75}
          style={{
            top: y(from),
            height: `calc(${y(to - from)} - 2px)`,
            insetInlineStart: `calc(${(column / columns) * 100}% + 1px)`,
            width: `calc(${100 / columns}% - ${column === columns - 1 ? 8 : 3}px)`,
          }}
        />
      ))}
      {more.map(({ from, to, count }) => (
        <button
          key={from}
          type="button"
          className={styles.more}
          style={{ top: y(from), height: `calc(${y(to - from)} - 2px)` }}
          aria-label={t('{count} more on {day}', { count, day: dayWords(day, format) })}
          onClick={() => showDay(day)}
        >
          <span data-text={`+${count}`} />
        </button>
      ))}
      {slot.day === day ? slotButton : null}
      {ghost?.day === day ? (
        <div
          className={styles.ghost}
          style={{ top: y(ghost.from), height: y(ghost.to - ghost.from) }}
        >
          <b>{ghost.title}</b>
          <small>
            {t('{start} to {end}', {
              start: minuteWords(ghost.from, format),
              end: minuteWords(ghost.to, format),
            })}
          </small>
        </div>
      ) : null}
      {day === now ? <NowLine /> : null}
    </div>
  )
}

/** The holiday of a day, by its name. */
function Holiday({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return <span className={styles.holidayName}>{name || t('Holiday')}</span>
}

function NowLine() {
  const { timezone } = useFormat()
  const time = new Date(useNow()).toISOString()
  return (
    <div
      className={styles.now}
      style={{ top: y(minutesOf(localTime(time, timezone).slice(11))) }}
    />
  )
}
