import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { depth, seedNumber } from '../../../../test/support/depth.ts'
import { runJobs } from '../../../../test/support/drain.ts'
import { noRadicale, startRadicale } from '../../../../test/support/radicale.ts'
import { ourMeetings } from '../../../../test/support/our-meetings.ts'
import { randomOf } from '../../../../test/support/random.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'
import type { CalendarEvent } from './event.ts'
import { readIcs, writeIcs } from './icalendar.ts'

// Both sides are changed at random, while connections break before and after requests have arrived.

describe('a connected calendar that both sides change', { skip: noRadicale() }, () => {
  test('is the same at the end, and nothing is there twice', async () => {
    const below = randomOf(seedNumber)
    const service = await startService({}, undefined, false, undefined, true)
    const dav = await startRadicale()
    const org = await makeOrganization(service)
    const year = new Date().getUTCFullYear() + 1
    const two = (number: number) => String(number).padStart(2, '0')
    // around both changes of the clocks
    const day = () => `${year}-${pick(['03', '04', '10', '11'])}-${two(1 + below(28))}`
    const side = ourMeetings(service, org, { below, day, firstHour: 0 })
    const { call, pick, listed, here, title } = side

    const { url: address, account, password } = dav
    const connect = { slot: 'a', address, account, password }
    const { connection_id } = await call('POST', '/api/calendar/connections/', connect)
    await runJobs(service)
    await call('PUT', `/api/calendar/connections/${connection_id}/`, { reads: 'events' })
    // what the other side knows between two synchronizations
    let theirs: string[] | undefined
    const sync = async () => {
      await side.sync(connection_id)
      theirs = undefined
    }

    const newEvent = (): CalendarEvent => {
      const date = day()
      const zone = side.zone()
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
      const series = below(3) === 0 ? side.rule() : null
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
        const number = side.next()
        const uid = `theirs-${number}@phone.test`
        await dav.put(
          `${number}.ics`,
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
      side.cut(pick([0, 0, 0.1, 0.3]))
      const together = 1 + below(depth(12, 60))
      for (let i = 0; i < together && done < changes; i++, done++) {
        const one = pick([here, there])
        await (below(5) < 2 ? one.create() : one.change())
      }
      await sync()
    }
    side.cut(0)
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
    assert.ok(local.length > 0 && side.drawn() > 10)
  })
})
