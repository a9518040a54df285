import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('what an app has created', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let project: string
  let deal: string
  let stages: { stage_id: string; name: string; category: string }[]

  const created = async (body: object, surface = app) => {
    const reply = await surface.call('POST', '/automation/project', { body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.project_id as string
  }
  const newTask = async (project_id: string, title: string, more = {}) => {
    const reply = await app.call('POST', '/automation/task', {
      body: { project_id, title, ...more },
    })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.headers.get('location'), `/automation/task/${reply.body.task_id}`)
    return reply.body.task_id as string
  }

  const milestonesOf = async (project_id: string) => {
    const path = `/automation/project/${project_id}`
    const reply = await app.call('GET', path, { query: { milestones: true } })
    return reply.body.results as { milestone_id: string; tasks: { title: string }[] }[]
  }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    project = await created({ project_name: 'Rollout' })
    deal = await created({ project_name: 'Big one', project_type: 'deal' })
    const { body } = await app.call('GET', '/automation/deal/options')
    stages = body.pipelines[0].stages
  })

  test('a project is changed as far as the body goes, and not by a stale version', async () => {
    const path = `/automation/project/${project}`
    const before = await app.call('GET', path)
    const etag = before.headers.get('etag')!
    const body = { project_name: 'Rollout in May', due_date: '2027-05-31' }
    const reply = await app.call('PUT', path, { body, headers: { 'if-match': etag } })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.project_id, project)
    assert.equal(reply.body.data.project_name, 'Rollout in May')
    assert.equal(reply.body.data.due_date, '2027-05-31')
    assert.equal(reply.body.data.project_type, 'project')
    const late = await app.call('PUT', path, { body, headers: { 'if-match': etag } })
    assert.equal(late.status, 412)
  })

  test('a deal moves to another stage, and is won', async () => {
    const won = stages.find(({ category }) => category === 'won')!
    const path = `/automation/project/${deal}`
    const reply = await app.call('PUT', path, { body: { stage_id: won.stage_id } })
    assert.equal(reply.status, 200, reply.text)
    assert.equal((await app.call('GET', path)).body.stage_id, won.stage_id)
    const wrong = await app.call('PUT', path, { body: { stage_id: 'nowhere' } })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.errors[0].field, 'stage_id')
  })

  test('a task is read, changed and completed', async () => {
    const id = await newTask(project, 'Call Ada')
    const path = `/automation/task/${id}`
    const read = await app.call('GET', path)
    assert.equal(read.status, 200, read.text)
    assert.equal(read.body.title, 'Call Ada')
    const body = { title: 'Call Ada again', is_completed: true }
    const reply = await app.call('PUT', path, { body })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.task_id, id)
    assert.equal(reply.body.data.is_completed, true)
    assert.equal(reply.body.data.title, 'Call Ada again')
    assert.equal((await app.call('GET', '/automation/task/nothing')).status, 404)
    assert.equal((await app.call('PUT', '/automation/task/nothing', { body })).status, 404)
    const wrong = await app.call('PUT', path, { body: { title: '' } })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.errors[0].field, 'title')
  })

  test('tasks of all projects and deals are listed by cursor, filtered', async () => {
    const [mine, theirs] = [
      await created({ project_name: 'A' }),
      await created({ project_name: 'B' }),
    ]
    const ids = [await newTask(mine, 'Lamp 1'), await newTask(theirs, 'Lamp 2')]
    const filter = JSON.stringify([{ field: 'title', operator: 'starts_with', value: 'Lamp' }])
    const seen: string[] = []
    let next_cursor: string | null = null
    do {
      const query: { [name: string]: string | number } = { limit: 1, filter, sort: 'title' }
      if (next_cursor) query.next_cursor = next_cursor
      const reply = await app.call('GET', '/automation/task', { query })
      assert.equal(reply.status, 200, reply.text)
      seen.push(...reply.body.results.map((task: { item_id: string }) => task.item_id))
      next_cursor = reply.body.next_cursor
    } while (next_cursor)
    assert.deepEqual(seen, ids)
    const query = { project_id: theirs }
    const own = await app.call('GET', '/automation/task', { query })
    assert.deepEqual(
      own.body.results.map((task: { title: string }) => task.title),
      ['Lamp 2'],
    )
  })

  test('the tasks of a project come milestone by milestone, in the order of each', async () => {
    const id = await created({ project_name: 'Plan' })
    await newTask(id, 'Second')
    const [general] = await milestonesOf(id)
    const path = `/api/project/info/${id}/milestones/`
    const { token } = org.users.admin
    const milestone = (name: string, position: number) =>
      service.call('POST', path, { token, body: { name, position } })
    const later = await milestone('Later', 5)
    const earlier = await milestone('Earlier', -5)
    await newTask(id, 'Fourth', { milestone_id: later.body.milestone_id, position: 1 })
    await newTask(id, 'Third', { milestone_id: general!.milestone_id, position: 1 })
    await newTask(id, 'First', { milestone_id: earlier.body.milestone_id })
    const titles = ({ results }: { results: { title: string }[] }) =>
      results.map(({ title }) => title)
    const planned = (await milestonesOf(id)).flatMap(({ tasks }) => titles({ results: tasks }))
    assert.deepEqual(planned, ['First', 'Second', 'Third', 'Fourth'])
    const query = { project_id: id, items_per_page: 3 }
    const first = await app.call('GET', '/automation/tasks', { query })
    const second = await app.call('GET', '/automation/tasks', { query: { ...query, page: 2 } })
    assert.deepEqual([...titles(first.body), ...titles(second.body)], planned)
    const sorted = await app.call('GET', '/automation/tasks', {
      query: { ...query, sort: '-title' },
    })
    assert.deepEqual(titles(sorted.body), ['Third', 'Second', 'Fourth'])
  })

  test('an id that no record has is 404 in a query as in a path, whatever it looks like', async () => {
    for (const id of ['nothing', '550e8400-e29b-41d4-a716-446655440000', 'x'.repeat(300), 'ü b']) {
      for (const path of [
        '/automation/company?company_id=',
        '/automation/contact?contact_id=',
        '/automation/project?org_temp_id=',
        '/automation/project/',
        '/automation/templates?org_temp_id=',
        '/automation/tasks?project_id=',
        '/automation/task?project_id=',
        '/automation/task/',
      ]) {
        const reply = await app.call('GET', path + encodeURIComponent(id))
        assert.equal(reply.status, 404, `${path}${id}: ${reply.text}`)
        assert.equal(reply.body.code, 'not_found')
      }
    }
  })

  test('an app with neither scope is refused before its input is checked', async () => {
    const contacts = await connectApp(service, org, { scopes: ['contact.read', 'contact.write'] })
    for (const [method, path] of [
      ['GET', '/automation/project/nothing'],
      ['PUT', '/automation/project/nothing'],
      ['POST', '/automation/project'],
      ['GET', '/automation/tasks'],
      ['GET', '/automation/tasks?project_id=nothing'],
      ['POST', '/automation/task'],
      ['GET', '/automation/task/nothing'],
    ]) {
      const sent = method === 'GET' ? {} : { body: {} }
      const reply = await contacts.call(method!, path!, sent)
      assert.equal(reply.status, 403, `${method} ${path}: ${reply.text}`)
      assert.equal(reply.body.code, 'missing_scope')
      assert.match(reply.body.message, /project\.(read|write) or deal\.(read|write)/)
    }
  })

  test('is open to the scopes of its kind alone', async () => {
    const ofDeal = await newTask(deal, 'Send the offer')
    const ofProject = await newTask(project, 'Kick-off')
    const deals = await connectApp(service, org, { scopes: ['deal.read', 'deal.write'] })
    const listed = await deals.call('GET', '/automation/task', { query: { limit: 500 } })
    const titles = listed.body.results.map((task: { title: string }) => task.title)
    assert.ok(titles.includes('Send the offer'))
    assert.ok(!titles.includes('Kick-off'))
    assert.equal((await deals.call('GET', `/automation/task/${ofDeal}`)).status, 200)
    const body = { description: 'x' }
    for (const [method, path, sent] of [
      ['GET', `/automation/task/${ofProject}`, {}],
      ['PUT', `/automation/task/${ofProject}`, { body }],
      ['PUT', `/automation/project/${project}`, { body }],
    ] as const) {
      const reply = await deals.call(method, path, sent)
      assert.equal(reply.status, 403, `${method} ${path}`)
      assert.equal(reply.body.code, 'missing_scope')
    }
    assert.equal((await deals.call('PUT', `/automation/project/${deal}`, { body })).status, 200)
    const contacts = await connectApp(service, org, { scopes: ['contact.read'] })
    assert.equal((await contacts.call('GET', '/automation/task')).status, 403)
  })
})
