import { Temporal } from 'temporal-polyfill'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { isDay } from '../../kit/ground/dates.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { isTimeZone } from '../../kit/ground/time.ts'
import type { WorkCalendar } from '../holidays/calendar.ts'
import { dayParts, partsOf, normalizeRule } from './rule-parts.ts'
import { followingDays } from './rule.ts'

const modes = ['on_completion', 'on_schedule'] as const
const policies = ['move', 'skip', 'ignore'] as const

/** A stored recurrence: as written, with its rule (RFC 5545) and its next day. */
export const recurrenceSchema = Type.Object(
  {
    rrule: Type.String({ description: 'the rule (RFC 5545)' }),
    start: Type.String({ format: 'date', description: 'the day that the rule counts from' }),
    next_occurrence: orNull(Type.String({ format: 'date', description: 'null at the end' })),
    mode: enumeration(modes, { title: 'RecurrenceMode' }),
    holiday_policy: enumeration(policies, { title: 'HolidayPolicy' }),
  },
  { title: 'Recurrence', additionalProperties: true },
)

export type Recurrence = Static<typeof recurrenceSchema>

/** The values of `recurrence_status`. */
export const recurrenceStatuses = ['active', 'paused', 'completed', 'cancelled'] as const
export type RecurrenceStatus = (typeof recurrenceStatuses)[number]

/** What determines the days of a series. */
type Rule = Pick<Recurrence, 'rrule'> & Partial<Recurrence>

/** What a pattern may have; `start` and `dtstart` are the same. */
const keys = [
  'frequency',
  'interval',
  'by_weekday',
  'by_month_day',
  'by_set_pos',
  'until',
  'count',
  'timezone',
  'mode',
  'holiday_policy',
  'rrule',
  'start',
  'dtstart',
  'next_occurrence',
]

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const field = 'recurrence_pattern'

/**
 * The recurrence that a pattern describes, an RRULE or an object (`frequency, interval, by_weekday,
 * …`), with its next day after `from`. 400 says what is wrong, also of keys that are not known, unless the
 * `stored` one has them: a misspelled one would change nothing in silence.
 */
export async function recurrenceFrom(
  ctx: Context,
  pattern: string | Pattern,
  from: string,
  calendar: WorkCalendar,
  stored: Pattern = {},
): Promise<Recurrence> {
  const written = typeof pattern === 'string' ? {} : pattern
  const errors = unknownKeys(written, [...keys, ...Object.keys(stored)], field)
  if (errors.length) throw badFields(errors)
  const rrule = typeof pattern === 'string' ? ruleOf(pattern) : ruleFromObject(pattern)
  const parts = partsOf(rrule, dayParts, (message) => badField(field, message))
  if (!frequencies.includes(parts.FREQ ?? '')) {
    throw badField(field, `frequency must be one of ${frequencies.join(', ').toLowerCase()}`)
  }
  checkZone(written.timezone)
  const rule = {
    ...written,
    rrule,
    mode: oneOf(written.mode, modes, 'mode') ?? 'on_completion',
    holiday_policy: oneOf(written.holiday_policy, policies, 'holiday_policy') ?? 'move',
    start: startOf(written) ?? from,
  }
  await daysAfter(ctx, rule, from, { mustCome: true })
  const next = await nextOccurrence(ctx, rule, { nominal: from, day: from }, calendar)
  return { ...rule, next_occurrence: next?.day ?? null }
}

/** A day of a series by its rule, and the working day to which it is moved. */
type Occurrence = { nominal: string; day: string }

/**
 * The next occurrence; null at the end. Holidays move or skip it, by its policy. If
 * several are moved to one day there is only one, and none is earlier than the previous one.
 */
export async function nextOccurrence(
  ctx: Context,
  recurrence: Rule,
  last: Occurrence,
  calendar: WorkCalendar,
): Promise<Occurrence | null> {
  const { holiday_policy = 'move' } = recurrence
  const worked = (day: string) => workedDay(day, holiday_policy, calendar)
  // a day chosen by hand for the last one does not affect the next
  const after = worked(last.nominal) === last.day ? last.day : last.nominal
  // usually it is the first, and computing more takes longer
  for (const count of [1, most]) {
    for (const nominal of await daysAfter(ctx, recurrence, last.nominal, { count })) {
      const day = worked(nominal)
      if (day !== undefined && day > after) return { nominal, day }
    }
  }
  return null
}

/** The maximum number of consecutive days of a rule that are checked for one that is no holiday. */
const most = 400

/** The day to which holidays move a day; undefined if they skip it. */
function workedDay(
  day: string,
  policy: Recurrence['holiday_policy'],
  calendar: WorkCalendar,
): string | undefined {
  if (policy === 'ignore' || !calendar.isHoliday(day)) return day
  if (policy === 'skip') return undefined
  let moved = Temporal.PlainDate.from(day)
  for (let n = 0; n < most && calendar.isOff(`${moved}`); n++) moved = moved.add({ days: 1 })
  return `${moved}`
}

/** At most so many days of the rule after a day; with `mustCome`, 400 if there is none. */
function daysAfter(
  ctx: Context,
  recurrence: Rule,
  after: string,
  { count = 1, mustCome = false } = {},
): Promise<string[]> {
  const start = startOf(recurrence) ?? after
  const sought = { rrule: recurrence.rrule, start, after, count, mustCome }
  return ctx.services.computations.run(ctx.organization.id, followingDays, sought)
}

function startOf({ start, dtstart }: { start?: unknown; dtstart?: unknown }): string | undefined {
  const first = start ?? dtstart
  if (first === undefined || first === null) return undefined
  const day = String(first).slice(0, 10)
  if (!isDay(day)) throw badField(field, 'start must be a day YYYY-MM-DD')
  return day
}

function ruleOf(text: string): string {
  const line =
    text
      .trim()
      .split(/\r?\n/)
      .find((each) => /FREQ=/i.test(each)) ?? ''
  return normalizeRule(line)
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

type Pattern = { [key: string]: unknown }

function ruleFromObject(pattern: Pattern): string {
  const { rrule, frequency, interval, by_weekday, by_month_day, by_set_pos, until, count } = pattern
  if (typeof rrule === 'string' && frequency === undefined) return ruleOf(rrule)
  if (typeof frequency !== 'string') throw badField(field, 'frequency is required')
  const parts = [`FREQ=${frequency.toUpperCase()}`]
  const add = (name: string, value: unknown, check: (text: string) => boolean) => {
    if (value === undefined || value === null) return
    const texts = [value].flat().map((each) => String(each).toUpperCase())
    const wrong = texts.find((text) => !check(text))
    if (wrong !== undefined || !texts.length) throw badField(field, `${name} cannot be ${wrong}`)
    parts.push(`${name}=${texts.join()}`)
  }
  const whole = (min: number, max: number) => (text: string) =>
    /^-?\d{1,5}$/.test(text) && +text !== 0 && +text >= min && +text <= max
  add('INTERVAL', interval, whole(1, 1000))
  const days = by_weekday === undefined || by_weekday === null ? undefined : [by_weekday].flat()
  add(
    'BYDAY',
    days?.map((day) =>
      String(day)
        .toUpperCase()
        .replace(/^([+-]?\d{0,2})([A-Z]{2})[A-Z]*$/, '$1$2'),
    ),
    (text) => weekdays.includes(text.slice(-2)) && /^([+-]?\d{1,2})?[A-Z]{2}$/.test(text),
  )
  add('BYMONTHDAY', by_month_day, whole(-31, 31))
  add('BYSETPOS', by_set_pos, whole(-366, 366))
  add('COUNT', count, whole(1, 10_000))
  if (until !== undefined && until !== null) {
    const day = String(until).slice(0, 10)
    if (!isDay(day)) throw badField(field, 'until must be a day YYYY-MM-DD')
    parts.push(`UNTIL=${day.replaceAll('-', '')}T235959Z`)
  }
  return parts.join(';')
}

function checkZone(zone: unknown) {
  if (zone === undefined || zone === null) return
  if (typeof zone !== 'string' || !isTimeZone(zone))
    throw badField(field, 'timezone must be an IANA time zone, such as Europe/Paris')
}

function oneOf<const W extends string>(value: unknown, words: readonly W[], name: string) {
  if (value === undefined || value === null) return undefined
  const found = words.find((word) => word === String(value))
  if (!found) throw badField(field, `${name} must be one of ${words.join(', ')}`)
  return found
}
