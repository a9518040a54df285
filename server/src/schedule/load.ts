import type { Day } from './workdays.ts'
import type { WorkDays } from './workdays.ts'

/** Work on the days of a task; `minutes` are those that it is expected to take, null where nobody said. */
export type Work = { start: Day | null; due: Day | null; minutes: number | null }

/** Weeks in a row: the first day of the first, and how many there are. */
export type Weeks = { first: Day; count: number }

/** What of a task falls into a week: `minutes` are null where they are not known. */
export type Share = { week: number; minutes: number | null }

/**
 * How an open task falls into weeks: its minutes in equal parts on its working days, to the minute and without a rest.
 * One that should have ended before today is done today, one with a single date on that day, and one on days off
 * alone on the last of them. Without dates it is in no week.
 */
export function sharesOf(work: Work, weeks: Weeks, workdays: WorkDays, today: Day): Share[] {
  const end = work.due ?? work.start
  if (end === null) return []
  const isOver = end < today
  const from = isOver ? today : Math.min(work.start ?? end, end)
  const to = isOver ? today : end
  const before = workdays.from(from)
  const all = workdays.from(to + 1) - before
  const weekOf = (day: Day) => Math.floor((day - weeks.first) / 7)
  if (!all) return isWithin(weekOf(to), weeks) ? [{ week: weekOf(to), minutes: work.minutes }] : []
  const shares: Share[] = []
  const last = Math.min(weekOf(to), weeks.count - 1)
  for (let week = Math.max(weekOf(from), 0); week <= last; week++) {
    const monday = weeks.first + 7 * week
    const done = workdays.from(Math.max(from, monday)) - before
    const then = workdays.from(Math.min(to + 1, monday + 7)) - before
    if (then > done) shares.push({ week, minutes: part(work.minutes, done, then, all) })
  }
  return shares
}

/** Working minutes of a person in a week: how many days they are away, and the time that is left. */
export function capacityIn(
  week: Day,
  { weekly_hours, absences }: { weekly_hours: number | null; absences: { from: Day; to: Day }[] },
  workdays: WorkDays,
  daysOfWeek: number,
): { capacity: number; off_days: number } {
  let working = 0
  let off = 0
  for (let day = week; day < week + 7; day++) {
    if (workdays.isOff(day)) continue
    working++
    if (absences.some(({ from, to }) => from <= day && day <= to)) off++
  }
  const hours = weekly_hours ?? usualHours * daysOfWeek
  return { capacity: Math.round((60 * hours * (working - off)) / daysOfWeek), off_days: off }
}

/** Hours of a working day of whom nobody said how long they work. */
const usualHours = 8

function isWithin(week: number, { count }: Weeks): boolean {
  return week >= 0 && week < count
}

/** The minutes of some of the days, so that those of all days are the whole. */
function part(minutes: number | null, done: number, then: number, all: number): number | null {
  if (minutes === null) return null
  return Math.floor((minutes * then) / all) - Math.floor((minutes * done) / all)
}
