import { Temporal } from 'temporal-polyfill'
import type { CalendarEvent } from './event.ts'
import { plainRule } from './event.ts'
import { untilOf } from './icalendar.ts'
import { RemoteError } from './remote.ts'

/** How an event of Microsoft 365 repeats (`patternedRecurrence` of Microsoft Graph). */
export type Recurrence = {
  pattern?: {
    type?: string
    interval?: number
    month?: number
    dayOfMonth?: number
    daysOfWeek?: string[]
    firstDayOfWeek?: string
    index?: string
  }
  range?: {
    type?: string
    startDate?: string
    endDate?: string
    recurrenceTimeZone?: string
    numberOfOccurrences?: number
  }
}

type Times = Pick<CalendarEvent, 'start' | 'all_day' | 'zone'>

const days: { [day: string]: string } = {
  MO: 'monday',
  TU: 'tuesday',
  WE: 'wednesday',
  TH: 'thursday',
  FR: 'friday',
  SA: 'saturday',
  SU: 'sunday',
}
const order = Object.keys(days)
const indexes: { [number: string]: string } = {
  '1': 'first',
  '2': 'second',
  '3': 'third',
  '4': 'fourth',
  '-1': 'last',
}

/** The rule (RFC 5545) of a recurrence; null for one of no known kind. */
export function ruleOf({ pattern = {}, range = {} }: Recurrence, times: Times): string | null {
  const { type = '', interval = 1, month, dayOfMonth, daysOfWeek = [], index } = pattern
  const byDay = daysOfWeek
    .map((day) => day.slice(0, 2).toUpperCase())
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
  const first = pattern.firstDayOfWeek?.slice(0, 2).toUpperCase()
  const nth = Object.entries(indexes).find(([, word]) => word === index)?.[0] ?? '1'
  const relative =
    byDay.length === 1
      ? [`BYDAY=${nth}${byDay[0]}`]
      : [`BYDAY=${byDay.join(',')}`, `BYSETPOS=${nth}`]
  const how: { [type: string]: string[] } = {
    daily: ['FREQ=DAILY'],
    // on which day weeks begin matters only for several of them
    weekly: [
      'FREQ=WEEKLY',
      ...(byDay.length ? [`BYDAY=${byDay.join(',')}`] : []),
      ...(interval > 1 && byDay.length > 1 && first ? [`WKST=${first}`] : []),
    ],
    absoluteMonthly: ['FREQ=MONTHLY', `BYMONTHDAY=${dayOfMonth}`],
    relativeMonthly: ['FREQ=MONTHLY', ...relative],
    absoluteYearly: ['FREQ=YEARLY', `BYMONTH=${month}`, `BYMONTHDAY=${dayOfMonth}`],
    relativeYearly: ['FREQ=YEARLY', `BYMONTH=${month}`, ...relative],
  }
  const parts = how[type]
  if (!parts) return null
  const ends =
    range.type === 'numbered'
      ? [`COUNT=${range.numberOfOccurrences ?? 1}`]
      : range.type === 'endDate' && range.endDate
        ? [`UNTIL=${range.endDate.replaceAll('-', '')}`]
        : []
  return plainRule([...parts, `INTERVAL=${interval}`, ...ends].join(';'), (until) =>
    untilOf(until, times.all_day, times.zone ?? 'UTC'),
  )
}

/**
 * The recurrence of a series. With `was` only its start has changed: a rule that only says on which day that was follows
 * it. A `RemoteError` for rules that Microsoft has no form for.
 */
export function recurrenceOf(
  event: CalendarEvent,
  rrule: string,
  was: CalendarEvent | undefined,
  nameOf: (zone: string) => string | undefined,
): Recurrence {
  const zone = event.all_day ? 'UTC' : (event.zone ?? 'UTC')
  const start = dayOf(event, zone)
  const rule = was ? following(rrule, dayOf(was, was.zone ?? 'UTC')) : partsOf(rrule)
  const {
    FREQ,
    INTERVAL = '1',
    COUNT,
    UNTIL,
    BYDAY,
    BYMONTHDAY,
    BYMONTH,
    BYSETPOS,
    WKST,
    ...others
  } = rule
  const refuse = () => new RemoteError('unexpected', `Microsoft 365 cannot repeat by ${rrule}`)
  if (Object.keys(others).length) throw refuse()
  const named = BYDAY?.split(',') ?? []
  const places = named.map((day) => /^([+-]?\d+)?([A-Z]{2})$/.exec(day))
  const daysOfWeek = places.map((place) => days[place?.[2] ?? ''])
  if (daysOfWeek.some((day) => !day)) throw refuse()
  const position = BYSETPOS ?? places[0]?.[1]?.replace('+', '')
  if (places.some((place) => place?.[1] && (BYSETPOS || places.length > 1))) throw refuse()
  const index = position === undefined ? undefined : indexes[position]
  if (position !== undefined && !index) throw refuse()
  const one = (text: string | undefined, otherwise: number) => {
    const number = text === undefined ? otherwise : Number(text)
    if (!Number.isInteger(number) || number < 1) throw refuse()
    return number
  }
  const own = [days[order[start.dayOfWeek - 1] ?? ''] ?? '']
  const interval = one(INTERVAL, 1)
  const isPlain = !BYMONTHDAY && !BYMONTH && !BYSETPOS
  const patternOf = (): NonNullable<Recurrence['pattern']> => {
    const weekly = {
      type: 'weekly',
      interval,
      daysOfWeek: (named.length ? daysOfWeek : own) as string[],
      firstDayOfWeek: days[WKST ?? 'MO'] ?? 'monday',
    }
    if (FREQ === 'DAILY' && isPlain && !named.length) return { type: 'daily', interval }
    if (FREQ === 'DAILY' && isPlain && interval === 1 && !index) return weekly
    if (FREQ === 'WEEKLY' && isPlain && !index) return weekly
    const yearly = FREQ === 'YEARLY'
    if (FREQ !== 'MONTHLY' && !yearly) throw refuse()
    if (BYMONTH && !yearly) throw refuse()
    const month = yearly ? { month: one(BYMONTH, start.month) } : {}
    if (index && !BYMONTHDAY && (!yearly || BYMONTH)) {
      const type = yearly ? 'relativeYearly' : 'relativeMonthly'
      return { type, interval, ...month, daysOfWeek: daysOfWeek as string[], index }
    }
    if (named.length || index) throw refuse()
    const type = yearly ? 'absoluteYearly' : 'absoluteMonthly'
    return { type, interval, ...month, dayOfMonth: one(BYMONTHDAY, start.day) }
  }
  const pattern = patternOf()
  const common = { startDate: start.toString(), recurrenceTimeZone: nameOf(zone) ?? zone }
  if (COUNT)
    return { pattern, range: { type: 'numbered', numberOfOccurrences: one(COUNT, 1), ...common } }
  if (UNTIL)
    return { pattern, range: { type: 'endDate', endDate: lastDay(UNTIL, event, zone), ...common } }
  return { pattern, range: { type: 'noEnd', ...common } }
}

function partsOf(rrule: string): { [part: string]: string | undefined } {
  return Object.fromEntries(rrule.split(';').map((part) => part.split('=') as [string, string]))
}

/** The parts of a rule without those that only repeat what its start says. */
function following(
  rrule: string,
  start: Temporal.PlainDate,
): { [part: string]: string | undefined } {
  const rule = partsOf(rrule)
  const day = order[start.dayOfWeek - 1]
  const { BYDAY, BYMONTHDAY, BYMONTH, ...others } = rule
  if (rule.FREQ === 'WEEKLY' && BYDAY === day) return { ...others }
  if (BYDAY || BYMONTHDAY !== String(start.day)) return rule
  if (BYMONTH && BYMONTH !== String(start.month)) return rule
  return { ...others }
}

function dayOf({ start, all_day }: CalendarEvent, zone: string): Temporal.PlainDate {
  if (all_day) return Temporal.PlainDate.from(start)
  return Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDate()
}

/** The last day on which a series may begin: the end of a rule may be before its hour. */
function lastDay(until: string, { start, all_day }: CalendarEvent, zone: string): string {
  if (all_day || !until.includes('T')) return Temporal.PlainDate.from(until.slice(0, 8)).toString()
  const end = Temporal.Instant.from(until).toZonedDateTimeISO(zone)
  const hour = Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainTime()
  const isBefore = Temporal.PlainTime.compare(end.toPlainTime(), hour) < 0
  return (isBefore ? end.toPlainDate().subtract({ days: 1 }) : end.toPlainDate()).toString()
}
