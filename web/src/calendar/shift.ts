import { instantAt, localTime } from '../records/field/local-time.ts'
import { zoneOf, type Entry } from './entries.ts'
import { timeOf } from './days.ts'

/** When a meeting takes place. */
export type Times = { start: string; end: string }

/** The times of a meeting so many days and minutes later by the clock, or earlier; it lasts as long. */
export function later(
  { meeting }: Entry,
  { days = 0, minutes = 0 }: { days?: number; minutes?: number },
  timezone: string,
  organization: string,
): Times {
  const zone = meeting.all_day ? (zoneOf(meeting) ?? organization) : timezone
  const shift = (time: string) => {
    const local = Date.parse(`${localTime(time, zone)}Z`) + (days * 1440 + minutes) * 60_000
    return instantAt(new Date(local).toISOString().slice(0, 16), zone)
  }
  const start = shift(meeting.start)
  if (meeting.all_day) return { start, end: shift(meeting.end) }
  return { start, end: new Date(Date.parse(start) + lengthOf(meeting)).toISOString() }
}

/** The times of a meeting that begins at a minute of a day, and lasts as long. */
export function at({ meeting }: Entry, day: string, minute: number, timezone: string): Times {
  const start = instantAt(`${day}T${timeOf(minute)}`, timezone)
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
