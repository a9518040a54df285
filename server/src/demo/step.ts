import type { Dice } from './dice.ts'

export type Body = { [field: string]: unknown }

/**
 * Something that somebody did at some time. `by` is the role of a person in the story, such as `csm`, or
 * the name of somebody outside; `key` names the record in later steps, as `{ $: key }`.
 */
export type Step = { at: Date; by: string; does: string; key: string; body: Body }

/** The same in a scene, with the time as days from today: `-3` is three days ago. */
export type Line = [day: number, by: string, does: string, key: string, body?: Body]

/** The calendar of scenes: everything is relative to today. */
export type Calendar = {
  /** a day as YYYY-MM-DD; instead of a weekend the Friday before, or in the future the Monday after */
  day(offset: number): string
  /** an instant of such a day, as ISO 8601 in UTC */
  time(offset: number, clock: string): string
}

const dayMs = 86_400_000

/** The calendar for the day of `now`. */
export function calendarOf(now: Date): Calendar {
  const day = (offset: number) => dateOf(workday(now, offset))
  return { day, time: (offset, clock) => `${day(offset)}T${clock}:00.000Z` }
}

/** Midnight of a working day so many days from today: on weekends away from today. */
function workday(now: Date, offset: number): Date {
  const midnight = Date.parse(`${dateOf(now)}T00:00:00Z`) + offset * dayMs
  const weekday = new Date(midnight).getUTCDay()
  const late = weekday === 6 ? 1 : weekday === 0 ? 2 : 0
  if (!late) return new Date(midnight)
  return new Date(midnight + (offset < 0 ? -late : 3 - late) * dayMs)
}

/** The lines of a scene as steps in their order, at hours of working days before now. */
export function stepsOf(d: Dice, now: Date, lines: Line[]): Step[] {
  let last = 0
  return lines.map(([offset, by, does, key, body = {}]) => {
    const midnight = +workday(now, Math.min(-1, offset))
    const at = Math.max(midnight + d.between(8 * 3600, 16 * 3600) * 1000, last + 6 * 60_000)
    last = at
    return { at: new Date(at), by, does, key, body }
  })
}

/** The keys of the records in a value, at any depth. */
export function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('$' in value) return [String(value.$)]
  return Object.values(value).flatMap(namesIn)
}

/** The value with each `{ $: key }` replaced. */
export function resolved(value: unknown, of: (key: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('$' in value) return of(String(value.$))
  if (Array.isArray(value)) return value.map((each: unknown) => resolved(each, of))
  return Object.fromEntries(
    Object.entries(value as Body).map(([name, each]) => [name, resolved(each, of)]),
  )
}

/** The day of an instant, in UTC. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
