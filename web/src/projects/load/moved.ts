import { sharesOf } from '../../../../server/src/schedule/load.ts'
import { WorkDays, dayNumber, dayText } from '../../../../server/src/schedule/workdays.ts'
import type { Load, LoadPerson, LoadTask } from '../../data/load.ts'

/** A task that goes to another person, to another week, or both. */
export type Moved = { task: LoadTask; from: LoadPerson; to: LoadPerson; weeks: number }
/** What a move adds to weeks, in minutes, by `placeOf`. */
export type Added = ReadonlyMap<string, number>
/** The days of a task. */
export type TaskDays = Pick<LoadTask, 'start_date' | 'due_date'>

/** The name of a week of a person. */
export function placeOf(user: string, at: number): string {
  return `${user} ${at}`
}

/**
 * The days of a task some weeks later or earlier: on the same weekday or the next one that is worked on, as many working days
 * long, and not before today. What should have ended before today is counted from today.
 */
export function daysAfter(load: Load, { start_date, due_date }: LoadTask, weeks: number): TaskDays {
  const { workdays, today } = calendarOf(load)
  const end = due_date ?? start_date
  if (end === null || !weeks) return { start_date, due_date }
  const last = dayNumber(end)
  const first = start_date === null ? last : Math.min(dayNumber(start_date), last)
  const from = last < today ? today : first
  const start = workdays.day(workdays.from(Math.max(from + 7 * weeks, today)))
  const due = workdays.day(workdays.from(start) + workdays.length(first, last) - 1)
  return {
    start_date: start_date === null ? null : (dayText(start) ?? start_date),
    due_date: due_date === null ? null : (dayText(start_date === null ? start : due) ?? due_date),
  }
}

/** What a move adds to the weeks of two people, and takes from them. */
export function addedBy(load: Load, { task, from, to, weeks }: Moved): Added {
  const { workdays, today } = calendarOf(load)
  const shown = { first: dayNumber(load.weeks[0]?.week ?? load.today), count: load.weeks.length }
  const shares = ({ start_date, due_date }: TaskDays) =>
    sharesOf(
      {
        start: start_date ? dayNumber(start_date) : null,
        due: due_date ? dayNumber(due_date) : null,
        minutes: task.estimate_minutes,
      },
      shown,
      workdays,
      today,
    )
  const added = new Map<string, number>()
  const add = ({ user }: LoadPerson, days: TaskDays, sign: 1 | -1) => {
    for (const { week, minutes } of shares(days)) {
      const place = placeOf(user.user_id, week)
      added.set(place, (added.get(place) ?? 0) + sign * (minutes ?? 0))
    }
  }
  add(from, task, -1)
  add(to, daysAfter(load, task, weeks), 1)
  return added
}

function calendarOf({ calendar, today }: Load) {
  return { workdays: new WorkDays(calendar, dayNumber(today)), today: dayNumber(today) }
}
