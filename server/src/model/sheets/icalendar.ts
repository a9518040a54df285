import { Temporal } from 'temporal-polyfill'
import type { Component, Property } from './content-lines.ts'
import { componentsOf, partsOf, textOf } from './content-lines.ts'
import type { Record } from './table.ts'
import { listCell, writeTable } from './table.ts'
import type { Zones } from './icalendar-time.ts'
import { instantOf, timeOf, zonesOf } from './icalendar-time.ts'

type Input = { path: string; to: string; encoding: string; zone: string }

/** The fields of a meeting that an event fills, in the order of their columns. */
const columns = [
  'title',
  'start',
  'end',
  'all_day',
  'timezone',
  'repeat',
  'exdates',
  'location',
  'description',
  'link',
  'attendees',
  'optional_attendees',
  'responses',
  'is_meeting_cancelled',
  'is_private',
  'source_ref_id',
] as const

/**
 * Reads the events of an iCalendar file (RFC 5545) as rows of meetings. A series is one row with its rule; an
 * occurrence that was moved is a row of its own, and left out of the series. Tasks and journals are left out, which
 * a warning says; 400 for a file without an event. `zone` is the clock of times without one.
 */
export async function readEvents({
  path,
  to,
  encoding,
  zone,
}: Input): Promise<{ warnings: string[] }> {
  const zones = new Map<string, Component>()
  const moved = new Map<string, Property[]>()
  let others = 0
  const events = () => calendarParts(path, encoding)
  for await (const part of events()) {
    if (part.name === 'VTIMEZONE') zones.set(text(part, 'TZID'), part)
    else if (part.name !== 'VEVENT') others++
    const id = property(part, 'RECURRENCE-ID')
    const uid = text(part, 'UID')
    if (!id) continue
    const its = moved.get(uid)
    if (its) its.push(id)
    else moved.set(uid, [id])
  }
  const known = zonesOf(zones, zone)
  async function* rows(): AsyncGenerator<Record> {
    for await (const part of events()) {
      if (part.name !== 'VEVENT') continue
      for (const values of meetingsOf(part, moved, known)) yield { line: part.line, values }
    }
  }
  await writeTable(to, columns, rows(), 'is an iCalendar file without an event')
  const unknown = [...known.unknown].slice(0, 20).join(', ')
  return {
    warnings: [
      ...(others ? [`Tasks and journals of the calendar are left out: ${others}`] : []),
      ...(unknown ? [`Time zones that are not known are read as ${zone}: ${unknown}`] : []),
    ],
  }
}

/** The parts of all calendars of a file; a large calendar is never in memory as a whole. */
async function* calendarParts(path: string, encoding: string): AsyncGenerator<Component> {
  yield* componentsOf(path, encoding, ['VTIMEZONE', 'VEVENT', 'VTODO', 'VJOURNAL'])
}

/** An event as a row, and each further date of it (RDATE) as another. */
function* meetingsOf(event: Component, moved: Map<string, Property[]>, zones: Zones) {
  const start = property(event, 'DTSTART')
  const uid = text(event, 'UID')
  const own = property(event, 'RECURRENCE-ID')
  if (!start) {
    // reported as a row without a start
    yield { title: text(event, 'SUMMARY') || '?', source_ref_id: uid }
    return
  }
  const isDay = /^\d{8}$/.test(textOf(start))
  const rule = own ? '' : text(event, 'RRULE')
  const zone = zones.of(start)
  const left = rule ? [...every(event, 'EXDATE').flatMap(dates), ...(moved.get(uid) ?? [])] : []
  const at = own && timeOf(own, zones)
  const values = {
    ...shared(event),
    all_day: isDay ? 'true' : '',
    timezone: isDay ? '' : (zone ?? ''),
    repeat: rule.replace(/^RRULE:/i, ''),
    exdates: listCell(left.map((each) => timeOf(each, zones))),
    source_ref_id: at ? `${uid}/${at}` : uid,
  }
  const length = within(() => lengthOf(event, start, isDay, zones))
  const during = (date: Property) =>
    (length && within(() => times(date, length, isDay, zones))) ?? {
      start: timeOf(date, zones),
      // what is no time is reported with its row
      end: text(event, 'DTEND') || text(event, 'DURATION') || timeOf(date, zones),
    }
  yield { ...values, ...during(start) }
  for (const each of every(event, 'RDATE').flatMap(dates)) {
    // of an event that lasts whole days each date is a day
    const date = isDay ? { ...each, value: textOf(each).slice(0, 8) } : each
    const single = {
      ...values,
      repeat: '',
      exdates: '',
      source_ref_id: `${uid}/${timeOf(date, zones)}`,
    }
    yield { ...single, ...during(date) }
  }
}

/** The values that all dates of an event have. */
function shared(event: Component) {
  const attendees = people(event)
  const link = ['X-GOOGLE-CONFERENCE', 'CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL', 'URL']
    .map((name) => text(event, name))
    .find((each) => /^https?:/i.test(each))
  const isCancelled = /^CANCELLED$/i.test(text(event, 'STATUS'))
  const isPrivate = /^(PRIVATE|CONFIDENTIAL)$/i.test(text(event, 'CLASS'))
  return {
    // a meeting needs a title, and calendars show this for one without
    title: text(event, 'SUMMARY') || '(No title)',
    location: text(event, 'LOCATION'),
    description: text(event, 'DESCRIPTION'),
    link: link ?? '',
    attendees: listCell(attendees.filter((each) => !each.isOptional).map((each) => each.text)),
    optional_attendees: listCell(
      attendees.filter((each) => each.isOptional).map((each) => each.text),
    ),
    responses: listCell(attendees.flatMap((each) => each.response ?? [])),
    is_meeting_cancelled: isCancelled ? 'true' : '',
    is_private: isPrivate ? 'true' : '',
  }
}

type Person = { text: string; isOptional: boolean; response: string | undefined }

/** Who is invited, and the organizer first; rooms and other resources are not people. */
function people(event: Component) {
  const found = new Map<string, Person>()
  for (const each of [...every(event, 'ORGANIZER'), ...every(event, 'ATTENDEE')]) {
    const type = each.params.CUTYPE?.[0] ?? ''
    const email = (each.params.EMAIL?.[0] ?? textOf(each)).replace(/^mailto:/i, '').trim()
    if (/^(ROOM|RESOURCE|GROUP)$/i.test(type) || !/^[^\s@<>;,]+@[^\s@<>;,]+$/.test(email)) continue
    const name = (each.params.CN?.[0] ?? '').replaceAll(/["<>;,\s]+/g, ' ').trim()
    const key = email.toLowerCase()
    const before = found.get(key)
    const role = each.params.ROLE?.[0] ?? ''
    const isNamed = name !== '' && name.toLowerCase() !== key
    const answered = /^(ACCEPTED|TENTATIVE|DECLINED)$/i.exec(each.params.PARTSTAT?.[0] ?? '')?.[0]
    found.set(key, {
      text: isNamed ? `${name} <${email}>` : (before?.text ?? email),
      isOptional: /^(OPT|NON)-PARTICIPANT$/i.test(role),
      response: answered ? `${email} ${answered.toLowerCase()}` : before?.response,
    })
  }
  return [...found.values()]
}

type Length = { days: number } | { milliseconds: number }

/** How long each date lasts: until DTEND, or for a DURATION, else a day or no time; undefined until what is no time. */
function lengthOf(
  event: Component,
  start: Property,
  isDay: boolean,
  zones: Zones,
): Length | undefined {
  const end = property(event, 'DTEND')
  const duration = text(event, 'DURATION')
  if (isDay) {
    const first = Temporal.PlainDate.from(textOf(start))
    // the day after the last one
    const until =
      end && /^\d{8}/.test(textOf(end))
        ? Temporal.PlainDate.from(textOf(end).slice(0, 8))
        : undefined
    const days = until
      ? first.until(until).days
      : (lasts(duration)?.total({ unit: 'day', relativeTo: first }) ?? 1)
    return { days: Math.max(0, Math.ceil(days) - 1) }
  }
  const from = instantOf(start, zones)
  if (end && from) {
    const to = instantOf(end, zones)
    return to && { milliseconds: Math.max(0, to.epochMilliseconds - from.epochMilliseconds) }
  }
  return {
    milliseconds: lasts(duration)?.total({ unit: 'millisecond', relativeTo: '2026-01-01' }) ?? 0,
  }
}

function lasts(duration: string): Temporal.Duration | undefined {
  return duration ? within(() => Temporal.Duration.from(duration)) : undefined
}

/** What follows from times; undefined where one is none, or further away than can be computed with. */
function within<T>(compute: () => T): T | undefined {
  try {
    return compute()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function times(start: Property, length: Length, isDay: boolean, zones: Zones) {
  const from = timeOf(start, zones)
  if ('days' in length) {
    const day = isDay ? Temporal.PlainDate.from(textOf(start)) : undefined
    return { start: from, end: day ? day.add({ days: length.days }).toString() : from }
  }
  const end = instantOf(start, zones)?.add({ milliseconds: length.milliseconds })
  return { start: from, end: end ? iso(end) : from }
}

function iso(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' })
}

/** Each of several dates in a property as one of its own. */
function dates(each: Property): Property[] {
  return partsOf(each, ',')
    .filter(Boolean)
    .map((value) => ({ ...each, value: value.replace(/\/.*$/, '') }))
}

function every({ properties }: Component, name: string): Property[] {
  return properties.filter((each) => each.name === name)
}

function property(component: Component, name: string): Property | undefined {
  return component.properties.find((each) => each.name === name)
}

function text(component: Component, name: string): string {
  const found = property(component, name)
  return found ? textOf(found) : ''
}
