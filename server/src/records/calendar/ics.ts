import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import { tzlib_get_ical_block } from 'timezones-ical-library'
import { oneLine } from '../../kit/ground/one-line.ts'
import { timeZoneNamed } from '../../kit/ground/time.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import { endsOf } from './expand.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { exceptionTime, occurrences, ownZone } from './repeat.ts'

/** A meeting as it is published to calendar programs. */
export type PublishedMeeting = MeetingRow & {
  /** the zone whose clock it follows */
  zone: string
  version: number
  organizer: { name: string; email: string } | null
}

const statuses: { [response in Attendee['response']]: ICalAttendeeStatus } = {
  needs_action: ICalAttendeeStatus.NEEDSACTION,
  accepted: ICalAttendeeStatus.ACCEPTED,
  tentative: ICalAttendeeStatus.TENTATIVE,
  declined: ICalAttendeeStatus.DECLINED,
}

/**
 * Meetings as iCalendar text (RFC 5545). The UID of a meeting never changes, and SEQUENCE is its version, so
 * that programs recognise an update; times are in the meeting's zone, whose rules are included.
 */
export function icsOf(
  meetings: PublishedMeeting[],
  {
    host,
    name,
    method,
  }: { host: string; name: string; method?: 'REQUEST' | 'CANCEL' | 'DECLINECOUNTER' },
): string {
  const calendar = ical({
    // the library does not escape it
    name: oneLine(name),
    prodId: { company: 'Perennial', product: 'Calendar' },
  })
  if (method) calendar.method(ICalCalendarMethod[method])
  calendar.timezone({ name: null, generator: rulesOf })
  for (const published of meetings) {
    const zone = timeZoneNamed(published.zone) ?? 'UTC'
    const meeting = { ...published, ...firstTime({ ...published, zone }), zone }
    const { organizer, repeat, all_day: allDay } = meeting
    const at = (time: string) => Temporal.Instant.from(time).toZonedDateTimeISO(zone)
    const [start, end] = [at(meeting.start), at(meeting.end)]
    const inZone = zone !== 'UTC' && (repeat || (isPlain(start) && isPlain(end)))
    const [from, to] = inZone ? [start, end] : [start.withTimeZone('UTC'), end.withTimeZone('UTC')]
    const isCancelled = meeting.is_meeting_cancelled || method === 'CANCEL'
    const event = calendar.createEvent({
      id: `${meeting.calendar_id}@${host}`,
      sequence: meeting.version,
      // days are those of the meeting's zone, and iCalendar names the day after the last one
      start: allDay ? start.toPlainDate() : from,
      end: allDay ? end.toPlainDate().add({ days: 1 }) : lasts(meeting) ? to : null,
      allDay,
      timezone: allDay || !inZone ? null : zone,
      summary: printable(meeting.title),
      description: printable(meeting.description),
      location: printable(meeting.location),
      url: webAddress(meeting.link ?? '')?.href ?? null,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      organizer: organizer && { name: oneLine(organizer.name), email: organizer.email },
      attendees: meeting.attendees.flatMap(({ email, name: full_name, is_optional, response }) =>
        email
          ? {
              email,
              name: oneLine(full_name ?? email),
              role: is_optional ? ICalAttendeeRole.OPT : ICalAttendeeRole.REQ,
              status: statuses[response],
              rsvp: response === 'needs_action',
            }
          : [],
      ),
    })
    if (repeat)
      event.repeating([`RRULE:${publishedRule(meeting)}`, ...exdates(meeting)].join('\r\n'))
  }
  return calendar.toString()
}

/** Whether it takes time: of two equal times iCalendar has only the first. */
function lasts({ start, end }: Pick<PublishedMeeting, 'start' | 'end'>): boolean {
  return Date.parse(end) > Date.parse(start)
}

/** Whether its local time alone tells it, which the second of an hour that comes twice does not. */
function isPlain(time: Temporal.ZonedDateTime): boolean {
  return time.year <= 9999 && time.toPlainDateTime().toZonedDateTime(time.timeZoneId).equals(time)
}

/**
 * When a series takes place first, within some years. Calendar programs count its start in, also where the rule does
 * not come to that day, such as the Mondays from a Wednesday on.
 */
function firstTime(meeting: PublishedMeeting) {
  const { repeat, start, end, zone } = meeting
  if (!repeat || !/BY[A-Z]+=/.test(repeat.rrule)) return { start, end }
  const years = {
    from: start,
    to: new Date(Date.parse(start) + 9 * 366 * 86_400_000).toISOString(),
  }
  const [first = start] = occurrences({ repeat: { ...repeat, exdates: [] }, start }, zone, years, 1)
  // the rule counts in whole seconds
  if (Date.parse(first) - Date.parse(start) < 1000) return { start, end }
  return { start: first, end: endsOf(meeting, zone)(first) }
}

/**
 * The rules of a zone as a VTIMEZONE. The library has them only under the main name of each zone, but they
 * must have the name by which the times refer to them.
 */
export function rulesOf(zone: string): string | null {
  const [block] = [tzlib_get_ical_block(zone)].flat()
  return block?.replaceAll(/^(TZID|X-LIC-LOCATION):.*$/gm, `$1:${zone}`) ?? null
}

/** A text without control characters, which iCalendar does not allow; its lines stay. */
function printable<Text extends string | null | undefined>(text: Text): Text {
  return text?.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, ' ') as Text
}

type Feed = {
  /** JSON of the meetings, with the fields of a feed */
  meetings: string
  versions: { [id: string]: number }
  /** the zone of meetings without one of their own */
  zone: string
  host: string
  name: string
}

/** A feed of meetings as iCalendar text. */
export function feedText({ meetings, versions, zone, host, name }: Feed): string {
  const published = (JSON.parse(meetings) as MeetingRow[]).map((meeting) => ({
    ...meeting,
    zone: ownZone(meeting.timezone, zone) ?? zone,
    version: versions[meeting.calendar_id] ?? 1,
    organizer: null,
    attendees: [],
  }))
  return icsOf(published, { host, name })
}

/** The rule, with UNTIL as iCalendar wants it: a day for days, an instant for times. */
function publishedRule({ repeat, zone, all_day }: PublishedMeeting): string {
  return (repeat?.rrule ?? '').replace(
    /UNTIL=(\d{8})(T\d{6}Z)?/,
    (whole, day: string, time?: string) => {
      const date = Temporal.PlainDate.from(day)
      if (!all_day && time) return whole
      if (!all_day) return `UNTIL=${compact(lastSecond(date, zone).withTimeZone('UTC'))}Z`
      const last = time ? Temporal.Instant.from(day + time).toZonedDateTimeISO(zone) : date
      return `UNTIL=${compact(last).slice(0, 8)}`
    },
  )
}

function lastSecond(day: Temporal.PlainDate, timeZone: string): Temporal.ZonedDateTime {
  return day.add({ days: 1 }).toZonedDateTime({ timeZone }).subtract({ seconds: 1 })
}

/** A day or a time by its own clock, as iCalendar writes it. */
function compact(time: Temporal.PlainDate | Temporal.ZonedDateTime): string {
  const local = time instanceof Temporal.PlainDate ? time : time.toPlainDateTime()
  return local.toString().slice(0, 19).replaceAll(/[-:]/g, '')
}

/** The occurrences that are left out, each at the time of day of the series; of whole days only what is one of its days. */
function exdates({ repeat, start, zone, all_day }: PublishedMeeting): string[] {
  const first = Temporal.Instant.from(start).toZonedDateTimeISO(zone)
  const timeOn = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone: zone, plainTime: first.toPlainTime() })
  return (repeat?.exdates ?? []).flatMap((left) => {
    const time = /^\d{4}-\d\d-\d\d$/.test(left)
      ? timeOn(Temporal.PlainDate.from(left))
      : Temporal.Instant.fromEpochMilliseconds(exceptionTime(left, zone)).toZonedDateTimeISO(zone)
    const local = compact(time)
    // a time that was left out before the meeting became one of whole days is none of them
    if (all_day && !time.equals(timeOn(time.toPlainDate()))) return []
    if (all_day) return `EXDATE;VALUE=DATE:${local.slice(0, 8)}`
    return zone === 'UTC' ? `EXDATE:${local}Z` : `EXDATE;TZID=${zone}:${local}`
  })
}
