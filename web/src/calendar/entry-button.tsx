import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { useSession } from '../data/session.ts'
import { clock } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { classes } from '../ui/classes.ts'
import styles from './calendar.module.css'
import type { Entry } from './entries.ts'
import { hueOfMeeting } from './hues.ts'
import { entryWords, hoursWords } from './words.ts'

/** What a person does with a meeting in the calendar. */
export type EntryActs = {
  open: (entry: Entry, at: HTMLElement) => void
  /** a key on a meeting that has the focus; true where it did something */
  pressed: (entry: Entry, event: KeyboardEvent<HTMLElement>) => boolean
  menu: (entry: Entry, at: HTMLElement) => void
  /** a pointer goes down on it: it may be dragged, or its end */
  grab?: (entry: Entry, event: PointerEvent<HTMLElement>, what: 'move' | 'end') => void
  projects: string[]
}

type Props = {
  entry: Entry
  acts: EntryActs
  /** one line, as in a month and above the hours */
  isLine?: boolean
  /** a line for each: there is no height for more */
  isShort?: boolean
  style?: CSSProperties
}

/** A meeting as a button with its name for readers. */
export function EntryButton({ entry, acts, isLine = false, isShort = false, style }: Props) {
  const { user } = useSession()
  const format = useFormat()
  const { meeting, response, isOver, isWhole } = entry
  const { title, is_meeting_cancelled: isCancelled, location, created_by: by } = meeting
  const hours = hoursWords(entry, format)
  const isUnsure = response === 'tentative' || response === 'needs_action'
  const hue = hueOfMeeting(meeting, user.user_id, acts.projects)
  const isResized = acts.grab && !isLine && !isWhole
  return (
    <button
      type="button"
      data-entry={entry.key}
      className={classes(
        styles.entry,
        isLine && styles.line,
        isShort && styles.short,
        isUnsure && styles.unsure,
        isOver && styles.over,
        (isCancelled || response === 'declined') && styles.struck,
      )}
      style={{ ...style, '--hue': hue } as CSSProperties}
      aria-label={entryWords(entry, format)}
      aria-haspopup="dialog"
      title={`${title}, ${hours}`}
      onClick={(event) => acts.open(entry, event.currentTarget)}
      onContextMenu={(event) => {
        event.preventDefault()
        acts.menu(entry, event.currentTarget)
      }}
      onKeyDown={(event) => {
        if (acts.pressed(entry, event)) event.preventDefault()
      }}
      onPointerDown={(event) => acts.grab?.(entry, event, 'move')}
    >
      {isLine && !isWhole ? <time data-text={clock(meeting.start, format)} /> : null}
      <b>{title}</b>
      {isLine ? null : (
        <small data-text={[hours, location || by?.full_name].filter(Boolean).join(' · ')} />
      )}
      {isResized ? (
        <span
          className={styles.end}
          onPointerDown={(event) => {
            event.stopPropagation()
            acts.grab?.(entry, event, 'end')
          }}
        />
      ) : null}
    </button>
  )
}
