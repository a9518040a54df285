import assert from 'node:assert/strict'
import { OutboundError } from '../../src/kit/ground/services.ts'
import type { MeetingRow } from '../../src/model/calendar/meeting.ts'
import { runJobs } from './drain.ts'
import type { TestOrganization, TestService } from './service.ts'
import { rows, sql } from './service.ts'

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
const rules = ['FREQ=WEEKLY;COUNT=6', 'FREQ=DAILY;COUNT=9', 'FREQ=MONTHLY;COUNT=4']
const two = (number: number) => String(number).padStart(2, '0')

type Draws = {
  below: (most: number) => number
  /** a date such as 2027-03-14 */
  day: () => string
  /** the first hour of our meetings; they begin before 23:00 */
  firstHour: number
}

/**
 * Our side of a connected calendar that both sides change at random: meetings that are created and changed, and
 * connections that break before or after a request has arrived.
 */
export function ourMeetings(
  service: TestService,
  { users: { admin } }: TestOrganization,
  { below, day, firstHour }: Draws,
) {
  const { token } = admin
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`)
    return reply.body
  }

  // some answers are lost, some requests never arrive
  const { outbound } = service.runtime.services
  let cuts = 0
  const ask = outbound.ask.bind(outbound)
  outbound.ask = async (request) => {
    const luck = below(1000) / 1000
    if (luck < cuts / 2) throw new OutboundError('cut before', false)
    const answer = await ask(request)
    if (luck < cuts) throw new OutboundError('cut after', false)
    return answer
  }

  // what is known between two synchronizations
  let ours: MeetingRow[] | undefined
  let count = 0
  const title = () => `Meeting ${++count}, or ${pick(['a; b', 'ä\\ö', '会議', '"quoted"'])}`
  const listed = async (bounds = '') => {
    const found: MeetingRow[] = []
    for (let page = 1; ; page++) {
      const path = `/api/calendar/info/?page=${page}&items_per_page=100${bounds}`
      const some: MeetingRow[] = await call('GET', path)
      found.push(...some)
      if (some.length < 100) return found
    }
  }
  const newTimes = (): { [field: string]: unknown } => {
    const date = day()
    const kind = below(4)
    const timezone = pick(zones)
    if (kind === 0) return { start: date, end: date, all_day: true, timezone }
    const hour = two(firstHour + below(23 - firstHour))
    const times = {
      start: `${date}T${hour}:${pick(['00', '15', '30'])}:00`,
      end: `${date}T${hour}:45:00`,
      all_day: false,
      timezone,
    }
    return kind === 1 ? { ...times, repeat: pick(rules) } : times
  }
  // a date of a series cannot repeat by itself
  const isDate = async ({ calendar_id }: MeetingRow) => {
    const found = await rows(
      service,
      sql`select from calendar_copies where calendar_id = ${calendar_id} and part <> ''`,
    )
    return found.length > 0
  }
  const here = {
    create: () =>
      call('POST', '/api/calendar/info/', {
        title: title(),
        ...newTimes(),
        push_to_calendar_a: true,
      }),
    async change() {
      ours ??= await listed()
      const meeting = pick(ours)
      if (!meeting) return
      const path = `/api/calendar/info/${meeting.calendar_id}/`
      const what = below(4)
      if (what === 0) {
        await call('DELETE', path)
        ours.splice(ours.indexOf(meeting), 1)
      } else if (what === 1) await call('PATCH', path, { title: title() })
      else if (what === 2 && meeting.repeat) {
        const { rrule, exdates } = meeting.repeat
        const repeat = { rrule, exdates: [...exdates, meeting.start] }
        Object.assign(meeting, await call('PATCH', path, { repeat }))
      } else {
        const { repeat, ...times } = newTimes()
        const rule = repeat && !(await isDate(meeting)) ? { repeat } : {}
        const body = { location: `Room ${below(99)}`, ...times, ...rule }
        Object.assign(meeting, await call('PATCH', path, body))
      }
    },
  }
  return {
    call,
    pick,
    listed,
    here,
    title,
    /** how many titles and numbers were drawn */
    drawn: () => count,
    zone: () => pick(zones),
    rule: () => pick(rules),
    /** a number for what has no title of ours */
    next: () => ++count,
    /** from now on this share of all requests is cut, half of them before they arrive */
    cut: (share: number) => void (cuts = share),
    /** Synchronizes a connection, and waits until that is done. */
    async sync(connection_id: string) {
      await call('POST', `/api/calendar/connections/${connection_id}/sync/`)
      await runJobs(service)
      ours = undefined
    },
  }
}
