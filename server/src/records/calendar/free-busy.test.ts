import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { newId } from '../../kit/ground/ids.ts'

type Role = keyof TestOrganization['users']

describe('when colleagues are busy', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const meet = async (more: object, role: Role = 'admin') => {
    const calendar_id = newId()
    const reply = await call(
      'POST',
      '/api/calendar/info/',
      { calendar_id, title: 'Meeting', ...more },
      role,
    )
    assert.equal(reply.status, 201, reply.text)
    return calendar_id
  }
  const ask = async (body: object, role: Role = 'admin') => {
    const reply = await call('POST', '/api/calendar/free-busy/', body, role)
    return reply.status === 200
      ? reply.body
      : `${reply.status} ${reply.body.errors?.[0]?.field ?? reply.body.code}`
  }
  const day = (date: string, hour: string) => `${date}T${hour}:00.000Z`

  test('is told by meetings, series and absences, without what was declined or cancelled', async () => {
    const { member, manager } = org.users
    const users = [member.user_id]
    // a Monday
    const monday = '2034-05-01'
    const at = (from: string, to: string) => ({
      start: day(monday, from),
      end: day(monday, to),
      users,
    })
    const own = await meet({ ...at('08:00', '09:00'), title: 'Review' })
    await meet({ ...at('09:00', '09:30'), title: 'Stand-up', repeat: 'FREQ=DAILY;COUNT=3' })
    const declined = await meet(at('10:00', '11:00'))
    await call(
      'POST',
      `/api/calendar/info/${declined}/respond/`,
      { response: 'declined' },
      'member',
    )
    await meet({ ...at('11:00', '12:00'), is_meeting_cancelled: true })
    // whoever organizes a meeting is busy, too
    await meet({ title: 'Alone', start: day(monday, '12:00'), end: day(monday, '13:00') }, 'member')
    const away = [{ start_date: '2034-05-03', end_date: '2034-05-03' }]
    const put = await call('PUT', `/api/users/profile/${manager.user_id}/`, { absences: away })
    assert.equal(put.status, 200, put.text)
    const range = { from: day(monday, '00:00'), to: day('2034-05-04', '00:00') }
    const people = [member.user_id, manager.user_id]
    const found = await ask({ people, ...range, duration: 60 })
    const busyOf = (at: number) =>
      found.people[at].busy.map(({ from, to, title, why }: any) => [from, to, title ?? why])
    assert.deepEqual(busyOf(0), [
      [day(monday, '08:00'), day(monday, '09:00'), 'Review'],
      [day(monday, '09:00'), day(monday, '09:30'), 'Stand-up'],
      [day(monday, '12:00'), day(monday, '13:00'), 'Alone'],
      [day('2034-05-02', '09:00'), day('2034-05-02', '09:30'), 'Stand-up'],
      [day('2034-05-03', '09:00'), day('2034-05-03', '09:30'), 'Stand-up'],
    ])
    assert.equal(found.people[1].busy.length, 1)
    assert.equal(found.people[1].busy[0].why, 'away')
    assert.deepEqual(
      found.suggestions.map(({ from }: any) => from),
      [day(monday, '09:30'), day(monday, '10:30'), day(monday, '13:00')],
    )
    // the meeting that is moved does not stand in its own way
    const moving = await ask({ people, ...range, calendar_id: own })
    assert.equal(moving.suggestions[0].from, day(monday, '08:00'))
  })

  test('has free times on working days alone', async () => {
    const people = [org.users.admin.user_id]
    // from a Friday, 17:30, into the weekend
    const range = { from: day('2034-06-02', '17:30'), to: day('2034-06-05', '12:00') }
    const { suggestions } = await ask({ people, ...range, duration: 90 })
    assert.deepEqual(
      suggestions.map(({ from }: any) => from),
      [day('2034-06-05', '08:00'), day('2034-06-05', '09:30')],
    )
  })

  test('keeps to the hours of each person, and to holidays', async () => {
    const { member, manager } = org.users
    const path = `/api/users/profile/${member.user_id}/`
    const mornings = [{ days: [1, 2, 3], from: '08:00', to: '10:00' }]
    const put = await call('PUT', path, { working_hours: mornings })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual((await call('GET', path)).body.working_hours, mornings)
    const wrong = await call('PUT', path, {
      working_hours: [...mornings, { days: [4], from: '10:00', to: '09:00' }],
    })
    assert.equal(wrong.body.errors[0].field, 'working_hours.1.to')
    const none = await call('PUT', path, { working_hours: [{ ...mornings[0], from: '8' }] })
    assert.equal(none.body.errors[0].field, 'working_hours.0.from')
    const settings = '/api/organization/settings/'
    const late = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }]
    const changed = await call('PUT', settings, { working_hours: late })
    assert.equal(changed.status, 200, changed.text)
    // a Monday is a holiday
    await call('POST', '/api/holidays/holinfo/', {
      country: 'FR',
      holidays: [{ name: 'Toussaint', date: '2034-08-07' }],
    })
    const range = { from: day('2034-08-06', '00:00'), to: day('2034-08-09', '00:00') }
    const { people, suggestions } = await ask({
      people: [member.user_id, { email: 'guest@acme.test' }, manager.user_id],
      ...range,
      duration: 30,
    })
    assert.deepEqual(people[0].working, [
      { from: day('2034-08-08', '08:00'), to: day('2034-08-08', '10:00') },
    ])
    assert.deepEqual(people[0].busy, [
      {
        from: day('2034-08-07', '00:00'),
        to: day('2034-08-08', '00:00'),
        why: 'holiday',
        title: 'Toussaint',
      },
    ])
    assert.deepEqual(
      [people[1].id, people[1].known, people[1].name, people[1].busy],
      ['guest@acme.test', false, null, []],
    )
    assert.deepEqual(suggestions, [
      { from: day('2034-08-08', '09:00'), to: day('2034-08-08', '09:30'), free: 2, of: 2 },
      { from: day('2034-08-08', '09:30'), to: day('2034-08-08', '10:00'), free: 2, of: 2 },
    ])
    // whoever need not come may be busy
    const optional = await ask({
      people: [member.user_id, manager.user_id],
      required: [manager.user_id],
      ...range,
      from: day('2034-08-08', '11:00'),
    })
    assert.deepEqual(optional.suggestions[0], {
      from: day('2034-08-08', '11:00'),
      to: day('2034-08-08', '12:00'),
      free: 1,
      of: 2,
    })
    await call('PUT', path, { working_hours: [] })
    await call('PUT', settings, { working_hours: [] })
  })

  test('shows titles only to whoever may read the meeting', async () => {
    const range = { from: day('2034-07-03', '00:00'), to: day('2034-07-04', '00:00') }
    const times = { start: day('2034-07-03', '10:00'), end: day('2034-07-03', '11:00') }
    const { manager } = org.users
    await meet({ ...times, title: 'Salaries', is_private: true, users: [manager.user_id] })
    const titleFor = async (role: Role) =>
      (await ask({ people: [manager.user_id], ...range }, role)).people[0].busy[0].title
    assert.equal(await titleFor('manager'), 'Salaries')
    assert.equal(await titleFor('member'), null)
  })

  test('is refused for strangers, for too long a range and to customers', async () => {
    const people = [org.users.member.user_id]
    const range = { from: day('2034-05-01', '00:00'), to: day('2034-05-02', '00:00') }
    assert.equal(await ask({ people: [newId()], ...range }), '400 people.0')
    const other = await makeOrganization(service)
    assert.equal(
      await ask({ people: [...people, other.users.admin.user_id], ...range }),
      '400 people.1',
    )
    assert.equal(await ask({ people, ...range, to: day('2034-06-02', '00:00') }), '400 to')
    assert.equal(await ask({ people, ...range, to: range.from }), '400 to')
    assert.equal(await ask({ people: [], ...range }), '400 people')
    assert.equal(await ask({ people, ...range, duration: 1 }), '400 duration')
    assert.equal(await ask({ people: [{}], ...range }), '400 people.0')
    assert.equal(await ask({ people, ...range, required: [newId()] }), '400 required.0')
    const customer = await ask({ people, ...range }, 'customer')
    assert.ok(String(customer).startsWith('403'), String(customer))
  })
})
