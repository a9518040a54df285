import { randomBytes } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import type { FakeCalendars, Given, Sent, Simple } from './fake-calendars.ts'
import { datesOf, lineOf, mergePatch, startProvider } from './fake-calendars.ts'

type Time = { date?: string; dateTime?: string; timeZone?: string }
type Stored = {
  id: string
  seq: number
  status: string
  summary?: string
  start: Time
  end: Time
  recurrence?: string[]
  recurringEventId?: string
  originalStartTime?: Time
  hangoutLink?: string
  [name: string]: unknown
}

const refused = (status: number, reason: string, message = reason): Given => ({
  status,
  body: { error: { code: status, message, errors: [{ reason, message }] } },
})

/** Google Calendar as its documentation says (API version 3: calendarList, events), with one calendar or more. */
export async function startGoogle(calendars = ['work']): Promise<FakeCalendars> {
  const events = new Map<string, Stored>()
  let clock = 1
  let oldest = 0
  const pageSize = 7

  const etag = ({ seq }: Stored) => `"${seq}000"`
  const compact = (time: string) => time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  const garbled = new Set<string>()
  const shown = ({ seq, ...event }: Stored) => ({
    kind: 'calendar#event',
    ...event,
    ...(garbled.has(event.id)
      ? { start: { date: '2027-02-30' }, end: { date: '2027-02-31' } }
      : {}),
    etag: `"${seq}000"`,
  })
  const put = (event: Omit<Stored, 'seq'>): Stored => {
    const stored = { ...event, seq: ++clock } as Stored
    events.set(stored.id, stored)
    // what no longer repeats has no dates of its own
    if (!stored.recurrence && !stored.recurringEventId) {
      for (const each of exceptionsOf(stored.id)) {
        if (each.status !== 'cancelled') put({ ...each, status: 'cancelled' })
      }
    }
    return stored
  }
  const timeOf = ({ date, dateTime = '' }: Time) => date ?? new Date(dateTime).toISOString()
  const timeFor = (time: string, zone?: string): Time =>
    time.length === 10
      ? { date: time }
      : {
          dateTime: Temporal.Instant.from(time)
            .toZonedDateTimeISO(zone ?? 'UTC')
            .toString({ timeZoneName: 'never', offset: 'auto', smallestUnit: 'second' }),
          ...(zone ? { timeZone: zone } : {}),
        }
  const simple = (event: Stored): Simple => {
    const start = timeOf(event.start)
    const end = timeOf(event.end)
    const all_day = start.length === 10
    const rule = event.recurrence?.find((line) => line.startsWith('RRULE:'))
    return {
      title: event.summary ?? '',
      start,
      end: all_day ? Temporal.PlainDate.from(end).subtract({ days: 1 }).toString() : end,
      all_day,
      zone: event.start.timeZone ?? 'UTC',
      rrule: rule ? rule.slice(6) : null,
    }
  }
  const exceptionsOf = (id: string) =>
    [...events.values()].filter((each) => each.recurringEventId === id)
  /** the times that the lines of a series leave out */
  const without = ({ recurrence = [] }: Stored) =>
    recurrence.flatMap((line) => {
      const [, zone, times = ''] = /^EXDATE(?:;VALUE=DATE|;TZID=([^:]+))?:(.*)$/.exec(line) ?? []
      return times
        .split(',')
        .filter(Boolean)
        .map((time) => {
          if (time.length === 8) return Temporal.PlainDate.from(time).toString()
          const moment = time.endsWith('Z')
            ? Temporal.Instant.from(time)
            : Temporal.PlainDateTime.from(time)
                .toZonedDateTime(zone ?? 'UTC')
                .toInstant()
          return new Date(moment.epochMilliseconds).toISOString()
        })
    })

  /** What is wrong with an event that is sent. */
  function wrong({ start, end, recurrence, source }: Stored): Given | undefined {
    for (const time of [start, end]) {
      if (!time || Boolean(time.date) === Boolean(time.dateTime))
        return refused(400, 'invalid', 'Invalid start time.')
    }
    if (recurrence && start.dateTime && !start.timeZone)
      return refused(400, 'required', 'Missing time zone definition for start time.')
    if (recurrence?.some((line) => !/^(RRULE|EXDATE|RDATE)[:;]/.test(line)))
      return refused(400, 'invalid', 'Invalid recurrence rule.')
    if (timeOf(end) < timeOf(start)) return refused(400, 'timeRangeEmpty')
    const link = (source as { url?: string } | undefined)?.url
    if (link !== undefined && !/^https?:/.test(link))
      return refused(400, 'invalid', 'Invalid source.')
    return undefined
  }

  /** The call that is asked for, where the version of the request allows it. */
  function withCall(event: Stored, sent: Sent): Stored {
    const { conferenceData, ...rest } = event as Stored & {
      conferenceData?: { createRequest?: object }
    }
    if (sent.url.searchParams.get('conferenceDataVersion') !== '1') return event
    if (!('conferenceData' in sent.body)) return event
    if (sent.body.conferenceData === null) {
      delete rest.hangoutLink
      return rest
    }
    if (!conferenceData?.createRequest || fake.hasNoCalls) return rest
    const hangoutLink = `https://meet.google.com/${randomBytes(5).toString('hex')}`
    const entryPoints = [{ entryPointType: 'video', uri: hangoutLink }]
    return { ...rest, hangoutLink, conferenceData: { entryPoints } }
  }

  /** An event, or a date of a series that has nothing of its own yet. */
  function find(id: string): Stored | undefined {
    const found = events.get(id)
    if (found) return found
    const [, series = '', time] = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/.exec(id) ?? []
    const main = events.get(series)
    if (!main?.recurrence || !time) return undefined
    const planned = datesOf(simple(main)).find((each) => compact(each) === time)
    return planned === undefined ? undefined : dateOf(main, planned)
  }
  function dateOf(main: Stored, planned: string): Stored {
    const { recurrence: _, ...rest } = main
    const zone = main.start.timeZone
    const { start, end } = simple(main)
    const length = Date.parse(end) - Date.parse(start)
    const to = new Date(Date.parse(planned) + length)
    const last =
      planned.length === 10
        ? new Date(+to + 86_400_000).toISOString().slice(0, 10)
        : to.toISOString()
    return {
      ...rest,
      id: `${main.id}_${compact(planned)}`,
      recurringEventId: main.id,
      originalStartTime: timeFor(planned, zone),
      start: timeFor(planned, zone),
      end: timeFor(last, zone),
    }
  }

  function list(query: URLSearchParams): Given {
    const token = query.get('syncToken')
    const uid = query.get('iCalUID')
    if (token && Number(token) < oldest) return refused(410, 'fullSyncRequired')
    if (token && uid) return refused(400, 'invalid')
    const isLive = ({ status, recurringEventId }: Stored) =>
      status !== 'cancelled' ||
      (recurringEventId !== undefined && events.get(recurringEventId)?.status !== 'cancelled')
    const all = [...events.values()]
      .filter((each) => !uid || each.iCalUID === uid)
      .filter((each) =>
        token ? each.seq > Number(token) : query.get('showDeleted') === 'true' || isLive(each),
      )
      .toSorted((a, b) => a.seq - b.seq)
    const from = Number(query.get('pageToken') ?? 0)
    const to = from + pageSize
    const items = all.slice(from, to).map(shown)
    const next = to < all.length ? { nextPageToken: String(to) } : { nextSyncToken: String(clock) }
    return { status: 200, body: { kind: 'calendar#events', items, ...next } }
  }

  function cancel(event: Stored) {
    put({ ...event, status: 'cancelled' })
    for (const each of exceptionsOf(event.id)) put({ ...each, status: 'cancelled' })
  }

  function answerTo(sent: Sent): Given | undefined {
    const { method, url, headers, body } = sent
    if (url.pathname === '/users/me/calendarList') {
      const items = calendars.map((summary, i) => ({
        id: i ? `calendar${i}@group.calendar.google.com` : common.account,
        summary,
        accessRole: 'owner',
        ...(i ? {} : { primary: true }),
      }))
      return { status: 200, body: { items } }
    }
    const [, calendar = '', , id] =
      /^\/calendars\/([^/]+)\/events(\/([^/]+))?$/.exec(url.pathname) ?? []
    if (decodeURIComponent(calendar) !== common.account) return undefined
    if (!id) {
      if (method === 'GET') return list(url.searchParams)
      if (method !== 'POST') return undefined
      const given = body as Stored
      if (!/^[a-v0-9]{5,1024}$/.test(given.id))
        return refused(400, 'invalid', 'Invalid resource id value.')
      if (events.has(given.id))
        return refused(409, 'duplicate', 'The requested identifier already exists.')
      const whole = mergePatch(
        { status: 'confirmed', iCalUID: `${given.id}@google.com` },
        given,
      ) as Stored
      const answer = wrong(whole)
      return answer ?? { status: 200, body: shown(put(withCall(whole, sent))) }
    }
    const found = find(decodeURIComponent(id))
    if (!found) return refused(404, 'notFound')
    if (method === 'GET') return { status: 200, body: shown(found) }
    if (headers['if-match'] && headers['if-match'] !== etag(found))
      return refused(412, 'conditionNotMet')
    if (method === 'DELETE') {
      if (found.status === 'cancelled') return refused(410, 'deleted')
      cancel(found)
      return { status: 204 }
    }
    if (found.recurringEventId && body.recurrence) return refused(400, 'invalid')
    const base = method === 'PUT' ? { id: found.id, iCalUID: found.iCalUID } : found
    const next = mergePatch(base, body) as Stored
    return wrong(next) ?? { status: 200, body: shown(put(withCall(next, sent))) }
  }

  const common = await startProvider(answerTo, (after) =>
    after === null
      ? refused(403, 'rateLimitExceeded')
      : { ...refused(429, 'rateLimitExceeded'), headers: { 'retry-after': String(after) } },
  )
  const fieldsOf = ({ title, start, end, all_day, zone, rrule }: Simple) => ({
    summary: title,
    start: timeFor(start, rrule ? zone : undefined),
    end: timeFor(
      all_day ? Temporal.PlainDate.from(end).add({ days: 1 }).toString() : end,
      rrule ? zone : undefined,
    ),
    ...(rrule ? { recurrence: [`RRULE:${rrule}`] } : {}),
  })
  const at = (id: string) => {
    const found = events.get(id)
    if (!found) throw new Error(`there is no event ${id}`)
    return found
  }
  const live = () =>
    [...events.values()].filter((each) => each.status !== 'cancelled' && !each.recurringEventId)
  const fake: FakeCalendars = Object.assign(common, {
    hasNoCalls: false,
    forget: () => {
      oldest = ++clock
    },
    events: () => new Map(live().map((each) => [each.id, simple(each)])),
    lines() {
      return live()
        .flatMap((main) => {
          const own = exceptionsOf(main.id)
          const left = new Set([
            ...without(main),
            ...own.map((each) => timeOf(each.originalStartTime ?? {})),
          ])
          const dates = datesOf(simple(main)).filter((date) => !left.has(date))
          const moved = own.filter((each) => each.status !== 'cancelled')
          return [
            ...dates.map((date) => lineOf(simple(main), date)),
            ...moved.map((each) => lineOf(simple(each))),
          ]
        })
        .toSorted()
    },
    create(event: Simple) {
      const id = randomBytes(8).toString('hex')
      put({ id, status: 'confirmed', iCalUID: `${id}@google.com`, ...fieldsOf(event) })
      return id
    },
    change(id: string, event: Partial<Simple>) {
      garbled.delete(id)
      const { summary: _s, start: _a, end: _b, recurrence: _r, ...rest } = at(id)
      const next = { ...simple(at(id)), ...event }
      const left =
        next.rrule && !event.start
          ? at(id).recurrence?.filter((line) => !line.startsWith('RRULE'))
          : []
      const fields = fieldsOf(next)
      put({
        ...rest,
        ...fields,
        ...(fields.recurrence ? { recurrence: [...fields.recurrence, ...(left ?? [])] } : {}),
      })
    },
    remove: (id: string) => cancel(at(id)),
    moveDate(id: string, planned: string, event: Pick<Simple, 'title' | 'start' | 'end'>) {
      const zone = at(id).start.timeZone
      const own = {
        summary: event.title,
        start: timeFor(event.start, zone),
        end: timeFor(event.end, zone),
      }
      put({ ...dateOf(at(id), planned), ...own })
    },
    dropDate(id: string, planned: string) {
      const { id: own, recurringEventId, originalStartTime, start, end } = dateOf(at(id), planned)
      put({
        id: own,
        recurringEventId,
        originalStartTime,
        start,
        end,
        status: 'cancelled',
        iCalUID: at(id).iCalUID,
      })
    },
    garble(id: string) {
      garbled.add(id)
      put(at(id))
    },
    callOf: (id: string) => at(id).hangoutLink,
  })
  return fake
}
