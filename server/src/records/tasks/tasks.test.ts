import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { dueTasks } from '../../jobs/due.ts'

let service: TestService
let org: TestOrganization
before(async () => {
  service = await startService()
  org = await makeOrganization(service)
})

type Role = keyof TestOrganization['users']
const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
  service.call(method, path, { token: org.users[role].token, body })
const base = '/api/tasks/'

async function make(body: object = {}): Promise<any> {
  const reply = await call('POST', base, { title: 'Task', ...body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
async function makeAt(path: string, body: object): Promise<string> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.headers.get('x-record-id')!
}
const read = async (id: string) => (await call('GET', `${base}${id}/`)).body
const put = (id: string, body: object, role?: Role) => call('PUT', `${base}${id}/`, body, role)

describe('tasks', () => {
  test('take an owner by name, a priority by word and people by e-mail', async () => {
    const task = await make({
      owner: { name: `Member of ${org.name}` },
      priority: 'High',
      users: [{ email: org.users.manager.email.toUpperCase() }],
      tags: ['a'],
    })
    assert.equal(task.owner.user_id, org.users.member.user_id)
    assert.deepEqual([task.priority.value, task.priority.label], ['high', 'High'])
    assert.equal(task.users[0].user_id, org.users.manager.user_id)
    for (const [operator, value] of [
      ['eq', 'HIGH'],
      ['in', ['high', 'low']],
    ]) {
      const filter = encodeURIComponent(JSON.stringify([{ field: 'priority', operator, value }]))
      const found = await call('GET', `${base}?filter=${filter}`)
      assert.deepEqual(
        found.body.map(({ item_id }: { item_id: string }) => item_id),
        [task.item_id],
      )
    }
    assert.equal(task.status.category, 'not_started')
    assert.equal(task.is_completed, false)
    assert.equal(task.visibility, 'shared')
    const nobody = await call('POST', base, { title: 'x', owner: { name: 'Nobody' } })
    assert.equal(nobody.body.errors[0].field, 'owner')
    const notifications = await rows(
      service,
      sql`select title from notifications where user_id = ${org.users.member.user_id}
        and notification_type = 2`,
    )
    assert.equal(notifications.length, 1)
  })

  test('take links that a form left empty as none', async () => {
    const task = await make({
      account_id: '',
      milestone_id: ' ',
      parent_id: '',
      owner: { name: '' },
    })
    assert.deepEqual(
      [task.account_id, task.milestone_id, task.parent_id, task.owner],
      [null, null, null, null],
    )
    const owned = await make({ owner: org.users.member.user_id })
    assert.equal((await put(owned.item_id, { owner: '' })).body.owner, null)
  })

  test('name the meeting and the insight that they came of', async () => {
    const when = { start: '2030-01-01T10:00:00Z', end: '2030-01-01T11:00:00Z' }
    const meeting = await call('POST', '/api/calendar/info/', { title: 'Kick-off', ...when })
    const { calendar_id } = meeting.body
    const meeting_summary_id = `insight-${org.users.admin.user_id.slice(-8)}`
    const insight = { meeting_insight_id: meeting_summary_id, calendar_id }
    assert.equal((await call('POST', '/api/calendar/insight/', insight)).status, 201)
    const { item_id } = await make({ calendar_id, meeting_summary_id })
    const task = await read(item_id)
    assert.deepEqual([task.calendar_id, task.meeting_summary_id], [calendar_id, meeting_summary_id])
    const wrong = await put(item_id, { calendar_id: 'nope' })
    assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'calendar_id'])
    assert.equal((await put(item_id, { calendar_id: null })).body.calendar_id, null)
  })

  test('are completed by flag or by status, and the two always agree', async () => {
    const { item_id } = await make()
    const done = await put(item_id, { is_completed: true })
    assert.equal(done.body.status.category, 'completed')
    assert.ok(done.body.completed_at)
    const open = await put(item_id, { status: 'in_progress' })
    assert.equal(open.body.is_completed, false)
    assert.equal(open.body.completed_at, null)
    const both = await put(item_id, { status: 'on_hold', is_completed: true })
    assert.equal(both.status, 400)
    assert.equal(both.body.errors[0].field, 'is_completed')
    const log = (await call('GET', `/api/activity/log/tasks/${item_id}/`)).body
    const types = log.map(({ type }: any) => type)
    for (const type of ['task_completed', 'task_status_changed']) assert.ok(types.includes(type))
  })

  test('can be sent back as they were read, with one thing changed', async () => {
    const { item_id } = await make({ priority: 'high', users: [org.users.manager.user_id] })
    const same = await put(item_id, await read(item_id))
    assert.equal(same.status, 200, same.text)
    assert.equal(same.headers.get('etag'), '"1"')
    const done = await put(item_id, { ...(await read(item_id)), is_completed: true })
    assert.equal(done.body.status?.category, 'completed', done.text)
    const status = { status_key: 'in_progress' }
    const open = await put(item_id, { ...(await read(item_id)), status })
    assert.equal(open.body.is_completed, false, open.text)
    const series = await make({ due_date: '2026-03-02', recurrence_pattern: 'FREQ=WEEKLY' })
    const again = await put(series.item_id, await read(series.item_id))
    assert.equal(again.headers.get('etag'), '"1"', again.text)
  })

  test('have subtasks, which go with them and are never above themselves', async () => {
    const parent = await make()
    const child = await make({ parent_id: parent.item_id, title: 'Child' })
    assert.equal(child.item_type, 2)
    assert.equal((await read(parent.item_id)).sub_items[0].title, 'Child')
    const circle = await put(parent.item_id, { parent_id: child.item_id })
    assert.equal(circle.status, 400, circle.text)
    assert.equal((await call('DELETE', `${base}${parent.item_id}/`)).status, 204)
    assert.equal((await call('GET', `${base}${child.item_id}/`)).status, 404)
    assert.equal((await call('POST', `${base}${parent.item_id}/restore/`)).status, 200)
    assert.equal((await read(child.item_id)).parent_id, parent.item_id)
  })

  test('restore what was deleted with them, and nothing that was deleted before', async () => {
    const parent = await make()
    const child = await make({ parent_id: parent.item_id })
    const grandchild = await make({ parent_id: child.item_id })
    const former = await make({ parent_id: parent.item_id })
    await call('DELETE', `${base}${former.item_id}/`)
    await call('DELETE', `${base}${parent.item_id}/`)
    await call('POST', `${base}${parent.item_id}/restore/`)
    assert.equal((await read(grandchild.item_id)).parent_id, child.item_id)
    assert.equal((await call('GET', `${base}${former.item_id}/`)).status, 404)
  })

  test('are restored after what they belong to, and not before', async () => {
    const project_id = await makeAt('/api/project/info/', { project_name: 'P' })
    const milestones = `/api/project/info/${project_id}/milestones/`
    const milestone_id = await makeAt(milestones, { name: 'M' })
    const parent = await make({ milestone_id })
    const child = await make({ parent_id: parent.item_id })
    const above = [`${base}${parent.item_id}/`, `${milestones}${milestone_id}/`]
    for (const path of [`${base}${child.item_id}/`, ...above, `/api/project/info/${project_id}/`]) {
      assert.equal((await call('DELETE', path)).status, 204)
    }
    const restore = (path: string) => call('POST', `${path}restore/`)
    const refused = async (id: string, what: string) => {
      const reply = await restore(`${base}${id}/`)
      assert.deepEqual([reply.status, reply.body.code], [409, 'parent_deleted'], reply.text)
      assert.match(reply.body.message, new RegExp(`The ${what} of this task is deleted`))
    }
    await refused(parent.item_id, 'project')
    await restore(`/api/project/info/${project_id}/`)
    await refused(parent.item_id, 'milestone')
    await restore(`${milestones}${milestone_id}/`)
    await refused(child.item_id, 'parent')
    assert.equal((await restore(`${base}${parent.item_id}/`)).status, 200)
    assert.equal((await restore(`${base}${child.item_id}/`)).status, 200)
  })

  test('are deleted and restored with their parent, whatever milestone they are in', async () => {
    const project_id = await makeAt('/api/project/info/', { project_name: 'P' })
    const milestones = `/api/project/info/${project_id}/milestones/`
    const [one, two] = [
      await makeAt(milestones, { name: 'One' }),
      await makeAt(milestones, { name: 'Two' }),
    ]
    const parent = await make({ milestone_id: one })
    const child = await make({ parent_id: parent.item_id, milestone_id: two })
    const statusOf = async (id: string) => (await call('GET', `${base}${id}/`)).status
    await call('DELETE', `${milestones}${one}/`)
    assert.equal(await statusOf(child.item_id), 404)
    await call('POST', `${milestones}${one}/restore/`)
    assert.equal(await statusOf(child.item_id), 200)

    await call('DELETE', `${milestones}${one}/`)
    await call('DELETE', `${milestones}${two}/`)
    await call('POST', `${milestones}${one}/restore/`)
    assert.equal(await statusOf(parent.item_id), 200)
    assert.equal(await statusOf(child.item_id), 404)

    await call('POST', `${milestones}${two}/restore/`)
    await call('POST', `${base}${child.item_id}/restore/`)
    const grandchild = await make({ parent_id: child.item_id })
    await call('DELETE', `${milestones}${two}/`)
    await call('DELETE', `${milestones}${one}/`)
    await call('POST', `${milestones}${two}/restore/`)
    assert.equal(await statusOf(child.item_id), 404)
    assert.equal(await statusOf(grandchild.item_id), 404)
  })

  test('have subtasks on five levels, also those that move with theirs', async () => {
    const chain = async (length: number) => {
      const ids: string[] = []
      while (ids.length < length) {
        ids.push((await make(ids.length ? { parent_id: ids.at(-1) } : {})).item_id)
      }
      return ids
    }
    const [long, short] = [await chain(4), await chain(3)]
    const tooDeep = await put(short[0]!, { parent_id: long[3] })
    assert.equal(tooDeep.status, 400)
    assert.match(tooDeep.text, /at most 5 levels/)
    assert.equal((await put(short[0]!, { parent_id: long[2] })).status, 200)
  })

  test('that go along with their parent are logged by what changed of each, from what it was', async () => {
    const project_id = await makeAt('/api/project/info/', { project_name: 'P' })
    const plan = `/api/project/info/${project_id}/milestones/`
    const [one, two, three] = [
      await makeAt(plan, { name: 'One' }),
      await makeAt(plan, { name: 'Two' }),
      await makeAt(plan, { name: 'Three' }),
    ]
    const parent = await make({ milestone_id: one })
    const along = await make({ parent_id: parent.item_id })
    const apart = await make({ parent_id: parent.item_id, milestone_id: three })
    const last = async (id: string) => (await call('GET', `/api/activity/log/1/${id}/`)).body[0]
    await put(parent.item_id, { milestone_id: two })
    const moved = { field: 'milestone_id', from: one, to: two }
    assert.deepEqual((await last(along.item_id)).changes, [moved])
    assert.equal((await last(apart.item_id)).type, 'task_created')
    assert.equal((await read(apart.item_id)).version, 1)
    const other = await makeAt('/api/project/info/', { project_name: 'Q' })
    await put(parent.item_id, { project_id: other })
    assert.deepEqual((await last(apart.item_id)).changes, [
      { field: 'project_id', from: project_id, to: other },
      { field: 'milestone_id', from: three, to: null },
    ])
  })

  test('of a form take its questions as they are, also when these change at that moment', async () => {
    const asked = (label: string) => [{ fields: [{ id: 'q', type: 'short-text', label }] }]
    const form = { name: 'F', item_type: 'form', form_structure: asked('First') }
    const form_id = (await call('POST', '/api/surveys/', form)).body.survey_id
    const path = `/api/surveys/${form_id}/update-with-propagation/`
    const before = await make({ form_id })
    for (let i = 0; i < 4; i++) {
      const body = { form_structure: asked(`Next ${i}`), propagate_to_tasks: true }
      const [task, changed] = await Promise.all([make({ form_id }), call('PUT', path, body)])
      assert.equal(changed.status, 200, changed.text)
      assert.match(
        JSON.stringify((await read(task.item_id)).form_structure),
        new RegExp(`Next ${i}`),
      )
    }
    const log = (await call('GET', `/api/activity/log/1/${before.item_id}/`)).body
    const [{ from, to }] = log[0].changes
    assert.match(JSON.stringify(from), /Next 2/)
    assert.match(JSON.stringify(to), /Next 3/)
  })

  test('do not come to be above themselves by two moves at one moment', async () => {
    for (let i = 0; i < 5; i++) {
      const [a, x] = [await make(), await make()]
      const b = await make({ parent_id: a.item_id })
      const y = await make({ parent_id: x.item_id })
      const replies = await Promise.all([
        put(a.item_id, { parent_id: y.item_id }),
        put(x.item_id, { parent_id: b.item_id }),
      ])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
    }
  })

  test('wait for others, and a circle is refused with its path', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    const wait = (task: any, on: any) =>
      call('POST', `${base}${task.item_id}/dependencies/`, { predecessor_id: on.item_id })
    assert.equal((await wait(b, a)).status, 201)
    assert.equal((await wait(c, b)).status, 201)
    assert.equal((await wait(c, b)).status, 200, 'it was there')
    assert.equal((await read(c.item_id)).is_blocked, true)
    const circle = await wait(a, c)
    assert.equal(circle.status, 409, circle.text)
    assert.deepEqual(circle.body.data.path, [c.item_id, b.item_id, a.item_id, c.item_id])
    assert.equal((await wait(a, a)).status, 409)
    await put(b.item_id, { is_completed: true })
    assert.equal((await read(c.item_id)).is_blocked, false)
    // many at once can close no circle either
    const ring = await Promise.all(Array.from({ length: 6 }, () => make()))
    const replies = await Promise.all(ring.map((task, i) => wait(task, ring[(i + 1) % 6])))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 409])
  })

  test('wait for another one once, however often that is requested', async () => {
    const [first, then] = [await make(), await make()]
    const path = `${base}${then.item_id}/dependencies/`
    const wait = (more: object) => call('POST', path, { predecessor_id: first.item_id, ...more })
    assert.deepEqual([(await wait({})).status, (await wait({})).status], [201, 200])
    assert.equal((await read(then.item_id)).version, 2)
    assert.equal((await wait({ lag_days: 2 })).status, 200)
    const log = (await call('GET', `/api/activity/log/1/${then.item_id}/`)).body
    assert.deepEqual(
      log.slice(0, -1).map(({ changes }: any) => changes),
      [
        [{ field: 'lag_days', from: 0, to: 2 }],
        [{ field: 'predecessor_id', from: null, to: first.item_id }],
      ],
    )
  })

  test('of a series are followed by the next when they are done', async () => {
    const first = await make({
      due_date: '2026-03-02',
      recurrence_pattern: { frequency: 'weekly', by_weekday: ['MO', 'TH'], count: 3 },
    })
    assert.equal(first.recurrence_status, 'active')
    assert.equal(first.recurrence_pattern.rrule, 'FREQ=WEEKLY;BYDAY=MO,TH;COUNT=3')
    assert.equal(first.recurrence_pattern.next_occurrence, '2026-03-05')
    await put(first.item_id, { is_completed: true })
    await put(first.item_id, { is_completed: false })
    await put(first.item_id, { is_completed: true })
    const next = async () => {
      const { body } = await call('GET', `${base}?items_per_page=500&sort=due_date`)
      return body.filter((each: any) => each.parent_recurring_id === first.item_id)
    }
    const [second, ...more] = await next()
    assert.equal(second.due_date, '2026-03-05')
    assert.deepEqual(more, [])
    await put(second.item_id, { is_completed: true })
    const third = (await next())[1]
    assert.equal(third.due_date, '2026-03-09')
    await put(third.item_id, { is_completed: true })
    assert.equal((await next()).length, 2)
    assert.equal((await read(third.item_id)).recurrence_status, 'completed')
    for (const pattern of [
      'FREQ=NEVER',
      'nonsense',
      'FREQ=DAILY;INTERVAL=0',
      { frequency: 'hourly' },
      { frequency: 'daily', timezone: 'Mars/Olympus' },
    ]) {
      const bad = await call('POST', base, { title: 'x', recurrence_pattern: pattern })
      assert.equal(bad.status, 400, JSON.stringify(pattern) + bad.text)
      assert.equal(bad.body.errors[0].field, 'recurrence_pattern')
    }
  })

  test('that recur name what is wrong with a pattern, and a misspelled key', async () => {
    const pattern = { frequency: 'weekly', by_weekdays: ['MO'] }
    const bad = await call('POST', base, { title: 'x', recurrence_pattern: pattern })
    assert.deepEqual(bad.body.errors, [
      {
        field: 'recurrence_pattern.by_weekdays',
        message: 'is not known here; did you mean by_weekday?',
      },
    ])
    // numbered weekdays have no meaning within a week, and February has no thirtieth
    for (const rule of [
      'FREQ=WEEKLY;BYDAY=1MO',
      'FREQ=WEEKLY;BYMONTHDAY=1',
      'FREQ=MONTHLY;BYWEEKNO=3',
      'FREQ=MONTHLY;BYSETPOS=-1',
      'FREQ=DAILY;COUNT=2;COUNT=3',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30,31',
    ]) {
      const reply = await call('POST', base, { title: 'x', recurrence_pattern: rule })
      assert.equal(reply.status, 400, rule)
    }
    const task = await make({ recurrence_pattern: 'RRULE:freq=weekly;;byday=mo;' })
    assert.equal(task.recurrence_pattern.rrule, 'FREQ=WEEKLY;BYDAY=MO')
    const known = { ...task.recurrence_pattern, frequency: 'weekly', by_weekday: ['TU'] }
    const changed = await call('PUT', `${base}${task.item_id}/`, { recurrence_pattern: known })
    assert.equal(changed.status, 200, changed.text)
  })

  test('have each tag once, and lose one in whatever case it is named', async () => {
    const task = await make({ tags: [' VIP', 'vip', '', 'New'] })
    assert.deepEqual(task.tags, ['VIP', 'New'])
    const { item_id } = task
    const bulk = async (action: string, tags: string[]) => {
      await call('POST', `${base}bulk_actions/`, { item_ids: [item_id], action, tags })
      await call('POST', `${base}bulk/`, { ids: [item_id], action, fields: { tags } })
      return (await call('GET', `${base}${item_id}/`)).body.tags
    }
    assert.deepEqual(await bulk('add_tags', ['vip', 'Third']), ['VIP', 'New', 'Third'])
    assert.deepEqual(await bulk('remove_tags', ['vip']), ['New', 'Third'])
  })

  test('are not written again with the stored values', async () => {
    const task = await make({ due_date: '2026-03-02', recurrence_pattern: 'FREQ=DAILY' })
    for (const body of [{ tags: null }, { recurrence_pattern: 'FREQ=DAILY' }]) {
      const first = await call('PUT', `${base}${task.item_id}/`, body)
      const second = await call('PUT', `${base}${task.item_id}/`, body)
      assert.equal(second.headers.get('etag'), first.headers.get('etag'), JSON.stringify(body))
    }
  })

  test('a series continues when its task is completed, unless that change ends or pauses it', async () => {
    const done = { is_completed: true }
    const cases: [body: object, status: string | null, goesOn: boolean][] = [
      [done, 'completed', true],
      [{ ...done, recurrence_pattern: null }, null, false],
      [{ ...done, recurrence_status: 'paused' }, 'paused', false],
    ]
    for (const [body, status, goesOn] of cases) {
      const title = `Series, ${JSON.stringify(body)}`
      const task = await make({ title, due_date: '2026-03-02', recurrence_pattern: 'FREQ=DAILY' })
      const answer = await call('PUT', `${base}${task.item_id}/`, body)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.recurrence_status, status)
      // a read says, too, what its reader may do
      const { can, ...stored } = await read(task.item_id)
      assert.ok(can)
      assert.deepEqual(answer.body, stored)
      const filter = encodeURIComponent(
        JSON.stringify([{ field: 'title', operator: 'eq', value: title }]),
      )
      const { body: both } = await call('GET', `${base}?filter=${filter}`)
      assert.equal(both.length, goesOn ? 2 : 1)
    }
  })

  test('of a series need a rule with a day that is soon enough', async () => {
    const never = ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=MONTHLY;BYSETPOS=366;BYDAY=MO']
    const wrong = ['FREQ=DAILY;INTERVAL=999999999', 'FREQ=DAILY;BYMONTH=13', 'FREQ=WEEKLY;BYDAY=XX']
    for (const recurrence_pattern of [...never, ...wrong]) {
      const reply = await call('POST', base, { title: 'Never', recurrence_pattern })
      assert.equal(reply.status, 400, recurrence_pattern)
      assert.equal(reply.body.errors[0].field, 'recurrence_pattern')
    }
    await make({ recurrence_pattern: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29' })
  })

  test('have one running timer for each user', async () => {
    const [a, b] = [await make(), await make()]
    const timer = (task: any, what: string) => call('POST', `${base}${task.item_id}/timer/${what}/`)
    assert.equal((await timer(a, 'start')).body.is_timer_running, true)
    assert.equal((await timer(a, 'start')).status, 409)
    assert.equal((await timer(b, 'start')).body.is_timer_running, true)
    assert.equal((await read(a.item_id)).is_timer_running, false)
    assert.equal((await timer(a, 'stop')).status, 409)
    const stopped = await timer(b, 'stop')
    assert.equal(stopped.body.is_timer_running, false)
    assert.equal(stopped.body.time_track_id, null)
    const many = await Promise.all([a, b, a, b].map((task) => timer(task, 'start')))
    assert.ok(many.every(({ status }) => status === 200 || status === 409))
    const running = await Promise.all([a, b].map(async ({ item_id }) => await read(item_id)))
    assert.equal(running.filter((task) => task.is_timer_running).length, 1)
  })

  test('have no timer for confined callers', async () => {
    const { item_id } = await make({ owner: org.users.customer.user_id })
    const path = `${base}${item_id}/timer/start/`
    assert.equal((await call('POST', path, undefined, 'customer')).status, 403)
  })

  test('are changed many at a time, and those that cannot are named', async () => {
    const [a, b] = [await make({ tags: ['x'] }), await make()]
    const bulk = (body: object, role?: Role) => call('POST', `${base}bulk_actions/`, body, role)
    const ids = [a.item_id, b.item_id, 'nope']
    const done = await bulk({ item_ids: ids, action: 'complete' })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.updated, 2)
    assert.deepEqual(done.body.failed, [{ id: 'nope', error: 'Task not found' }])
    await bulk({ item_ids: ids, action: 'add_tags', tags: ['y'] })
    assert.deepEqual((await read(a.item_id)).tags, ['x', 'y'])
    await bulk({ item_ids: ids, action: 'remove_tags', tags: ['x'] })
    assert.deepEqual((await read(a.item_id)).tags, ['y'])
    const owner = org.users.member.user_id
    await bulk({ item_ids: [a.item_id], action: 'assign', owner })
    assert.equal((await read(a.item_id)).owner.user_id, owner)
    assert.equal((await bulk({ item_ids: ids, action: 'dance' })).status, 400)
    assert.equal((await bulk({ item_ids: ids, action: 'update', due_date: 'soon' })).status, 400)
    const { body } = await bulk({ item_ids: ids, action: 'delete' })
    assert.equal(body.updated, 2)
  })

  test('are due on the day of a date and time by the clocks of the organization', async () => {
    const there = await makeOrganization(service, 'Asia/Kolkata')
    const { token } = there.users.admin
    const post = (path: string, body: object) => service.call('POST', path, { token, body })
    const days: [sent: string, day: string][] = [
      ['2030-01-31T20:00:00.000Z', '2030-02-01'],
      ['2030-01-31T10:00:00+05:30', '2030-01-31'],
      ['2030-01-31T23:59', '2030-01-31'],
      ['2030-01-31', '2030-01-31'],
    ]
    for (const [sent, day] of days) {
      const { body } = await post(base, { title: 'Task', due_date: sent })
      assert.equal(body.due_date, day)
      const project = { project_name: 'Project', start_date: sent, due_date: sent }
      const flat = await post('/api/project/info/', project)
      const nested = await post('/api/project/info/', { project })
      for (const made of [flat, nested]) {
        const id = made.headers.get('x-record-id')
        const read = await service.call('GET', `/api/project/info/${id}/`, { token })
        assert.deepEqual([read.body.start_date, read.body.due_date], [day, day])
      }
    }
    for (const due_date of [
      '2030-02-30T10:00:00Z',
      '2030-01-31T25:00Z',
      'tomorrow',
      '2030-01-31T',
    ]) {
      const refused = await post(base, { title: 'Task', due_date })
      assert.equal(refused.body.errors?.[0].field, 'due_date', due_date)
    }
  })

  test('that are forms need their required answers to be completed, whichever way', async () => {
    const fields = [
      { id: 'a', type: 'short-text', label: 'A', required: true },
      { id: 'b', type: 'short-text', label: 'B', required: true },
      { id: 'c', type: 'short-text', label: 'C' },
    ]
    const form_id = await makeAt('/api/surveys/', {
      name: 'Form',
      item_type: 'form',
      form_structure: [{ id: 'p', title: 'Page', fields }],
    })
    const { item_id: id } = await make({ form_id })
    const refused = async (change: object, ...names: string[]) => {
      const reply = await put(id, change)
      assert.equal(reply.status, 400, reply.text)
      const errors: { field: string }[] = reply.body.errors
      assert.deepEqual(
        errors.map(({ field }) => field),
        names.map((name) => `form_responses.${name}`),
      )
    }
    await refused({ is_completed: true }, 'a', 'b')
    await refused({ status: 'completed', form_responses: {} }, 'a', 'b')
    await refused({ is_completed: true, form_responses: null }, 'a', 'b')
    await refused({ is_completed: true, form_responses: { a: 'x', b: '' } }, 'b')
    const bulk = { action: 'complete', item_ids: [id] }
    const many = await call('POST', `${base}bulk_actions/`, bulk)
    assert.deepEqual([many.body.updated, many.body.failed[0].id], [0, id])
    const born = await call('POST', base, { title: 'Done', form_id, is_completed: true })
    assert.equal(born.status, 400, born.text)
    // answers come one by one and are merged
    assert.equal((await put(id, { form_responses: { a: 'x' } })).status, 200)
    await refused({ is_completed: true }, 'b')
    const done = await put(id, { is_completed: true, form_responses: { b: 'y' } })
    assert.deepEqual(done.body.form_responses, { a: 'x', b: 'y' })
    assert.equal(done.body.is_completed, true)
    await refused({ form_responses: { a: null } }, 'a')
    assert.equal((await put(id, { title: 'Renamed' })).status, 200)
  })

  test('move with their subtasks, and leave the milestone and the parent they had', async () => {
    const customer = await makeAt('/api/account/info/', { account_name: 'Customer' })
    const [here, there] = [
      await makeAt('/api/project/info/', { project_name: 'Here' }),
      await makeAt('/api/project/info/', { project_name: 'There', account_id: customer }),
    ]
    const [kick, end, off, later] = [
      await makeAt(`/api/project/info/${here}/milestones/`, { name: 'Kick' }),
      await makeAt(`/api/project/info/${here}/milestones/`, { name: 'End' }),
      await makeAt(`/api/project/info/${there}/milestones/`, { name: 'Off' }),
      await makeAt(`/api/project/info/${there}/milestones/`, { name: 'Later' }),
    ]
    const family = async () => {
      const top = (await make({ project_id: here, milestone_id: kick })).item_id
      const sub = (await make({ parent_id: top })).item_id
      const below = (await make({ parent_id: sub })).item_id
      return [top, sub, below] as [string, string, string]
    }
    const places = async (ids: string[]) =>
      (await Promise.all(ids.map(read))).map((task) => [
        task.project_id,
        task.milestone_id,
        task.account_id,
      ])
    const thrice = (place: unknown[]) => [place, place, place]

    const first = await family()
    assert.deepEqual(await places(first), thrice([here, kick, null]))
    assert.equal((await put(first[0], { project_id: there })).status, 200)
    assert.deepEqual(await places(first), thrice([there, null, customer]))
    const logged = await rows(
      service,
      sql`select changes from events where reference_id = ${first[2]} order by id desc limit 1`,
    )
    assert.deepEqual(logged[0].changes[0], { field: 'project_id', from: here, to: there })
    // a milestone says by itself which project is meant
    assert.equal((await put(first[0], { milestone_id: off })).status, 200)
    assert.deepEqual(await places(first), thrice([there, off, customer]))
    assert.equal((await put(first[0], { milestone_id: kick })).status, 200)
    assert.deepEqual(await places(first), thrice([here, kick, null]))
    // what does not agree is refused
    const wrong = await put(first[0], { project_id: there, milestone_id: end })
    assert.equal(wrong.body.errors[0].field, 'milestone_id')

    // many at a time, each in a milestone
    const [second, third] = [await family(), await family()]
    const bulk = { action: 'move', item_ids: [second[0], third[0]], project_id: there }
    const moved = await call('POST', `${base}bulk_actions/`, bulk)
    assert.deepEqual(moved.body, { updated: 2, failed: [] })
    assert.deepEqual(await places([...second, ...third]), [
      ...thrice([there, null, customer]),
      ...thrice([there, null, customer]),
    ])
    // a subtask alone leaves its parent, and may go below another one
    const [, sub, below] = await family()
    assert.equal((await put(sub, { project_id: there, milestone_id: later })).status, 200)
    assert.deepEqual(await places([sub, below]), [
      [there, later, customer],
      [there, later, customer],
    ])
    const alone = await read(sub)
    assert.deepEqual([alone.parent_id, alone.item_type], [null, 1])
    assert.equal((await put(sub, { parent_id: first[0] })).status, 200)
    assert.deepEqual(await places([sub, below]), [
      [here, kick, null],
      [here, kick, null],
    ])
    // out of every project
    assert.equal((await put(second[0], { project_id: null })).status, 200)
    assert.deepEqual(
      (await places(second)).map(([project]) => project),
      [null, null, null],
    )
  })

  test('stay where they are with their subtasks when one changes them who may not read where', async () => {
    const account_id = await makeAt('/api/account/info/', { account_name: 'Unseen' })
    const project_id = await makeAt('/api/project/info/', { project_name: 'Unseen', account_id })
    const milestone_id = await makeAt(`/api/project/info/${project_id}/milestones/`, {
      name: 'One',
    })
    const role = await call('POST', '/api/users/role/', {
      role_name: 'Tasks alone',
      permission: { tasks: { read: 'all', update: 'all' } },
    })
    const { user_id } = org.users.observer
    const other = { role_id: role.body.role_id }
    assert.equal((await call('PUT', `/api/users/profile/${user_id}/`, other)).status, 200)

    const { item_id } = await make({ project_id, milestone_id, account_id })
    const sub = (await make({ parent_id: item_id, account_id })).item_id
    const before = await read(sub)
    const changed = await put(item_id, { title: 'Renamed' }, 'observer')
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.title, 'Renamed')
    assert.equal(changed.body.project_id, null)
    const after = await read(sub)
    assert.deepEqual(
      [after.project_id, after.milestone_id, after.account_id],
      [project_id, milestone_id, account_id],
    )
    assert.equal(after.last_update_time, before.last_update_time)
  })

  test('notify their owner once when they are due and once when they are overdue', async () => {
    const owner = org.users.manager.user_id
    const late = await make({ due_date: '2026-01-01', owner, title: 'Late' })
    await dueTasks(service.runtime)
    await dueTasks(service.runtime)
    const notifications = await rows(
      service,
      sql`select notification_type, title from notifications
        where user_id = ${owner} and notification_obj ->> 'reference_id' = ${late.item_id}
          and notification_type in (3, 4)`,
    )
    assert.deepEqual(notifications, [{ notification_type: 4, title: 'Overdue: Late' }])
    const log = (await call('GET', `/api/activity/log/tasks/${late.item_id}/`)).body
    assert.equal(log.filter(({ type }: any) => type === 'task_overdue').length, 1)
  })

  test('that are private or of a hidden project are nobody else’s', async () => {
    const hidden = await make({ is_private: true })
    assert.equal((await call('GET', `${base}${hidden.item_id}/`, undefined, 'member')).status, 404)
    const project = await call('POST', '/api/project/info/', {
      project_name: 'Hidden',
      visible_to_all: false,
    })
    const project_id = project.headers.get('x-record-id')
    const inside = await make({ project_id })
    assert.equal((await call('GET', `${base}${inside.item_id}/`, undefined, 'member')).status, 404)
    assert.equal(
      (await call('GET', `${base}?project_id=${project_id}`, undefined, 'member')).status,
      404,
    )
  })

  test('below a private task are for their own people and for its own, at every level', async () => {
    const { member, manager } = org.users
    const top = await make({ is_private: true, users: [manager.user_id], title: 'Private' })
    const middle = await make({ parent_id: top.item_id, title: 'Middle' })
    const low = await make({ parent_id: middle.item_id, title: 'Low' })
    const its = await make({ parent_id: middle.item_id, owner: member.user_id })
    const statusOf = async ({ item_id }: { item_id: string }, role: 'member' | 'manager') =>
      (await call('GET', `${base}${item_id}/`, undefined, role)).status
    for (const task of [middle, low]) {
      assert.equal(await statusOf(task, 'member'), 404)
      assert.equal(await statusOf(task, 'manager'), 200)
    }
    assert.equal(await statusOf(its, 'member'), 200)
    const filter = encodeURIComponent(
      JSON.stringify([{ field: 'title', operator: 'in', value: ['Middle', 'Low'] }]),
    )
    const listed = await call('GET', `${base}?filter=${filter}`, undefined, 'member')
    assert.deepEqual(listed.body, [])
    await put(top.item_id, { is_private: false })
    for (const task of [middle, low]) assert.equal(await statusOf(task, 'member'), 200)
  })

  test('show a customer neither drafts that are attached to them nor internal subtasks', async () => {
    const { item_id } = await make({ owner: org.users.customer.user_id })
    await make({ parent_id: item_id, title: 'Inside', visibility: 'internal' })
    const document = { document_name: 'Draft', module_name: 'tasks', reference_id: item_id }
    assert.equal((await call('POST', '/api/documents/', document)).status, 201)
    assert.equal((await read(item_id)).attachments.length, 1)
    const seen = await call('GET', `${base}${item_id}/`, undefined, 'customer')
    assert.deepEqual([seen.body.attachments, seen.body.sub_items], [[], []])
  })

  test('are completed by the customer they are assigned to, who changes nothing else', async () => {
    const owner = org.users.customer.user_id
    const { item_id } = await make({ owner })
    assert.equal((await put(item_id, { title: 'Mine' }, 'customer')).status, 403)
    const done = await put(item_id, { is_completed: true }, 'customer')
    assert.equal(done.status, 200, done.text)
    const other = await make()
    assert.equal((await put(other.item_id, { is_completed: true }, 'customer')).status, 404)
    const { item_id: predecessor_id } = await make({ owner })
    const dependencies = `${base}${item_id}/dependencies/`
    const before = { predecessor_id }
    assert.equal((await call('POST', dependencies, before, 'customer')).status, 403)
    assert.equal((await call('POST', dependencies, before)).status, 201)
    const path = `${dependencies}${predecessor_id}/`
    assert.equal((await call('DELETE', path, undefined, 'customer')).status, 403)
    assert.equal((await call('DELETE', path)).status, 204)
  })
})
