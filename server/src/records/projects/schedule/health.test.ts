import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

describe('the health of a project', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
  })

  /** A project that the customer holds up: an export that was due long ago, an import after it. */
  async function heldUp(project_name: string) {
    const { make, link } = story
    const project_id = await make('/api/project/info/', {
      project_name,
      start_date: '2020-01-06',
      due_date: '2020-01-31',
      project_owner: org.users.manager.user_id,
    })
    const path = `/api/project/info/${project_id}/milestones/`
    const milestone_id = await make(path, { name: 'Data', due_date: '2020-01-20' })
    const goLive = await make(path, { name: 'Go-live', kind: 'go_live', due_date: '2020-01-31' })
    const task = (title: string, start_date: string, due_date: string, more: object = {}) =>
      make('/api/tasks/', { title, milestone_id, start_date, due_date, ...more })
    const owner = org.users.customer.user_id
    const first = await task('Export', '2020-01-06', '2020-01-10', {
      owner,
      estimate_minutes: 960,
    })
    const second = await task('Import', '2020-01-13', '2020-01-17', { estimate_minutes: 60 })
    const part = await task('A part', '2020-01-13', '2020-01-17', {
      parent_id: second,
      estimate_minutes: 240,
    })
    const last = await task('Switch', '2999-01-04', '2999-01-04', { milestone_id: goLive })
    const after = await task('Hypercare', '2999-03-01', '2999-03-29', {
      milestone_id: null,
      project_id,
    })
    await link(second, first)
    await link(last, second)
    await link(after, last)
    return { project_id, path, milestone_id, goLive, first, second, part, last, after }
  }

  const plan = (id: string, as?: string) =>
    story.ask('GET', `/api/project/info/${id}/plan/`, undefined, as)

  test('says what holds it up, each late task why, each milestone how much is done, and the go-live when', async () => {
    const of = await heldUp('Held up')
    const { tasks, milestones, health, totals, go_live, today } = await plan(of.project_id)
    assert.equal(health.state, 'late')
    assert.deepEqual(
      [go_live.agreed, go_live.planned, go_live.forecast],
      ['2020-01-31', '2999-01-04', '2999-01-04'],
    )
    const byTitle = new Map<string, any>(tasks.map((task: { title: string }) => [task.title, task]))
    // nothing that the go-live waits for is critical until 2999
    assert.equal(health.cause, null)
    const { late } = byTitle.get('Export')
    assert.ok(late.days > 1000 && late.cause.person)
    assert.deepEqual(late.cause, {
      kind: 'customer',
      id: of.first,
      title: 'Export',
      person: late.cause.person,
      since: '2020-01-10',
    })
    assert.deepEqual(
      [byTitle.get('Import').late.cause.kind, byTitle.get('Import').late.cause.id],
      ['predecessor', of.first],
    )
    assert.equal(byTitle.get('Hypercare').late, null)
    assert.equal(byTitle.get('Hypercare').is_critical, false)
    assert.deepEqual(totals, {
      tasks: 5,
      completed: 0,
      late: 3,
      blocked: 0,
      estimate_minutes: 1200,
      spent_minutes: 0,
    })
    const shown = milestones.map((one: any) => [
      one.name,
      one.kind,
      one.agreed_date,
      one.totals.tasks,
    ])
    assert.deepEqual(shown, [
      ['Data', null, null, 3],
      ['Go-live', 'go_live', '2020-01-31', 1],
    ])
    assert.match(today, /^\d{4}-\d\d-\d\d$/)
  })

  test('with a critical task that is late names that task and what waits for it', async () => {
    const of = await heldUp('Critical')
    for (const id of [of.last, of.after]) {
      await story.ask('PUT', `/api/tasks/${id}/`, {
        start_date: '2020-01-20',
        due_date: '2020-01-20',
      })
    }
    const { health } = await plan(of.project_id)
    const { state, cause } = health
    assert.deepEqual(
      [state, cause.title, cause.holds, cause.late.kind],
      ['late', 'Export', 3, 'customer'],
    )
  })

  test('one milestone is the go-live: another one takes its place', async () => {
    const of = await heldUp('Another go-live')
    await story.ask('PUT', `${of.path}${of.milestone_id}/`, { kind: 'go_live' })
    const kinds = async () =>
      (await plan(of.project_id)).milestones.map((one: { kind: string | null }) => one.kind)
    assert.deepEqual(await kinds(), ['go_live', null])
    await story.make(of.path, { name: 'Third', kind: 'go_live' })
    assert.deepEqual(await kinds(), [null, null, 'go_live'])
    const refused = await story.call('PUT', `${of.path}${of.milestone_id}/`, { kind: 'launch' })
    assert.equal(refused.status, 400)
  })

  test('is not for customers, nor are estimates', async () => {
    const of = await heldUp('Seen by the customer')
    const token = org.users.customer.token
    await story.ask('PUT', `/api/project/info/${of.project_id}/`, { is_shared: true })
    const reply = await story.call(
      'GET',
      `/api/project/info/${of.project_id}/plan/`,
      undefined,
      token,
    )
    if (reply.status === 404) return
    assert.equal(reply.body.health, null)
    assert.equal(reply.body.totals.estimate_minutes, 0)
    for (const task of reply.body.tasks) {
      assert.deepEqual([task.late, task.estimate_minutes], [null, null])
    }
  })

  test('of many projects comes with their milestones in one answer, as far as the caller may read them', async () => {
    const own = await makeOrganization(service)
    const theirs = planStory(service, own)
    const project_id = await theirs.make('/api/project/info/', {
      project_name: 'One',
      start_date: '2030-01-07',
      due_date: '2030-01-31',
    })
    const hidden = await theirs.make('/api/project/info/', {
      project_name: 'Hidden',
      is_private: true,
    })
    await theirs.make('/api/project/info/', { project_name: 'A deal', project_type: 'deal' })
    const path = `/api/project/info/${project_id}/milestones/`
    const milestone_id = await theirs.make(path, {
      name: 'Go-live',
      kind: 'go_live',
      due_date: '2030-01-31',
    })
    const task = (title: string, more: object = {}) =>
      theirs.make('/api/tasks/', {
        title,
        milestone_id,
        start_date: '2030-02-01',
        due_date: '2030-02-04',
        ...more,
      })
    await task('Switch', { owner: own.users.member.user_id })
    await task('Secret', { is_private: true, due_date: '2030-03-29' })
    const read = (query = '', as?: string) =>
      theirs.ask('GET', `/api/projects/timeline/${query}`, undefined, as)
    const { rows, total, next_cursor } = await read()
    assert.deepEqual([total, next_cursor], [2, null])
    const names = rows.map((row: { project_name: string }) => row.project_name)
    assert.deepEqual(names.toSorted(), ['Hidden', 'One'])
    const member = await read('', own.users.member.token)
    assert.deepEqual(member.rows, [
      {
        project_id,
        project_name: 'One',
        owner: null,
        account: null,
        status: member.rows[0].status,
        template_name: null,
        start: '2030-01-07',
        agreed: '2030-01-31',
        due: '2030-02-04',
        forecast: '2030-02-04',
        completed: 0,
        tasks: 1,
        health: { state: 'at_risk', days: 2, cause: null },
        milestones: [
          {
            id: milestone_id,
            name: 'Go-live',
            due: '2030-01-31',
            forecast: '2030-02-04',
            status: 'open',
            kind: 'go_live',
          },
        ],
      },
    ])
    assert.equal(rows.find((row: any) => row.project_id === project_id).due, '2030-03-29')
    const ids = async (query: string) =>
      (await read(query)).rows.map((row: { project_id: string }) => row.project_id)
    assert.deepEqual(await ids('?from=2030-02-04&to=2030-12-31'), [project_id])
    assert.deepEqual(await ids('?to=2030-01-06'), [])
    assert.deepEqual(await ids('?q=Hid'), [hidden])
    assert.deepEqual(await ids('?cursor=2'), [])
    const wrong = await theirs.call('GET', '/api/projects/timeline/?from=2030-02-01&to=2030-01-01')
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /must not be before from/)
  })
})
