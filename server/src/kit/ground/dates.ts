import { Temporal } from 'temporal-polyfill'
import { badField } from './errors.ts'

/** The day words of `due_filter` and of the filter grammar; the last two need a number of days. */
export const dayWords = [
  'show_all',
  'today',
  'tomorrow',
  'yesterday',
  'current_week',
  'next_week',
  'last_week',
  'current_month',
  'next_month',
  'last_month',
  'current_quarter',
  'current_year',
  'last_x_days',
  'next_x_days',
] as const

export type DayWord = (typeof dayWords)[number]

/** The instant that counts as now, the IANA zone whose days are meant, and the first day of weeks (1, Monday). */
export type Clock = { now: Date; timezone: string; week_start?: number }

/** Days written `YYYY-MM-DD`, both included. */
export type DayRange = { from: string; to: string }

/**
 * The days that a word means; null means no restriction. Weeks start on the clock's first day;
 * `last_x_days` and `next_x_days` are `count` days with today as one of them.
 */
export function dayRange(word: DayWord, clock: Clock, count = 1): DayRange | null {
  if (word === 'show_all') return null
  const [first, length] = spans[word](plainToday(clock), count, clock.week_start)
  return { from: `${first}`, to: `${first.add(length).subtract({ days: 1 })}` }
}

/** Today in the clock's zone, as `YYYY-MM-DD`. */
export function today(clock: Clock): string {
  return `${plainToday(clock)}`
}

function plainToday({ now, timezone }: Clock): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
}

/** The day so many days later; earlier when negative. */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10)
}

/** Days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

/** Whether the text is a real day `YYYY-MM-DD` of the years 0001 to 9999. */
export function isDay(text: string): boolean {
  try {
    return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && Temporal.PlainDate.from(text) !== undefined
  } catch {
    return false
  }
}

/** The first instant of a day in a zone, which need not be midnight, as ISO 8601 UTC. */
export function startOfDay(day: string, timezone: string): string {
  return isoOf(Temporal.PlainDate.from(day).toZonedDateTime(timezone))
}

/** The first instant after a day in a zone, as ISO 8601 UTC. */
export function endOfDay(day: string, timezone: string): string {
  const next = Temporal.PlainDate.from(day).add({ days: 1 })
  return isoOf(next.toZonedDateTime(timezone))
}

/**
 * A date-time (RFC 3339; seconds may be left out) as ISO 8601 UTC with milliseconds. Without an offset
 * the zone applies: a time that a clock change skips moves forward, of a repeated one the first is
 * taken. Undefined if it is not a valid one of the years 0001 to 9999.
 */
export function parseInstant(text: string, timezone: string): string | undefined {
  const match = dateTime.exec(text)
  if (!match || !isDay(match[1]!)) return undefined
  try {
    const instant = match[2]
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timezone, {
          disambiguation: 'compatible',
        })
    const iso = isoOf(instant)
    return isDay(iso.slice(0, 10)) ? iso : undefined
  } catch {
    return undefined
  }
}

/** The same of a body; 400 naming the field where it is none, as a day alone is. */
export function instantIn(field: string, text: string, timezone: string): string {
  const instant = parseInstant(text, timezone)
  if (!instant) throw badField(field, 'must be a date and time in ISO 8601')
  return instant
}

const dateTime =
  /^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d(?::[0-5]\d(?:[.]\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?$/

/** The day in a zone of a date and time in ISO 8601, the written one where it has no offset; else undefined. */
export function dayOfInstant(text: string, timezone: string): string | undefined {
  const [, day, offset] = dateTime.exec(text) ?? []
  const instant = parseInstant(text, timezone)
  if (!day || !instant) return undefined
  if (!offset) return day
  const there = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).toPlainDate().toString()
  return isDay(there) ? there : undefined
}

type Span = [first: Temporal.PlainDate, length: { [unit: string]: number }]

const spans: {
  [word in Exclude<DayWord, 'show_all'>]: (
    today: Temporal.PlainDate,
    count: number,
    weekStart?: number,
  ) => Span
} = {
  today: (day) => [day, { days: 1 }],
  tomorrow: (day) => [day.add({ days: 1 }), { days: 1 }],
  yesterday: (day) => [day.subtract({ days: 1 }), { days: 1 }],
  current_week: (day, _, first) => [startOfWeek(day, first), { weeks: 1 }],
  next_week: (day, _, first) => [startOfWeek(day, first).add({ weeks: 1 }), { weeks: 1 }],
  last_week: (day, _, first) => [startOfWeek(day, first).subtract({ weeks: 1 }), { weeks: 1 }],
  current_month: (day) => [day.with({ day: 1 }), { months: 1 }],
  next_month: (day) => [day.with({ day: 1 }).add({ months: 1 }), { months: 1 }],
  last_month: (day) => [day.with({ day: 1 }).subtract({ months: 1 }), { months: 1 }],
  current_quarter: (day) => [
    day.with({ month: day.month - ((day.month - 1) % 3), day: 1 }),
    { months: 3 },
  ],
  current_year: (day) => [day.with({ month: 1, day: 1 }), { years: 1 }],
  last_x_days: (day, count) => [day.subtract({ days: count - 1 }), { days: count }],
  next_x_days: (day, count) => [day, { days: count }],
}

/** The first day of the week that a day is in; weeks start on the weekday `first` (1 is Monday). */
export function startOfWeek(day: Temporal.PlainDate, first = 1): Temporal.PlainDate {
  return day.subtract({ days: (day.dayOfWeek - first + 7) % 7 })
}

/** Outside the years 0000 to 9999 it has a sign and six digits: `+010000-01-01T00:00:00.000Z`. */
function isoOf({ epochMilliseconds }: { epochMilliseconds: number }): string {
  return new Date(epochMilliseconds).toISOString()
}
