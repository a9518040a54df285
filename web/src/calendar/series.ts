import type { CalendarMeeting } from '../data/calendar.ts'
import { addDays } from '../records/field/format.ts'
import { instantAt, localTime } from '../records/field/local-time.ts'
import { daysBetween } from './days.ts'
import type { Times } from './shift.ts'
import { lengthOf } from './shift.ts'

// What a series is when one, some or all of its meetings move, by the clock that it follows.

/** How a meeting repeats: its rule (RFC 5545), and the days or times that are left out. */
export type Repeat = { rrule: string; exdates: string[] }

/** One meeting of a series that moves, and the zone whose clock the series follows. */
export type Moved = {
  meeting: Pick<CalendarMeeting, 'start' | 'end' | 'series_start' | 'repeat'>
  times: Times
  zone: string
}

/** The rule of a series on other days: its weekdays move with it; undefined where its days cannot. */
export function ruleMoved(rrule: string, days: number): string | undefined {
  if (!days) return rrule
  const parts = rrule.split(';')
  const by = parts.filter((part) => /^BY(?!HOUR|MINUTE)/i.test(part))
  if (!by.length) return rrule
  const [only = ''] = by
  if (by.length > 1 || !/^BYDAY=(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$/i.test(only)) {
    return undefined
  }
  if (!/FREQ=WEEKLY/i.test(rrule)) return undefined
  const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
  const moved = only
    .slice('BYDAY='.length)
    .toUpperCase()
    .split(',')
    .map((name) => names[(names.indexOf(name) + (((days % 7) + 7) % 7)) % 7])
  return parts.map((part) => (part === only ? `BYDAY=${moved.join(',')}` : part)).join(';')
}

/** How many days a move goes, by the clock of the series. */
export function daysMoved(from: string, to: string, zone: string): number {
  const day = (time: string) => localTime(time, zone).slice(0, 10)
  return daysBetween(day(from), day(to))
}

/** A whole series that moves as one of its meetings does. */
export function shifted(move: Moved): Times & { repeat: Repeat } {
  const { meeting, times } = move
  const start = alike(meeting.series_start ?? meeting.start, move)
  const { rrule = '', exdates = [] } = meeting.repeat ?? {}
  return {
    start,
    end: new Date(Date.parse(start) + lengthOf(times)).toISOString(),
    repeat: repeatAlike({ rrule, exdates }, move),
  }
}

/**
 * The two series into which one is parted where a meeting moves with those after it. `before` is how many of them take
 * place earlier: what a rule counts is shared out, dropped dates too.
 */
export function parted(repeat: Repeat, move: Moved, before: number): { rest: Repeat; own: Repeat } {
  const { meeting, zone } = move
  const day = localTime(meeting.start, zone).slice(0, 10)
  const isEarlier = (date: string) =>
    isPlainDay(date) ? date < day : new Date(date).toISOString() < meeting.start
  const parts = repeat.rrule.split(';')
  const others = parts.filter((part) => !/^(COUNT|UNTIL)=/i.test(part))
  const count = countOf(repeat)
  const dropped = repeat.exdates.filter(isEarlier)
  const until = parts.filter((part) => /^UNTIL=/i.test(part))
  // of several on a day, those before it stay
  const last = isManyOnDay(repeat)
    ? `${compact(new Date(Date.parse(meeting.start) - 1000).toISOString().slice(0, 19))}Z`
    : compact(addDays(day, -1))
  const rule = [
    ...others,
    ...(count ? [`COUNT=${Math.max(count - before - dropped.length, 1)}`] : until),
  ]
  const exdates = repeat.exdates.filter((date) => !isEarlier(date))
  return {
    rest: {
      rrule: [...others, `UNTIL=${last}`].join(';'),
      exdates: dropped,
    },
    own: repeatAlike({ rrule: rule.join(';'), exdates }, move),
  }
}

/** How many times a series takes place by its rule, dropped dates too; 0 where the rule does not count. */
export function countOf({ rrule }: Repeat): number {
  return Number(/COUNT=(\d+)/i.exec(rrule)?.[1] ?? 0)
}

/** What leaves a meeting out of its series: its day, or its time where there are several on a day. */
export function dateOf(repeat: Repeat, start: string, zone: string): string {
  return isManyOnDay(repeat) ? start : localTime(start, zone).slice(0, 10)
}

type Attendee = CalendarMeeting['attendees'][number]

/** The people who are invited, with the answers that they gave before. */
export function withAnswers(people: Attendee[], before: Attendee[]): Attendee[] {
  return people.map((each) => {
    const was = before.find(
      ({ type, id, email }) => type === each.type && id === each.id && email === each.email,
    )
    return was ? { ...each, response: was.response } : each
  })
}

const isManyOnDay = ({ rrule }: Repeat) => /FREQ=HOURLY|BYHOUR=\d+,/i.test(rrule)

const isPlainDay = (date: string) => /^\d{4}-\d\d-\d\d$/.test(date)

const compact = (time: string) => time.replaceAll(/[-:]/g, '')

function repeatAlike({ rrule, exdates }: Repeat, move: Moved): Repeat {
  const { meeting, times, zone } = move
  const days = daysMoved(meeting.start, times.start, zone)
  return {
    rrule: untilAlike(ruleMoved(rrule, days) ?? rrule, days, move),
    exdates: exdates.map((date) =>
      isPlainDay(date) ? addDays(date, days) : alike(new Date(date).toISOString(), move),
    ),
  }
}

/** The rule with its end moved, which is a day, a time of its clock, or an instant. */
function untilAlike(rrule: string, days: number, move: Moved): string {
  const found = /UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/i.exec(rrule)
  if (!found) return rrule
  const [until, year, month, date, hour, minute, second, utc = ''] = found
  const day = `${year}-${month}-${date}`
  const time = `${day}T${hour}:${minute}`
  const moved =
    hour === undefined
      ? addDays(day, days)
      : `${(utc ? alike(`${time}Z`, move) : localAlike(time, move)).slice(0, 16)}${second}${utc}`
  return rrule.replace(until, `UNTIL=${compact(moved)}`)
}

/** An instant that is moved as the meeting is, by the clock. */
function alike(time: string, move: Moved): string {
  return instantAt(localAlike(localTime(time, move.zone), move), move.zone)
}

function localAlike(local: string, { meeting, times, zone }: Moved): string {
  const clock = (time: string) => Date.parse(`${time}Z`)
  const by = clock(localTime(times.start, zone)) - clock(localTime(meeting.start, zone))
  return new Date(clock(local) + by).toISOString().slice(0, 16)
}
