import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { runJobs } from '../../../../test/support/drain.ts'
import type { FakeCalendars, Simple } from '../../../../test/support/fake-calendars.ts'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { startMailbox } from '../../../../test/support/mailbox.ts'
import type { FakeKind } from '../../../../test/support/provider-calendars.ts'
import {
  connectThere,
  providerFakes,
  useProvider,
} from '../../../../test/support/provider-calendars.ts'
import { refusedField } from '../../../../test/support/refused.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'

type Listed = {
  calendar_id: string
  title: string
  start: string
  end: string
  link: string | null
}

type Fault = { title: string | null; problem: string }

const day = 86_400_000
/** A day in some weeks: what changes there is listed. */
const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)
const plain = { all_day: false, zone: 'UTC', rrule: null }

for (const kind of ['google', 'microsoft'] as FakeKind[]) {
  describe(`a calendar of ${kind}`, () => {
    let service: TestService
    let mailbox: Mailbox

    before(async () => {
      mailbox = await startMailbox()
      const videoCallsUrl = 'https://meet.example.com'
      service = await startService({ videoCallsUrl, smtpUrl: mailbox.url })
    })

    /** An organization whose administrator has connected a calendar of their own. */
    async function connected(reads = 'events') {
      const fake = await providerFakes[kind]()
      useProvider(service, kind, fake)
      const org = await makeOrganization(service)
      const { token } = org.users.admin
      const say = (method: string, path: string, body?: object, as = token) =>
        service.call(method, path, { token: as, body })
      const { connection_id: id } = await connectThere(say, kind, fake)
      await runJobs(service)
      const again = async () => {
        await say('POST', `/api/calendar/connections/${id}/sync/`)
        await runJobs(service)
      }
      const chosen = await say('PUT', `/api/calendar/connections/${id}/`, { reads })
      assert.equal(chosen.status, 200, chosen.text)
      await runJobs(service)
      const state = async () => (await say('GET', '/api/calendar/connections/')).body[0]
      const meetings = async (): Promise<Listed[]> =>
        (await say('GET', '/api/calendar/info/?page=1&items_per_page=100')).body
      const make = async (more: object = {}) => {
        const reply = await say('POST', '/api/calendar/info/', {
          title: 'Steering',
          start: `${dateIn(20)}T09:00:00.000Z`,
          end: `${dateIn(20)}T10:00:00.000Z`,
          push_to_calendar_a: true,
          ...more,
        })
        assert.equal(reply.status, 201, reply.text)
        await runJobs(service)
        return reply.body.calendar_id as string
      }
      const change = async (meeting: string, body: object) => {
        const reply = await say('PATCH', `/api/calendar/info/${meeting}/`, body)
        assert.equal(reply.status, 200, reply.text)
        await runJobs(service)
        return reply.body
      }
      return { fake, org, say, id, again, state, meetings, make, change }
    }
    const only = (fake: FakeCalendars): [string, Simple] => {
      const [first, ...others] = fake.events()
      assert.ok(first)
      assert.equal(others.length, 0)
      return first
    }

    test('is offered where the operator has registered the service, and connected by consent', async () => {
      const fake = await providerFakes[kind](['work', 'family'])
      service.runtime.services.calendarProviders[kind] = null
      const org = await makeOrganization(service)
      const { admin, member } = org.users
      const say = (method: string, path: string, body?: object, as = admin.token) =>
        service.call(method, path, { token: as, body })
      const kinds = async () => (await say('GET', '/api/calendar/connections/kinds/')).body
      assert.ok(!(await kinds()).includes(kind))
      const begin = { slot: 'b', kind }
      refusedField(await say('POST', '/api/calendar/connections/begin/', begin), ['kind'])
      useProvider(service, kind, fake)
      assert.ok((await kinds()).includes(kind))

      const { body } = await say('POST', '/api/calendar/connections/begin/', begin)
      const asked = new URL(body.authorization_url).searchParams
      assert.equal(asked.get('code_challenge_method'), 'S256')
      assert.match(asked.get('scope') ?? '', /calendar/i)
      const refused = await fake.consent(body.authorization_url, true)
      assert.equal(refused.searchParams.get('error'), 'access_denied')
      const back = await fake.consent(body.authorization_url)
      const answer = Object.fromEntries(back.searchParams)
      const finish = (sent: object, as?: string) =>
        say('POST', '/api/calendar/connections/finish/', sent, as)
      const fieldOf = async (reply: ReturnType<typeof finish>) => {
        const { status, body: said } = await reply
        return [status, said.errors?.[0]?.field]
      }
      // of somebody else, forged, and with a code that the provider did not give
      assert.deepEqual(await fieldOf(finish(answer, member.token)), [400, 'state'])
      assert.deepEqual(await fieldOf(finish({ ...answer, state: 'forged' })), [400, 'state'])
      assert.deepEqual(await fieldOf(finish({ ...answer, code: 'guessed' })), [400, 'code'])
      const made = await finish(answer)
      assert.equal(made.status, 200, made.text)
      assert.deepEqual(
        [made.body.kind, made.body.slot, made.body.account, made.body.state],
        [kind, 'b', fake.account, 'connecting'],
      )
      // neither the code nor what was begun with it is used again
      assert.equal((await finish(answer)).status, 400)
      const other = await fake.consent(body.authorization_url)
      assert.deepEqual(await fieldOf(finish(Object.fromEntries(other.searchParams))), [
        400,
        'state',
      ])
      await runJobs(service)
      const [found] = (await say('GET', '/api/calendar/connections/')).body
      assert.deepEqual([found.state, found.reads], ['connected', 'busy'])
      assert.equal(found.calendars.length, 2)
      const [stored] = await rows<{ secret: Buffer }>(
        service,
        sql`select secret from calendar_connections where id = ${found.connection_id}`,
      )
      assert.doesNotMatch(stored?.secret.toString('latin1') ?? 'token', /token/)
      const gone = await say('DELETE', `/api/calendar/connections/${found.connection_id}/`)
      assert.equal(gone.status, 204)
      await runJobs(service)
      assert.equal(fake.revoked.length, kind === 'google' ? 1 : 0)
    })

    test('is connected whatever its calendars are called', async () => {
      const long = 'a'.repeat(254)
      const fake = await providerFakes[kind](['work', `${long}😀`, 'nu\0ll', ' \0'])
      useProvider(service, kind, fake)
      const org = await makeOrganization(service)
      const say = (method: string, path: string, body?: object) =>
        service.call(method, path, { token: org.users.admin.token, body })
      await connectThere(say, kind, fake)
      await runJobs(service)
      const [found] = (await say('GET', '/api/calendar/connections/')).body
      assert.equal(found.state, 'connected')
      const shown = found.calendars.map(({ name }: { name: string }) => name)
      assert.deepEqual(shown, ['work', `${long}\ufffd`, 'null', found.calendars[3].id])
    })

    test('what was begun too long ago, or in another organization, is refused', async () => {
      const fake = await providerFakes[kind]()
      useProvider(service, kind, fake)
      const [one, two] = [await makeOrganization(service), await makeOrganization(service)]
      const call = (path: string, body: object, token: string) =>
        service.call('POST', `/api/calendar/connections/${path}/`, { token, body })
      const begun = await call('begin', { slot: 'a', kind }, one.users.admin.token)
      const back = await fake.consent(begun.body.authorization_url)
      const answer = Object.fromEntries(back.searchParams)
      assert.equal((await call('finish', answer, two.users.admin.token)).status, 400)
      const { now } = service.runtime
      service.runtime.now = () => new Date(Date.now() + 11 * 60_000)
      const late = await call('finish', answer, one.users.admin.token)
      service.runtime.now = now
      assert.equal(late.status, 400)
      assert.equal(late.body.errors[0].field, 'state')
      assert.equal(fake.changes(), 0)
    })

    test('has meetings by their flag, changed and cancelled there too, each once and without loops', async () => {
      const { fake, again, make, change, meetings } = await connected()
      const id = await make({
        location: 'Room 1',
        description: 'One\ntwo',
        timezone: 'Europe/Paris',
      })
      await make({ title: 'Elsewhere', push_to_calendar_a: false, push_to_calendar_b: true })
      const [there, event] = only(fake)
      assert.equal(event.title, 'Steering')
      assert.equal(event.start, `${dateIn(20)}T09:00:00.000Z`)
      await change(id, { title: 'Steering committee' })
      assert.equal(only(fake)[1].title, 'Steering committee')
      // moved there, moved here
      const moved = { start: `${dateIn(21)}T08:00:00.000Z`, end: `${dateIn(21)}T08:30:00.000Z` }
      fake.change(there, moved)
      await again()
      const read = (await meetings()).find((each) => each.calendar_id === id)
      assert.deepEqual([read?.start, read?.end], [moved.start, moved.end])
      await change(id, { start: `${dateIn(22)}T11:00:00Z`, end: `${dateIn(22)}T12:00:00Z` })
      assert.equal(only(fake)[1].start, `${dateIn(22)}T11:00:00.000Z`)
      // whole days
      await change(id, { start: dateIn(23), end: dateIn(24), all_day: true, timezone: 'UTC' })
      assert.deepEqual(
        [only(fake)[1].all_day, only(fake)[1].start, only(fake)[1].end],
        [true, dateIn(23), dateIn(24)],
      )
      const before = fake.changes()
      await again()
      await again()
      assert.equal(fake.changes(), before)
      assert.equal((await meetings()).length, 2)
      await change(id, { is_meeting_cancelled: true })
      assert.equal(fake.events().size, 0)
      await change(id, { is_meeting_cancelled: false })
      assert.equal(only(fake)[1].title, 'Steering committee')
      await again()
      assert.equal((await meetings()).length, 2)
      // removed there by who organizes it: it does not take place
      fake.remove(only(fake)[0])
      await again()
      assert.deepEqual(
        (await meetings()).map(({ title }) => title),
        ['Elsewhere'],
      )
    })

    test('is written once where the answer to a write was lost', async () => {
      const { fake, again, say, state } = await connected()
      const { outbound } = service.runtime.services
      const ask = outbound.ask.bind(outbound)
      outbound.ask = async (request) => {
        const answer = await ask(request)
        return request.method === 'POST' ? { ...answer, status: 500 } : answer
      }
      const made = await say('POST', '/api/calendar/info/', {
        title: 'Once',
        start: `${dateIn(20)}T09:00:00Z`,
        end: `${dateIn(20)}T10:00:00Z`,
        push_to_calendar_a: true,
      })
      assert.equal(made.status, 201)
      await runJobs(service)
      assert.equal((await state()).problem, 'unreachable')
      outbound.ask = ask
      await again()
      assert.equal((await state()).state, 'connected')
      assert.equal(only(fake)[1].title, 'Once')
      const before = fake.changes()
      await again()
      assert.equal(fake.changes(), before)
    })

    test('its events are private meetings that change on both sides', async () => {
      const { fake, again, meetings, change, say } = await connected()
      const start = `${dateIn(15)}T08:00:00.000Z`
      const end = `${dateIn(15)}T08:30:00.000Z`
      const there = fake.create({ ...plain, title: 'Dentist', start, end })
      fake.create({ ...plain, title: 'Away', start: dateIn(16), end: dateIn(17), all_day: true })
      await again()
      const read = (await meetings()).find(({ title }) => title === 'Dentist')
      assert.ok(read)
      assert.deepEqual([read.start, read.end], [start, end])
      await change(read.calendar_id, { title: 'Dentist, Dr. Vidal' })
      assert.equal(fake.events().get(there)?.title, 'Dentist, Dr. Vidal')
      fake.change(there, { title: 'Dentist again' })
      await again()
      assert.ok((await meetings()).some(({ title }) => title === 'Dentist again'))
      await say('DELETE', `/api/calendar/info/${read.calendar_id}/`)
      await runJobs(service)
      assert.deepEqual(
        [...fake.events().values()].map(({ title }) => title),
        ['Away'],
      )
      const before = fake.changes()
      await again()
      assert.equal(fake.changes(), before)
    })

    test('makes its person busy, without what its events say', async () => {
      const { fake, again, meetings, say, org } = await connected('busy')
      const times = { start: `${dateIn(15)}T08:00:00.000Z`, end: `${dateIn(15)}T08:30:00.000Z` }
      fake.create({ ...plain, title: 'Interview', ...times })
      await again()
      assert.deepEqual(await meetings(), [])
      const stored = await rows(
        service,
        sql`select * from calendar_copies
        where organization_id = ${org.id}`,
      )
      assert.equal(stored.length, 1)
      assert.doesNotMatch(JSON.stringify(stored), /Interview/)
      const { body } = await say('POST', '/api/calendar/free-busy/', {
        people: [org.users.admin.user_id],
        from: `${dateIn(15)}T00:00:00Z`,
        to: `${dateIn(16)}T00:00:00Z`,
      })
      assert.deepEqual(
        body.people[0].busy.map((each: { from: string; to: string }) => [each.from, each.to]),
        [[times.start, times.end]],
      )
    })

    test('series with moved and dropped dates are the same on both sides', async () => {
      const { fake, again, meetings, change, make, say, state } = await connected()
      const first = dateIn(14)
      const start = `${first}T07:00:00.000Z`
      const end = `${first}T08:00:00.000Z`
      const there = fake.create({
        title: 'Weekly',
        start,
        end,
        all_day: false,
        zone: 'Europe/Berlin',
        rrule: 'FREQ=WEEKLY;COUNT=6',
      })
      await again()
      const planned = fake.lines().map((line) => line.split(' | ')[1] ?? '')
      assert.equal(planned.length, 6)
      const shownDates = async () => {
        const bounds = `start=${dateIn(0)}T00:00:00Z&end=${dateIn(120)}T00:00:00Z`
        const reply = await say('GET', `/api/calendar/info/?page=1&items_per_page=100&${bounds}`)
        return reply.body
          .map((each: Listed) => `${each.title} | ${each.start} | ${each.end}`)
          .toSorted()
      }
      assert.deepEqual(await shownDates(), fake.lines())
      const times = { start: `${dateIn(22)}T13:00:00.000Z`, end: `${dateIn(22)}T14:00:00.000Z` }
      fake.moveDate(there, planned[1] ?? '', { title: 'Weekly, later', ...times })
      fake.dropDate(there, planned[2] ?? '')
      await again()
      assert.equal(fake.lines().length, 5)
      assert.deepEqual(await shownDates(), fake.lines())
      const one = (await meetings()).find(({ title }) => title === 'Weekly, later')
      assert.ok(one)
      // the moved date is changed and left out here, and another one
      await change(one.calendar_id, { title: 'Weekly, once' })
      assert.deepEqual(await shownDates(), fake.lines())
      // it cannot be a series in its series
      await change(one.calendar_id, { repeat: 'FREQ=DAILY;COUNT=2' })
      assert.deepEqual((await state()).faults, [
        { title: 'Weekly, once', problem: 'One date of a series cannot repeat there' },
      ])
      assert.equal(fake.lines().length, 5)
      await change(one.calendar_id, { repeat: null })
      assert.deepEqual((await state()).faults, [])
      assert.deepEqual(await shownDates(), fake.lines())
      await say('DELETE', `/api/calendar/info/${one.calendar_id}/`)
      await runJobs(service)
      assert.equal(fake.lines().length, 4)
      assert.deepEqual(await shownDates(), fake.lines())
      const series = (await meetings()).find(({ title }) => title === 'Weekly')
      assert.ok(series)
      const { repeat } = (await say('GET', `/api/calendar/info/${series.calendar_id}/`)).body
      await change(series.calendar_id, {
        repeat: { ...repeat, exdates: [...repeat.exdates, planned[3]] },
      })
      assert.equal(fake.lines().length, 3)
      assert.deepEqual(await shownDates(), fake.lines())
      // a series that begins here, with a date left out and brought back
      const own = await make({
        title: 'Board',
        start: `${dateIn(30)}T09:00:00`,
        end: `${dateIn(30)}T10:00:00`,
        timezone: 'America/New_York',
        repeat: { rrule: 'FREQ=DAILY;COUNT=4', exdates: [`${dateIn(31)}T09:00:00`] },
      })
      assert.equal(fake.lines().length, 6)
      assert.deepEqual(await shownDates(), fake.lines())
      await change(own, { repeat: { rrule: 'FREQ=DAILY;COUNT=4', exdates: [] } })
      assert.equal(fake.lines().length, 7)
      assert.deepEqual(await shownDates(), fake.lines())
      const before = fake.changes()
      await again()
      await again()
      assert.equal(fake.changes(), before)
    })

    test('entries that cannot be read are left out and named, and hold up no other', async () => {
      const { fake, again, meetings, make, change, state } = await connected()
      const id = await make()
      const [ours] = only(fake)
      const start = `${dateIn(15)}T08:00:00.000Z`
      const times = { start, end: `${dateIn(15)}T08:30:00.000Z` }
      const broken = fake.create({ ...plain, title: 'Broken', ...times })
      fake.garble(broken)
      fake.garble(ours)
      fake.create({ ...plain, title: 'Good', ...times })
      await again()
      const titles = async () => (await meetings()).map(({ title }) => title).toSorted()
      assert.deepEqual(await titles(), ['Good', 'Steering'])
      const found = await state()
      assert.equal(found.state, 'connected')
      const problem = 'has a value that cannot be read'
      assert.deepEqual(
        found.faults.toSorted(
          (a: Fault, b: Fault) => Number(a.title === null) - Number(b.title === null),
        ),
        [
          { title: 'Steering', problem },
          { title: null, problem },
        ],
      )
      // nothing is written over what could not be read, and what is right again is a meeting
      const before = fake.changes()
      await change(id, { title: 'Changed here' })
      assert.equal(fake.changes(), before)
      fake.change(broken, { title: 'Broken no more', ...times })
      fake.change(ours, {
        start: `${dateIn(20)}T09:00:00.000Z`,
        end: `${dateIn(20)}T10:00:00.000Z`,
      })
      await again()
      assert.deepEqual(await titles(), ['Broken no more', 'Changed here', 'Good'])
      assert.deepEqual((await state()).faults, [])
      assert.equal(fake.events().get(ours)?.title, 'Changed here')
    })

    test('tokens are renewed as they expire, and a connection whose access was taken away is said to be broken', async () => {
      const { fake, make, state, again, say, id } = await connected()
      fake.expireTokens()
      await make()
      assert.equal((await state()).state, 'connected')
      assert.equal(fake.events().size, 1)
      fake.revokeTokens()
      await make({ title: 'Later' })
      const broken = await state()
      assert.deepEqual([broken.state, broken.problem], ['broken', 'credentials'])
      assert.ok(broken.problem_since)
      // the same account in the same place: what was chosen stays
      const next = await connectThere(say, kind, fake)
      assert.equal(next.connection_id, id)
      await runJobs(service)
      assert.deepEqual([(await state()).state, (await state()).reads], ['connected', 'events'])
      assert.equal(fake.events().size, 2)
      const before = fake.changes()
      await again()
      assert.equal(fake.changes(), before)
    })

    test('a lost token is a full reading, after which nothing is there twice', async () => {
      const { fake, make, again, meetings } = await connected()
      const titles = async () => (await meetings()).map(({ title }) => title).toSorted()
      const event = (title: string, days: number) =>
        fake.create({
          ...plain,
          title,
          start: `${dateIn(days)}T08:00:00.000Z`,
          end: `${dateIn(days)}T09:00:00.000Z`,
        })
      await make()
      event('One', 30)
      const two = event('Two', 31)
      await again()
      fake.remove(two)
      // more than fits on one page
      for (let i = 3; i < 20; i++) event(`Number ${i}`, 30 + i)
      fake.forget()
      const before = fake.changes()
      await again()
      assert.equal(fake.changes(), before)
      assert.equal((await meetings()).length, 19)
      assert.ok(!(await titles()).includes('Two'))
      assert.equal(fake.events().size, 19)
      assert.deepEqual(new Set(await titles()).size, 19)
    })

    test('waits as long as it is asked to, and holds up nobody else', async () => {
      const one = await connected()
      const two = await connected()
      // the second organization's fake is what the service knows now, so both are asked there
      useProvider(service, kind, one.fake)
      one.fake.throttle = { after: 900 }
      await one.make()
      const waiting = await one.state()
      assert.deepEqual([waiting.state, waiting.problem], ['broken', 'throttled'])
      const count = one.fake.requests.length
      await one.again()
      assert.equal(one.fake.requests.length, count)
      useProvider(service, kind, two.fake)
      await two.make()
      assert.equal(two.fake.events().size, 1)
      const next = await rows<{ seconds: number }>(
        service,
        sql`select extract(epoch from run_at - now())::int as seconds from asked_jobs
          where organization_id = ${one.org.id} and run_at > now() + interval '2 minutes'`,
      )
      assert.equal(next.length, 1)
      assert.ok(Math.abs((next[0]?.seconds ?? 0) - 900) < 120, JSON.stringify(next))
      // the time is over
      useProvider(service, kind, one.fake)
      one.fake.throttle = null
      await service.runtime.database.transaction(one.org.id, async (queries) => {
        await queries.run(
          sql`update calendar_connections set wait_until = now() - interval '1 second'`,
        )
      })
      await one.again()
      assert.equal((await one.state()).state, 'connected')
      assert.equal(one.fake.events().size, 1)
      // too many requests without a time to wait
      one.fake.throttle = { after: null }
      await one.again()
      assert.equal((await one.state()).problem, 'throttled')
    })

    test('makes the call of a video conference, whose link is in the meeting and the only invitation', async () => {
      const { fake, make, change, say, org } = await connected()
      const guest = `guest-${org.id}@example.com`
      const id = await make({
        is_video_conference: true,
        push_to_calendar_a: undefined,
        attendees: [{ type: 'external', email: guest, name: 'Guest' }],
      })
      const [there] = only(fake)
      const link = fake.callOf(there)
      assert.match(link ?? '', /meet\.google\.com|teams\.microsoft\.com/)
      const read = async (meeting: string) =>
        (await say('GET', `/api/calendar/info/${meeting}/`)).body
      assert.equal((await read(id)).link, link)
      assert.equal((await read(id)).push_to_calendar_a, true)
      assert.equal((await read(id)).description, null)
      const mails = mailbox.received.filter(({ to_addresses }) => to_addresses.includes(guest))
      assert.equal(mails.length, 1)
      assert.ok(`${mails[0]?.text} ${mails[0]?.html}`.includes(link ?? 'a link'))
      // a meeting that becomes one
      const other = await make({ title: 'Becomes one' })
      await change(other, { is_video_conference: true })
      assert.match((await read(other)).link ?? '', /meet\.google\.com|teams\.microsoft\.com/)
      const before = fake.changes()
      await say(
        'POST',
        `/api/calendar/connections/${(await say('GET', '/api/calendar/connections/')).body[0].connection_id}/sync/`,
      )
      await runJobs(service)
      assert.equal(fake.changes(), before)
      // the provider makes none: after a while it is held where it was before
      fake.hasNoCalls = true
      const third = await make({ title: 'Without', is_video_conference: true })
      assert.equal((await read(third)).link, null)
      await service.runtime.database.transaction(org.id, (queries) =>
        queries.run(sql`update asked_jobs set run_at = now() where name = 'await-video-call'`),
      )
      await runJobs(service)
      assert.match((await read(third)).link ?? '', /^https:\/\/meet\.example\.com\//)
    })
  })
}
