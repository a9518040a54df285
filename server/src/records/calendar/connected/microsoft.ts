import { createHash, randomBytes } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../../kit/ground/context.ts'
import { timeZoneNamed } from '../../../kit/ground/time.ts'
import { windowsName, windowsZone } from '../../../model/sheets/windows-zones.ts'
import type { CalendarEvent, EventPerson, Group, Item, Part } from './event.ts'
import { allGroups, differing, isAsPlanned, keysOf } from './event.ts'
import { checkParts, clipped, linkOf, withoutKeys } from './icalendar.ts'
import type { Json, Requests } from './oauth.ts'
import { ownUid } from './ours.ts'
import type { Recurrence } from './recurrence.ts'
import { recurrenceOf, ruleOf } from './recurrence.ts'
import type { Changes, Remote, RemoteCalendar, Writing } from './remote.ts'
import { gathering, mostEntries, present, readItem, RemoteError, tooLarge } from './remote.ts'

type GraphTime = { dateTime?: string; timeZone?: string }
type GraphPerson = {
  type?: string
  emailAddress?: { address?: string; name?: string }
  status?: { response?: string }
}
type GraphEvent = {
  id: string
  '@odata.etag'?: string
  '@removed'?: object
  type?: string
  seriesMasterId?: string | null
  occurrenceId?: string | null
  originalStart?: string | null
  originalStartTimeZone?: string | null
  iCalUId?: string
  subject?: string
  body?: { content?: string }
  location?: { displayName?: string }
  start?: GraphTime
  end?: GraphTime
  isAllDay?: boolean
  isCancelled?: boolean
  showAs?: string
  sensitivity?: string
  isOnlineMeeting?: boolean
  onlineMeeting?: { joinUrl?: string } | null
  onlineMeetingUrl?: string | null
  recurrence?: Recurrence | null
  organizer?: GraphPerson
  attendees?: GraphPerson[]
  responseStatus?: { response?: string }
  singleValueExtendedProperties?: { id: string; value: string }[]
  exceptionOccurrences?: GraphEvent[]
  cancelledOccurrences?: string[]
}

// what an event says of us: the UID of our meeting, and a link, for which an event has no place
const own = (name: string) => `String {5b2e1c0f-6f0a-4d4e-9b43-7a1d4c7e90ab} Name ${name}`
const [uidProperty, linkProperty] = [own('PerennialUid'), own('PerennialLink')]
const expanded = `singleValueExtendedProperties($filter=id eq '${uidProperty}' or id eq '${linkProperty}')`
const fields =
  `id,type,seriesMasterId,occurrenceId,originalStart,originalStartTimeZone,iCalUId,subject,body,location,start,
end,isAllDay,isCancelled,showAs,sensitivity,isOnlineMeeting,onlineMeeting,onlineMeetingUrl,recurrence,organizer,attendees,
responseStatus,cancelledOccurrences,exceptionOccurrences`.replaceAll(/\s/g, '')

/** How far back and ahead changes are listed, in days, and after how many all of the calendar is read again. */
const [back, ahead, again] = [31, 400, 30]
const day = 86_400_000
const mostPages = 2000

/** A calendar of Microsoft 365 (Microsoft Graph 1.0), read by the delta of its view. */
export function microsoft(ctx: Context, { base, json }: Requests): Remote {
  const usual = ctx.organization.timezone
  const calendarAt = (calendar: string) => `${base}/me/calendars/${encodeURIComponent(calendar)}`
  const eventAt = (id: string) => `${base}/me/events/${encodeURIComponent(id)}`
  const prefer = {
    prefer:
      'IdType="ImmutableId", outlook.timezone="UTC", outlook.body-content-type="text", odata.maxpagesize=100',
  }
  const listed = gathering<GraphEvent>()

  const read = (url: string, statuses: number[] = []) =>
    json('GET', url, { headers: prefer, expected: [200, ...statuses] })

  /** All pages of a list; the address of each next one must be at Microsoft too, because the token goes there. */
  async function* pages(first: string, statuses: number[] = []) {
    let url = first
    for (let count = 0; count < mostPages; count++) {
      const page = await read(url, statuses)
      yield page
      const next = page.json['@odata.nextLink']
      if (typeof next !== 'string') return
      url = ofOurs(next)
    }
    throw tooLarge()
  }

  function ofOurs(url: string): string {
    if (URL.canParse(url) && new URL(url).origin === new URL(base).origin) return url
    throw new RemoteError('forbidden_address', 'The server leads to another one')
  }

  const remote: Remote = {
    async calendars() {
      const calendars: RemoteCalendar[] = []
      for await (const { json: page } of pages(`${base}/me/calendars?$top=100`)) {
        for (const each of valuesOf<Json>(page)) {
          if (typeof each.id !== 'string') continue
          const owner = each.owner as { address?: string } | undefined
          const is_main = each.isDefaultCalendar === true
          calendars.push({
            id: each.id,
            name: clipped(String(each.name ?? ''), 255) ?? each.id,
            is_writable: each.canEdit !== false,
            is_main,
            ...(is_main && owner?.address ? { account: owner.address.toLowerCase() } : {}),
          })
        }
      }
      return calendars.slice(0, 200)
    },

    async changes(calendar, token) {
      const known = tokenOf(token)
      if (known && known.until < Date.now()) {
        throw new RemoteError('token_lost', 'The time whose changes are listed is over')
      }
      const changed = new Map<string, string | null>()
      const note = (href: string, etag: string | null) => {
        changed.set(href, changed.has(href) && changed.get(href) !== etag ? null : etag)
        if (changed.size > mostEntries) throw tooLarge()
      }
      let delta = ''
      // first, so that what changes while all is listed is listed again
      for await (const { status, json: page } of pages(
        known?.link ?? viewOf(calendar),
        [400, 410],
      )) {
        const { code } = (page.error ?? {}) as { code?: unknown }
        if (status === 410 || /syncState|resync/i.test(String(code))) {
          throw new RemoteError('token_lost', 'Microsoft no longer knows the token')
        }
        if (status === 400) throw new RemoteError('unexpected', `Microsoft says ${String(code)}`)
        const link = page['@odata.deltaLink']
        if (typeof link === 'string') delta = ofOurs(link)
        if (!known) continue
        for (const event of valuesOf<GraphEvent>(page)) {
          // what is out of the listed time now may still be there
          const isAlone = !event['@removed'] && event.type === 'singleInstance'
          note(event.seriesMasterId ?? event.id, isAlone ? etagOf(event) : null)
        }
      }
      if (!known) {
        const all = `${calendarAt(calendar)}/events?$top=100&$expand=${encodeURIComponent(expanded)}`
        for await (const { json: page } of pages(all)) {
          for (const event of valuesOf<GraphEvent>(page)) {
            if (event.type !== 'seriesMaster') listed.put(event.id, event)
            note(event.id, event.type === 'seriesMaster' ? null : etagOf(event))
          }
        }
      }
      const next = { link: delta, until: known?.until ?? Date.now() + again * day }
      return {
        changed: [...changed].map(([href, etag]) => ({ href, etag })),
        removed: [],
        token: delta ? JSON.stringify(next) : null,
        isWhole: !known,
      } satisfies Changes
    },

    async read(calendar, hrefs) {
      const items: Item[] = []
      for (const href of hrefs) {
        const event = listed.take(href) ?? (await fetched(calendar, href))
        const item = event && (await itemOf(event))
        if (item && !items.some((each) => each.href === item.href)) items.push(item)
      }
      return items
    },

    nameOf: (name) => ours + name,

    write: (calendar, writing) =>
      writing.before ? changed(calendar, writing, writing.before) : added(calendar, writing),

    async remove(_calendar, href) {
      await json('DELETE', eventAt(href), { expected: [200, 204, 404, 410] })
    },
  }
  return remote

  function viewOf(calendar: string): string {
    const now = Date.now()
    const at = (days: number) => new Date(now + days * day).toISOString()
    const query = new URLSearchParams({ startDateTime: at(-back), endDateTime: at(ahead) })
    return `${calendarAt(calendar)}/calendarView/delta?${query}`
  }

  /** An event with the dates of its series; undefined where there is none. */
  async function fetched(calendar: string, href: string): Promise<GraphEvent | undefined> {
    if (href.startsWith(ours)) return named(calendar, href.slice(ours.length))
    const expand = `$expand=${encodeURIComponent(expanded)}`
    const { status, json: found } = await read(`${eventAt(href)}?${expand}`, [404, 410])
    if (status !== 200) return undefined
    const event = found as GraphEvent
    if (event.seriesMasterId && event.seriesMasterId !== href) {
      return fetched(calendar, event.seriesMasterId)
    }
    if (event.type !== 'seriesMaster') return event
    const all = `$expand=${encodeURIComponent(`exceptionOccurrences,${expanded}`)}`
    const series = await read(`${eventAt(href)}?$select=${fields}&${all}`, [404, 410])
    return series.status === 200 ? (series.json as GraphEvent) : undefined
  }

  /** The event that began here under a name. */
  async function named(calendar: string, name: string): Promise<GraphEvent | undefined> {
    const uid = ownUid(ctx, name)
    const filter = `singleValueExtendedProperties/any(ep: ep/id eq '${uidProperty}' and ep/value eq '${uid}')`
    const query = `$filter=${encodeURIComponent(filter)}&$expand=${encodeURIComponent(expanded)}`
    const { json: page } = await read(`${calendarAt(calendar)}/events?${query}`)
    const [event] = valuesOf<GraphEvent>(page)
    return event && fetched(calendar, event.id)
  }

  async function known(calendar: string, id: string): Promise<Item> {
    const event = await fetched(calendar, id)
    return present(event && (await itemOf(event)))
  }

  async function added(calendar: string, writing: Writing): Promise<Item> {
    const { name, uid, parts, wantsCall } = writing
    const [whole] = parts
    if (!whole) throw new Error('an event without anything is written')
    if (await named(calendar, name)) throw new RemoteError('conflict', 'The event is there already')
    const { link } = whole.event
    const body = {
      ...bodyOf(
        whole.event,
        allGroups.filter((group) => group !== 'link'),
      ),
      ...callOf(wantsCall),
      singleValueExtendedProperties: [
        { id: uidProperty, value: uid },
        ...(link ? [{ id: linkProperty, value: link }] : []),
      ],
    }
    // one that was removed keeps its number: a new one gets another
    for (const transactionId of [name, `${name}-${randomBytes(6).toString('hex')}`]) {
      const { status, json: made } = await json('POST', `${calendarAt(calendar)}/events`, {
        body: { ...body, transactionId },
        headers: prefer,
        expected: [200, 201, 409],
      })
      if (status === 409) continue
      const id = String(made.id)
      await matched(calendar, id, parts)
      return known(calendar, id)
    }
    throw new RemoteError('conflict', 'The event is there already')
  }

  async function changed(
    calendar: string,
    { parts, wantsCall }: Writing,
    before: Item,
  ): Promise<Item> {
    const event = before.raw as GraphEvent
    const whole = parts.find(({ key }) => key === '')
    const read = before.parts.find(({ key }) => key === '')
    if (whole && read) {
      const next = withoutKeys(whole.event, keysOf(parts))
      const groups = differing(withoutKeys(read.event, keysOf(before.parts)), next)
      // a date comes back only with all of its series
      const isBack = read.event.exdates.some((date) => !whole.event.exdates.includes(date))
      if (isBack && next.rrule && !groups.includes('rule')) groups.push('rule')
      const body = { ...bodyOf(next, groups, { event, read: read.event }), ...callOf(wantsCall) }
      if (Object.keys(body).length) await patch(event, body)
    }
    await matched(calendar, event.id, parts)
    return known(calendar, event.id)
  }

  async function patch(event: Pick<GraphEvent, 'id' | '@odata.etag'>, body: object): Promise<void> {
    const etag = event['@odata.etag']
    const { status } = await json('PATCH', eventAt(event.id), {
      body,
      headers: { ...prefer, ...(etag ? { 'if-match': etag } : {}) },
      expected: [200, 404, 410],
    })
    if (status !== 200) throw new RemoteError('conflict', 'The event was removed meanwhile')
  }

  /** Makes the dates of a series what they are to be: left out, or with something of their own. */
  async function matched(calendar: string, id: string, parts: Writing['parts']): Promise<void> {
    const whole = parts.find(({ key }) => key === '')?.event
    if (!whole?.rrule) return
    const { raw, parts: there } = await known(calendar, id)
    const keys = new Set(parts.map(({ key }) => key))
    const gone = there[0]?.event.exdates ?? []
    const differ = (key: string, event: CalendarEvent) => {
      const read = there.find((each) => each.key === key)
      return read ? differing(read.event, event) : allGroups
    }
    const own = parts.filter(({ key, event }) => key && differ(key, event).length)
    const dropped = [
      ...whole.exdates.filter((date) => !keys.has(date) && !gone.includes(date)),
      ...there.flatMap(({ key }) => (key && !keys.has(key) ? key : [])),
    ]
    const wanted = [...dropped, ...own.map(({ key }) => key)].toSorted()
    if (!wanted.length) return
    const dates = await datesOf(raw as GraphEvent, wanted)
    for (const key of dropped) {
      const date = dates.get(key)
      if (date) await remote.remove(calendar, date.id)
    }
    for (const { key, event } of own) {
      const date = dates.get(key)
      // each date that is written gives the whole series another version
      if (date) await patch({ id: date.id }, bodyOf(event, differ(key, event)))
    }
  }

  /** The dates of a series at these times, as many as there are. */
  async function datesOf(series: GraphEvent, keys: string[]): Promise<Map<string, GraphEvent>> {
    const found = new Map<string, GraphEvent>()
    const at = (key: string | undefined, days: number) =>
      new Date(Date.parse(key ?? '') + days * day).toISOString()
    const query = new URLSearchParams({
      startDateTime: at(keys[0], -2),
      endDateTime: at(keys.at(-1), 2),
    })
    for (const each of series.exceptionOccurrences ?? []) {
      const key = keyOf(each, series)
      if (key && keys.includes(key)) found.set(key, each)
    }
    for await (const { json: page } of pages(`${eventAt(series.id)}/instances?${query}`)) {
      for (const each of valuesOf<GraphEvent>(page)) {
        const key = keyOf(each, series)
        if (key && keys.includes(key) && !found.has(key)) found.set(key, each)
      }
      if (found.size === keys.length) break
    }
    return found
  }

  function itemOf(event: GraphEvent): Promise<Item | undefined> {
    const item = { href: event.id, uid: uidOf(event), etag: etagOf(event), raw: event }
    return readItem(item, async () => ({ parts: partsOf(event) }))
  }

  function partsOf(event: GraphEvent): Part[] {
    const whole = partOf(event, '')
    const parts = [whole]
    const left = (event.cancelledOccurrences ?? []).flatMap((id) => keyOfDay(id, event) ?? [])
    for (const each of event.exceptionOccurrences ?? []) {
      const key = keyOf(each, event)
      if (!key) continue
      const part = partOf(each, key)
      if (isAsPlanned(whole.event, part)) continue
      left.push(part.key)
      checkParts(parts.push(part))
    }
    if (whole.event.rrule) whole.event.exdates = [...new Set(left)].toSorted()
    return parts
  }

  function partOf(event: GraphEvent, key: string): Part {
    const { subject, body, location, showAs, sensitivity, isCancelled, responseStatus } = event
    const times = timesOf(event)
    if (!times) throw new RangeError('an event without a time that can be read')
    const recurrence = key === '' ? event.recurrence : null
    const zone = recurrence && !times.all_day ? zoneOf(event) : null
    const rrule = recurrence ? ruleOf(recurrence, { ...times, zone }) : null
    return {
      key,
      event: {
        title: clipped(subject, 255) ?? '(No title)',
        description: clipped(withoutCall(body?.content), 50_000),
        location: clipped(location?.displayName, 1000),
        link: linkOf(linkIn(event)),
        ...times,
        zone: rrule ? zone : null,
        rrule,
        exdates: [],
        cancelled: isCancelled ?? false,
      },
      is_busy: showAs !== 'free' && !isCancelled && responseStatus?.response !== 'declined',
      is_private: sensitivity === 'private' || sensitivity === 'confidential',
      people: peopleOf(event),
    }
  }

  function zoneOf({ recurrence, originalStartTimeZone }: GraphEvent): string {
    const names = [recurrence?.range?.recurrenceTimeZone, originalStartTimeZone]
    const found = names.flatMap((name) => (name ? (ianaOf(name) ?? []) : []))
    return found[0] ?? usual
  }

  /** Which date of its series an event is, by when that was planned. */
  function keyOf(event: GraphEvent, series: GraphEvent): string | undefined {
    if (event.occurrenceId) return keyOfDay(event.occurrenceId, series)
    if (event.originalStart) {
      const moment = instant(event.originalStart)
      return series.isAllDay ? moment?.slice(0, 10) : moment
    }
    return event.type === 'occurrence' ? timesOf(event)?.start : undefined
  }

  /** The same by the day that its name ends with. */
  function keyOfDay(id: string, series: GraphEvent): string | undefined {
    const [date] = /\d{4}-\d\d-\d\d$/.exec(id) ?? []
    const start = timesOf(series)?.start
    if (!date || !start || series.isAllDay) return date
    const zone = zoneOf(series)
    const plainTime = Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainTime()
    const moment = Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime })
    return new Date(moment.epochMilliseconds).toISOString()
  }
}

/** What stands in front of the name of an event whose id Microsoft chooses. */
const ours = 'perennial:'

function valuesOf<T>(page: Json): T[] {
  return Array.isArray(page.value) ? (page.value as T[]) : []
}

function tokenOf(token: string | null): { link: string; until: number } | undefined {
  return token ? (JSON.parse(token) as { link: string; until: number }) : undefined
}

function etagOf({ '@odata.etag': etag, exceptionOccurrences, cancelledOccurrences }: GraphEvent) {
  const dates = (exceptionOccurrences ?? []).map((each) => `${each.id} ${each['@odata.etag']}`)
  const all = [etag, ...dates.toSorted(), ...(cancelledOccurrences ?? []).toSorted()]
  return createHash('sha256').update(all.join('\n')).digest('base64url')
}

function propertyOf({ singleValueExtendedProperties: all }: GraphEvent, id: string) {
  return all?.find((each) => each.id.toLowerCase() === id.toLowerCase())?.value
}

function uidOf(event: GraphEvent): string {
  return propertyOf(event, uidProperty) ?? event.iCalUId ?? event.id
}

/** A link that was written here, also none, else that of the video call. */
function linkIn(event: GraphEvent): string | null | undefined {
  return propertyOf(event, linkProperty) ?? event.onlineMeeting?.joinUrl ?? event.onlineMeetingUrl
}

/** A description without the part in which Teams says how to join. */
function withoutCall(text: string | undefined): string | undefined {
  const lines = [...(text ?? '').matchAll(/_{20,}/g)].map(({ index }) => index)
  const isClosed = text?.slice(lines.at(-1)).replaceAll('_', '').trim() === ''
  const start = lines.at(isClosed ? -2 : -1)
  return start !== undefined && /teams/i.test(text?.slice(start) ?? '')
    ? text?.slice(0, start)
    : text
}

/** A time that Microsoft names in UTC, with seven digits behind its seconds. */
function instant(time: string): string | undefined {
  const moment = Date.parse(
    /(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time.replace(/(\.\d{3})\d*$/, '$1')}Z`,
  )
  return Number.isNaN(moment) ? undefined : new Date(Math.floor(moment / 1000) * 1000).toISOString()
}

function timesOf({ start, end, isAllDay = false }: GraphEvent) {
  const [from, to] = [start, end].map((time) => instant(time?.dateTime ?? ''))
  if (!from || !to) return undefined
  if (!isAllDay) return { start: from, end: to < from ? from : to, all_day: false }
  const first = from.slice(0, 10)
  const last = Temporal.PlainDate.from(to.slice(0, 10)).subtract({ days: 1 }).toString()
  return { start: first, end: last < first ? first : last, all_day: true }
}

function ianaOf(name: string): string | undefined {
  return windowsZone(name) ?? timeZoneNamed(name) ?? (/utc$/i.test(name) ? 'UTC' : undefined)
}

const answers: { [response: string]: EventPerson['response'] } = {
  accepted: 'accepted',
  organizer: 'accepted',
  tentativelyAccepted: 'tentative',
  declined: 'declined',
}

function peopleOf({ organizer, attendees }: GraphEvent): EventPerson[] {
  const found = new Map<string, EventPerson>()
  for (const each of [
    ...(attendees?.length && organizer ? [organizer] : []),
    ...(attendees ?? []),
  ]) {
    const { address = '', name } = each.emailAddress ?? {}
    const isPerson =
      each.type !== 'resource' && /^[^\s@<>;,]{1,200}@[^\s@<>;,]{1,100}$/.test(address)
    if (!isPerson || found.size >= 200) continue
    found.set(address.toLowerCase(), {
      email: address,
      name: clipped(name, 255),
      is_optional: each.type === 'optional',
      response:
        each === organizer ? 'accepted' : (answers[each.status?.response ?? ''] ?? 'needs_action'),
    })
  }
  return [...found.values()]
}

/** What is written of these groups of an event; `was` as it is there. */
function bodyOf(
  event: CalendarEvent,
  groups: Group[],
  was?: { event: GraphEvent; read: CalendarEvent },
): { [name: string]: unknown } {
  const has = (...some: Group[]) => some.some((group) => groups.includes(group))
  const { title, description, location, link, rrule, all_day, start, end, zone } = event
  const timeZone = rrule && !all_day ? (zone ?? 'UTC') : 'UTC'
  const time = (moment: string) => ({
    dateTime: localOf(moment, timeZone),
    timeZone: windowsName(timeZone) ?? timeZone,
  })
  const last = all_day ? Temporal.PlainDate.from(end).add({ days: 1 }).toString() : end
  // the text of a call that Teams holds says how to join, and is lost where another is written
  const isKept = was?.event.isOnlineMeeting
  return {
    ...(has('title') ? { subject: title } : {}),
    ...(has('description') && !isKept
      ? { body: { contentType: 'text', content: description ?? '' } }
      : {}),
    ...(has('location') ? { location: { displayName: location ?? '' } } : {}),
    ...(has('link')
      ? { singleValueExtendedProperties: [{ id: linkProperty, value: link ?? '' }] }
      : {}),
    ...(has('when', 'rule') ? { start: time(start), end: time(last), isAllDay: all_day } : {}),
    ...(has('when', 'rule') && (rrule || was?.event.recurrence)
      ? {
          recurrence: rrule
            ? recurrenceOf(event, rrule, has('rule') ? undefined : was?.read, windowsName)
            : null,
        }
      : {}),
  }
}

/** A time as the clock of a zone shows it; a day at its beginning. */
function localOf(moment: string, zone: string): string {
  if (moment.length === 10) return `${moment}T00:00:00`
  const local = Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDateTime()
  return local.toString({ smallestUnit: 'second' })
}

function callOf(wantsCall: boolean | undefined) {
  return wantsCall ? { isOnlineMeeting: true, onlineMeetingProvider: 'teamsForBusiness' } : {}
}
