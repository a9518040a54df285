import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { depth, seedNumber } from '../../../../test/support/depth.ts'
import { runJobs } from '../../../../test/support/drain.ts'
import { noRadicale, startRadicale } from '../../../../test/support/radicale.ts'
import { randomOf } from '../../../../test/support/random.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'
import { OutboundError } from '../../../kit/ground/services.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'
import type { CalendarEvent } from './event.ts'
import { readIcs, writeIcs } from './icalendar.ts'

// Both sides are changed at random, while connections break before and after requests have arrived.

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
const rules = ['FREQ=WEEKLY;COUNT=6', 'FREQ=DAILY;COUNT=9', 'FREQ=MONTHLY;COUNT=4']

describe('a connected calendar that both sides change', { skip: noRadicale() }, () => {
  test('is the same at the end, and nothing is there twice', async () => {
    const below = randomOf(seedNumber)
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
    const service = await startService({}, undefined, false, undefined, true)
    const dav = await startRadicale()
    const org = await makeOrganization(service)
    const { token } = org.users.admin
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

    const { url: address, account, password } = dav
    const connect = { slot: 'a', address, account, password }
    const { connection_id } = await call('POST', '/api/calendar/connections/', connect)
    await runJobs(service)
    await call('PUT', `/api/calendar/connections/${connection_id}/`, { reads: 'events' })
    // what each side knows between two synchronizations
    let ours: MeetingRow[] | undefined
    let theirs: string[] | undefined
    const sync = async () => {
      await call('POST', `/api/calendar/connections/${connection_id}/sync/`)
      await runJobs(service)
      ours = undefined
      theirs = undefined
    }

    const year = new Date().getUTCFullYear() + 1
    const two = (number: number) => String(number).padStart(2, '0')
    // around both changes of the clocks
    const day = () => `${year}-${pick(['03', '04', '10', '11'])}-${two(1 + below(28))}`
    let count = 0
    const title = () => `Meeting ${++count}, or ${pick(['a; b', 'ä\\ö', '会議', '"quoted"'])}`

    const listed = async () => {
      const found: MeetingRow[] = []
      for (let page = 1; ; page++) {
        const some = await call('GET', `/api/calendar/info/?page=${page}&items_per_page=100`)
        found.push(...some)
        if (some.length < 100) return found
      }
    }
    const newTimes = (): { [field: string]: unknown } => {
      const date = day()
      const kind = below(4)
      const zone = pick(zones)
      if (kind === 0) return { start: date, end: date, all_day: true, timezone: zone }
      const hour = below(23)
      const times = {
        start: `${date}T${two(hour)}:${pick(['00', '15', '30'])}:00`,
        end: `${date}T${two(hour)}:45:00`,
        all_day: false,
        timezone: zone,
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
    const newEvent = (): CalendarEvent => {
      const date = day()
      const zone = pick(zones)
      const plain = { description: null, location: null, link: null, cancelled: false, exdates: [] }
      if (below(4) === 0) {
        return {
          ...plain,
          title: title(),
          start: date,
          end: date,
          all_day: true,
          zone: null,
          rrule: null,
        }
      }
      const hour = below(23)
      const start = `${date}T${two(hour)}:00:00.000Z`
      const end = `${date}T${two(hour)}:30:00.000Z`
      const series = below(3) === 0 ? pick(rules) : null
      return {
        ...plain,
        title: title(),
        start,
        end,
        all_day: false,
        zone: series && zone,
        rrule: series,
      }
    }
    const now = new Date()
    const there = {
      async create() {
        const uid = `theirs-${++count}@phone.test`
        await dav.put(
          `${count}.ics`,
          writeIcs({ uid, parts: [{ key: '', event: newEvent() }], now }),
        )
      },
      async change() {
        theirs ??= await dav.names()
        const name = pick(theirs)
        if (!name) return
        const text = await dav.get(name)
        const read = await readIcs(text, 'UTC')
        assert.ok(read)
        const [first] = read.parts
        const what = below(5)
        if (what === 0) {
          theirs.splice(theirs.indexOf(name), 1)
          return dav.remove(name)
        }
        const before = { text, parts: read.parts }
        const parts: { key: string; event: CalendarEvent }[] = [...read.parts]
        const whole = first && { ...first, key: first.key }
        if (!whole) return
        if (what === 1 && whole.event.rrule && whole.key === '') {
          // a date that is held at another hour
          const key = whole.event.start
          if (parts.some((each) => each.key === key) || whole.event.all_day) return
          const event = { ...newEvent(), rrule: null, zone: null, all_day: false, exdates: [] }
          if (event.start.length === 10) return
          parts.push({ key, event })
          parts[0] = {
            ...whole,
            event: { ...whole.event, exdates: [...whole.event.exdates, key].toSorted() },
          }
        } else if (what === 2 && parts.length === 1) {
          parts[0] = { ...whole, event: { ...newEvent(), title: whole.event.title } }
        } else parts[0] = { ...whole, event: { ...whole.event, title: title() } }
        const written = writeIcs({ uid: read.uid, parts, now }, before)
        await dav.put(name, written)
      },
    }

    const changes = depth(60, 2000)
    for (let done = 0; done < changes;) {
      cuts = pick([0, 0, 0.1, 0.3])
      const together = 1 + below(depth(12, 60))
      for (let i = 0; i < together && done < changes; i++, done++) {
        const side = pick([here, there])
        await (below(5) < 2 ? side.create() : side.change())
      }
      await sync()
    }
    cuts = 0
    await sync()
    await sync()

    const [state] = await call('GET', '/api/calendar/connections/')
    assert.deepEqual([state.state, state.faults], ['connected', []])
    const line = (event: CalendarEvent) =>
      [
        event.title,
        event.location,
        event.start,
        event.end,
        event.rrule,
        event.zone,
        event.exdates,
      ].join(' | ')
    const remote: string[] = []
    const uids: string[] = []
    for (const text of (await dav.all()).values()) {
      const read = await readIcs(text, 'UTC')
      assert.ok(read, text)
      uids.push(read.uid)
      remote.push(...read.parts.map(({ event }) => line(event)))
    }
    const { icsOf } = await import('../ics.ts')
    const local: string[] = []
    for (const meeting of await listed()) {
      const zone = (meeting.timezone?.name as string | undefined) ?? 'UTC'
      const alone = { ...meeting, attendees: [], zone, version: 1, organizer: null }
      const read = await readIcs(icsOf([alone], { host: 'x', name: 'x' }), 'UTC')
      local.push(line(read!.parts[0]!.event))
    }
    // each is on both sides as often: what is left says what is wrong
    const without = (list: string[], other: string[]) => {
      const left = [...other]
      return list.filter((each) => {
        const at = left.indexOf(each)
        if (at >= 0) left.splice(at, 1)
        return at < 0
      })
    }
    const differences = { here: without(local, remote), there: without(remote, local) }
    assert.deepEqual(differences, { here: [], there: [] })
    assert.equal(new Set(uids).size, uids.length)
    assert.equal(new Set(local).size, local.length)
    assert.ok(local.length > 0 && count > 10)
  })
})
