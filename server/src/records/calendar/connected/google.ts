import { createHash } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../../kit/ground/context.ts'
import { timeZoneNamed } from '../../../kit/ground/time.ts'
import { textFromHtml } from '../../mail/inbound.ts'
import { occurrences } from '../repeat.ts'
import type { CalendarEvent, EventPerson, Group, Item, Part } from './event.ts'
import { allGroups, differing, isAsPlanned, keysOf } from './event.ts'
import { checkParts, clipped, linesOf, linkOf, readIcs, withoutKeys } from './icalendar.ts'
import type { Requests } from './oauth.ts'
import type { Changes, Remote, RemoteCalendar, Writing } from './remote.ts'
import { gathering, mostEntries, present, readItem, RemoteError, tooLarge } from './remote.ts'

type GoogleTime = { date?: string | null; dateTime?: string | null; timeZone?: string | null }
type GooglePerson = {
  email?: string
  displayName?: string
  optional?: boolean
  resource?: boolean
  self?: boolean
  responseStatus?: string
}
type GoogleEvent = {
  id: string
  etag?: string
  status?: string
  summary?: string
  description?: string
  location?: string
  start?: GoogleTime
  end?: GoogleTime
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: GoogleTime
  iCalUID?: string
  eventType?: string
  transparency?: string
  visibility?: string
  hangoutLink?: string
  conferenceData?: { entryPoints?: { entryPointType?: string; uri?: string }[] }
  source?: { url?: string }
  organizer?: GooglePerson
  attendees?: GooglePerson[]
  extendedProperties?: { private?: { [name: string]: string } }
}

/** An event as it is there, with its dates that differ or are left out. */
type Raw = { main: GoogleEvent; dates: GoogleEvent[] }

/** How many events an answer lists: some hundred kilobytes. */
const pageSize = 100
/** What is in a calendar without being an event of its person. */
const noEvents = new Set(['workingLocation', 'birthday'])

/** Google Calendar (API version 3), read by its sync tokens. */
export function google(ctx: Context, { base, json }: Requests): Remote {
  const usual = ctx.organization.timezone
  const eventsOf = (calendar: string) => `${base}/calendars/${encodeURIComponent(calendar)}/events`
  const eventAt = (calendar: string, id: string) =>
    `${eventsOf(calendar)}/${encodeURIComponent(id)}`
  const quietly = '?conferenceDataVersion=1&sendUpdates=none'
  // what a listing has said already is not requested again
  const listed = gathering<Raw>()

  /** All pages of a list. */
  async function* pages(url: string, query: { [name: string]: string }, statuses: number[] = []) {
    let pageToken: unknown
    for (let count = 0; count * pageSize <= 2 * mostEntries; count++) {
      const parameters = new URLSearchParams(query)
      if (typeof pageToken === 'string') parameters.set('pageToken', pageToken)
      const page = await json('GET', `${url}?${parameters}`, { expected: [200, ...statuses] })
      yield page
      pageToken = page.json.nextPageToken
      if (!pageToken) return
    }
    throw tooLarge()
  }

  const remote: Remote = {
    async calendars() {
      const calendars: RemoteCalendar[] = []
      const query = { maxResults: '250' }
      for await (const { json: page } of pages(`${base}/users/me/calendarList`, query)) {
        for (const each of (page.items ?? []) as { [name: string]: unknown }[]) {
          if (typeof each.id !== 'string' || each.deleted === true) continue
          const is_main = each.primary === true
          calendars.push({
            id: each.id,
            name: clipped(String(each.summaryOverride ?? each.summary ?? ''), 255) ?? each.id,
            is_writable: each.accessRole === 'owner' || each.accessRole === 'writer',
            is_main,
            ...(is_main ? { account: each.id.toLowerCase() } : {}),
          })
        }
      }
      return calendars.slice(0, 200)
    },

    async changes(calendar, token) {
      const query = {
        maxResults: String(pageSize),
        maxAttendees: '200',
        ...(token ? { syncToken: token } : {}),
      }
      const found = new Map<string, GoogleEvent[]>()
      const removed: string[] = []
      let next: string | null = null
      let count = 0
      for await (const { status, json: page } of pages(eventsOf(calendar), query, [410])) {
        if (status === 410) throw new RemoteError('token_lost', 'Google no longer knows the token')
        for (const event of (page.items ?? []) as GoogleEvent[]) {
          if (typeof event.id !== 'string' || noEvents.has(event.eventType ?? '')) continue
          if (++count > mostEntries) throw tooLarge()
          const series = event.recurringEventId ?? event.id
          if (event.status === 'cancelled' && (token || series === event.id)) removed.push(event.id)
          const same = found.get(series)
          if (same) same.push(event)
          else found.set(series, [event])
        }
        if (typeof page.nextSyncToken === 'string') next = page.nextSyncToken
      }
      const changed: Changes['changed'] = []
      for (const [id, events] of found) {
        const main = events.find((each) => each.id === id)
        if (main?.status === 'cancelled') continue
        const dates = events.filter((each) => each !== main)
        if (main && (token === null || !main.recurrence)) {
          const raw = { main, dates }
          listed.put(id, raw)
          changed.push({ href: id, etag: etagOf(raw) })
          continue
        }
        // a series of which only a part has changed, or dates of one that is not in the calendar
        for (const each of dates) {
          const raw = { main: each, dates: [] }
          listed.put(each.id, raw)
          if (token === null) changed.push({ href: each.id, etag: etagOf(raw) })
        }
        if (token !== null) changed.push({ href: id, etag: null })
      }
      return { changed, removed, token: next, isWhole: token === null }
    },

    async read(calendar, hrefs) {
      const items: Item[] = []
      for (const href of hrefs) {
        const raw = listed.take(href) ?? (await fetched(calendar, href))
        const item = raw && (await itemOf(raw))
        if (item) items.push(item)
        if (raw) continue
        // single dates to which the person is invited, of a series that is not in the calendar
        for (const date of listed.takeAll((id) => id.startsWith(`${href}_`))) {
          const alone = await itemOf(date)
          if (alone && date.main.status !== 'cancelled') items.push(alone)
        }
      }
      return items
    },

    nameOf: idOf,

    async write(calendar, writing) {
      return writing.before ? changed(calendar, writing, writing.before) : added(calendar, writing)
    },

    async remove(calendar, href) {
      const url = `${eventAt(calendar, href)}?sendUpdates=none`
      await json('DELETE', url, { expected: [200, 204, 404, 410] })
    },
  }
  return remote

  /** An event with the dates of its series; undefined where there is none. */
  async function fetched(calendar: string, id: string): Promise<Raw | undefined> {
    const answer = await json('GET', eventAt(calendar, id), { expected: [200, 404, 410] })
    const main = answer.json as GoogleEvent
    if (answer.status !== 200 || main.status === 'cancelled') return undefined
    if (!main.recurrence || !main.iCalUID) return { main, dates: [] }
    const query = {
      iCalUID: main.iCalUID,
      showDeleted: 'true',
      maxResults: String(pageSize),
      maxAttendees: '200',
    }
    const dates: GoogleEvent[] = []
    for await (const { json: page } of pages(eventsOf(calendar), query)) {
      const items = (page.items ?? []) as GoogleEvent[]
      dates.push(...items.filter((each) => each.recurringEventId === id))
      if (dates.length > mostEntries) throw tooLarge()
    }
    return { main, dates }
  }

  async function known(calendar: string, id: string): Promise<Item> {
    const raw = await fetched(calendar, id)
    return present(raw && (await itemOf(raw)))
  }

  async function added(calendar: string, writing: Writing): Promise<Item> {
    const { name, uid, parts, wantsCall } = writing
    const [whole] = parts
    if (!whole) throw new Error('an event without anything is written')
    const id = idOf(name)
    const body = {
      ...bodyOf(whole.event, allGroups, whole.event.rrule !== null),
      ...callOf(wantsCall, name),
      id,
      extendedProperties: { private: { perennial: uid } },
    }
    const url = eventsOf(calendar) + quietly
    const made = await json('POST', url, { body, expected: [200, 409] })
    if (made.status === 200) return known(calendar, id)
    // an event that was removed keeps its name, and comes back under it
    const there = await json('GET', eventAt(calendar, id), { expected: [200, 404, 410] })
    if (there.json.status !== 'cancelled') {
      throw new RemoteError('conflict', 'The event is there already')
    }
    await json('PUT', eventAt(calendar, id) + quietly, {
      body: { ...body, status: 'confirmed' },
      headers: match(there.json as GoogleEvent),
    })
    return known(calendar, id)
  }

  async function changed(calendar: string, { name, parts, wantsCall }: Writing, before: Item) {
    const { main, dates } = before.raw as Raw
    const [keys, keysBefore] = [keysOf(parts), keysOf(before.parts)]
    const at = (key: string) => dates.find((each) => keyOf(each) === key)
    for (const { key, event } of parts) {
      const read = before.parts.find((each) => each.key === key)
      const groups = read
        ? differing(withoutKeys(read.event, keysBefore), withoutKeys(event, keys))
        : allGroups
      const call = key === '' ? callOf(wantsCall, name) : {}
      if (!groups.length && !('conferenceData' in call)) continue
      if (key !== '') {
        const date = at(key)
        await patch(calendar, date ?? { id: instanceOf(main, key) }, {
          status: 'confirmed',
          ...bodyOf(event, groups, false),
        })
        continue
      }
      // a date that is left out there by an entry of its own stays so
      const without = dates.flatMap((each) =>
        each.status === 'cancelled' ? (keyOf(each) ?? []) : [],
      )
      const left = event.exdates.filter((date) => !keys.has(date) && !without.includes(date))
      const ends = groups.includes('link') && main.conferenceData ? { conferenceData: null } : {}
      const body = bodyOf(
        { ...event, exdates: left },
        groups,
        Boolean(event.rrule ?? main.recurrence),
      )
      await patch(calendar, main, { ...body, ...ends, ...call })
      if (!groups.includes('exdates') || !event.rrule) continue
      const length = Date.parse(event.end) - Date.parse(event.start)
      for (const start of without.filter((date) => !event.exdates.includes(date))) {
        // of a series that was moved meanwhile it is none any more
        if (!isDateOf(event, start)) continue
        const to = new Date(Date.parse(start) + length).toISOString()
        const end = event.all_day ? to.slice(0, 10) : to
        await patch(calendar, at(start) ?? { id: instanceOf(main, start) }, {
          status: 'confirmed',
          ...bodyOf({ ...event, start, end }, ['when'], false),
        })
      }
    }
    for (const key of keysBefore) {
      const date = keys.has(key) ? undefined : at(key)
      if (date) await remote.remove(calendar, date.id)
    }
    return known(calendar, main.id)
  }

  async function patch(calendar: string, event: Pick<GoogleEvent, 'id' | 'etag'>, body: object) {
    const { status } = await json('PATCH', eventAt(calendar, event.id) + quietly, {
      body,
      headers: match(event),
      expected: [200, 404, 410],
    })
    if (status !== 200) throw new RemoteError('conflict', 'The event was removed meanwhile')
  }

  async function itemOf(raw: Raw): Promise<Item | undefined> {
    const { main } = raw
    if (main.status === 'cancelled') return undefined
    const item = { href: main.id, uid: uidOf(main), etag: etagOf(raw), raw }
    return readItem(item, async () => ({ parts: await partsOf(raw) }))
  }

  async function partsOf({ main, dates }: Raw): Promise<Part[]> {
    const whole = await partOf(main, '')
    const parts = [whole]
    const left: string[] = []
    for (const each of dates) {
      const key = keyOf(each)
      if (!key) continue
      const part = each.status === 'cancelled' ? undefined : await partOf(each, key)
      if (part && isAsPlanned(whole.event, part)) continue
      left.push(key)
      if (part) checkParts(parts.push(part))
    }
    const { event } = whole
    if (event.rrule) event.exdates = [...new Set([...event.exdates, ...left])].toSorted()
    return parts
  }

  async function partOf(event: GoogleEvent, key: string): Promise<Part> {
    const times = await timesOf(event)
    const call = event.conferenceData?.entryPoints?.find((each) => each.entryPointType === 'video')
    const self = event.attendees?.find((each) => each.self)
    return {
      key,
      event: {
        title: clipped(event.summary, 255) ?? '(No title)',
        description: clipped(plain(event.description), 50_000),
        location: clipped(event.location, 1000),
        link: linkOf(event.hangoutLink ?? call?.uri ?? event.source?.url),
        ...times,
        cancelled: false,
      },
      is_busy: event.transparency !== 'transparent' && self?.responseStatus !== 'declined',
      is_private: event.visibility === 'private' || event.visibility === 'confidential',
      people: peopleOf(event),
    }
  }

  /** When an event is, and how it repeats; its rule is read as iCalendar, which it is. */
  async function timesOf({ start, end, recurrence, recurringEventId }: GoogleEvent) {
    const [from, to] = [timeOf(start), timeOf(end)]
    if (!from || !to) throw new RangeError('an event without a time that can be read')
    const all_day = from.length === 10
    const last = all_day
      ? Temporal.PlainDate.from(to).subtract({ days: 1 }).toString()
      : to.length === 10
        ? from
        : to
    const none = { zone: null, rrule: null, exdates: [] }
    const plainTimes = { start: from, end: last < from ? from : last, all_day, ...none }
    if (!recurrence?.length || recurringEventId) return plainTimes
    const zone = timeZoneNamed(start?.timeZone ?? '') ?? usual
    const local = all_day
      ? `DTSTART;VALUE=DATE:${from.replaceAll('-', '')}`
      : `DTSTART;TZID=${zone}:${compact(
          Temporal.Instant.from(from)
            .toZonedDateTimeISO(zone)
            .toPlainDateTime()
            .toString({ smallestUnit: 'second' }),
        )}`
    const rules = recurrence.map((line) => line.replaceAll(/[\r\n]+/g, ''))
    const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:series', local, ...rules, 'END:VEVENT']
    const read = await readIcs([...text, 'END:VCALENDAR'].join('\r\n'), zone)
    const event = read?.parts[0]?.event
    return event
      ? { ...plainTimes, zone: event.zone, rrule: event.rrule, exdates: event.exdates }
      : plainTimes
  }
}

/** The name of an event that begins here, the same at every attempt: base32hex, as Google allows. */
function idOf(name: string): string {
  return BigInt(`0x1${Buffer.from(name).toString('hex')}`).toString(32)
}

/** The UID of an event of ours as it was given, unless it was copied to another event; else that of Google. */
function uidOf({ id, iCalUID, extendedProperties, recurringEventId }: GoogleEvent): string {
  const own = extendedProperties?.private?.perennial
  if (own && idOf(own.split('@')[0] ?? '') === id) return own
  return recurringEventId ? `${iCalUID ?? recurringEventId}/${id}` : (iCalUID ?? id)
}

function etagOf({ main, dates }: Raw): string {
  const all = [main, ...dates].map(({ id, etag }) => `${id} ${etag}`).toSorted()
  return createHash('sha256').update(all.join('\n')).digest('base64url')
}

function match({ etag }: Pick<GoogleEvent, 'etag'>): { [name: string]: string } {
  return etag ? { 'if-match': etag } : {}
}

/** A day, or an instant in UTC; a `RangeError` for a day that there is not. */
function timeOf(time: GoogleTime | undefined): string | undefined {
  if (time?.date) return Temporal.PlainDate.from(time.date).toString()
  const moment = Date.parse(time?.dateTime ?? '')
  return Number.isNaN(moment) ? undefined : new Date(Math.floor(moment / 1000) * 1000).toISOString()
}

/** Which date of its series an event is. */
function keyOf({ originalStartTime }: GoogleEvent): string | undefined {
  return timeOf(originalStartTime)
}

/** Whether a series takes place on a date, left out or not. */
function isDateOf({ start, all_day, zone, rrule }: CalendarEvent, date: string): boolean {
  if (!rrule || date.length !== start.length) return false
  const [from, at] = [start, date].map((time) => new Date(time).toISOString()) as [string, string]
  const series = { repeat: { rrule, exdates: [] }, start: from }
  return occurrences(series, all_day ? 'UTC' : (zone ?? 'UTC'), { from: at, to: at }, 1).length > 0
}

/** The id of a date of a series that is as the series says. */
function instanceOf({ id }: GoogleEvent, key: string): string {
  return `${id}_${compact(key)}`
}

function compact(time: string): string {
  return time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}

/** A description without its markup, which Google's own screens write. */
function plain(text: string | undefined): string | undefined {
  return text && /<\/?(a|b|br|div|i|li|ol|p|span|u|ul|html-blob)\b[^>]*>/i.test(text)
    ? textFromHtml(text)
    : text
}

const answers: { [status: string]: EventPerson['response'] } = {
  accepted: 'accepted',
  tentative: 'tentative',
  declined: 'declined',
}

function peopleOf({ organizer, attendees }: GoogleEvent): EventPerson[] {
  const found = new Map<string, EventPerson>()
  for (const each of [
    ...(attendees?.length && organizer ? [organizer] : []),
    ...(attendees ?? []),
  ]) {
    const { email = '', displayName, optional, resource, responseStatus } = each
    if (resource || !/^[^\s@<>;,]{1,200}@[^\s@<>;,]{1,100}$/.test(email) || found.size >= 200)
      continue
    found.set(email.toLowerCase(), {
      email,
      name: clipped(displayName, 255),
      is_optional: optional ?? false,
      response: each === organizer ? 'accepted' : (answers[responseStatus ?? ''] ?? 'needs_action'),
    })
  }
  return [...found.values()]
}

/** What is written of these groups of an event, of a series or one that was one with its rule. */
function bodyOf(
  event: CalendarEvent,
  groups: Group[],
  isSeries: boolean,
): { [name: string]: unknown } {
  const has = (...some: Group[]) => some.some((group) => groups.includes(group))
  const { title, description, location, link, rrule } = event
  return {
    ...(has('title') ? { summary: title } : {}),
    ...(has('description') ? { description: description ?? '' } : {}),
    ...(has('location') ? { location: location ?? '' } : {}),
    ...(has('link') ? { source: link ? { url: link, title } : null } : {}),
    ...(has('when') ? whenOf(event) : {}),
    // the form of the dates follows that of the start
    ...(isSeries && has('rule', 'exdates', 'when')
      ? { recurrence: rrule ? [...linesOf(event, 'rule'), ...linesOf(event, 'exdates')] : null }
      : {}),
  }
}

function whenOf({ start, end, all_day, zone, rrule }: CalendarEvent) {
  const timeZone = rrule ? (zone ?? 'UTC') : null
  const day = (date: string) => ({ date, dateTime: null, timeZone: null })
  const time = (instant: string) => ({
    dateTime: instant,
    date: null,
    ...(timeZone ? { timeZone } : {}),
  })
  if (!all_day) return { start: time(start), end: time(end) }
  return { start: day(start), end: day(Temporal.PlainDate.from(end).add({ days: 1 }).toString()) }
}

function callOf(wantsCall: boolean | undefined, name: string) {
  if (!wantsCall) return {}
  const conferenceSolutionKey = { type: 'hangoutsMeet' }
  return { conferenceData: { createRequest: { requestId: name, conferenceSolutionKey } } }
}
