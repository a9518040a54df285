import type { KeyboardEvent } from 'react'
import { useEffect, useRef } from 'react'
import type { DueTask, ShownMilestone } from '../data/calendar.ts'
import { addDays } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { classes } from '../ui/classes.ts'
import styles from './calendar.module.css'
import type { Entry } from './entries.ts'
import { on } from './entries.ts'
import type { EntryActs } from './entry-button.tsx'
import { EntryButton } from './entry-button.tsx'
import { MilestoneLine } from './milestone-line.tsx'
import { WorkLine } from './work-line.tsx'
import { dayWords } from './words.ts'
import { t } from '../locales/text.ts'

/** How many days the arrows go. */
const steps: { [key: string]: number } = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
}

/** How many lines a day of a month has. */
const lines = 3

type Props = {
  days: string[]
  day: string
  now: string
  entries: Entry[]
  work: DueTask[]
  milestones: ShownMilestone[]
  acts: EntryActs
  /** the day to which something is dragged */
  target: string | undefined
  create: (day: string) => void
  showDay: (day: string) => void
  goTo: (day: string) => void
}

/** A month: a line for each meeting and due task, and how many more there are. */
export function MonthGrid({ days, day: chosen, now, target, goTo, ...rest }: Props) {
  const format = useFormat()
  const grid = useRef<HTMLDivElement>(null)
  const isByKey = useRef(false)
  useEffect(() => {
    if (!isByKey.current) return
    isByKey.current = false
    grid.current?.querySelector<HTMLElement>(`[data-date="${chosen}"]`)?.focus()
  }, [chosen])
  const onKey = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    isByKey.current = true
    goTo(addDays(chosen, by))
  }
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(at * 7, at * 7 + 7))
  return (
    <div role="grid" aria-label={t('Calendar')} className={styles.month} ref={grid}>
      <div role="row" className={styles.weekdays}>
        {weeks[0]?.map((day) => (
          <span key={day} role="columnheader">
            {dayWords(day, format, { weekday: 'short' })}
          </span>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week[0]} role="row" className={styles.week}>
          {week.map((day) => (
            <Cell
              key={day}
              {...{ day, now, onKey, ...rest }}
              isChosen={day === chosen}
              isTarget={day === target}
              isOther={day.slice(0, 7) !== chosen.slice(0, 7)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type CellProps = Omit<Props, 'days' | 'target' | 'day' | 'goTo'> & {
  onKey: (event: KeyboardEvent) => void
  day: string
  isOther: boolean
  isChosen: boolean
  isTarget: boolean
}

function Cell({
  day,
  now,
  entries,
  work,
  milestones,
  acts,
  isOther,
  isChosen,
  isTarget,
  create,
  showDay,
  onKey,
}: CellProps) {
  const format = useFormat()
  const meetings = on(entries, day)
  const works = work.filter((each) => each.day === day)
  const ends = milestones.filter((each) => each.day === day)
  const count = ends.length + works.length + meetings.length
  const room = count > lines ? lines - 1 : lines
  const shownEnds = ends.slice(0, room)
  const shownWorks = works.slice(0, room - shownEnds.length)
  const shown = meetings.slice(0, room - shownEnds.length - shownWorks.length)
  const more = count - shownEnds.length - shownWorks.length - shown.length
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      data-day={day}
      aria-selected={isChosen}
      className={classes(styles.cell, isOther && styles.other, isTarget && styles.target)}
      onDoubleClick={(event) => {
        if (event.target === event.currentTarget) create(day)
      }}
    >
      <button
        type="button"
        className={styles.date}
        tabIndex={isChosen ? 0 : -1}
        data-date={day}
        aria-current={day === now ? 'date' : undefined}
        aria-label={`${dayWords(day, format)}, ${countOf(meetings.length)}`}
        onKeyDown={onKey}
        onClick={() => showDay(day)}
      >
        {Number(day.slice(8))}
      </button>
      {shownEnds.map((each) => (
        <MilestoneLine key={each.id} milestone={each} />
      ))}
      {shownWorks.map((each) => (
        <WorkLine key={each.id} work={each} />
      ))}
      {shown.map((entry) => (
        <EntryButton key={entry.key} isLine {...{ entry, acts }} />
      ))}
      {more > 0 ? (
        <button
          type="button"
          className={styles.others}
          onClick={() => showDay(day)}
          aria-label={t('{count} more on {day}', { count: more, day: dayWords(day, format) })}
        >
          {t('{count} more', { count: more })}
        </button>
      ) : null}
    </div>
  )
}

/** How many meetings a day has, in words. */
export function countOf(count: number): string {
  return count === 0 ? t('free') : t('{count} meeting | {count} meetings', { count })
}
