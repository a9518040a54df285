import { useRef } from 'react'
import { useSession } from '../data/session.ts'
import type { DueTask, ShownMilestone } from '../data/calendar.ts'
import { useFormat } from '../records/field/use-format.ts'
import { classes } from '../ui/classes.ts'
import { Empty } from '../ui/empty.tsx'
import { Icon } from '../ui/icons.tsx'
import styles from './agenda.module.css'
import type { Entry } from './entries.ts'
import { on } from './entries.ts'
import type { EntryActs } from './entry-button.tsx'
import { hueOfMeeting } from './hues.ts'
import { countOf } from './month-grid.tsx'
import { MilestoneLine } from './milestone-line.tsx'
import { WorkLine } from './work-line.tsx'
import { dayWords, entryWords, hoursWords } from './words.ts'
import { t } from '../locales/text.ts'

type Props = {
  days: string[]
  now: string
  entries: Entry[]
  work: DueTask[]
  milestones: ShownMilestone[]
  acts: EntryActs
}

/** Meetings and due tasks by day, as a list. */
export function Agenda({ days, now, entries, work, milestones, acts }: Props) {
  const format = useFormat()
  const shown = days.filter(
    (day) => [...work, ...milestones].some((each) => each.day === day) || on(entries, day).length,
  )
  if (!shown.length) {
    const [first = '', last = first] = [days[0], days.at(-1)]
    return (
      <Empty
        icon="calendar"
        title={
          first === last
            ? t('Nothing on {day}', { day: dayWords(first, format) })
            : t('Nothing between {first} and {last}', {
                first: dayWords(first, format),
                last: dayWords(last, format),
              })
        }
      >
        {t('Meetings with colleagues and customers stand here, beside the tasks that are due.')}
      </Empty>
    )
  }
  return (
    <div className={styles.agenda}>
      {shown.map((day) => (
        <section key={day} aria-label={dayWords(day, format)}>
          <h2 aria-current={day === now ? 'date' : undefined}>
            {dayWords(day, format, {
              weekday: 'long',
              day: 'numeric',
              month: 'long',
              year: 'numeric',
            })}
          </h2>
          <ul>
            {milestones
              .filter((each) => each.day === day)
              .map((each) => (
                <li key={each.id} className={styles.work}>
                  <MilestoneLine milestone={each} />
                </li>
              ))}
            {work
              .filter((each) => each.day === day)
              .map((each) => (
                <li key={each.id} className={styles.work}>
                  <WorkLine work={each} />
                </li>
              ))}
            {on(entries, day).map((entry) => (
              <Line key={entry.key} {...{ entry, acts }} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Line({ entry, acts }: { entry: Entry; acts: EntryActs }) {
  const { user } = useSession()
  const format = useFormat()
  const { meeting, response, isOver } = entry
  const { title, location, project, created_by: by, series_start: repeats } = meeting
  const isUnsure = response === 'tentative' || response === 'needs_action'
  return (
    <li>
      <button
        type="button"
        data-entry={entry.key}
        className={classes(
          styles.line,
          isOver && styles.over,
          (meeting.is_meeting_cancelled || response === 'declined') && styles.struck,
        )}
        aria-label={entryWords(entry, format)}
        aria-haspopup="dialog"
        onClick={(event) => acts.open(entry, event.currentTarget)}
        onContextMenu={(event) => {
          event.preventDefault()
          acts.menu(entry, event.currentTarget)
        }}
        onKeyDown={(event) => {
          if (acts.pressed(entry, event)) event.preventDefault()
        }}
      >
        <span
          className={classes(styles.dot, isUnsure && styles.unsure)}
          style={{ color: hueOfMeeting(meeting, user.user_id, acts.projects) }}
        />
        <span className={styles.hours} data-text={hoursWords(entry, format)} />
        <span className={styles.words}>
          <b>{title}</b>
          <small
            data-text={[location, project?.project_name, by?.full_name].filter(Boolean).join(' · ')}
          />
        </span>
        {repeats ? <Icon name="refresh-cw" size={12} /> : null}
      </button>
    </li>
  )
}

/** The days of a week, to choose one on a phone. */
export function WeekStrip({
  days,
  day: chosen,
  now,
  entries,
  goTo,
  step,
}: {
  days: string[]
  day: string
  now: string
  entries: Entry[]
  goTo: (day: string) => void
  step: (by: 1 | -1) => void
}) {
  const format = useFormat()
  const began = useRef<number>(undefined)
  return (
    <div
      className={styles.strip}
      role="group"
      aria-label={t('Days of the week')}
      onTouchStart={(event) => {
        began.current = event.touches[0]?.clientX
      }}
      onTouchEnd={(event) => {
        const moved = (event.changedTouches[0]?.clientX ?? 0) - (began.current ?? 0)
        if (began.current !== undefined && Math.abs(moved) > 48) step(moved < 0 ? 1 : -1)
      }}
    >
      {days.map((day) => (
        <button
          key={day}
          type="button"
          aria-pressed={day === chosen}
          aria-current={day === now ? 'date' : undefined}
          aria-label={`${dayWords(day, format)}, ${countOf(on(entries, day).length)}`}
          onClick={() => goTo(day)}
        >
          <small data-text={dayWords(day, format, { weekday: 'narrow' })} />
          <b>{Number(day.slice(8))}</b>
          <span data-has={on(entries, day).length > 0} />
        </button>
      ))}
    </div>
  )
}
