import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { endOfDay, startOfDay, startOfWeek } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'

/** Days written `YYYY-MM-DD` in the organization's zone, both included, and their instants. */
export type Range = {
  from: string
  to: string
  /** the first instant of `from` and the first after `to`, ISO 8601 */
  since: string
  until: string
  days: number
  /** the last day that has begun: `to`, or today if the period has not ended */
  last: string
}

export type Periods = { range: Range; previous: Range }

const units = {
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
}
type Unit = keyof typeof units

/** The format of a time range, for the API document. */
export const rangeWord = {
  pattern: '^(today|12_months|\\d{1,4}_days|(this|last)_(week|month|quarter|year))$',
}

const allowed =
  'today, N_days such as 30_days, 12_months, this_ or last_ week, month, quarter or year, such as ' +
  'this_month'

/**
 * The days of a `time_filter`, including today, and those of the previous period: as many days
 * for `N_days`, the calendar's for weeks, months, quarters and years. With
 * `ahead`, `N_days` count from today on. 400 lists the possible values.
 */
export function periodsOf(
  ctx: Context,
  word: string,
  { field = 'time_filter', ahead = false } = {},
): Periods {
  const { timezone, week_start } = ctx.organization
  const now = Temporal.Instant.fromEpochMilliseconds(+ctx.now())
  const today = now.toZonedDateTimeISO(timezone).toPlainDate()
  const make = (first: Temporal.PlainDate, after: Temporal.PlainDate): Range => {
    const from = `${first}`
    const to = `${after.subtract({ days: 1 })}`
    return {
      from,
      to,
      since: startOfDay(from, timezone),
      until: endOfDay(to, timezone),
      days: first.until(after).days,
      last: to < `${today}` ? to : `${today}`,
    }
  }
  const length = rolling(word)
  if (length) {
    const tomorrow = today.add({ days: 1 })
    const from = ahead ? today : tomorrow.subtract(length)
    const after = ahead ? today.add(length) : tomorrow
    return { range: make(from, after), previous: make(from.subtract(length), from) }
  }
  const [, which, unit] = /^(this|last)_(week|month|quarter|year)$/.exec(word) ?? []
  if (!unit) throw badField(field, `must be one of ${allowed}`)
  const calendar = units[unit as Unit]
  const first = firstOf(today, unit as Unit, week_start)
  const from = which === 'this' ? first : first.subtract(calendar)
  return { range: make(from, from.add(calendar)), previous: make(from.subtract(calendar), from) }
}

/** Both periods as one; they always follow each other. */
export function spanOf({ range, previous }: Periods): Range {
  const { from, since, days } = previous
  return { ...range, from, since, days: days + range.days }
}

/** Every day of a period. */
export function daysOf({ from, days }: Range): string[] {
  const first = Temporal.PlainDate.from(from)
  return Array.from({ length: days }, (_, i) => `${first.add({ days: i })}`)
}

function rolling(word: string): { days: number } | { months: number } | undefined {
  if (word === 'today') return { days: 1 }
  if (word === '12_months') return { months: 12 }
  const days = Number(/^(\d{1,4})_days$/.exec(word)?.[1] ?? 0)
  return days >= 1 && days <= 3660 ? { days } : undefined
}

function firstOf(day: Temporal.PlainDate, unit: Unit, weekStart?: number): Temporal.PlainDate {
  if (unit === 'week') return startOfWeek(day, weekStart)
  if (unit === 'month') return day.with({ day: 1 })
  if (unit === 'year') return day.with({ month: 1, day: 1 })
  return day.with({ month: day.month - ((day.month - 1) % 3), day: 1 })
}
