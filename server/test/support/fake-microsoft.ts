import { randomBytes } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import { windowsZone } from '../../src/model/sheets/windows-zones.ts'
import type { FakeCalendars, Given, Sent, Simple } from './fake-calendars.ts'
import { datesOf, lineOf, startProvider } from './fake-calendars.ts'

type Time = { dateTime: string; timeZone: string }
type Pattern = {
  type: string
  interval: number
  daysOfWeek?: string[]
  dayOfMonth?: number
  month?: number
  index?: string
}
type Range = {
  type: string
  startDate: string
  endDate?: string
  numberOfOccurrences?: number
  recurrenceTimeZone?: string
}
type Fields = {
  subject: string
  start: Time
  end: Time
  isAllDay: boolean
  recurrence?: { pattern: Pattern; range: Range } | null
  body?: { content: string }
  isOnlineMeeting?: boolean
  onlineMeeting?: { joinUrl: string } | null
  singleValueExtendedProperties?: { id: string; value: string }[]
  [name: string]: unknown
}
type Stored = {
  id: string
  seq: number
  isGone: boolean
  wasListed: boolean
  fields: Fields
  /** the dates with something of their own, and those that are left out, by their days */
  own: Map<string, { fields: Fields; seq: number }>
  dropped: Map<string, number>
}

const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const short = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const refused = (status: number, code: string, message = code): Given => ({
  status,
  body: { error: { code, message } },
})

/** Calendars of Microsoft 365 as the documentation of Microsoft Graph 1.0 says, with one calendar or more. */
export async function startMicrosoft(calendars = ['Calendar']): Promise<FakeCalendars> {
  const events = new Map<string, Stored>()
  const transactions = new Set<string>()
  let clock = 1
  let oldest = 0
  const garbled = new Set<string>()
  const none = { dateTime: 'soon', timeZone: 'UTC' }
  const pageSize = 7

  const zoned = ({ dateTime, timeZone }: Time) =>
    Temporal.PlainDateTime.from(dateTime.replace(/Z$/, '').slice(0, 23)).toZonedDateTime(
      timeZone === 'UTC' ? 'UTC' : (windowsZone(timeZone) ?? timeZone),
    )
  const simple = ({ subject, start, end, isAllDay, recurrence }: Fields): Simple => {
    const [from, to] = [zoned(start), zoned(end)]
    const zone = from.timeZoneId
    const at = (time: Temporal.ZonedDateTime) =>
      isAllDay ? time.toPlainDate().toString() : new Date(time.epochMilliseconds).toISOString()
    return {
      title: subject,
      start: at(from),
      end: isAllDay ? to.toPlainDate().subtract({ days: 1 }).toString() : at(to),
      all_day: isAllDay,
      zone,
      rrule: recurrence ? ruleOf(recurrence, zone) : null,
    }
  }
  function ruleOf({ pattern, range }: NonNullable<Fields['recurrence']>, zone: string): string {
    const days = pattern.daysOfWeek?.map((day) => short[week.indexOf(day)]).join(',')
    const nth = { first: 1, second: 2, third: 3, fourth: 4, last: -1 }[pattern.index ?? 'first']
    const on: { [type: string]: string } = {
      daily: 'FREQ=DAILY',
      weekly: `FREQ=WEEKLY;BYDAY=${days}`,
      absoluteMonthly: `FREQ=MONTHLY;BYMONTHDAY=${pattern.dayOfMonth}`,
      relativeMonthly: `FREQ=MONTHLY;BYDAY=${days};BYSETPOS=${nth}`,
      absoluteYearly: `FREQ=YEARLY;BYMONTH=${pattern.month};BYMONTHDAY=${pattern.dayOfMonth}`,
      relativeYearly: `FREQ=YEARLY;BYMONTH=${pattern.month};BYDAY=${days};BYSETPOS=${nth}`,
    }
    const last = range.endDate
      ? Temporal.PlainDate.from(range.endDate)
          .add({ days: 1 })
          .toZonedDateTime(zone)
          .subtract({ seconds: 1 })
      : undefined
    const until = last?.toInstant().toString().replaceAll(/[-:]/g, '')
    const ends =
      range.type === 'numbered'
        ? `;COUNT=${range.numberOfOccurrences}`
        : range.type === 'endDate'
          ? `;UNTIL=${until}`
          : ''
    return `${on[pattern.type]};INTERVAL=${pattern.interval}${ends}`
  }

  /** The days of a series on which it is planned, with when that is. */
  function planned({ fields }: Stored): Map<string, string> {
    const all = simple(fields)
    return new Map(
      datesOf(all).map((start) => [
        start.length === 10
          ? start
          : Temporal.Instant.from(start).toZonedDateTimeISO(all.zone).toPlainDate().toString(),
        start,
      ]),
    )
  }
  const dateId = ({ id }: Stored, day: string) => `${id}-on-${day}`
  function split(id: string): { event?: Stored | undefined; day?: string | undefined } {
    const [, series = id, day] = /^(.*)-on-(\d{4}-\d\d-\d\d)$/.exec(id) ?? []
    const event = events.get(series)
    return event?.isGone ? {} : { event, day }
  }

  /** What is wrong with an event that is sent. */
  function wrong({ start, end, isAllDay, recurrence }: Fields): Given | undefined {
    const known = [start, end].every(
      (time) => time && (time.timeZone === 'UTC' || windowsZone(time.timeZone)),
    )
    if (!known) return refused(400, 'TimeZoneNotSupportedException')
    if (isAllDay && [start, end].some(({ dateTime }) => !/T00:00:00/.test(dateTime))) {
      return refused(
        400,
        'ErrorPropertyValidationFailure',
        'An all-day event begins and ends at midnight',
      )
    }
    const [from, to] = [zoned(start), zoned(end)]
    if (Temporal.ZonedDateTime.compare(to, from) < 0)
      return refused(400, 'ErrorPropertyValidationFailure')
    if (isAllDay && from.toPlainDate().equals(to.toPlainDate()))
      return refused(400, 'ErrorPropertyValidationFailure')
    if (!recurrence) return undefined
    const { pattern, range } = recurrence
    const isKnown = [
      'daily',
      'weekly',
      'absoluteMonthly',
      'relativeMonthly',
      'absoluteYearly',
      'relativeYearly',
    ].includes(pattern.type)
    if (!isKnown || !(pattern.interval > 0)) return refused(400, 'ErrorInvalidRequest')
    if (pattern.type === 'weekly' && !pattern.daysOfWeek?.length)
      return refused(400, 'ErrorInvalidRequest')
    if (pattern.type.startsWith('absolute') && !pattern.dayOfMonth)
      return refused(400, 'ErrorInvalidRequest')
    if (range.startDate !== from.toPlainDate().toString())
      return refused(400, 'ErrorInvalidRequest', 'The range begins with the event')
    if (range.type === 'numbered' && !range.numberOfOccurrences)
      return refused(400, 'ErrorInvalidRequest')
    return undefined
  }

  const etagOf = (event: Stored, day?: string) =>
    `W/"key${day ? (event.own.get(day)?.seq ?? event.seq) : event.seq}=="`

  /** An event, or a date of its series, as the headers and the query ask for it. */
  function shown(event: Stored, sent: Sent, day?: string): object {
    const query = sent.url.searchParams
    const own = day === undefined ? undefined : event.own.get(day)
    const { singleValueExtendedProperties, recurrence, ...fields } = own?.fields ?? event.fields
    const isUtc = /outlook\.timezone="UTC"/.test(String(sent.headers.prefer))
    const time = (value: Time) => {
      const moment = isUtc && !fields.isAllDay ? zoned(value).withTimeZone('UTC') : zoned(value)
      return {
        dateTime: `${moment.toPlainDateTime().toString({ smallestUnit: 'second' })}.0000000`,
        timeZone: isUtc ? 'UTC' : value.timeZone,
      }
    }
    const all = simple(event.fields)
    const start = day === undefined ? undefined : planned(event).get(day)
    const moved = (value: Time): Time => {
      if (own || start === undefined) return value
      const shift = Date.parse(start) - Date.parse(all.start)
      const moment = zoned(value).add({ milliseconds: all.all_day ? 0 : shift })
      const local = all.all_day
        ? zoned(value).add({ days: Math.round(shift / 86_400_000) })
        : moment
      return { dateTime: local.toPlainDateTime().toString(), timeZone: value.timeZone }
    }
    const asked = (query.get('$expand') ?? '').includes('singleValueExtendedProperties')
    const selected = (query.get('$select') ?? '').split(',')
    return {
      '@odata.etag': etagOf(event, day),
      id: day === undefined ? event.id : dateId(event, day),
      iCalUId: `0400${event.id}`,
      type:
        day === undefined
          ? recurrence
            ? 'seriesMaster'
            : 'singleInstance'
          : own
            ? 'exception'
            : 'occurrence',
      seriesMasterId: day === undefined ? null : event.id,
      occurrenceId: day === undefined ? null : `OID.${event.id}.${day}`,
      originalStartTimeZone: event.fields.start.timeZone,
      isCancelled: false,
      showAs: 'busy',
      ...fields,
      start: garbled.has(event.id) ? none : time(moved(fields.start)),
      end: garbled.has(event.id) ? none : time(moved(fields.end)),
      ...(day === undefined ? { recurrence: recurrence ?? null } : {}),
      ...(asked && singleValueExtendedProperties ? { singleValueExtendedProperties } : {}),
      ...(selected.includes('cancelledOccurrences') && day === undefined
        ? {
            cancelledOccurrences: [...event.dropped.keys()].map(
              (each) => `OID.${event.id}.${each}`,
            ),
          }
        : {}),
      ...((query.get('$expand') ?? '').includes('exceptionOccurrences') && day === undefined
        ? { exceptionOccurrences: [...event.own.keys()].map((each) => shown(event, sent, each)) }
        : {}),
    }
  }

  const touch = (event: Stored) => {
    event.seq = ++clock
    return event.seq
  }
  function withCall(fields: Fields): Fields {
    if (!fields.isOnlineMeeting || fields.onlineMeeting || fake.hasNoCalls) return fields
    const joinUrl = `https://teams.microsoft.com/l/meetup-join/${randomBytes(6).toString('hex')}`
    const blob = `\n${'_'.repeat(40)}\nMicrosoft Teams meeting\nJoin: ${joinUrl}\n${'_'.repeat(40)}\n`
    return {
      ...fields,
      onlineMeeting: { joinUrl },
      body: { content: (fields.body?.content ?? '') + blob },
    }
  }
  function store(fields: Fields): Stored {
    const event: Stored = {
      id: `AAMk${randomBytes(12).toString('hex')}=`,
      seq: ++clock,
      isGone: false,
      wasListed: false,
      fields: withCall(fields),
      own: new Map(),
      dropped: new Map(),
    }
    events.set(event.id, event)
    return event
  }
  function update(event: Stored, day: string | undefined, body: Partial<Fields>) {
    if (day === undefined) {
      const { singleValueExtendedProperties: some = [], ...rest } = body
      const properties = [...(event.fields.singleValueExtendedProperties ?? [])]
      for (const each of some) {
        const at = properties.findIndex(({ id }) => id === each.id)
        if (at < 0) properties.push(each)
        else properties[at] = each
      }
      event.fields = withCall({
        ...event.fields,
        ...rest,
        singleValueExtendedProperties: properties,
      })
      // what a series has besides its rule is lost with that
      if ('recurrence' in body) {
        event.own.clear()
        event.dropped.clear()
      }
      touch(event)
      return
    }
    const before = event.own.get(day)?.fields ?? fieldsAt(event, day)
    event.own.set(day, { fields: { ...before, ...body }, seq: touch(event) })
  }
  function fieldsAt(event: Stored, day: string): Fields {
    const { recurrence: _, ...fields } = event.fields
    const all = simple(event.fields)
    const start = planned(event).get(day) ?? all.start
    const length = Date.parse(all.end) - Date.parse(all.start)
    return {
      ...fields,
      ...timesFor({ ...all, start, end: endAt(start, length, all.all_day), zone: 'UTC' }),
    } as Fields
  }
  const endAt = (start: string, length: number, isDay: boolean) => {
    const end = new Date(Date.parse(start) + length).toISOString()
    return isDay ? end.slice(0, 10) : end
  }
  const timesFor = ({
    start,
    end,
    all_day,
    zone,
  }: Pick<Simple, 'start' | 'end' | 'all_day' | 'zone'>) => {
    const names: { [zone: string]: string } = {
      UTC: 'UTC',
      'Europe/Berlin': 'W. Europe Standard Time',
      'America/New_York': 'Eastern Standard Time',
      'Australia/Lord_Howe': 'Lord Howe Standard Time',
    }
    const timeZone = all_day ? 'UTC' : (names[zone] ?? 'UTC')
    const at = (time: string) =>
      time.length === 10
        ? `${time}T00:00:00`
        : Temporal.Instant.from(time)
            .toZonedDateTimeISO(zone)
            .toPlainDateTime()
            .toString({ smallestUnit: 'second' })
    const last = all_day ? Temporal.PlainDate.from(end).add({ days: 1 }).toString() : end
    return {
      start: { dateTime: at(start), timeZone },
      end: { dateTime: at(last), timeZone },
      isAllDay: all_day,
    }
  }
  function removeAt(event: Stored, day: string | undefined) {
    if (day === undefined) event.isGone = true
    else {
      event.own.delete(day)
      event.dropped.set(day, clock + 1)
    }
    touch(event)
  }

  /** The entries of a view: single events and series with their dates, where they are in it. */
  function view(sent: Sent): Given {
    const query = sent.url.searchParams
    const token = query.get('$deltatoken')
    const [since, bounds] = token
      ? token.split('~')
      : ['0', `${query.get('startDateTime')}/${query.get('endDateTime')}`]
    if (token && Number(since) < oldest) return refused(410, 'syncStateNotFound')
    const [from = '', to = ''] = (bounds ?? '').split('/')
    const found: object[] = []
    for (const event of events.values()) {
      if (event.seq <= Number(since)) continue
      const dates = event.isGone ? [] : [...planned(event).values()]
      const isIn = dates.some((date) => date >= from.slice(0, date.length) && date <= to)
      if (!isIn) {
        if (event.wasListed) found.push({ id: event.id, '@removed': { reason: 'deleted' } })
        continue
      }
      event.wasListed = true
      found.push(shown(event, sent))
      for (const [day, seq] of event.dropped) {
        if (seq > Number(since))
          found.push({ id: dateId(event, day), '@removed': { reason: 'deleted' } })
      }
      if (!event.fields.recurrence) continue
      for (const day of planned(event).keys()) {
        if (!event.dropped.has(day))
          found.push({ '@odata.type': '#microsoft.graph.event', ...shown(event, sent, day) })
      }
    }
    const skip = Number(query.get('$skip') ?? 0)
    const value = found.slice(skip, skip + 50)
    const next = new URL(sent.url)
    next.search = ''
    if (skip + 50 < found.length) {
      for (const [name, text] of sent.url.searchParams) next.searchParams.set(name, text)
      next.searchParams.set('$skip', String(skip + 50))
      return { status: 200, body: { value, '@odata.nextLink': next.href } }
    }
    next.searchParams.set('$deltatoken', `${clock}~${bounds}`)
    return { status: 200, body: { value, '@odata.deltaLink': next.href } }
  }

  function listOf(sent: Sent): Given {
    const query = sent.url.searchParams
    const [, id, value] =
      /ep\/id eq '([^']+)' and ep\/value eq '([^']+)'/.exec(query.get('$filter') ?? '') ?? []
    const all = [...events.values()].filter(
      (each) =>
        !each.isGone &&
        (!id ||
          each.fields.singleValueExtendedProperties?.some(
            (one) => one.id === id && one.value === value,
          )),
    )
    const skip = Number(query.get('$skip') ?? 0)
    const next = new URL(sent.url)
    next.searchParams.set('$skip', String(skip + pageSize))
    return {
      status: 200,
      body: {
        value: all.slice(skip, skip + pageSize).map((each) => shown(each, sent)),
        ...(skip + pageSize < all.length ? { '@odata.nextLink': next.href } : {}),
      },
    }
  }

  function answerTo(sent: Sent): Given | undefined {
    const { method, url, headers, body } = sent
    if (url.pathname === '/me/calendars') {
      const value = calendars.map((name, i) => ({
        id: `AAMk${i}`,
        name,
        canEdit: true,
        isDefaultCalendar: i === 0,
        owner: { name: 'Anna', address: common.account },
      }))
      return { status: 200, body: { value } }
    }
    const first = '/me/calendars/AAMk0'
    if (url.pathname === `${first}/calendarView/delta`) return view(sent)
    if (url.pathname === `${first}/events`) {
      if (method === 'GET') return listOf(sent)
      const { transactionId, ...fields } = body as Fields & { transactionId?: string }
      const answer = wrong(fields)
      if (answer) return answer
      if (transactionId && transactions.has(transactionId))
        return refused(409, 'ErrorDuplicateTransactionId')
      if (transactionId) transactions.add(transactionId)
      return { status: 201, body: shown(store(fields), sent) }
    }
    const [, id, part] = /^\/me\/events\/([^/]+)(\/instances)?$/.exec(url.pathname) ?? []
    if (!id) return undefined
    const { event, day } = split(decodeURIComponent(id))
    const isThere =
      event && (day === undefined || (!event.dropped.has(day) && planned(event).has(day)))
    if (!isThere) return refused(404, 'ErrorItemNotFound')
    if (part) {
      const [from, to] = ['startDateTime', 'endDateTime'].map(
        (name) => url.searchParams.get(name) ?? '',
      )
      const days = [...planned(event)].filter(
        ([each, start]) =>
          !event.dropped.has(each) &&
          (event.own.has(each) || (start >= from!.slice(0, start.length) && start <= to!)),
      )
      return { status: 200, body: { value: days.map(([each]) => shown(event, sent, each)) } }
    }
    if (method === 'GET') return { status: 200, body: shown(event, sent, day) }
    const match = headers['if-match']
    if (match && match !== etagOf(event, day)) return refused(412, 'ErrorIrresolvableConflict')
    if (method === 'DELETE') {
      removeAt(event, day)
      return { status: 204 }
    }
    const next = {
      ...(day === undefined ? event.fields : fieldsAt(event, day)),
      ...(body as Fields),
    }
    const answer = wrong(next)
    if (answer) return answer
    update(event, day, body as Fields)
    return { status: 200, body: shown(event, sent, day) }
  }

  const common = await startProvider(answerTo, (after) => ({
    ...refused(after === null ? 503 : 429, 'TooManyRequests'),
    headers: after === null ? ({} as { [name: string]: string }) : { 'retry-after': String(after) },
  }))
  common.provider.revokeUrl = null
  const fieldsFor = (event: Simple): Fields => {
    const { rrule, start, all_day, zone } = event
    const date = all_day
      ? Temporal.PlainDate.from(start)
      : Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDate()
    const parts = Object.fromEntries(
      (rrule ?? '').split(';').map((part) => part.split('=') as [string, string]),
    )
    const interval = Number(parts.INTERVAL ?? 1)
    const patterns: { [frequency: string]: Pattern } = {
      DAILY: { type: 'daily', interval },
      WEEKLY: {
        type: 'weekly',
        interval,
        daysOfWeek: parts.BYDAY
          ? parts.BYDAY.split(',').map((day) => week[short.indexOf(day)] ?? '')
          : [week[date.dayOfWeek - 1] ?? ''],
      },
      MONTHLY: { type: 'absoluteMonthly', interval, dayOfMonth: date.day },
    }
    const range: Range = {
      type: 'noEnd',
      startDate: date.toString(),
      ...(parts.COUNT ? { type: 'numbered', numberOfOccurrences: Number(parts.COUNT) } : {}),
    }
    const pattern = patterns[parts.FREQ ?? '']
    return {
      subject: event.title,
      ...timesFor(event),
      recurrence: pattern ? { pattern, range } : null,
    }
  }
  const at = (id: string) => {
    const found = events.get(id)
    if (!found || found.isGone) throw new Error(`there is no event ${id}`)
    return found
  }
  const dayOf = (event: Stored, start: string) => {
    const found = [...planned(event)].find(([, each]) => each === start)
    if (!found) throw new Error(`${start} is no date of the series`)
    return found[0]
  }
  const live = () => [...events.values()].filter((each) => !each.isGone)
  const fake: FakeCalendars = Object.assign(common, {
    hasNoCalls: false,
    forget: () => {
      oldest = ++clock
    },
    events: () => new Map(live().map((each) => [each.id, simple(each.fields)])),
    lines: () =>
      live()
        .flatMap((event) =>
          [...planned(event)]
            .filter(([day]) => !event.dropped.has(day))
            .map(([day, start]) => {
              const own = event.own.get(day)
              return own ? lineOf(simple(own.fields)) : lineOf(simple(event.fields), start)
            }),
        )
        .toSorted(),
    create: (event: Simple) => store(fieldsFor(event)).id,
    change(id: string, event: Partial<Simple>) {
      garbled.delete(id)
      const next = fieldsFor({ ...simple(at(id).fields), ...event })
      const { recurrence, ...rest } = next
      const isMoved = event.start !== undefined || event.rrule !== undefined
      update(
        at(id),
        undefined,
        isMoved ? { ...rest, recurrence: recurrence ?? null } : { subject: next.subject },
      )
    },
    remove: (id: string) => removeAt(at(id), undefined),
    moveDate(id: string, start: string, event: Pick<Simple, 'title' | 'start' | 'end'>) {
      const all_day = event.start.length === 10
      update(at(id), dayOf(at(id), start), {
        subject: event.title,
        ...timesFor({ ...event, all_day, zone: 'UTC' }),
      })
    },
    dropDate: (id: string, start: string) => removeAt(at(id), dayOf(at(id), start)),
    garble(id: string) {
      garbled.add(id)
      touch(at(id))
    },
    callOf: (id: string) => at(id).fields.onlineMeeting?.joinUrl,
  })
  return fake
}
