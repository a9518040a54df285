import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/context.ts'
import { endOfDay, startOfDay } from '../../kit/dates.ts'
import { badField } from '../../kit/errors.ts'

/** Days written `YYYY-MM-DD` in the organization's zone, both included, and their instants. */
export type Range = { from: string; to: string; since: string; until: string; days: number }

const units = {
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
}
type Unit = keyof typeof units

const allowed =
  'today, N_days such as 30_days, this_ or last_ week, month, quarter or year, such as this_month'

/**
 * The days that a `time_filter` means, today included, and those of the period before: as many days
 * for `N_days`, the calendar's own for weeks (from Monday), months, quarters and years. 400 lists
 * what there is.
 */
export function rangesOf(ctx: Context, word: string, field = 'time_filter') {
  const { timezone } = ctx.organization
  const now = Temporal.Instant.fromEpochMilliseconds(+ctx.now())
  const today = now.toZonedDateTimeISO(timezone).toPlainDate()
  const days = word === 'today' ? 1 : Number(/^(\d{1,4})_days$/.exec(word)?.[1] ?? 0)
  const make = (from: Temporal.PlainDate, after: Temporal.PlainDate): Range => {
    const to = `${after.subtract({ days: 1 })}`
    const until = endOfDay(to, timezone)
    return {
      from: `${from}`,
      to,
      since: startOfDay(`${from}`, timezone),
      until,
      days: from.until(after).days,
    }
  }
  if (days >= 1 && days <= 3660) {
    const after = today.add({ days: 1 })
    const from = after.subtract({ days })
    return { range: make(from, after), previous: make(from.subtract({ days }), from) }
  }
  const [, which, unit] = /^(this|last)_(week|month|quarter|year)$/.exec(word) ?? []
  if (!unit) throw badField(field, `must be one of ${allowed}`)
  const length = units[unit as Unit]
  const first = firstOf(today, unit as Unit)
  const from = which === 'this' ? first : first.subtract(length)
  return { range: make(from, from.add(length)), previous: make(from.subtract(length), from) }
}

function firstOf(day: Temporal.PlainDate, unit: Unit): Temporal.PlainDate {
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 })
  if (unit === 'month') return day.with({ day: 1 })
  if (unit === 'year') return day.with({ month: 1, day: 1 })
  return day.with({ month: day.month - ((day.month - 1) % 3), day: 1 })
}
