import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { isDay } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { workCalendar } from '../holidays/calendar.ts'
import { dayParts, partsOf } from '../rule-parts.ts'

/** A recurrence as it is kept: as written, with its rule (RFC 5545) and the next day of it. */
export type Recurrence = {
  rrule: string
  next_occurrence: string | null
  mode?: 'on_completion' | 'on_schedule'
  holiday_policy?: 'move' | 'skip' | 'ignore'
  [key: string]: unknown
}

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const field = 'recurrence_pattern'

/**
 * A pattern given as an RRULE string or as an object (`frequency, interval, by_weekday, …`), checked,
 * with its next day after `from`. 400 says what is wrong.
 */
export async function recurrenceFrom(
  ctx: Context,
  given: unknown,
  from: string,
  holidays_id?: string | null,
): Promise<Recurrence> {
  const written = typeof given === 'string' ? {} : (given as { [key: string]: unknown })
  const rrule = typeof given === 'string' ? ruleOf(given) : (fromObject(written) ?? '')
  const parts = partsOf(rrule, dayParts, (message) => badField(field, message))
  if (!frequencies.includes(parts.FREQ ?? '')) {
    throw badField(field, `frequency must be one of ${frequencies.join(', ').toLowerCase()}`)
  }
  const mode = oneOf(written.mode, ['on_completion', 'on_schedule'], 'mode')
  const policy = oneOf(written.holiday_policy, ['move', 'skip', 'ignore'], 'holiday_policy')
  const recurrence = {
    ...written,
    rrule,
    mode: mode ?? 'on_completion',
    holiday_policy: policy ?? 'move',
  } as Recurrence
  const start = startOf(recurrence) ?? from
  recurrence.start = start
  try {
    // also fails where no day ever comes
    ruleFrom(recurrence, start).next(new Date(`${from}T00:00:00Z`))
  } catch (error) {
    throw badField(field, `is no rule: ${(error as Error).message}`)
  }
  recurrence.next_occurrence = await nextDay(ctx, recurrence, from, holidays_id)
  return recurrence
}

/** The day of the rule after `after`, before holidays move it; null when there is none. */
export function nominalAfter(recurrence: Recurrence, after: string): string | null {
  const rule = ruleFrom(recurrence, startOf(recurrence) ?? after)
  try {
    const next = rule.next(new Date(`${after}T00:00:00Z`))
    return next ? next.toString().slice(0, 10) : null
  } catch {
    // so far away that it was given up: this series is over
    return null
  }
}

/** The next day of a series as people work: holidays move it, or pass over it, by its policy. */
export async function nextDay(
  ctx: Context,
  recurrence: Recurrence,
  after: string,
  holidays_id?: string | null,
): Promise<string | null> {
  const { holiday_policy = 'move' } = recurrence
  const calendar = await workCalendar(ctx, holidays_id)
  let day = nominalAfter(recurrence, after)
  for (let tries = 0; day && tries < 400; tries++) {
    if (holiday_policy === 'ignore' || !calendar.isHoliday(day)) return day
    if (holiday_policy === 'move') {
      let moved = Temporal.PlainDate.from(day)
      for (let n = 0; n < 400 && calendar.isOff(`${moved}`); n++) moved = moved.add({ days: 1 })
      return `${moved}`
    }
    day = nominalAfter(recurrence, day)
  }
  return day
}

function ruleFrom({ rrule }: Recurrence, start: string): RRuleTemporal {
  const dtstart = `${start.replaceAll('-', '')}T000000Z`
  const [, frequency = ''] = /FREQ=(\w+)/.exec(rrule) ?? []
  const maxIterations = longest[frequency]
  return new RRuleTemporal({ rruleString: `DTSTART:${dtstart}\nRRULE:${rrule}`, maxIterations })
}

/** How many periods from its start a series may go on: some 50 years of each, 200 of years. */
const longest: { [frequency: string]: number } = {
  YEARLY: 200,
  MONTHLY: 600,
  WEEKLY: 2700,
  DAILY: 19_000,
}

function startOf({ start, dtstart }: { [key: string]: unknown }): string | undefined {
  const given = start ?? dtstart
  if (given === undefined || given === null) return undefined
  const day = String(given).slice(0, 10)
  if (!isDay(day)) throw badField(field, 'start must be a day YYYY-MM-DD')
  return day
}

function ruleOf(text: string): string {
  const line =
    text
      .trim()
      .split(/\r?\n/)
      .find((each) => /FREQ=/i.test(each)) ?? ''
  return line.replace(/^RRULE:/i, '').toUpperCase()
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

function fromObject(given: { [key: string]: unknown }): string | undefined {
  if (typeof given.rrule === 'string' && given.frequency === undefined) return ruleOf(given.rrule)
  const { frequency, interval, by_weekday, by_month_day, by_set_pos, until, count } = given
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

function oneOf(given: unknown, words: string[], name: string): string | undefined {
  if (given === undefined || given === null) return undefined
  if (words.includes(String(given))) return String(given)
  throw badField(field, `${name} must be one of ${words.join(', ')}`)
}
