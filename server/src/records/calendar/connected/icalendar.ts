import { Temporal } from 'temporal-polyfill'
import { badRequest } from '../../../kit/ground/errors.ts'
import { webAddress } from '../../../kit/ground/web-address.ts'
import type { Component, Property } from '../../../model/sheets/content-lines.ts'
import { componentsIn, partsOf, propertyOf, textOf } from '../../../model/sheets/content-lines.ts'
import type { Zones } from '../../../model/sheets/icalendar-time.ts'
import { instantOf, zonesOf } from '../../../model/sheets/icalendar-time.ts'
import { rulesOf } from '../ics.ts'
import type { CalendarEvent, EventPerson, Group, Part } from './event.ts'
import { allGroups, differing, keysOf, plainRule } from './event.ts'

/** The maximum number of people that are read of an event. */
const mostPeople = 200
/** The maximum size of an entry, in characters, and numbers of its lines, its events and the dates that one leaves out. */
const longest = 1024 * 1024
const mostLines = 20_000
const mostParts = 500
const mostDates = 1000

/**
 * The events of an iCalendar text (RFC 5545) that belong together by their UID; undefined where there is none that has
 * a start. Times without a zone are read by the clock of `usual`. 400 for more than what is read of one entry.
 */
export async function readIcs(
  text: string,
  usual: string,
): Promise<{ uid: string; parts: Part[] } | undefined> {
  if (text.length > longest) throw badRequest(`is larger than ${longest / 1024 / 1024} MiB`)
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.length > mostLines) throw badRequest(`has more than ${mostLines} lines`)
  const rules = new Map<string, Component>()
  const events: Component[] = []
  for await (const part of componentsIn(lines, ['VTIMEZONE', 'VEVENT'])) {
    if (part.name === 'VTIMEZONE') rules.set(value(part, 'TZID'), part)
    else checkParts(events.push(part))
  }
  const zones = zonesOf(rules, usual)
  const parts = events.flatMap((event, at) => {
    const part = partOf(event, zones)
    return part ? { ...part, at } : []
  })
  const [first] = events
  if (!first || !parts.length) return undefined
  // the dates that are events of their own take no place in their series
  const whole = parts.find(({ key }) => key === '')
  if (whole) {
    const keys = parts.map(({ key }) => key).filter(Boolean)
    whole.event.exdates = sorted([...whole.event.exdates, ...keys])
  }
  return { uid: value(first, 'UID'), parts }
}

/** 400 for more events than are read of one entry. */
export function checkParts(count: number): void {
  if (count <= mostParts) return
  throw badRequest(`has more than ${mostParts} dates that differ from their series`)
}

function partOf(component: Component, zones: Zones): Part | undefined {
  const start = property(component, 'DTSTART')
  if (!start) return undefined
  const all_day = /^\d{8}$/.test(textOf(start))
  const own = property(component, 'RECURRENCE-ID')
  const rule = own ? '' : value(component, 'RRULE')
  const from = timeIn(start, all_day, zones)
  if (from === undefined) return undefined
  const zone = rule && !all_day ? (zones.of(start) ?? 'UTC') : null
  const dropped = rule
    ? every(component, 'EXDATE').flatMap((each) =>
        partsOf(each, ',').map((date) => ({ ...each, value: date })),
      )
    : []
  if (dropped.length > mostDates) throw badRequest(`leaves out more than ${mostDates} dates`)
  const status = value(component, 'STATUS').toUpperCase()
  const url = ['X-GOOGLE-CONFERENCE', 'CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL', 'URL']
    .map((name) => value(component, name))
    .find((each) => /^https?:/i.test(each))
  const event: CalendarEvent = {
    title: clipped(value(component, 'SUMMARY'), 255) ?? '(No title)',
    description: clipped(value(component, 'DESCRIPTION'), 50_000),
    location: clipped(value(component, 'LOCATION'), 1000),
    link: linkOf(url),
    start: from,
    end: endOf(component, from, all_day, zones),
    all_day,
    zone,
    rrule: rule ? plainRule(rule, (until) => untilOf(until, all_day, zone ?? 'UTC')) : null,
    exdates: sorted(dropped.flatMap((each) => timeIn(each, all_day, zones) ?? [])),
    cancelled: status === 'CANCELLED',
  }
  const isOpen = value(component, 'TRANSP').toUpperCase() === 'TRANSPARENT'
  return {
    key: own ? (timeIn(own, all_day, zones) ?? textOf(own)) : '',
    event,
    is_busy: !isOpen && !event.cancelled,
    is_private: /^(PRIVATE|CONFIDENTIAL)$/i.test(value(component, 'CLASS')),
    people: peopleOf(component),
  }
}

/** A web address that can be stored as the link of a meeting; else null. */
export function linkOf(url: string | null | undefined): string | null {
  const found = url ? webAddress(url.trim()) : undefined
  return found && found.href.length <= 2000 ? found.href : null
}

/** A text of at most so many characters that the database can store; null for none. */
export function clipped(text: string | null | undefined, most: number): string | null {
  const plain = text?.replaceAll('\0', '').trim().slice(0, most).toWellFormed().trim()
  return plain || null
}

/** Until when a rule goes on, in one form: the day of days, the instant of times (end of the day where it names a day). */
export function untilOf(until: string, all_day: boolean, zone: string): string {
  const [, day, time] = /^(\d{8})(?:T(\d{6})Z?)?$/.exec(until) ?? []
  if (!day) return until
  if (all_day) return day
  const date = Temporal.PlainDate.from(day)
  const moment =
    time && until.endsWith('Z')
      ? Temporal.Instant.from(until)
      : (time
          ? date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(`T${time}`) })
          : date.add({ days: 1 }).toZonedDateTime({ timeZone: zone }).subtract({ seconds: 1 })
        ).toInstant()
  return `${moment.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`
}

function timeIn(time: Property, all_day: boolean, zones: Zones): string | undefined {
  const text = textOf(time)
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(text) ?? []
  if (all_day)
    return day && isDay(`${year}-${month}-${day}`) ? `${year}-${month}-${day}` : undefined
  if (/^\d{8}$/.test(text))
    return instantOf({ ...time, value: `${text}T000000` }, zones)?.toString()
  return plainInstant(instantOf(time, zones))
}

/** Whether there is such a day. */
function isDay(text: string): boolean {
  try {
    return Boolean(Temporal.PlainDate.from(text))
  } catch {
    return false
  }
}

/** An instant in whole seconds, as both sides write it. */
function plainInstant(instant: Temporal.Instant | undefined): string | undefined {
  return instant && new Date(Math.floor(instant.epochMilliseconds / 1000) * 1000).toISOString()
}

function endOf(component: Component, start: string, all_day: boolean, zones: Zones): string {
  const end = property(component, 'DTEND')
  const duration = value(component, 'DURATION')
  try {
    if (all_day) {
      const first = Temporal.PlainDate.from(start)
      const until =
        end && /^\d{8}/.test(textOf(end))
          ? Temporal.PlainDate.from(textOf(end).slice(0, 8))
          : first.add(duration ? Temporal.Duration.from(duration) : { days: 1 })
      const last = until.subtract({ days: 1 })
      return Temporal.PlainDate.compare(last, first) < 0 ? start : last.toString()
    }
    const until = end
      ? plainInstant(instantOf(end, zones))
      : duration
        ? plainInstant(Temporal.Instant.from(start).add(Temporal.Duration.from(duration)))
        : undefined
    return until && until > start ? until : start
  } catch {
    return start
  }
}

function peopleOf(component: Component): EventPerson[] {
  const found = new Map<string, EventPerson>()
  for (const each of [...every(component, 'ORGANIZER'), ...every(component, 'ATTENDEE')]) {
    if (/^(ROOM|RESOURCE|GROUP)$/i.test(each.params.CUTYPE?.[0] ?? '')) continue
    const email = (each.params.EMAIL?.[0] ?? textOf(each)).replace(/^mailto:/i, '').trim()
    if (!/^[^\s@<>;,]{1,200}@[^\s@<>;,]{1,100}$/.test(email) || found.size >= mostPeople) continue
    const answer = /^(ACCEPTED|TENTATIVE|DECLINED)$/i.exec(each.params.PARTSTAT?.[0] ?? '')?.[0]
    const isOrganizer = each.name === 'ORGANIZER'
    found.set(email.toLowerCase(), {
      email,
      name: clipped(each.params.CN?.[0], 255),
      is_optional: /^(OPT|NON)-PARTICIPANT$/i.test(each.params.ROLE?.[0] ?? ''),
      response: isOrganizer
        ? 'accepted'
        : ((answer?.toLowerCase() as EventPerson['response'] | undefined) ?? 'needs_action'),
    })
  }
  return [...found.values()]
}

function sorted(dates: string[]): string[] {
  return [...new Set(dates)].toSorted()
}

function property(component: Component, name: string): Property | undefined {
  return component.properties.find((each) => each.name === name)
}

function every(component: Component, name: string): Property[] {
  return component.properties.filter((each) => each.name === name)
}

function value(component: Component, name: string): string {
  const found = property(component, name)
  return found ? textOf(found) : ''
}

/** Which lines say what of an event. */
const linesOfGroup: { [group in Group]: string[] } = {
  title: ['SUMMARY'],
  description: ['DESCRIPTION', 'X-ALT-DESC'],
  location: ['LOCATION'],
  link: ['URL'],
  when: ['DTSTART', 'DTEND', 'DURATION'],
  rule: ['RRULE'],
  exdates: ['EXDATE'],
  cancelled: ['STATUS'],
}

type Written = { uid: string; parts: Pick<Part, 'key' | 'event'>[]; now: Date }

/**
 * An iCalendar text with these events. With `before` (the text that is there, and its events as they were read) only the
 * lines change that say something else now, so that alarms and everything else stay.
 */
export function writeIcs(
  { uid, parts, now }: Written,
  before?: { text: string; parts: Part[] },
): string {
  const keys = keysOf(parts)
  const keysBefore = keysOf(before?.parts ?? [])
  const series = parts.find(({ key }) => key === '')?.event
  const stamp = compact(now.toISOString())
  const old = before ? linesIn(before.text) : []
  const known = before ? blocksIn(old) : []
  const readBefore = new Map(before?.parts.map((part) => [part.key, part]))
  const body: string[] = []
  for (const { key, event } of parts) {
    const read = readBefore.get(key)
    const block = read && known[read.at ?? -1]
    // a date without its own event is left out, and one with its own is not
    const shown = withoutKeys(event, keys)
    const changed = read ? differing(withoutKeys(read.event, keysBefore), shown) : [...allGroups]
    // the form of the dates follows that of the start
    if (changed.includes('when') && !changed.includes('exdates')) changed.push('exdates')
    const fresh = changed.flatMap((group) => linesOf(shown, group))
    if (!block) {
      body.push('BEGIN:VEVENT', `UID:${uid}`, `DTSTAMP:${stamp}`)
      if (key) body.push(recurrenceId(key, series ?? event))
      body.push(...fresh, 'END:VEVENT')
      continue
    }
    const gone = new Set(changed.flatMap((group) => linesOfGroup[group]))
    const kept = block.lines.filter(
      ({ name, depth }) => depth > 1 || !(gone.has(name) || stamps.has(name)),
    )
    const [begin, ...rest] = kept.map(({ text }) => text)
    body.push(begin ?? 'BEGIN:VEVENT', `DTSTAMP:${stamp}`)
    body.push(`LAST-MODIFIED:${stamp}`, `SEQUENCE:${block.sequence + 1}`, ...fresh, ...rest)
  }
  const zones = new Set(
    parts.flatMap(({ event: { zone, all_day } }) =>
      zone && zone !== 'UTC' && !all_day ? zone : [],
    ),
  )
  const others = old.filter(({ block }) => block !== 'VEVENT').map(({ text }) => text)
  const head = others.length
    ? others.filter((line) => !/^END:VCALENDAR$/i.test(line))
    : ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Perennial//Calendar//EN']
  for (const zone of zones) {
    const rules = rulesOf(zone)
    const isThere = head.some((line) => line === `TZID:${zone}`)
    if (rules && !isThere) head.push(...rules.split(/\r\n|\n/).filter(Boolean))
  }
  return [...head, ...body, 'END:VCALENDAR', ''].map(folded).join('\r\n')
}

/** An event with only the dates that have none of their own. */
export function withoutKeys(event: CalendarEvent, keys: Set<string>): CalendarEvent {
  return { ...event, exdates: event.exdates.filter((date) => !keys.has(date)) }
}

const stamps = new Set(['DTSTAMP', 'LAST-MODIFIED', 'SEQUENCE'])

type Line = { text: string; name: string; block: string; depth: number }

/** The unfolded lines, each with the outermost block of the calendar that it is in. */
function linesIn(text: string): Line[] {
  const lines = text
    .replaceAll(/(\r\n|\n|\r)[ \t]/g, '')
    .split(/\r\n|\n|\r/)
    .filter(Boolean)
  const open: string[] = []
  return lines.map((line) => {
    const { name = '', value: word = '' } = propertyOf(line) ?? {}
    if (name === 'BEGIN') open.push(word.trim().toUpperCase())
    const found = { text: line, name, block: open[1] ?? '', depth: open.length - 1 }
    if (name === 'END') open.pop()
    return found
  })
}

/** The events in these lines, in their order. */
function blocksIn(lines: Line[]): { lines: Line[]; sequence: number }[] {
  const blocks: { lines: Line[]; sequence: number }[] = []
  for (const line of lines) {
    if (line.block !== 'VEVENT') continue
    if (line.depth === 1 && line.name === 'BEGIN') {
      blocks.push({ lines: [], sequence: 0 })
    }
    const block = blocks.at(-1)
    block?.lines.push(line)
    const found = propertyOf(line.text)
    if (!block || !found || line.depth > 1) continue
    if (line.name === 'SEQUENCE') block.sequence = Number(found.value) || 0
  }
  return blocks
}

/** The lines of an event that say something of it, such as its rule. */
export function linesOf(event: CalendarEvent, group: Group): string[] {
  const { all_day, start, end, zone } = event
  const time = (name: string, instant: string) => timeLine(name, instant, event)
  switch (group) {
    case 'title':
      return [`SUMMARY:${escaped(event.title)}`]
    case 'description':
      return event.description ? [`DESCRIPTION:${escaped(event.description)}`] : []
    case 'location':
      return event.location ? [`LOCATION:${escaped(event.location)}`] : []
    case 'link':
      return event.link ? [`URL:${event.link}`] : []
    case 'when': {
      if (!all_day) return [time('DTSTART', start), ...(end > start ? [time('DTEND', end)] : [])]
      const after = Temporal.PlainDate.from(end).add({ days: 1 }).toString()
      return [time('DTSTART', start), time('DTEND', after)]
    }
    case 'rule':
      return event.rrule ? [`RRULE:${event.rrule}`] : []
    case 'exdates':
      return event.exdates.map((date) => timeLine('EXDATE', date, { all_day, zone }))
    case 'cancelled':
      return [`STATUS:${event.cancelled ? 'CANCELLED' : 'CONFIRMED'}`]
  }
}

function recurrenceId(key: string, event: CalendarEvent): string {
  return timeLine('RECURRENCE-ID', key, event)
}

function timeLine(
  name: string,
  time: string,
  { all_day, zone }: Pick<CalendarEvent, 'all_day' | 'zone'>,
): string {
  if (all_day || time.length === 10) {
    return `${name};VALUE=DATE:${time.slice(0, 10).replaceAll('-', '')}`
  }
  if (!zone || zone === 'UTC') return `${name}:${compact(time)}`
  const local = Temporal.Instant.from(time).toZonedDateTimeISO(zone).toPlainDateTime()
  const back = local.toZonedDateTime(zone).epochMilliseconds
  // the second of an hour that comes twice cannot be written by its clock
  if (back !== Date.parse(time)) return `${name}:${compact(time)}`
  return `${name};TZID=${zone}:${local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`
}

function compact(instant: string): string {
  return instant.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/[^\P{Cc}\t]/gu, ' ')
}

/** A line in pieces of at most 75 bytes (RFC 5545, 3.1). */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line
  const pieces: string[] = []
  let piece = ''
  let bytes = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (bytes + size > 74) {
      pieces.push(piece)
      piece = ''
      bytes = 0
    }
    piece += sign
    bytes += size
  }
  return [...pieces, piece].join('\r\n ')
}
