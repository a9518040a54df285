import { RRuleTemporal } from 'rrule-temporal'
import type { Context } from '../../kit/ground/context.ts'
import { dayOfInstant, parseInstant } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { timeZoneNamed } from '../../kit/ground/time.ts'
import { allParts, partsOf, normalizeRule } from '../../model/recurrence/rule-parts.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'

/** How a meeting repeats: an RRULE (RFC 5545) and the days or times that are left out. */
export type Repeat = NonNullable<MeetingRow['repeat']>

/** The maximum number of excluded days or times in a series, and of bytes of its JSON. */
const mostExceptions = 1000
const mostBytes = 64 * 1024

/** A recurrence supplied as an RRULE or as `{rrule, exdates}`, checked; 400 states what is wrong. */
export function repeatOf(
  input: string | { [part: string]: unknown } | null,
  start: string,
  timezone: string,
): Repeat | null {
  if (input === null || isEmpty(input)) return null
  const repeat = typeof input === 'string' ? { rrule: input } : input
  if (typeof repeat.rrule !== 'string' || !/FREQ=/i.test(repeat.rrule)) {
    throw badField('repeat', 'must be an RRULE, or an object with one under rrule')
  }
  const rrule = normalizeRule(repeat.rrule)
  const exdates: unknown = ('exdates' in repeat ? repeat.exdates : null) ?? []
  if (!isDates(exdates)) throw badField('repeat.exdates', 'must be an array of dates')
  if (exdates.length > mostExceptions) {
    throw badField('repeat.exdates', `must have at most ${mostExceptions} entries`)
  }
  if (JSON.stringify(input).length > mostBytes) {
    throw badField('repeat', 'must be at most 64 KiB of JSON')
  }
  if (/FREQ=(SECONDLY|MINUTELY)|BYSECOND|BYMINUTE=\d+,/.test(rrule)) {
    throw badField('repeat', 'meetings repeat hourly at most')
  }
  const { UNTIL } = partsOf(rrule, allParts, (message) => badField('repeat', message))
  // no list of days would ever show such a meeting
  if (UNTIL && isBefore(UNTIL, start, timezone))
    throw badField('repeat', 'must not end before start')
  try {
    ruleOf({ rrule }, start, timezone)
  } catch (error) {
    throw badField('repeat', `is not a valid rule: ${(error as Error).message}`)
  }
  return { ...repeat, rrule, exdates: exdates.map(String) }
}

/** Whether a series ends before it starts: `20261231` includes all of that day; with a time it is an instant. */
function isBefore(until: string, start: string, timezone: string): boolean {
  const [, year, month, day, time, zone = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z)?)?$/.exec(until) ?? []
  const date = `${year}-${month}-${day}`
  if (!time) return date < (dayOfInstant(start, timezone) ?? date)
  const clock = time.replace(/(\d\d)(\d\d)/, '$1:$2:')
  const moment = parseInstant(`${date}T${clock}${zone}`, timezone)
  return moment !== undefined && moment < start
}

function isDates(value: unknown): value is unknown[] {
  if (!Array.isArray(value)) return false
  // more than the maximum are refused anyway
  const days: unknown[] = value.slice(0, mostExceptions)
  return days.every((day) => !Number.isNaN(Date.parse(String(day))))
}

/** Whether it is what forms send for a meeting that does not repeat: an empty text, or an object with empty members. */
function isEmpty(input: string | { [part: string]: unknown }): boolean {
  const parts = typeof input === 'object' ? Object.values(input) : [input]
  return parts.every((part: unknown) => {
    if (Array.isArray(part)) return !part.length
    return part === null || (typeof part === 'string' && !part.trim())
  })
}

/** The starts of a repeated meeting within a range, as instants; at most `limit` of them. */
export function occurrences(
  { repeat, start }: { repeat: Repeat; start: string },
  timezone: string,
  bounds: { from: string; to: string },
  limit: number,
): string[] {
  const exdates = repeat.exdates.map(String)
  const without = new Set(exdates.map((left) => exceptionTime(left, timezone)))
  const days = new Set(exdates.filter((day) => /^\d{4}-\d\d-\d\d$/.test(day)))
  const rule = ruleOf(repeat, start, timezone)
  const end = Math.min(Date.parse(bounds.to), Date.parse(start) + 100 * 366 * aDay)
  const found: number[] = []
  // in steps, since the library returns every occurrence between two bounds, however many
  let step = 31 * aDay
  // a day earlier: the rule counts in whole seconds, and uses the first hour if the clocks repeat one
  const first = Math.max(Date.parse(bounds.from), Date.parse(start) - aDay)
  for (let from = first; from <= end && found.length < limit;) {
    const to = Math.min(from + step, end)
    const some = between(rule, from, to)
    const left = some
      .map((each) => ({ day: each.toString().slice(0, 10), time: each.epochMilliseconds }))
      .filter(({ day, time }) => !without.has(time) && !days.has(day))
    for (const { time } of left) found.push(time)
    if (some.length < 50) step *= 2
    from = to + 1
  }
  return found.slice(0, limit).map((time) => new Date(time).toISOString())
}

const aDay = 86_400_000

/** The time of an excluded occurrence, in milliseconds; without an offset it is in the zone. */
export function exceptionTime(left: string, timezone: string): number {
  return Date.parse(parseInstant(left, timezone) ?? left)
}

/** Returns no occurrences if the library cannot expand the rule. */
function between(rule: RRuleTemporal, from: number, to: number) {
  try {
    return rule.between(new Date(from), new Date(to), true)
  } catch {
    return []
  }
}

/** The dates of a series that take place before a change and not after it. */
export function droppedDates(
  before: Pick<MeetingRow, 'repeat'>,
  after: Pick<MeetingRow, 'repeat'>,
): string[] {
  const known = new Set(before.repeat?.exdates)
  return (after.repeat?.exdates ?? []).filter((date) => !known.has(date))
}

/** An object that holds an IANA zone under `name`, `value` or `timezone`. */
export type Zone = { [key: string]: unknown }

/** The zone whose clock a meeting follows: its own, else the organization's. */
export function zoneOf(ctx: Context, timezone: Zone | null | undefined): string {
  const zone = ownZone(timezone, ctx.organization.timezone)
  if (zone === undefined) throw badField('timezone', 'must name an IANA zone, such as Europe/Paris')
  return zone
}

/** The zone that a meeting names, or `otherwise` if it names none; undefined for an unknown zone. */
export function ownZone(timezone: Zone | null | undefined, otherwise: string): string | undefined {
  const zone = timezone?.name ?? timezone?.value ?? timezone?.timezone
  if (zone === undefined || zone === null || zone === '') return otherwise
  return timeZoneNamed(String(zone))
}

function ruleOf({ rrule }: Pick<Repeat, 'rrule'>, start: string, timezone: string): RRuleTemporal {
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(new Date(start))
  const dtstart = local.replace(' ', 'T').replaceAll(/[-:]/g, '')
  return new RRuleTemporal({
    rruleString: `DTSTART;TZID=${timezone}:${dtstart}\nRRULE:${rrule}`,
    maxIterations: 20_000,
  })
}
