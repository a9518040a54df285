import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { startBeside } from '../../../test/support/beside.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService, tokenFor } from '../../../test/support/service.ts'
import { newId } from '../../kit/ground/ids.ts'

describe('cached answers', () => {
  let service: TestService
  let beside: TestService
  let org: TestOrganization
  let time = Date.parse('2026-01-14T12:00:00Z')
  before(async () => {
    service = await startService({}, () => new Date(time))
    beside = await startBeside(service)
  })
  beforeEach(async () => {
    org = await makeOrganization(service)
  })

  /** A later moment of every request, so that an answer computed anew differs by its time. */
  const pass = (ms: number) => (time += ms)

  async function read(role: keyof TestOrganization['users'], query: string, from = service) {
    pass(1)
    const at = `/api/dashboards/widget/?${query}`
    const { status, body, text } = await from.call('GET', at, { token: org.users[role].token })
    assert.equal(status, 200, text)
    return body
  }

  async function write(method: string, path: string, body?: object, through = service) {
    const reply = await through.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.text}`)
    return reply.body
  }

  const makeTask = (body: object = {}, through = service) =>
    write('POST', '/api/tasks/', { title: 'To do', ...body }, through)

  test('are returned from the cache until they expire', async () => {
    const tasks = 'widget_type=tasks_by_status'
    const { generated_at } = await read('admin', tasks)
    assert.equal((await read('admin', tasks)).generated_at, generated_at)
    pass(299_000)
    assert.equal((await read('admin', tasks)).generated_at, generated_at)
    pass(2000)
    assert.notEqual((await read('admin', tasks)).generated_at, generated_at)
  })

  test('live as long as the dashboard says that they are read for', async () => {
    const dashboard_id = newId()
    const path = '/api/dashboards/info/'
    await write('POST', path, {
      dashboard_id,
      dashboard_name: 'Fresh',
      cache_ttl: 0,
      time_range_default: 'this_year',
    })
    const tasks = `widget_type=tasks_by_status&dashboard_id=${dashboard_id}`
    const first = await read('admin', tasks)
    assert.deepEqual([first.time_filter, first.from], ['this_year', '2026-01-01'])
    assert.notEqual((await read('admin', tasks)).generated_at, first.generated_at)
    await write('PATCH', `${path}${dashboard_id}/`, { cache_ttl: 10 })
    const second = await read('admin', tasks)
    assert.equal((await read('admin', tasks)).generated_at, second.generated_at)
    pass(11_000)
    assert.notEqual((await read('admin', tasks)).generated_at, second.generated_at)
  })

  test('are made anew after a write, in whichever process it happens', async () => {
    const tasks = 'widget_type=tasks_by_status'
    assert.equal((await read('admin', tasks)).totals.count, 0)
    const { item_id } = await makeTask({}, beside)
    assert.equal((await read('admin', tasks)).totals.count, 1)
    await write('PATCH', `/api/tasks/${item_id}/`, { is_completed: true })
    assert.deepEqual((await read('admin', tasks, beside)).totals, {
      count: 1,
      open: 0,
      completed: 1,
    })
    await write('DELETE', `/api/tasks/${item_id}/`, undefined, beside)
    assert.equal((await read('admin', tasks)).totals.count, 0)
  })

  test('stay when something else is written', async () => {
    const { generated_at } = await read('admin', 'widget_type=deals_by_stage')
    await makeTask()
    await write('POST', '/api/company/', { company_name: 'Other' })
    const after = await read('admin', 'widget_type=deals_by_stage')
    assert.equal(after.generated_at, generated_at)
  })

  test('change if records are deleted with a project', async () => {
    const { token } = org.users.admin
    const body = { project_name: 'Rollout' }
    const made = await service.call('POST', '/api/project/info/', { token, body })
    const project_id = made.headers.get('x-record-id')
    await makeTask({ project_id })
    const tasks = 'widget_type=tasks_by_status'
    assert.equal((await read('admin', tasks)).totals.count, 1)
    await write('DELETE', `/api/project/info/${project_id}/`)
    assert.equal((await read('admin', tasks)).totals.count, 0)
    await write('POST', `/api/project/info/${project_id}/restore/`)
    assert.equal((await read('admin', tasks)).totals.count, 1)
  })

  test('are shared by those who may see the same, and by nobody else', async () => {
    await makeTask({ is_private: true })
    await makeTask()
    const tasks = 'widget_type=tasks_by_status'
    const companies = 'widget_type=new_companies'
    const mine = await read('admin', companies)
    assert.equal((await read('member', companies)).generated_at, mine.generated_at)
    assert.equal((await read('admin', tasks)).totals.count, 2)
    assert.equal((await read('member', tasks)).totals.count, 1)
    assert.equal((await read('customer', tasks)).totals.count, 0)
  })

  test('are of one organization alone', async () => {
    await makeTask()
    const tasks = 'widget_type=tasks_by_status'
    const first = await read('admin', tasks)
    org = await makeOrganization(service)
    const other = await read('admin', tasks)
    assert.deepEqual([first.totals.count, other.totals.count], [1, 0])
    assert.notEqual(other.generated_at, first.generated_at)
  })

  test('change with the rights of who asks', async () => {
    await makeTask()
    const tasks = 'widget_type=tasks_by_status'
    assert.equal((await read('member', tasks)).totals.count, 1)
    await write('PATCH', `/api/users/role/${org.roles.member}/`, {
      permission: { tasks: { read: 'own' } },
    })
    assert.equal((await read('member', tasks)).totals.count, 0)
    await write('PATCH', `/api/users/role/${org.roles.member}/`, {
      permission: { tasks: { read: 'none' } },
    })
    const { token } = org.users.member
    const refused = await service.call('GET', `/api/dashboards/widget/?${tasks}`, { token })
    assert.equal(refused.status, 403)
  })

  test('are computed once for many who ask at the same moment', async () => {
    const ask = () => read('admin', 'widget_type=projects_by_status')
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    const times = new Set(answers.map(({ generated_at }) => generated_at))
    // two where a new step of the log's clock begins between them
    assert.ok(times.size <= 2, `${times.size}`)
  })

  test('begin anew on the next day', async () => {
    const today = 'widget_type=new_companies&time_filter=today'
    assert.equal((await read('admin', today)).from, '2026-01-14')
    time = Date.parse('2026-01-15T00:00:01Z')
    const { user_id, email } = org.users.admin
    const identity = { organization_id: org.id, user_id, email, full_name: 'Admin', role: 'admin' }
    org.users.admin.token = await tokenFor(service, identity)
    const { from, previous } = await read('admin', today)
    assert.deepEqual([from, previous.from], ['2026-01-15', '2026-01-14'])
  })
})
