import { dayOfInstant } from '../../kit/ground/dates.ts'
import type { Voice } from '../../model/languages/language.ts'

/**
 * A recurrence rule in words, for mails and pages: how often, on which weekdays, and how long. What is rarer, such as
 * the second Tuesday, only calendar programs say. A day that some months do not have comes with which months these
 * are, since it falls out there (RFC 5545, 3.3.10). `start` is the first day. Undefined for rules of hours, and for what is no rule.
 */
export function repeatWords(
  rrule: string,
  start: string,
  zone: string,
  voice: Voice,
): string | undefined {
  const parts: { [name: string]: string | undefined } = Object.fromEntries(
    rrule.split(';').map((part) => part.split('=')),
  )
  const often = frequencies.find((each) => each === parts.FREQ?.toLowerCase())
  if (!often) return undefined
  const count = Number(parts.INTERVAL ?? 1)
  const every = voice.say(count > 1 ? `repeats.${often}_n` : `repeats.${often}`, { count })
  const days = weekdays.flatMap((day, at) =>
    parts.BYDAY?.split(',').includes(day) ? [nameOf(at, voice)] : [],
  )
  const late = dayThatFallsOut(parts, start)
  const on = [
    days.length ? `${every}: ${days.join(', ')}` : every,
    ...(late ? [voice.say(`repeats.day_${late}`)] : []),
  ].join(', ')
  if (parts.COUNT) return voice.say('repeats.times', { repeat: on, count: Number(parts.COUNT) })
  const until = parts.UNTIL && dayOf(parts.UNTIL, zone)
  return until ? voice.say('repeats.until', { repeat: on, date: voice.day(until) }) : on
}

const frequencies = ['daily', 'weekly', 'monthly', 'yearly'] as const
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The last day of the month on which a monthly rule comes, if some of its months do not have it. */
function dayThatFallsOut(
  parts: { [name: string]: string | undefined },
  start: string,
): 29 | 30 | 31 | undefined {
  const { FREQ, BYMONTHDAY, BYMONTH, INTERVAL = '1' } = parts
  if (FREQ !== 'MONTHLY' || parts.BYDAY) return undefined
  const day = Math.max(...(BYMONTHDAY ?? start.slice(8, 10)).split(',').map(Number))
  const late = ([29, 30, 31] as const).find((each) => each === day)
  const first = Number(start.slice(5, 7)) - 1
  const months = Array.from({ length: 12 }, (_, n) => (first + n * Number(INTERVAL)) % 12)
  const isOne = (month: number) => !BYMONTH || BYMONTH.split(',').includes(String(month + 1))
  // of a year without a leap day
  const lacks = (month: number) => new Date(Date.UTC(2023, month + 1, 0)).getUTCDate() < day
  return months.some((month) => isOne(month) && lacks(month)) ? late : undefined
}

/** The name of a day of the week, of which Monday is 0. */
function nameOf(at: number, { language }: Voice): string {
  const names = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  // 1 January 2024 was a Monday
  return names.format(Date.UTC(2024, 0, 1 + at))
}

/** The day of an UNTIL (RFC 5545, 3.3.10): a day, or a time on the clock of the meeting or of UTC. */
function dayOf(until: string, zone: string): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', utc = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?$/.exec(until) ?? []
  return dayOfInstant(`${year}-${month}-${day}T${hour}:${minute}${utc}`, zone)
}
