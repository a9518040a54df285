import { dayOfInstant } from '../../kit/ground/dates.ts'
import type { Voice } from '../../model/languages/language.ts'

/**
 * A recurrence rule in words, for mails and pages: how often, on which weekdays, and how long. What is rarer, such as
 * the second Tuesday, only calendar programs say. Undefined for rules of hours, and for what is no rule.
 */
export function repeatWords(rrule: string, zone: string, voice: Voice): string | undefined {
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
  const on = days.length ? `${every}: ${days.join(', ')}` : every
  if (parts.COUNT) return voice.say('repeats.times', { repeat: on, count: Number(parts.COUNT) })
  const until = parts.UNTIL && dayOf(parts.UNTIL, zone)
  return until ? voice.say('repeats.until', { repeat: on, date: voice.day(until) }) : on
}

const frequencies = ['daily', 'weekly', 'monthly', 'yearly'] as const
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

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
