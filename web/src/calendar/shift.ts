import { addDays } from '../records/field/format.ts'
import { instantAt, localTime } from '../records/field/local-time.ts'
import { daysBetween, timeOf } from './days.ts'
import type { Entry } from './entries.ts'

/** When a meeting takes place. */
export type Times = { start: string; end: string }

/** The times of a meeting so many days and minutes later by the clock, or earlier; it lasts as long. */
export function later(
  { meeting, zone }: Entry,
  { days = 0, minutes = 0 }: { days?: number; minutes?: number },
): Times {
  const shift = (time: string) => {
    const local = Date.parse(`${localTime(time, zone)}Z`) + (days * 1440 + minutes) * 60_000
    return instantAt(new Date(local).toISOString().slice(0, 16), zone)
  }
  const start = shift(meeting.start)
  if (meeting.all_day) return { start, end: shift(meeting.end) }
  return { start, end: new Date(Date.parse(start) + lengthOf(meeting)).toISOString() }
}

/** The times of a meeting that begins at a minute of a day, and lasts as long. */
export function at({ meeting, zone }: Entry, day: string, minute: number): Times {
  const start = instantAt(`${day}T${timeOf(minute)}`, zone)
  return { start, end: new Date(Date.parse(start) + lengthOf(meeting)).toISOString() }
}

/** The times of a meeting that lasts so many minutes longer, or shorter, but a quarter of an hour at least. */
export function longer({ meeting: { start, end } }: Entry, minutes: number): Times {
  const least = Date.parse(start) + 15 * 60_000
  return { start, end: new Date(Math.max(Date.parse(end) + minutes * 60_000, least)).toISOString() }
}

/** How long a meeting lasts, in milliseconds. */
export function lengthOf({ start, end }: Times): number {
  return Date.parse(end) - Date.parse(start)
}

/** A place in the calendar: a day, and its minute where it has hours. */
export type Point = { day: string; minute: number }

/** Where a meeting begins that is held at one place, also of a later day than its first, and carried to another. */
export function carried(
  { first, from }: Pick<Entry, 'first' | 'from'>,
  held: Point,
  to: Point,
): Point {
  const minute = rounded(from + to.minute - held.minute)
  return {
    day: addDays(first, daysBetween(held.day, to.day)),
    minute: Math.min(Math.max(minute, 0), 1425),
  }
}

/** Minutes in quarters of an hour. */
export const rounded = (minutes: number) => Math.round(minutes / 15) * 15
