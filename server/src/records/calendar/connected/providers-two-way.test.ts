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
import { ourMeetings } from '../../../../test/support/our-meetings.ts'
import { randomOf } from '../../../../test/support/random.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

// Both sides are changed at random, while connections break before and after requests have arrived, tokens expire and
// lists are forgotten.

const aDay = 86_400_000

for (const kind of ['google', 'microsoft'] as FakeKind[]) {
  describe(`a calendar of ${kind} that both sides change`, () => {
    test('is the same at the end, and nothing is there twice', async () => {
      const below = randomOf(seedNumber)
      const service = await startService({}, undefined, false, undefined, true)
      const fake = await providerFakes[kind]()
      useProvider(service, kind, fake)
      const org = await makeOrganization(service)
      // within what is listed, wherever the clocks are changed then
      const day = () => new Date(Date.now() + (5 + below(230)) * aDay).toISOString().slice(0, 10)
      const side = ourMeetings(service, org, { below, day, firstHour: 4 })
      const { call, pick, listed, here, title } = side
      const { token } = org.users.admin
      const say = (method: string, path: string, body?: object) =>
        service.call(method, path, { token, body })
      const { connection_id } = await connectThere(say, kind, fake)
      await runJobs(service)
      await call('PUT', `/api/calendar/connections/${connection_id}/`, { reads: 'events' })

      const sync = () => side.sync(connection_id)
      const newEvent = (): Simple => {
        const date = day()
        const zone = side.zone()
        if (below(4) === 0) {
          return { title: title(), start: date, end: date, all_day: true, zone: 'UTC', rrule: null }
        }
        const hour = String(below(23)).padStart(2, '0')
        const rrule = below(3) === 0 ? side.rule() : null
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
        const start = `${day()}T10:00:00.000Z`
        return { start, end: start.replace('T10:00', 'T10:30') }
      }

      const changes = depth(80, 600)
      for (let done = 0; done < changes;) {
        side.cut(pick([0, 0, 0.05, 0.2]))
        if (below(6) === 0) fake.expireTokens()
        if (below(8) === 0) fake.forget()
        const together = 1 + below(depth(12, 30))
        for (let i = 0; i < together && done < changes; i++, done++) {
          const one = pick([here, there])
          await (below(5) < 2 ? one.create() : one.change())
        }
        await sync()
      }
      side.cut(0)
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
      assert.ok(lines.length > 0 && side.drawn() > 10)
      const [state] = await call('GET', '/api/calendar/connections/')
      assert.deepEqual([state.state, state.faults], ['connected', []])
      const before = fake.changes()
      await sync()
      assert.equal(fake.changes(), before)
    })
  })
}
