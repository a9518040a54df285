import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { runJobs } from '../../../../test/support/drain.ts'
import { within } from './caldav.ts'
import type { Dav } from '../../../../test/support/radicale.ts'
import { noRadicale, startRadicale } from '../../../../test/support/radicale.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'

type Listed = { calendar_id: string; title: string; start: string }

describe('where a CalDAV server may lead to', () => {
  const leads = (address: string, at: string, href: string, isWellKnown = false) => {
    try {
      return within(address, at, href, isWellKnown)
    } catch {
      return null
    }
  }

  test('is its host and those below it, not others of the same country', () => {
    const own = 'https://dav.shop.co.uk/'
    for (const to of ['https://dav.shop.co.uk/anna/', 'https://eu.dav.shop.co.uk/']) {
      assert.equal(leads(own, own, to), to)
    }
    for (const to of [
      'https://dav.other.co.uk/',
      'https://other.co.uk/',
      'https://co.uk/',
      'https://evil-dav.shop.co.uk.test/',
      'http://dav.shop.co.uk/',
    ]) {
      assert.equal(leads(own, own, to), null, to)
    }
    const [apple, person] = ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com:443/1/']
    assert.equal(leads(apple, apple, person), 'https://p42-caldav.icloud.com/1/')
    assert.equal(leads('https://icloud.com.test/', 'https://icloud.com.test/', person), null)
  })

  test('is another host where the well-known address of the host says so', () => {
    const [own, known] = ['https://shop.co.uk/', 'https://shop.co.uk/.well-known/caldav']
    assert.equal(leads(own, known, 'https://dav.host.net/x/', true), 'https://dav.host.net/x/')
    assert.equal(leads(own, known, 'http://dav.host.net/x/', true), null)
    // and from there on that host
    assert.equal(leads(own, 'https://dav.host.net/x/', '/anna/'), 'https://dav.host.net/anna/')
    assert.equal(leads(own, 'https://dav.host.net/x/', 'https://host.net/'), null)
  })
})

describe('calendars of a CalDAV server', { skip: noRadicale() }, () => {
  let service: TestService
  let org: TestOrganization
  let dav: Dav
  let token: string

  before(async () => {
    service = await startService()
    dav = await startRadicale()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const call = (method: string, path: string, body?: object, as = token) =>
    service.call(method, path, { token: as, body })
  const year = new Date().getUTCFullYear() + 1
  const sync = () => runJobs(service)
  const syncNow = async (id: string) => {
    await call('POST', `/api/calendar/connections/${id}/sync/`)
    await sync()
  }
  const connections = async () => (await call('GET', '/api/calendar/connections/')).body

  /** A colleague, a server of their own and its connection. */
  async function connected(reads = 'events') {
    const own = await startRadicale()
    const other = await makeOrganization(service)
    const { token: as } = other.users.admin
    const say = (method: string, path: string, body?: object) => call(method, path, body, as)
    const { url: address, account, password } = own
    const made = await say('POST', '/api/calendar/connections/', {
      slot: 'a',
      address,
      account,
      password,
    })
    assert.equal(made.status, 200, made.text)
    const id = made.body.connection_id
    await sync()
    const chosen = await say('PUT', `/api/calendar/connections/${id}/`, { reads })
    assert.equal(chosen.status, 200, chosen.text)
    await sync()
    const again = async () => {
      await say('POST', `/api/calendar/connections/${id}/sync/`)
      await sync()
    }
    const meetings = async (): Promise<(Listed & { is_private: boolean })[]> =>
      (await say('GET', '/api/calendar/info/?page=1&items_per_page=100')).body
    const make = async (more: object = {}) => {
      const reply = await say('POST', '/api/calendar/info/', {
        title: 'Steering',
        start: `${year}-03-01T09:00:00.000Z`,
        end: `${year}-03-01T10:00:00.000Z`,
        push_to_calendar_a: true,
        ...more,
      })
      assert.equal(reply.status, 201, reply.text)
      await sync()
      return reply.body.calendar_id as string
    }
    const state = async () => (await say('GET', '/api/calendar/connections/')).body[0]
    return { dav: own, say, id, again, meetings, make, state, org: other }
  }

  const event = (uid: string, ...lines: string[]) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Test//EN',
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${year}0101T000000Z`,
      ...lines,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n')
  const at = (start: string, end: string, title: string) => [
    `DTSTART:${year}${start}`,
    `DTEND:${year}${end}`,
    `SUMMARY:${title}`,
  ]

  test('a server is tried before it is connected, and the only calendar is chosen', async () => {
    const body = { slot: 'a', address: dav.url, account: dav.account, password: dav.password }
    const wrong = await call('POST', '/api/calendar/connections/', { ...body, password: 'other' })
    assert.equal(wrong.status, 400, wrong.text)
    assert.deepEqual(
      wrong.body.errors.map(({ field }: { field: string }) => field),
      ['account', 'password'],
    )
    const none = await call('POST', '/api/calendar/connections/', {
      ...body,
      address: 'http://127.0.0.1:1/',
    })
    assert.equal(none.body.errors[0].field, 'address')
    const made = await call('POST', '/api/calendar/connections/', body)
    assert.equal(made.status, 200, made.text)
    assert.equal(made.body.state, 'connecting')
    assert.doesNotMatch(made.text, /radish/)
    await sync()
    const [found] = await connections()
    assert.equal(found.state, 'connected')
    assert.equal(found.calendar_name, 'work')
    assert.equal(found.reads, 'busy')
    // nobody else sees it
    const { member } = org.users
    assert.deepEqual(
      (await call('GET', '/api/calendar/connections/', undefined, member.token)).body,
      [],
    )
    const foreign = `/api/calendar/connections/${found.connection_id}/`
    assert.equal((await call('DELETE', foreign, undefined, member.token)).status, 404)
    const [stored] = await service.runtime.database
      .reads(org.id)
      .all<{ secret: Buffer }>(sql`select secret from calendar_connections`)
    assert.doesNotMatch(stored?.secret.toString('latin1') ?? 'radish', /radish/)
    assert.equal((await call('DELETE', foreign)).status, 204)
    assert.deepEqual(await connections(), [])
  })

  test('names of calendars are cut between characters, and never keep one from being connected', async () => {
    const long = 'a'.repeat(254)
    const { url: address, account, password } = await startRadicale([`${long}😀`, 'work'])
    const other = await makeOrganization(service)
    const { token: as } = other.users.admin
    const body = { slot: 'a', address, account, password }
    assert.equal((await call('POST', '/api/calendar/connections/', body, as)).status, 200)
    await sync()
    const [found] = (await call('GET', '/api/calendar/connections/', undefined, as)).body
    assert.equal(found.state, 'choose')
    const shown = found.calendars.map(({ name }: { name: string }) => name)
    assert.deepEqual(shown.toSorted(), [`${long}\ufffd`, 'work'])
  })

  test('a meeting is pushed by its flag, changed, cancelled and pushed again, and its alarms stay', async () => {
    const { dav: own, say, make, again } = await connected()
    const id = await make({ location: 'Room; 1, left\nside', timezone: 'Europe/Paris' })
    await make({ title: 'Elsewhere', push_to_calendar_a: false, push_to_calendar_b: true })
    const [[name, text] = ['', '']] = await own.all()
    assert.equal((await own.all()).size, 1)
    assert.match(text, new RegExp(`^UID:${id}@`, 'm'))
    assert.match(text, /SUMMARY:Steering/)
    // an alarm that the person sets there
    await own.put(
      name,
      text.replace(
        'END:VEVENT',
        'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nX-COLOR:red\r\nEND:VEVENT',
      ),
    )
    await again()
    await say('PATCH', `/api/calendar/info/${id}/`, { title: 'Steering committee' })
    await sync()
    const changed = (await own.all()).get(name) ?? ''
    assert.match(changed, /SUMMARY:Steering committee/)
    assert.match(changed, /TRIGGER:-PT15M/)
    assert.match(changed, /X-COLOR:red/)
    assert.match(changed, /LOCATION:Room\\; 1\\, left\\nside/)
    await say('PATCH', `/api/calendar/info/${id}/`, { is_meeting_cancelled: true })
    await sync()
    assert.equal((await own.all()).size, 0)
    await say('PATCH', `/api/calendar/info/${id}/`, { is_meeting_cancelled: false })
    await sync()
    assert.deepEqual([...(await own.all()).keys()], [name])
    await say('PATCH', `/api/calendar/info/${id}/`, { push_to_calendar_a: false })
    await sync()
    assert.equal((await own.all()).size, 0)
    await say('PATCH', `/api/calendar/info/${id}/`, { push_to_calendar_a: true })
    await sync()
    await say('DELETE', `/api/calendar/info/${id}/`)
    await sync()
    assert.equal((await own.all()).size, 0)
  })

  test('what its organizer moves or removes there is moved and removed here, once', async () => {
    const { dav: own, say, make, again } = await connected()
    const id = await make()
    const [[name, text] = ['', '']] = await own.all()
    await own.put(
      name,
      text
        .replace(/DTSTART.*/, `DTSTART:${year}0302T130000Z`)
        .replace(/DTEND.*/, `DTEND:${year}0302T140000Z`),
    )
    await again()
    const moved = (await say('GET', `/api/calendar/info/${id}/`)).body
    assert.equal(moved.start, `${year}-03-02T13:00:00.000Z`)
    const log = async () =>
      (await say('GET', '/api/activity/events/?page=1&items_per_page=100')).text.length
    const before = await log()
    await again()
    await again()
    // asking for it is logged, and nothing else
    assert.equal((await own.all()).get(name)?.includes('SUMMARY:Steering'), true)
    assert.ok((await log()) >= before)
    assert.equal((await say('GET', `/api/calendar/info/${id}/`)).body.start, moved.start)
    await own.remove(name)
    await again()
    assert.equal((await say('GET', `/api/calendar/info/${id}/`)).status, 404)
    assert.equal((await own.all()).size, 0)
  })

  test('both sides change another part of the same meeting, and keep both', async () => {
    const { dav: own, say, make, again } = await connected()
    const id = await make()
    const [[name, text] = ['', '']] = await own.all()
    await own.put(name, text.replace('SUMMARY:Steering', 'SUMMARY:Named there'))
    await say('PATCH', `/api/calendar/info/${id}/`, { location: 'Placed here' })
    await again()
    const here = (await say('GET', `/api/calendar/info/${id}/`)).body
    assert.deepEqual([here.title, here.location], ['Named there', 'Placed here'])
    const there = (await own.all()).get(name) ?? ''
    assert.match(there, /SUMMARY:Named there/)
    assert.match(there, /LOCATION:Placed here/)
  })

  test('events are read as private meetings, found by their reference, and change on both sides', async () => {
    const { dav: own, say, again, meetings, org: its } = await connected()
    const uid = 'dentist-1@phone.test'
    await own.put('x.ics', event(uid, ...at('0405T080000Z', '0405T083000Z', 'Dentist')))
    await again()
    await again()
    const [read, ...more] = await meetings()
    assert.deepEqual(more, [])
    assert.ok(read)
    assert.equal(read.title, 'Dentist')
    assert.equal(read.is_private, true)
    const source = `/api/calendar/info/source-ref/?source_ref_id=${encodeURIComponent(uid)}`
    assert.equal((await say('GET', source)).body.calendar_id, read.calendar_id)
    assert.equal(
      (await call('GET', source, undefined, its.users.member.token)).status,
      404,
      'a colleague does not see it',
    )
    await say('PATCH', `/api/calendar/info/${read.calendar_id}/`, {
      start: `${year}-04-05T11:00:00Z`,
      end: `${year}-04-05T11:30:00Z`,
    })
    await sync()
    assert.match((await own.all()).get('x.ics') ?? '', new RegExp(`DTSTART:${year}0405T110000Z`))
    await own.put('x.ics', event(uid, ...at('0406T080000Z', '0406T083000Z', 'Dentist again')))
    await again()
    assert.equal((await meetings())[0]?.title, 'Dentist again')
    await say('DELETE', `/api/calendar/info/${read.calendar_id}/`)
    await sync()
    assert.equal((await own.all()).size, 0)
  })

  test('only the times of others are read by default, and nothing where that was chosen', async () => {
    const { dav: own, say, id, again, meetings, org: its } = await connected('busy')
    await own.put('x.ics', event('secret', ...at('0405T080000Z', '0405T083000Z', 'Interview')))
    await again()
    assert.deepEqual(await meetings(), [])
    const stored = () =>
      service.runtime.database
        .reads(its.id)
        .all<{ theirs: object }>(sql`select * from calendar_copies`)
    assert.doesNotMatch(JSON.stringify(await stored()), /Interview/)
    assert.equal((await stored()).length, 1)
    // a series, whole days, what takes no time, and what nothing here may repeat by
    await own.put(
      's.ics',
      event('s', ...at('0405T100000Z', '0405T110000Z', 'Weekly'), 'RRULE:FREQ=WEEKLY;COUNT=3'),
    )
    const days = [`DTSTART;VALUE=DATE:${year}0406`, `DTEND;VALUE=DATE:${year}0408`, 'SUMMARY:Away']
    await own.put('d.ics', event('d', ...days))
    const open = [...at('0407T080000Z', '0407T090000Z', 'Open'), 'TRANSP:TRANSPARENT']
    await own.put('o.ics', event('o', ...open))
    const endless = [...at('0407T100000Z', '0407T100001Z', 'Endless'), 'RRULE:FREQ=SECONDLY']
    await own.put('e.ics', event('e', ...endless))
    await again()
    const busy = async (as: string) => {
      const { admin } = its.users
      const range = { from: `${year}-04-05T00:00:00Z`, to: `${year}-04-13T00:00:00Z` }
      const reply = await call(
        'POST',
        '/api/calendar/free-busy/',
        { people: [admin.user_id], ...range },
        as,
      )
      assert.equal(reply.status, 200, reply.text)
      return reply.body.people[0].busy.map(
        (each: { from: string; to: string; why: string; title: string | null }) =>
          `${each.from.slice(5, 16)} ${each.to.slice(5, 16)} ${each.why} ${each.title}`,
      )
    }
    const times = [
      '04-05T08:00 04-05T08:30',
      '04-05T10:00 04-05T11:00',
      '04-06T00:00 04-08T00:00',
      '04-12T10:00 04-12T11:00',
    ]
    assert.deepEqual(
      await busy(its.users.admin.token),
      times.map((each) => `${each} busy work`),
    )
    assert.deepEqual(
      await busy(its.users.member.token),
      times.map((each) => `${each} busy null`),
    )
    const { faults } = (await say('GET', '/api/calendar/connections/')).body[0]
    assert.deepEqual(faults, [{ title: null, problem: 'repeat meetings repeat hourly at most' }])
    await say('PUT', `/api/calendar/connections/${id}/`, { reads: 'nothing' })
    await sync()
    assert.equal((await stored()).length, 0)
  })

  test('a date of a series that was moved there is a meeting of its own, and leaves the series', async () => {
    const { dav: own, say, again, meetings } = await connected()
    const uid = 'series@phone.test'
    const zoned = [
      `DTSTART;TZID=Europe/Berlin:${year}0301T090000`,
      `DTEND;TZID=Europe/Berlin:${year}0301T100000`,
      'SUMMARY:Weekly',
      'RRULE:FREQ=WEEKLY;COUNT=6',
    ]
    const whole = event(uid, ...zoned)
    await own.put('s.ics', whole)
    await again()
    const override = [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${year}0101T000000Z`,
      `RECURRENCE-ID;TZID=Europe/Berlin:${year}0308T090000`,
      `DTSTART;TZID=Europe/Berlin:${year}0309T150000`,
      `DTEND;TZID=Europe/Berlin:${year}0309T160000`,
      'SUMMARY:Weekly (moved)',
      'END:VEVENT',
    ].join('\r\n')
    await own.put('s.ics', whole.replace('END:VCALENDAR', `${override}\r\nEND:VCALENDAR`))
    await again()
    const listed = async () => {
      const bounds = `start=${year}-02-01T00:00:00Z&end=${year}-05-31T00:00:00Z`
      const { body } = await say('GET', `/api/calendar/info/?page=1&items_per_page=50&${bounds}`)
      return body.map((each: Listed) => `${each.start.slice(5, 16)} ${each.title}`)
    }
    assert.deepEqual(
      await listed(),
      [
        '03-01T08:00 Weekly',
        '03-09T14:00 Weekly (moved)',
        '03-15T08:00 Weekly',
        '03-22T08:00 Weekly',
        '03-29T07:00 Weekly',
        '04-05T07:00 Weekly',
      ].toSorted(),
    )
    const one = (await meetings()).find((each: Listed) => each.title === 'Weekly (moved)')
    assert.ok(one)
    await say('PATCH', `/api/calendar/info/${one.calendar_id}/`, { title: 'Weekly, once' })
    await sync()
    const there = (await own.all()).get('s.ics') ?? ''
    assert.match(there, /SUMMARY:Weekly\\, once/)
    assert.match(there, /RECURRENCE-ID/)
    await say('DELETE', `/api/calendar/info/${one.calendar_id}/`)
    await sync()
    const after = (await own.all()).get('s.ics') ?? ''
    assert.doesNotMatch(after, /RECURRENCE-ID/)
    assert.match(after, /EXDATE/)
    assert.equal((await listed()).length, 5)
  })

  test('somebody invited has a copy too, and what they may not change is put back', async () => {
    const { dav: own, say, again, org: its, make } = await connected('busy')
    // the observer of nothing: a member who may only read
    const id = await make({ attendees: [{ type: 'user', id: its.users.member.user_id }] })
    const { token: as } = its.users.member
    const theirs = await startRadicale()
    const { url: address, account, password } = theirs
    const made = await call(
      'POST',
      '/api/calendar/connections/',
      { slot: 'a', address, account, password },
      as,
    )
    assert.equal(made.status, 200, made.text)
    await sync()
    assert.equal((await theirs.all()).size, 1)
    const [[name] = ['']] = await theirs.all()
    // taken away there: only their copy
    await theirs.remove(name)
    await call('POST', `/api/calendar/connections/${made.body.connection_id}/sync/`, {}, as)
    await sync()
    assert.equal((await say('GET', `/api/calendar/info/${id}/`)).status, 200)
    await say('PATCH', `/api/calendar/info/${id}/`, { title: 'Changed' })
    await sync()
    assert.equal((await theirs.all()).size, 0)
    await again()
    assert.match([...(await own.all()).values()].join(''), /SUMMARY:Changed/)
  })

  test('one date of a series of ours that its organizer moves there is moved here, and mailed', async () => {
    const { dav: own, say, make, meetings, again, org: its } = await connected('busy')
    const invited = [{ type: 'user', id: its.users.member.user_id, response: 'accepted' }]
    const id = await make({ repeat: 'FREQ=DAILY;COUNT=3', attendees: invited })
    const [[name, text] = ['', '']] = await own.all()
    const override = [
      'BEGIN:VEVENT',
      `UID:${/^UID:(.*)$/m.exec(text)?.[1]?.trim()}`,
      `DTSTAMP:${year}0101T000000Z`,
      `RECURRENCE-ID:${year}0302T090000Z`,
      ...at('0302T130000Z', '0302T140000Z', 'Steering (later)'),
      'END:VEVENT',
    ].join('\r\n')
    await own.put(name, text.replace('END:VCALENDAR', `${override}\r\nEND:VCALENDAR`))
    await again()
    await again()
    const listed = async () =>
      (
        await say(
          'GET',
          `/api/calendar/info/?page=1&items_per_page=50&start=${year}-03-01&end=${year}-03-09`,
        )
      ).body.map((each: Listed) => `${each.start.slice(5, 16)} ${each.title}`)
    assert.deepEqual(await listed(), [
      '03-01T09:00 Steering',
      '03-02T13:00 Steering (later)',
      '03-03T09:00 Steering',
    ])
    const moved = (await meetings()).find((each) => each.title === 'Steering (later)')
    assert.ok(moved)
    const { attendees, push_to_calendar_a } = (
      await say('GET', `/api/calendar/info/${moved.calendar_id}/`)
    ).body
    assert.deepEqual([attendees[0].response, push_to_calendar_a], ['needs_action', true])
    assert.equal((await own.all()).size, 1)
    await say('PATCH', `/api/calendar/info/${moved.calendar_id}/`, { location: 'Room 9' })
    await sync()
    assert.match((await own.all()).get(name) ?? '', /RECURRENCE-ID[^]*LOCATION:Room 9/)
    await say('DELETE', `/api/calendar/info/${id}/`)
    await sync()
    await again()
    assert.equal((await own.all()).size, 0)
    assert.deepEqual(await listed(), [])
  })

  test('entries that cannot be read are left out, counted and named, and hold up no other', async () => {
    const { dav: own, say, again, meetings, make, state } = await connected()
    const id = await make()
    const [[name, text] = ['', '']] = await own.all()
    const good = (uid: string, ...lines: string[]) =>
      event(uid, ...at('0405T080000Z', '0405T083000Z', uid), ...lines)
    const many = (count: number, line: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => line(n))
    const daily = 'RRULE:FREQ=DAILY;COUNT=2000'
    const date = (n: number) =>
      new Date(Date.UTC(year, 3, 5, 8) + n * 86_400_000).toISOString().replaceAll(/[-:]|\.000/g, '')
    const bad = {
      dates: good('dates', daily, ...many(1001, (n) => `EXDATE:${date(n)}`)),
      line: good('line', `DESCRIPTION:${'x'.repeat(300_000)}`),
      long: good('long', ...many(20_001, (n) => `X-${n}:1`)),
      series: good('series', daily).replace(
        'END:VCALENDAR',
        many(501, (n) => {
          const lines = [`RECURRENCE-ID:${date(n)}`, `DTSTART:${date(n)}`, 'SUMMARY:Moved']
          return ['BEGIN:VEVENT', 'UID:series', ...lines, 'END:VEVENT', ''].join('\r\n')
        }).join('') + 'END:VCALENDAR',
      ),
      text: good('text', ...many(9, (n) => `X-${n}:${'y'.repeat(200_000)}`)),
      // more than an answer may have
      whole: good('whole', ...many(30, (n) => `X-${n}:${'z'.repeat(200_000)}`)),
    }
    for (const [file, content] of Object.entries(bad)) await own.put(`${file}.ics`, content)
    await own.put('good.ics', good('Good'))
    // and a meeting of ours becomes one
    await own.put(name, text.replace('END:VEVENT', `COMMENT:${'x'.repeat(300_000)}\r\nEND:VEVENT`))
    await again()
    const titles = async () => (await meetings()).map((each: Listed) => each.title).toSorted()
    assert.deepEqual(await titles(), ['Good', 'Steering'])
    const found = await state()
    assert.equal(found.state, 'connected')
    assert.equal(found.fault_count, 7)
    const said = (faults: { title: string | null; problem: string }[]) =>
      faults.map(({ title, problem }) => `${title}: ${problem}`).toSorted()
    assert.deepEqual(said(found.faults), [
      'Steering: file has a value of more than 256 KiB at line 8',
      'null: file has a value of more than 256 KiB at line 8',
      'null: has more than 20000 lines',
      'null: has more than 500 dates that differ from their series',
      'null: is larger than 1 MiB',
      'null: is too large',
      'null: leaves out more than 1000 dates',
    ])
    // nothing is written over what could not be read
    await say('PATCH', `/api/calendar/info/${id}/`, { title: 'Changed here' })
    await sync()
    assert.match((await own.all()).get(name) ?? '', /SUMMARY:Steering/)
    // what is right again is a meeting
    await own.put('line.ics', good('line'))
    await own.put(name, text)
    await again()
    assert.deepEqual(await titles(), ['Changed here', 'Good', 'line'])
    assert.match((await own.all()).get(name) ?? '', /SUMMARY:Changed here/)
    assert.equal((await state()).fault_count, 5)
  })

  test('the title of a meeting that cannot be written is shown to those who may read it', async () => {
    const { say, make, org: its } = await connected('busy')
    const { token: as, user_id } = its.users.member
    const theirs = await startRadicale()
    const { url: address, account, password } = theirs
    const body = { slot: 'a', address, account, password }
    await call('POST', '/api/calendar/connections/', body, as)
    const id = await make({ is_private: true, attendees: [{ type: 'user', id: user_id }] })
    await service.runtime.database.transaction(its.id, (queries) =>
      queries.run(sql`update calendar_copies set problem = 'is refused'`),
    )
    const shown = async () =>
      (await call('GET', '/api/calendar/connections/', undefined, as)).body[0].faults
    assert.deepEqual(await shown(), [{ title: 'Steering', problem: 'is refused' }])
    await say('PATCH', `/api/calendar/info/${id}/`, { attendees: [] })
    assert.deepEqual(await shown(), [{ title: null, problem: 'is refused' }])
  })

  test('a lost token is a full reading, after which nothing is there twice', async () => {
    const { dav: own, again, meetings, make } = await connected()
    await make()
    await own.put('x.ics', event('one', ...at('0405T080000Z', '0405T083000Z', 'One')))
    await own.put('y.ics', event('two', ...at('0406T080000Z', '0406T083000Z', 'Two')))
    await again()
    await own.forget()
    await own.remove('y.ics')
    await own.put('z.ics', event('three', ...at('0407T080000Z', '0407T083000Z', 'Three')))
    await own.forget()
    await again()
    const titles = (await meetings()).map((each: Listed) => each.title).toSorted()
    assert.deepEqual(titles, ['One', 'Steering', 'Three'])
    assert.equal((await own.all()).size, 3)
  })

  test('a password that no longer holds is said, and nobody else waits for it', async () => {
    const { dav: own, say, id, state, org: its } = await connected()
    await service.runtime.database.transaction(its.id, (queries) =>
      queries.run(sql`update calendar_connections set secret =
        ${service.runtime.secrets.encrypt(JSON.stringify({ password: 'old' }))}`),
    )
    await say('POST', `/api/calendar/connections/${id}/sync/`)
    await sync()
    const broken = await state()
    assert.deepEqual([broken.state, broken.problem], ['broken', 'credentials'])
    assert.ok(broken.problem_since)
    const { url: address, account, password } = own
    await say('POST', '/api/calendar/connections/', { slot: 'a', address, account, password })
    await sync()
    assert.equal((await state()).state, 'connected')
    assert.equal((await state()).reads, 'events')
    await syncNow('none')
  })
})
