import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'
import { newId } from '../../kit/ground/ids.ts'

type Role = keyof TestOrganization['users']

describe('meetings', () => {
  let service: TestService
  let org: TestOrganization
  const base = '/api/calendar/info/'
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const make = async (body: object = {}) => {
    const reply = await call('POST', base, {
      calendar_id: newId(),
      title: 'Kick-off',
      start: '2026-03-02T09:00:00Z',
      end: '2026-03-02T10:00:00Z',
      ...body,
    })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('invite users, contacts and others, who answer', async () => {
    const contact = await call('POST', '/api/contact/', {
      full_name: 'Cleo',
      primary_email: 'c@x.test',
    })
    const { user_id } = org.users.member
    const meeting = await make({
      users: [user_id],
      optional_users: [org.users.manager.user_id],
      attendees: [
        { type: 'user', id: user_id },
        { type: 'user', id: org.users.manager.user_id, is_optional: true },
        { type: 'contact', id: contact.headers.get('x-record-id') },
        { type: 'external', email: 'guest@else.test', name: 'Guest' },
      ],
    })
    assert.deepEqual(meeting.users, [user_id])
    assert.deepEqual(meeting.optional_users, [org.users.manager.user_id])
    assert.equal(meeting.attendees.length, 4)
    const at = `${base}${meeting.calendar_id}/`
    const answered = await call('POST', `${at}respond/`, { response: 'accepted' }, 'member')
    assert.equal(answered.status, 200, answered.text)
    assert.equal(answered.body.attendees[0].response, 'accepted')
    assert.equal((await call('POST', `${at}respond/`, { response: 'accepted' })).status, 403)
    const organizer = await call('GET', '/api/notifyhub/notify-info/?page=1&items_per_page=9')
    const [notice] = organizer.body
    assert.equal(notice.notification_type, 8)
    assert.equal(notice.notification_obj.event, 'meeting_accepted')
    assert.equal(notice.notification_obj.reference_id, meeting.calendar_id)
    const twice = await call('POST', `${at}respond/`, { response: 'accepted' }, 'member')
    assert.equal(twice.status, 200)
    assert.equal(
      (await call('GET', '/api/notifyhub/notify-info/?page=1&items_per_page=9')).body.length,
      organizer.body.length,
    )
    const inbox = await call(
      'GET',
      '/api/notifyhub/notify-info/?page=1&items_per_page=9',
      undefined,
      'member',
    )
    assert.equal(inbox.body[0].notification_type, 8)
    const nobody = await call('POST', base, {
      calendar_id: newId(),
      title: 'x',
      start: '2026-03-02T09:00:00Z',
      end: '2026-03-02T10:00:00Z',
      users: ['nope'],
    })
    assert.equal(nobody.body.errors[0].field, 'users.0')
  })

  test('keep each external guest when the list is sent again', async () => {
    const guests = ['one', 'two'].map((name) => ({
      type: 'external',
      email: `${name}@else.test`,
      name,
    }))
    const { calendar_id, attendees } = await make({ attendees: guests })
    const at = `${base}${calendar_id}/`
    const third = { type: 'external', email: 'three@else.test', name: 'three' }
    const more = await call('PUT', at, { attendees: [...attendees, third] })
    const shown = more.body.attendees.map(({ email, name }: typeof third) => [email, name])
    assert.deepEqual(
      shown,
      ['one', 'two', 'three'].map((name) => [`${name}@else.test`, name]),
    )
    const other = await call('PUT', at, { attendees: [third] })
    assert.equal(other.body.attendees[0].email, 'three@else.test')
    const nobody = await call('PUT', at, { attendees: [{ type: 'external' }] })
    assert.equal(nobody.body.errors[0].field, 'attendees.0.email')
  })

  test('take each list of people as what was changed in it', async () => {
    const { member, manager } = org.users
    const meeting = await make({ users: [member.user_id, manager.user_id] })
    const at = `${base}${meeting.calendar_id}/`
    const lists = async (body: object) => {
      const { users, optional_users } = (await call('PUT', at, body)).body
      return [users, optional_users]
    }
    const moved = await lists({ optional_users: [member.user_id] })
    assert.deepEqual(moved, [[manager.user_id], [member.user_id]])
    const { body: whole } = await call('GET', at)
    const left = whole.attendees.filter(({ id }: { id: string }) => id !== member.user_id)
    assert.deepEqual(await lists({ ...whole, attendees: left }), [[manager.user_id], []])
    const { body: now } = await call('GET', at)
    assert.deepEqual(await lists({ ...now, users: [] }), [[], []])
  })

  test('invite users and contacts by their e-mail', async () => {
    const primary_email = `${newId()}@x.test`
    const contact = await call('POST', '/api/contact/', { full_name: 'Cleo', primary_email })
    const { user_id, email } = org.users.member
    const { attendees } = await make({
      attendees: [
        { type: 'user', email: email.toUpperCase() },
        { type: 'contact', email: primary_email },
      ],
    })
    assert.deepEqual(
      attendees.map(({ id }: { id: string }) => id),
      [user_id, contact.headers.get('x-record-id')],
    )
    const nobody = await call('POST', base, {
      title: 'x',
      start: '2026-03-02T09:00:00Z',
      end: '2026-03-02T10:00:00Z',
      attendees: [{ type: 'user', email: primary_email }],
    })
    assert.equal(nobody.body.errors[0].field, 'attendees.0.email')
  })

  test('of a milestone are of its project, and of no other', async () => {
    const [project, other] = await Promise.all(
      ['One', 'Two'].map(async (project_name) => {
        const reply = await call('POST', '/api/project/info/', { project_name })
        return reply.headers.get('x-record-id')!
      }),
    )
    const milestone = async (id: string | undefined) =>
      (await call('POST', `/api/project/info/${id}/milestones/`, { name: 'M' })).body.milestone_id
    const [milestone_id, elsewhere] = [await milestone(project), await milestone(other)]
    const meeting = await make({ milestone_id })
    assert.equal(meeting.project.project_id, project)
    const at = `${base}${meeting.calendar_id}/`
    const taken = await call('PUT', at, { milestone_id: elsewhere })
    assert.equal(taken.body.project.project_id, other)
    const both = { project: { project_id: project }, milestone_id: elsewhere, title: 'x' }
    const odd = await call('POST', base, {
      ...both,
      start: '2026-03-02T09:00:00Z',
      end: '2026-03-02T10:00:00Z',
    })
    assert.equal(odd.body.errors[0].field, 'milestone_id')
    const moved = await call('PUT', at, { project: { project_id: project } })
    assert.deepEqual([moved.body.project.project_id, moved.body.milestone_id], [project, null])
    assert.equal((await call('PUT', at, moved.body)).body.version, moved.body.version)
  })

  test('a video conference without a link gets a room of its own, where there is a server', async () => {
    const own = await startService({ videoCallsUrl: 'https://meet.example.com' })
    const { token } = (await makeOrganization(own)).users.admin
    const send = (method: string, path: string, body: object) =>
      own.call(method, path, { token, body })
    const times = { title: 'Call', start: '2026-05-04T09:00:00Z', end: '2026-05-04T10:00:00Z' }
    const video = { ...times, is_video_conference: true }
    const [one, two] = [
      await send('POST', '/api/calendar/info/', video),
      await send('POST', '/api/calendar/info/', video),
    ]
    assert.match(one.body.link, /^https:\/\/meet\.example\.com\/[\w-]{22}$/)
    assert.notEqual(one.body.link, two.body.link)
    const link = 'https://zoom.example.com/1'
    assert.equal((await send('POST', '/api/calendar/info/', { ...video, link })).body.link, link)
    const plain = await send('POST', '/api/calendar/info/', times)
    assert.equal(plain.body.link, null)
    const path = `/api/calendar/info/${plain.body.calendar_id}/`
    const becomes = await send('PATCH', path, { is_video_conference: true })
    assert.match(becomes.body.link, /^https:\/\/meet\.example\.com\//)
    const cleared = await send('PATCH', path, { link: null })
    assert.equal(cleared.body.link, null)
  })

  test('end after they start, have ids of their own and one place for each source', async () => {
    const early = { start: '2026-03-02T09:00:00Z', end: '2026-03-02T08:00:00Z' }
    const reply = await call('POST', base, { calendar_id: newId(), title: 'x', ...early })
    assert.equal(reply.status, 400)
    assert.equal(reply.body.errors[0].field, 'end')
    const meeting = await make({ source_ref_id: 'google-1' })
    assert.equal(
      (await call('GET', `${base}source-ref/?source_ref_id=google-1`)).body.calendar_id,
      meeting.calendar_id,
    )
    assert.equal((await call('GET', `${base}source-ref/?source_ref_id=nope`)).status, 404)
    assert.equal((await call('GET', `${base}source-ref/`)).status, 400)
    const again = await call('POST', base, {
      ...early,
      end: early.start,
      calendar_id: meeting.calendar_id,
      title: 'x',
    })
    assert.equal(again.status, 409)
    const without = await call('POST', base, { title: 'x', start: early.start, end: early.start })
    assert.equal(without.status, 201, without.text)
    assert.equal(without.headers.get('x-record-id'), without.body.calendar_id)
  })

  test('without an offset begin by the clock of their own zone, and days by themselves are days', async () => {
    const timezone = { name: 'Asia/Tokyo' }
    const start = '2026-03-02T09:00:00'
    const meeting = await make({ start, end: '2026-03-02T10:00:00', timezone })
    assert.equal(meeting.start, '2026-03-02T00:00:00.000Z')
    const at = `${base}${meeting.calendar_id}/`
    const moved = await call('PUT', at, { end: '2026-03-02T11:30' })
    assert.equal(moved.body.end, '2026-03-02T02:30:00.000Z', moved.text)
    const day = { start: '2026-03-02', end: '2026-03-03', all_day: true, timezone }
    assert.equal((await make(day)).end, '2026-03-02T15:00:00.000Z')
    const plain = await make({ ...day, timezone: 'Asia/Tokyo' })
    assert.deepEqual([plain.end, plain.timezone], ['2026-03-02T15:00:00.000Z', timezone])
    assert.equal((await make({ ...day, timezone: '' })).timezone, null)
    const unknown = await call('POST', base, { title: 'x', ...day, timezone: 'Mars/Base' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'timezone'])
  })

  test('do not repeat if a form leaves that empty, and link only to the web', async () => {
    for (const repeat of [{}, '', null, { rrule: '', exdates: [] }]) {
      assert.equal((await make({ repeat })).repeat, null)
    }
    const { calendar_id } = await make({ repeat: 'FREQ=DAILY;COUNT=2' })
    const without = { repeat: { exdates: ['2026-03-03'] } }
    const merged = (await call('PUT', `${base}${calendar_id}/`, without)).body
    assert.equal(merged.repeat.rrule, 'FREQ=DAILY;COUNT=2')
    const once = await call('PUT', `${base}${calendar_id}/`, { repeat: '' })
    assert.equal(once.body.repeat, null, once.text)
    const link = await call('PUT', `${base}${calendar_id}/`, { link: 'javascript:alert(1)' })
    assert.equal(link.body.errors[0].field, 'link')
  })

  test('can be sent back as they were read after somebody invited has left', async () => {
    const contact = await call('POST', '/api/contact/', { full_name: 'Gone Soon' })
    const id = contact.headers.get('x-record-id')
    const { calendar_id } = await make({ attendees: [{ type: 'contact', id }] })
    await call('DELETE', `/api/contact/${id}/`)
    const at = `${base}${calendar_id}/`
    const same = await call('PUT', at, (await call('GET', at)).body)
    assert.equal(same.status, 200, same.text)
    assert.equal(same.body.attendees[0].name, 'Gone Soon')
  })

  test('offer a customer no other people than its own account’s', async () => {
    const people = async (role: Role) =>
      (await call('GET', `${base}options/`, undefined, role)).body.people.map((p: any) => p.user_id)
    const seen = await people('customer')
    assert.ok(seen.includes(org.users.customer.user_id))
    assert.ok(!seen.includes(org.users.admin.user_id))
    assert.ok((await people('member')).includes(org.users.admin.user_id))
  })

  test('that repeat are expanded inside bounds only, by the clock of their zone', async () => {
    // summer time begins in Berlin on 29 March 2026
    const meeting = await make({
      title: 'Weekly',
      start: '2026-03-23T09:00:00+01:00',
      end: '2026-03-23T09:30:00+01:00',
      timezone: { name: 'Europe/Berlin' },
      repeat: { rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4', exdates: ['2026-04-06'] },
    })
    const path = `${base}?start=2026-03-20&end=2026-05-01&items_per_page=100`
    const { body } = await call('GET', path)
    const starts = body
      .filter((each: any) => each.calendar_id === meeting.calendar_id)
      .map((each: any) => each.start)
    assert.deepEqual(starts, [
      '2026-03-23T08:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
      '2026-04-13T07:00:00.000Z',
    ])
    for (const repeat of ['FREQ=NEVER', 'x', { exdates: 'never' }, { rrule: 5 }]) {
      const bad = await call('PUT', `${base}${meeting.calendar_id}/`, { repeat })
      assert.equal(bad.status, 400, JSON.stringify(repeat))
    }
  })

  test('that repeat have a rule that calendar programs read, and that comes to some day', async () => {
    for (const repeat of [
      'FREQ=WEEKLY;BYDAY=1MO',
      'FREQ=WEEKLY;BYSETPOS=1',
      'FREQ=DAILY;COUNT=3;COUNT=4',
      'FREQ=YEARLY;BYMONTH=4,6;BYMONTHDAY=31',
    ]) {
      const times = { start: '2026-03-02T09:00:00Z', end: '2026-03-02T10:00:00Z' }
      const reply = await call('POST', base, { title: 'Series', ...times, repeat })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.field], [400, 'repeat'], repeat)
    }
    assert.equal(
      (await make({ repeat: 'rrule:freq=daily;count=2;' })).repeat.rrule,
      'FREQ=DAILY;COUNT=2',
    )
  })

  test('that repeat do not end before they start: no list of days would show them', async () => {
    const early = {
      title: 'Early',
      start: '2026-03-02T23:30',
      end: '2026-03-02T23:45',
      timezone: 'Europe/Paris',
    }
    for (const until of ['20260301', '20260302T222959Z', '20200101']) {
      const repeat = `FREQ=DAILY;UNTIL=${until}`
      const reply = await call('POST', base, { ...early, repeat })
      assert.equal(reply.status, 400, until)
      assert.deepEqual(reply.body.errors, [
        { field: 'repeat', message: 'must not end before start' },
      ])
    }
    for (const until of ['20260302', '20260302T223000Z']) {
      const repeat = `FREQ=DAILY;UNTIL=${until}`
      const { calendar_id } = await make({ ...early, repeat })
      const later = { start: '2026-04-02T23:30', end: '2026-04-02T23:45' }
      const moved = await call('PUT', `${base}${calendar_id}/`, later)
      assert.equal(moved.body.errors?.[0]?.field, 'repeat', moved.text)
    }
  })

  test('that repeat have their own start and end, in whatever order fields name them', async () => {
    await make({ title: 'Ordered', repeat: 'FREQ=DAILY;COUNT=2' })
    const bounds = 'start=2026-03-03&end=2026-03-04&q=Ordered'
    for (const fields of ['title,end', 'end,start', 'start,end', 'title']) {
      const { body } = await call('GET', `${base}?${bounds}&fields=${fields}`)
      assert.deepEqual(
        body.map(({ start, end }: any) => [start, end]),
        [['2026-03-03T09:00:00.000Z', '2026-03-03T10:00:00.000Z']],
        fields,
      )
    }
  })

  test('that repeat without end are expanded as far as requested, and quickly', async () => {
    const { calendar_id } = await make({ title: 'Endless', repeat: 'FREQ=DAILY' })
    const wide = 'start=0001-01-01&end=9999-12-31&items_per_page=500'
    const all = await call('GET', `${base}?${wide}&q=Endless`)
    assert.equal(all.body.length, 500, all.text)
    assert.equal(all.body[0].start, '2026-03-02T09:00:00.000Z')
    const far = await call('GET', `${base}?start=9000-01-01&end=9001-01-01`)
    assert.deepEqual(far.body, [])
    const every = [...Array(60).keys()].join()
    for (const repeat of [
      `FREQ=HOURLY;BYMINUTE=${every}`,
      'FREQ=DAILY;BYSECOND=1,2',
      'FREQ=DAILY;X=1',
    ]) {
      const reply = await call('PUT', `${base}${calendar_id}/`, { repeat })
      assert.equal(reply.body.errors[0].field, 'repeat', repeat)
    }
    await call('DELETE', `${base}${calendar_id}/`)
    const times = { start: '2027-03-01T09:00:00.250Z', end: '2027-03-01T10:00:00Z' }
    await make({ title: 'Exact', repeat: 'FREQ=DAILY;COUNT=2', ...times })
    const both = await call('GET', `${base}?start=2027-01-01&end=2027-12-31&q=Exact`)
    assert.equal(both.body.length, 2, both.text)
  })

  test('of a full month are listed on all its pages, each once, forwards and backwards', async () => {
    const ids = Array.from({ length: 1300 }, (_, n) => `full${String(n).padStart(21, '0')}`)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into meetings (organization_id, id, title, starts_at, ends_at)
        select ${org.id}, r.id, 'Full', s, s + interval '1 hour'
        from unnest(${ids}::text[]) with ordinality r (id, n),
          lateral (select timestamptz '2041-05-01 08:00Z' + make_interval(days => (n % 30)::int)) x (s)`),
    )
    await make({
      title: 'Full',
      start: '2041-05-10T08:00:00Z',
      end: '2041-05-10T09:00:00Z',
      repeat: 'FREQ=DAILY;COUNT=3',
    })
    for (const reverse of [false, true]) {
      const found: string[] = []
      for (let offset = 0; ; offset = found.length) {
        const { body, headers } = await call(
          'GET',
          `${base}?start=2041-05-01&end=2041-06-01&offset=${offset}&items_per_page=500&fields=title&reverse=${reverse}`,
        )
        found.push(...body.map((each: any) => `${each.start} ${each.calendar_id}`))
        if (!headers.get('link')?.includes('rel="next"')) break
      }
      assert.equal(new Set(found).size, 1303)
      assert.equal(found.length, 1303)
      const starts = found.map((each) => each.slice(0, 24))
      assert.deepEqual(starts, reverse ? starts.toSorted().toReversed() : starts.toSorted())
    }
  })

  test('of whole days that repeat last as many days across a change of the clocks', async () => {
    const { calendar_id } = await make({
      all_day: true,
      timezone: 'Europe/Berlin',
      start: '2026-03-28',
      end: '2026-03-28T23:59',
      repeat: 'FREQ=MONTHLY;BYMONTHDAY=-3,-7;COUNT=20',
    })
    const endsBetween = async (bounds: string) => {
      const listed = await call('GET', `${base}?${bounds}`)
      return listed.body
        .filter((each: any) => each.calendar_id === calendar_id)
        .map(({ start, end }: any) => [start, end])
    }
    // 29 March has 23 hours, 25 October has 25
    assert.deepEqual(await endsBetween('start=2026-03-29&end=2026-03-30'), [
      ['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:00.000Z'],
    ])
    assert.deepEqual(await endsBetween('start=2026-10-25&end=2026-10-26'), [
      ['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:00.000Z'],
    ])
  })

  test('that repeat are listed while they last, as single ones are', async () => {
    const { calendar_id } = await make({
      start: '2027-05-03T22:00:00Z',
      end: '2027-05-04T02:00:00Z',
      repeat: 'FREQ=DAILY;COUNT=5',
    })
    const listed = await call('GET', `${base}?start=2027-05-06T01:00:00Z&end=2027-05-06T23:00:00Z`)
    assert.deepEqual(
      listed.body
        .filter((each: any) => each.calendar_id === calendar_id)
        .map(({ start }: any) => start),
      ['2027-05-05T22:00:00.000Z', '2027-05-06T22:00:00.000Z'],
    )
    const later = await call('GET', `${base}?start=2027-05-06T02:00:01Z&end=2027-05-06T12:00:00Z`)
    assert.ok(!later.body.some((each: any) => each.calendar_id === calendar_id))
  })

  test('follow a zone of the database of zones, and no offset', async () => {
    const times = { start: '2026-03-02T09:00', end: '2026-03-02T10:00' }
    for (const timezone of ['+05:30', '-03', 'UTC+1', '2026-01-01T00:00Z[Europe/Berlin]']) {
      const refused = await call('POST', base, { title: 'x', ...times, timezone })
      assert.equal(refused.body.errors?.[0].field, 'timezone', refused.text)
    }
    const { start } = await make({ ...times, timezone: 'asia/kolkata' })
    assert.equal(start, '2026-03-02T03:30:00.000Z')
  })

  test('notify whoever is added of the invitation', async () => {
    const meeting = await make({ users: [org.users.member.user_id] })
    const { user_id } = org.users.manager
    const at = `${base}${meeting.calendar_id}/`
    await call('PUT', at, { users: [org.users.member.user_id, user_id] })
    const titlesOf = async (role: Role) => {
      const inbox = '/api/notifyhub/notify-info/?page=1&items_per_page=50'
      const { body } = await call('GET', inbox, undefined, role)
      return body
        .filter((each: any) => each.notification_obj.reference_id === meeting.calendar_id)
        .map(({ title }: any) => title)
    }
    assert.deepEqual(await titlesOf('manager'), ['Invited: Kick-off'])
    await call('PUT', at, { is_meeting_cancelled: true })
    await call('PUT', at, { is_meeting_cancelled: false })
    const expected = ['Invited: Kick-off', 'Cancelled: Kick-off', 'Invited: Kick-off']
    assert.deepEqual(await titlesOf('manager'), expected)
    assert.deepEqual(await titlesOf('member'), expected)
  })

  test('are moved and cancelled, and stay where they were', async () => {
    const meeting = await make({ users: [org.users.member.user_id] })
    const at = `${base}${meeting.calendar_id}/`
    await call('PUT', at, { start: '2026-03-03T09:00:00Z', end: '2026-03-03T10:00:00Z' })
    const put = await call('PUT', at, { is_meeting_cancelled: true, cancel_note: 'Ill' })
    assert.equal(put.body.cancel_note, 'Ill')
    const log = (await call('GET', `/api/activity/log/meetings/${meeting.calendar_id}/`)).body
    const types = log.map(({ type }: any) => type)
    for (const type of ['meeting_scheduled', 'meeting_rescheduled', 'meeting_cancelled']) {
      assert.ok(types.includes(type), `${type} is not among ${types}`)
    }
  })

  const eventsOf = async (id: string): Promise<string[]> =>
    (await call('GET', `/api/activity/log/meetings/${id}/`)).body
      .map(({ type }: { type: string | null }) => type)
      // every change is an update too
      .filter((type: string | null) => type && type !== 'meeting_updated')
      .toReversed()

  test('are cancelled once, and scheduled anew when they take place after all', async () => {
    const { calendar_id } = await make({})
    const at = `${base}${calendar_id}/`
    const later = { start: '2027-03-03T09:00:00Z', end: '2027-03-03T10:00:00Z' }
    await call('PUT', at, { is_meeting_cancelled: true })
    await call('PUT', at, later) // where it does not take place it is not moved either
    await call('DELETE', at)
    await call('POST', `${at}restore/`)
    assert.deepEqual(await eventsOf(calendar_id), ['meeting_scheduled', 'meeting_cancelled'])
    await call('PUT', at, { is_meeting_cancelled: false })
    await call('DELETE', at)
    await call('POST', `${at}restore/`)
    assert.deepEqual((await eventsOf(calendar_id)).slice(2), [
      'meeting_scheduled',
      'meeting_cancelled',
      'meeting_scheduled',
    ])
  })

  test('that are cancelled from the beginning are announced as that, and nobody is invited', async () => {
    const { user_id, token: as } = org.users.member
    const { calendar_id } = await make({ users: [user_id], is_meeting_cancelled: true })
    assert.deepEqual(await eventsOf(calendar_id), ['meeting_scheduled', 'meeting_cancelled'])
    const path = '/api/notifyhub/notify-info/?page=1&items_per_page=50'
    const { body } = await service.call('GET', path, { token: as })
    assert.ok(!JSON.stringify(body).includes(calendar_id), JSON.stringify(body))
  })

  test('that have begun are listed with their company and their contact', async () => {
    const company = await call('POST', '/api/company/', { company_name: 'Past' })
    const company_id = company.headers.get('x-record-id')!
    const contact = await call('POST', '/api/contact/', { full_name: 'P', company_id })
    const contact_id = contact.headers.get('x-record-id')!
    const attendees = [{ type: 'contact', id: contact_id }]
    const past = { start: '2020-01-01T09:00:00Z', end: '2020-01-01T10:00:00Z' }
    const later = { start: '2021-01-01T09:00:00Z', end: '2021-01-01T10:00:00Z' }
    const never = { start: '2999-01-01T09:00:00Z', end: '2999-01-01T10:00:00Z' }
    const first = await make({ ...past, attendees })
    const second = await make({ ...later, extended_props: { company_id } })
    await make({ ...never, attendees })
    const ids = async (path: string) =>
      (await call('GET', `${path}completed-meetings/`)).body.map((each: any) => each.calendar_id)
    assert.deepEqual(await ids(`/api/company/${company_id}/`), [
      second.calendar_id,
      first.calendar_id,
    ])
    assert.deepEqual(await ids(`/api/contact/${contact_id}/`), [first.calendar_id])
  })

  test('have insights that say what they were', async () => {
    const { calendar_id } = await make({ users: [org.users.member.user_id] })
    const path = '/api/calendar/insight/'
    const made = await call('POST', path, { meeting_insight_id: 'mi-1', calendar_id })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.title, made.body.duration, made.body.is_favorite],
      ['Kick-off', '60', 'false'],
    )
    const unknown = await call('POST', path, { meeting_insight_id: 'mi-2', calendar_id: 'nope' })
    assert.equal(unknown.body.errors[0].field, 'calendar_id')
    assert.equal((await call('POST', path, { calendar_id })).status, 400)
    assert.equal((await call('DELETE', `${path}mi-1/`)).status, 204)
    const again = await call('POST', path, { meeting_insight_id: 'mi-1', calendar_id })
    assert.equal(again.status, 201, 'a deletion frees the id')
  })

  test('are listed by the account, company or contact that they are with, as far as these are readable', async () => {
    const created = async (path: string, body: object) => {
      const reply = await call('POST', path, body)
      return String(reply.headers.get('x-record-id'))
    }
    const company_id = await created('/api/company/', { company_name: `Vandam ${newId()}` })
    const account_id = await created('/api/account/info/', {
      account_name: `Vandam ${newId()}`,
      company_id,
    })
    const contact_id = await created('/api/contact/', { full_name: 'Vera', company: company_id })
    const at = (day: string) => ({ start: `${day}T09:00:00Z`, end: `${day}T10:00:00Z` })
    const attendees = [{ type: 'contact', id: contact_id }]
    const [first, second] = [
      await make({ ...at('2031-05-06'), attendees }),
      await make({ ...at('2031-05-07'), attendees }),
    ]
    await make({ ...at('2031-05-06'), is_meeting_cancelled: true, attendees })
    await make(at('2031-05-06'))
    const listed = async (query: string, role: Role = 'admin') => {
      const { status, body } = await call(
        'GET',
        `${base}?page=1&items_per_page=9&start=2031-05-06T00:00:00Z&${query}`,
        undefined,
        role,
      )
      return status === 200 ? body.map((each: { calendar_id: string }) => each.calendar_id) : status
    }
    const both = [first.calendar_id, second.calendar_id]
    for (const query of [
      `account_id=${account_id}`,
      `company_id=${company_id}`,
      `contact_id=${contact_id}`,
      `contact_id=${contact_id}&account_id=${account_id}`,
    ]) {
      assert.deepEqual(await listed(query), both, query)
      assert.deepEqual(await listed(query, 'member'), both, query)
    }
    const other = await created('/api/account/info/', { account_name: `Olmeda ${newId()}` })
    assert.deepEqual(await listed(`account_id=${other}`), [])
    assert.deepEqual(await listed(`contact_id=${contact_id}&account_id=${other}`), [])
    // a link to what one may not read is not found
    assert.equal(await listed(`account_id=${account_id}`, 'customer'), 404)
    assert.equal(await listed(`account_id=${newId()}`), 404)
    const elsewhere = await makeOrganization(service)
    const foreign = await service.call('GET', `${base}?page=1&account_id=${account_id}`, {
      token: elsewhere.users.admin.token,
    })
    assert.equal(foreign.status, 404)
  })

  test('are listed of people and projects, as far as the caller sees them', async () => {
    const { manager } = org.users
    const times = { start: '2033-05-02T09:00:00Z', end: '2033-05-02T10:00:00Z' }
    const project = await call('POST', '/api/project/info/', { project_name: 'Calendar project' })
    const id = project.headers.get('x-record-id')
    const invited = await make({ ...times, title: 'With the manager', users: [manager.user_id] })
    const ofProject = await make({ ...times, title: 'Of the project', project: id })
    const hidden = await make({
      ...times,
      title: 'Private',
      users: [manager.user_id],
      is_private: true,
    })
    await make({ ...times, title: 'Of nobody named' })
    const listed = async (query: string, role: Role = 'admin') => {
      const reply = await call(
        'GET',
        `${base}?start=2033-05-01T00:00:00Z&end=2033-05-31T00:00:00Z&${query}`,
        undefined,
        role,
      )
      if (reply.status !== 200) return `${reply.status} ${reply.body.errors?.[0]?.field}`
      return reply.body.map((each: any) => each.calendar_id).toSorted()
    }
    const ids = (...meetings: any[]) => meetings.map((each) => each.calendar_id).toSorted()
    assert.deepEqual(await listed(`people=${manager.user_id}`), ids(invited, hidden))
    assert.deepEqual(
      await listed(`people=${manager.user_id}&projects=${id}`),
      ids(invited, ofProject, hidden),
    )
    assert.deepEqual(await listed(`projects=${id}`), ids(ofProject))
    assert.deepEqual(await listed(`people=${newId()}`), [])
    // whoever may not see a private meeting does not find it by its people
    const seen = await listed(`people=${manager.user_id}`, 'member')
    assert.ok(!seen.includes(hidden.calendar_id), `${seen}`)
    assert.equal(await listed('people=,'), '400 people')
    const many = Array.from({ length: 51 }, () => newId()).join(',')
    assert.equal(await listed(`projects=${many}`), '400 projects')
  })
})
