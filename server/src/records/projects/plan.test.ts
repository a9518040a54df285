import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('plans, and what is overdue', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  async function ask(method: string, path: string, body?: unknown, as = token) {
    const reply = await service.call(method, path, { token: as, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const make = async (path: string, body: object) =>
    (await ask('POST', path, body)).headers.get('x-record-id')!
  const titles = (rows: { title: string }[]) => rows.map(({ title }) => title)

  test('a plan that has not changed is not sent again; whatever it says of others counts', async () => {
    const project = await make('/api/project/info/', { project_name: 'Read twice' })
    const task = await make('/api/tasks/', { title: 'Once', project_id: project })
    const path = `/api/project/info/${project}/plan/`
    const tag = (await ask('GET', path)).headers.get('etag') ?? ''
    const again = (to: string, as = token) =>
      service.call('GET', to, { token: as, headers: { 'if-none-match': tag } })
    const same = await again(path)
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', tag])
    // what another person may do with it differs
    assert.equal((await again(path, org.users.member.token)).status, 200)
    await ask('POST', `/api/project/info/${project}/plan/baseline/`, { name: 'Agreed' })
    assert.equal((await again(path)).status, 200)
    const stored = (await ask('GET', path)).headers.get('etag')
    await ask('PATCH', `/api/tasks/${task}/`, { title: 'Twice' })
    assert.notEqual((await ask('GET', path)).headers.get('etag'), stored)
  })

  test('a plan holds milestones, tasks, subtasks and dependencies as the caller may read them', async () => {
    const project = await make('/api/project/info/', { project_name: 'Planned' })
    const milestone = await make(`/api/project/info/${project}/milestones/`, { name: 'First' })
    const one = await make('/api/tasks/', { title: 'One', milestone_id: milestone })
    const two = await make('/api/tasks/', { title: 'Two', milestone_id: milestone })
    const sub = await make('/api/tasks/', { title: 'Sub', parent_id: two })
    const hidden = await make('/api/tasks/', {
      title: 'Private',
      project_id: project,
      is_private: true,
    })
    await ask('POST', `/api/tasks/${two}/dependencies/`, { predecessor_id: one, lag_days: 2 })
    await ask('POST', `/api/tasks/${sub}/dependencies/`, { predecessor_id: hidden })
    const { body } = await ask('GET', `/api/project/info/${project}/plan/`)
    assert.deepEqual(
      body.milestones.map(({ name }: { name: string }) => name),
      ['First'],
    )
    assert.deepEqual(titles(body.tasks), ['One', 'Two', 'Sub', 'Private'])
    assert.equal(body.tasks[2].parent_id, two)
    assert.equal(body.dependencies.length, 2)
    assert.equal(body.is_complete, true)
    const member = (
      await ask('GET', `/api/project/info/${project}/plan/`, undefined, org.users.member.token)
    ).body
    assert.deepEqual(titles(member.tasks), ['One', 'Two', 'Sub'])
    assert.deepEqual(member.dependencies, [
      { task_id: two, predecessor_id: one, type: 'FS', lag_days: 2 },
    ])
    const nothing = await service.call('GET', '/api/project/info/nothing/plan/', { token })
    assert.equal(nothing.status, 404)
  })

  test('a milestone holds its tasks as the caller may read them, in lists too', async () => {
    const project = await make('/api/project/info/', { project_name: 'With tasks' })
    const path = `/api/project/info/${project}/milestones/`
    const created = await ask('POST', path, { name: 'First' })
    assert.deepEqual(created.body.tasks, [])
    const { milestone_id } = created.body
    const one = await make('/api/tasks/', { title: 'One', milestone_id, due_date: '2026-02-03' })
    await make('/api/tasks/', { title: 'Private', milestone_id, is_private: true })
    await make('/api/tasks/', { title: 'Elsewhere', project_id: project })
    const { body } = await ask('GET', `${path}${milestone_id}/`)
    assert.deepEqual(titles(body.tasks), ['One', 'Private'])
    const { status, ...first } = body.tasks[0]
    assert.equal(status.status_key, 'not_started')
    assert.deepEqual(first, {
      item_id: one,
      parent_id: null,
      title: 'One',
      item_type: 1,
      is_completed: false,
      due_date: '2026-02-03',
      position: 0,
    })
    for (const list of [path, `/api/milestones/?project_id=${project}`]) {
      const { body: milestones } = await ask('GET', list, undefined, org.users.member.token)
      assert.deepEqual(titles(milestones[0].tasks), ['One'])
    }
    const renamed = await ask('PUT', `${path}${milestone_id}/`, { ...body, name: 'Renamed' })
    assert.deepEqual(
      [renamed.body.name, titles(renamed.body.tasks)],
      ['Renamed', ['One', 'Private']],
    )
  })

  test('tasks and milestones of mine that are overdue, over all projects', async () => {
    const owner = org.users.member.user_id
    const late = { owner, due_date: '2020-01-01' }
    await ask('POST', '/api/tasks/', { title: 'Late', ...late })
    await ask('POST', '/api/tasks/', { title: 'Done', ...late, is_completed: true })
    await ask('POST', '/api/tasks/', { title: 'Later', owner, due_date: '2999-01-01' })
    await ask('POST', '/api/tasks/', { title: 'Not mine', due_date: '2020-01-01' })
    const mine = async (path: string) =>
      (await ask('GET', path, undefined, org.users.member.token)).body
    assert.deepEqual(titles(await mine('/api/tasks/?owner=me&due_filter=overdue')), ['Late'])
    for (const project_name of ['A', 'B']) {
      const project = await make('/api/project/info/', { project_name })
      const path = `/api/project/info/${project}/milestones/`
      await make(path, { name: `Late ${project_name}`, ...late })
      const id = await make(path, { name: `Done ${project_name}`, ...late })
      await ask('PUT', `${path}${id}/`, { status: 'completed' })
    }
    const found = await mine('/api/milestones/?due_filter=overdue&owner=me&sort=name')
    assert.deepEqual(
      found.map(({ name }: { name: string }) => name),
      ['Late A', 'Late B'],
    )
    const customer = await ask('GET', '/api/milestones/', undefined, org.users.customer.token)
    assert.deepEqual(customer.body, [])
  })
})
