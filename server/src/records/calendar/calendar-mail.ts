import { Temporal } from 'temporal-polyfill'
import type { Component, Property } from '../../model/sheets/content-lines.ts'
import { componentsIn, textOf } from '../../model/sheets/content-lines.ts'
import { timeOf, zonesOf } from '../../model/sheets/icalendar-time.ts'
import { isDay } from '../../kit/ground/dates.ts'
import { withReadableDomain } from '../../kit/ground/email-address.ts'
import type { Inbound, Received } from '../mail/inbound.ts'
import { readMail } from '../mail/inbound.ts'

/** What a calendar program says about a meeting (RFC 5546): times are instants, or days. */
export type CalendarMessage = {
  method: string
  uid: string
  /** null where the program names none */
  sequence: number | null
  /** the date of a series that it is about */
  recurrence: string | null
  /** those for whom it speaks, by address in lower case */
  attendees: { email: string; response: string }[]
  comment: string | null
  start: string | null
  end: string | null
  /** when it was given, as an instant */
  stamp: string | null
}

export type CalendarMail = Pick<Inbound, 'from' | 'results' | 'message_id'> & {
  /** null for a mail without a calendar part that can be read */
  message: CalendarMessage | null
}

/** The maximum bytes of a calendar part, and length of a comment. */
const mostBytes = 512 * 1024
const mostComment = 1000

/** Parses a mail to the address of a meeting; `zone` is the clock of times that name none. 400 for one that cannot be read. */
export async function readCalendarMail({
  zone,
  ...received
}: Received & { zone: string }): Promise<CalendarMail> {
  const { mail, ...head } = await readMail(received)
  const parts = mail.attachments.filter(({ mimeType }) =>
    /^(text\/calendar|application\/ics)$/i.test(mimeType),
  )
  // programs that add a file for others send the same twice
  for (const { content } of parts.slice(0, 4)) {
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
    const message = text.length > mostBytes ? null : await messageIn(text, zone)
    if (message) return { ...head, message }
  }
  return { ...head, message: null }
}

/** The only event of an iCalendar text; null without one. */
async function messageIn(text: string, usual: string): Promise<CalendarMessage | null> {
  const rules = new Map<string, Component>()
  let calendar: Component | undefined
  for await (const each of componentsIn(text.split(/\r\n|\n|\r/), ['VCALENDAR'])) calendar ??= each
  const event = calendar?.inside.find(({ name }) => name === 'VEVENT')
  if (!calendar || !event) return null
  for (const each of calendar.inside) {
    if (each.name === 'VTIMEZONE') rules.set(valueOf(each, 'TZID') ?? '', each)
  }
  const zones = zonesOf(rules, usual)
  const time = (name: string) => {
    const found = property(event, name)
    const value = found && timeOf(found, zones)
    const isTime = value && /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(value)
    return isTime && isDay(value.slice(0, 10)) ? value : null
  }
  const sequence = valueOf(event, 'SEQUENCE')
  const start = time('DTSTART')
  return {
    method: (valueOf(calendar, 'METHOD') ?? '').toUpperCase(),
    uid: valueOf(event, 'UID') ?? '',
    sequence: sequence && /^\d{1,9}$/.test(sequence) ? Number(sequence) : null,
    recurrence: time('RECURRENCE-ID'),
    attendees: event.properties
      .filter(({ name }) => name === 'ATTENDEE')
      .slice(0, 500)
      .map((each) => ({
        email: addressIn(each),
        response: (each.params.PARTSTAT?.[0] ?? 'NEEDS-ACTION').toUpperCase(),
      })),
    comment: commentIn(event),
    start,
    end: time('DTEND') ?? (start && after(start, valueOf(event, 'DURATION'))),
    stamp: time('DTSTAMP'),
  }
}

function after(start: string, duration: string | undefined): string | null {
  try {
    if (!duration) return null
    const length = Temporal.Duration.from(duration)
    return start.includes('T')
      ? Temporal.Instant.from(start).add(length).toString({ smallestUnit: 'second' })
      : Temporal.PlainDate.from(start).add(length).toString()
  } catch {
    return null
  }
}

/** The address of an attendee: some programs write it beside a path of their own. */
function addressIn(each: Property): string {
  const value = textOf(each)
  const address = /^mailto:/i.test(value) ? value : (each.params.EMAIL?.[0] ?? value)
  return withReadableDomain(
    address
      .replace(/^mailto:/i, '')
      .trim()
      .toLowerCase(),
  )
}

/** What the attendee has written beside the answer; Google writes it at the attendee. */
function commentIn(event: Component): string | null {
  const attendee = property(event, 'ATTENDEE')?.params['X-RESPONSE-COMMENT']?.[0]
  const comment = (valueOf(event, 'COMMENT') || attendee)?.replaceAll('\0', '').trim()
  return comment ? comment.slice(0, mostComment) : null
}

function property({ properties }: Component, name: string): Property | undefined {
  return properties.find((each) => each.name === name)
}

function valueOf(component: Component, name: string): string | undefined {
  const found = property(component, name)
  return found && textOf(found)
}
