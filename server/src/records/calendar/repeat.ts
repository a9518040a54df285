import { RRuleTemporal } from 'rrule-temporal'
import type { Context } from '../../kit/ground/context.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { allParts, partsOf } from '../rule-parts.ts'

export type Repeat = { rrule: string; exdates?: string[]; [key: string]: unknown }

/** A repeat given as an RRULE or as `{rrule, exdates}`, checked; 400 says what is wrong. */
export function repeatOf(given: unknown, start: string, timezone: string): Repeat | null {
  if (given === null || isNothing(given)) return null
  const repeat = (typeof given === 'string' ? { rrule: given } : { ...(given as object) }) as Repeat
  if (typeof repeat.rrule !== 'string' || !/FREQ=/i.test(repeat.rrule)) {
    throw badField('repeat', 'must be an RRULE, or an object with one under rrule')
  }
  repeat.rrule = repeat.rrule
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
  const exdates = repeat.exdates ?? []
  if (!Array.isArray(exdates) || exdates.some((day) => Number.isNaN(Date.parse(String(day))))) {
    throw badField('repeat.exdates', 'must be an array of dates')
  }
  if (/FREQ=(SECONDLY|MINUTELY)|BYSECOND|BYMINUTE=\d+,/.test(repeat.rrule)) {
    throw badField('repeat', 'meetings repeat hourly at most')
  }
  partsOf(repeat.rrule, allParts, (message) => badField('repeat', message))
  try {
    ruleOf(repeat, start, timezone)
  } catch (error) {
    throw badField('repeat', `is no rule: ${(error as Error).message}`)
  }
  return { ...repeat, exdates }
}

/** What forms send for a meeting that does not repeat: an empty text, or an object of empty parts. */
function isNothing(given: unknown): boolean {
  const parts = typeof given === 'object' ? Object.values(given as object) : [given]
  return parts.every((part: unknown) => {
    if (Array.isArray(part)) return !part.length
    return part === null || (typeof part === 'string' && !part.trim())
  })
}

/** The starts of a repeated meeting inside bounds, as instants; at most `limit` of them. */
export function occurrences(
  { repeat, start }: { repeat: Repeat; start: string },
  timezone: string,
  bounds: { from: string; to: string },
  limit: number,
): string[] {
  const given = (repeat.exdates ?? []).map(String)
  const without = new Set(given.map((day) => +new Date(parseInstant(day, timezone) ?? day)))
  const days = new Set(given.filter((day) => /^\d{4}-\d\d-\d\d$/.test(day)))
  const rule = ruleOf(repeat, start, timezone)
  const end = Math.min(Date.parse(bounds.to), Date.parse(start) + 100 * 366 * aDay)
  const found: number[] = []
  // step by step, since the library gives all that there are, however many
  let step = (/FREQ=HOURLY/.test(repeat.rrule) ? 31 : 366) * aDay
  // a day ahead: the rule goes by whole seconds, and of an hour that comes twice by the first
  const first = Math.max(Date.parse(bounds.from), Date.parse(start) - aDay)
  for (let from = first; from <= end && found.length < limit;) {
    const to = Math.min(from + step, end)
    const some = between(rule, from, to)
    const kept = some
      .map((each) => ({ day: each.toString().slice(0, 10), time: each.epochMilliseconds }))
      .filter(({ day, time }) => !without.has(time) && !days.has(day))
    found.push(...kept.map(({ time }) => time))
    if (some.length < 50) step *= 2
    from = to + 1
  }
  return found.slice(0, limit).map((time) => new Date(time).toISOString())
}

const aDay = 86_400_000

/** None where the library gives up on a rule. */
function between(rule: RRuleTemporal, from: number, to: number) {
  try {
    return rule.between(new Date(from), new Date(to), true)
  } catch {
    return []
  }
}

/** The zone whose clock a meeting follows: its own, else the organization's. */
export function zoneOf(ctx: Context, timezone: unknown): string {
  const named = (timezone ?? {}) as { name?: unknown; value?: unknown; timezone?: unknown }
  const zone = named.name ?? named.value ?? named.timezone
  if (zone === undefined || zone === null || zone === '') return ctx.organization.timezone
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone
  } catch {
    throw badField('timezone', 'must name an IANA zone, such as Europe/Paris')
  }
}

function ruleOf({ rrule }: Repeat, start: string, timezone: string): RRuleTemporal {
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
