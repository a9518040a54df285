import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { depth, seedNumber } from '../../../../test/support/depth.ts'
import { runJobs } from '../../../../test/support/drain.ts'
import type { Simple } from '../../../../test/support/fake-calendars.ts'
import { datesOf } from '../../../../test/support/fake-calendars.ts'
import type { FakeKind } from '../../../../test/support/provider-calendars.ts'
import {
  connectThere,
  providerFakes,
  useProvider,
} from '../../../../test/support/provider-calendars.ts'
import { randomOf } from '../../../../test/support/random.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'
import { OutboundError } from '../../../kit/ground/services.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'

// Both sides are changed at random, while connections break before and after requests have arrived, tokens expire and
// lists are forgotten.

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
const rules = ['FREQ=WEEKLY;COUNT=6', 'FREQ=DAILY;COUNT=9', 'FREQ=MONTHLY;COUNT=4']
const aDay = 86_400_000

for (const kind of ['google', 'microsoft'] as FakeKind[]) {
  describe(`a calendar of ${kind} that both sides change`, () => {
    test('is the same at the end, and nothing is there twice', async () => {
      const below = randomOf(seedNumber)
      const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
      const service = await startService({}, undefined, false, undefined, true)
      const fake = await providerFakes[kind]()
      useProvider(service, kind, fake)
      const org = await makeOrganization(service)
      const { token } = org.users.admin
      const call = async (method: string, path: string, body?: object) => {
        const reply = await service.call(method, path, { token, body })
        assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`)
        return reply.body
      }
      const say = (method: string, path: string, body?: object) =>
        service.call(method, path, { token, body })
      const { connection_id } = await connectThere(say, kind, fake)
      await runJobs(service)
      await call('PUT', `/api/calendar/connections/${connection_id}/`, { reads: 'events' })

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
      const listed = async (bounds = '') => {
        const found: MeetingRow[] = []
        for (let page = 1; ; page++) {
          const path = `/api/calendar/info/?page=${page}&items_per_page=100${bounds}`
          const some: MeetingRow[] = await call('GET', path)
          found.push(...some)
          if (some.length < 100) return found
        }
      }
      let ours: MeetingRow[] | undefined
      const sync = async () => {
        await call('POST', `/api/calendar/connections/${connection_id}/sync/`)
        await runJobs(service)
        ours = undefined
      }

      // within what is listed, wherever the clocks are changed then
      const dayIn = () => new Date(Date.now() + (5 + below(230)) * aDay).toISOString().slice(0, 10)
      const two = (number: number) => String(number).padStart(2, '0')
      let count = 0
      const title = () => `Meeting ${++count}, or ${pick(['a; b', 'ä\\ö', '会議', '"quoted"'])}`
      const newTimes = (): { [field: string]: unknown } => {
        const date = dayIn()
        const what = below(4)
        const timezone = pick(zones)
        if (what === 0) return { start: date, end: date, all_day: true, timezone }
        const hour = two(4 + below(19))
        const times = {
          start: `${date}T${hour}:${pick(['00', '15', '30'])}:00`,
          end: `${date}T${hour}:45:00`,
          all_day: false,
          timezone,
        }
        return what === 1 ? { ...times, repeat: pick(rules) } : times
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
      const newEvent = (): Simple => {
        const date = dayIn()
        const zone = pick(zones)
        if (below(4) === 0) {
          return { title: title(), start: date, end: date, all_day: true, zone: 'UTC', rrule: null }
        }
        const hour = two(below(23))
        const rrule = below(3) === 0 ? pick(rules) : null
        return {
          title: title(),
          start: `${date}T${hour}:00:00.000Z`,
          end: `${date}T${hour}:30:00.000Z`,
          all_day: false,
          zone: rrule ? zone : 'UTC',
          rrule,
        }
      }
      const there = {
        create: async () => void fake.create(newEvent()),
        async change() {
          const [id, event] = pick([...fake.events()]) ?? []
          if (!id || !event) return
          const what = below(5)
          if (what === 0) return fake.remove(id)
          const dates = event.rrule ? datesOf(event) : []
          const date = pick(dates)
          const isOwn = fake.lines().some((line) => line.includes(`${event.title} | ${date} |`))
          if (date && isOwn && what === 1) {
            const { start, end } = { ...newEvent(), ...timed() }
            return fake.moveDate(id, date, { title: title(), start, end })
          }
          if (date && isOwn && what === 2) return fake.dropDate(id, date)
          if (what === 3) return fake.change(id, { ...newEvent(), title: event.title })
          return fake.change(id, { title: title() })
        },
      }
      const timed = () => {
        const start = `${dayIn()}T10:00:00.000Z`
        return { start, end: start.replace('T10:00', 'T10:30') }
      }

      const changes = depth(80, 600)
      for (let done = 0; done < changes;) {
        cuts = pick([0, 0, 0.05, 0.2])
        if (below(6) === 0) fake.expireTokens()
        if (below(8) === 0) fake.forget()
        const together = 1 + below(depth(12, 30))
        for (let i = 0; i < together && done < changes; i++, done++) {
          const side = pick([here, there])
          await (below(5) < 2 ? side.create() : side.change())
        }
        await sync()
      }
      cuts = 0
      await sync()
      await sync()
      const [from, to] = [-10, 390].map((days) => new Date(Date.now() + days * aDay).toISOString())
      const shown = await listed(`&start=${from}&end=${to}`)
      const lines = shown.map(({ title: name, start, end, all_day }) => {
        const [a, b] = all_day ? [start.slice(0, 10), end.slice(0, 10)] : [start, end]
        return `${name} | ${a} | ${b}`
      })
      const wholeDays = (line: string) => !/ \| \d{4}-\d\d-\d\d \| /.test(line)
      const plain = (some: string[]) => some.filter(wholeDays).toSorted()
      assert.deepEqual(plain(lines), plain(fake.lines()))
      // whole days begin at midnight of the zone of each, so they are compared by their number and names
      const names = (some: string[]) =>
        some
          .filter((line) => !wholeDays(line))
          .map((line) => line.split(' | ')[0])
          .toSorted()
      assert.deepEqual(names(lines), names(fake.lines()))
      assert.equal(new Set(lines).size, lines.length)
      assert.ok(lines.length > 0 && count > 10)
      const [state] = await call('GET', '/api/calendar/connections/')
      assert.deepEqual([state.state, state.faults], ['connected', []])
      const before = fake.changes()
      await sync()
      assert.equal(fake.changes(), before)
    })
  })
}
