import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../support/integration.ts'
import { connectApp } from '../support/integration.ts'
import type { Receiver } from '../support/receiver.ts'
import { settled, startReceiver, subscribe, verified } from '../support/receiver.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// The events that an automation platform receives for deals, projects and what hangs on them.

const deals = ['created', 'updated', 'stage_changed', 'won', 'lost', 'deleted']
const projects = ['created', 'updated', 'status_changed', 'completed', 'deleted']

describe('a platform that subscribed to deals and projects', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService({ webhookHostRate: 0 })
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  async function ask(method: string, path: string, body?: object) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply
  }

  async function make(path: string, body: object) {
    return (await ask('POST', path, body)).headers.get('x-record-id')!
  }

  async function arrived(receiver: Receiver, type: string, id: string) {
    const [found] = await receiver.arrived(
      1,
      ({ json }) => json.type === type && [json.data.project_id, json.data.item_id].includes(id),
    )
    return found!
  }

  const done = (its: ConnectedApp, subscription: string) =>
    settled(its, subscription, (all) => all.every(({ status }) => status !== 'pending'))

  test('gets each of their events, with the record as the list gives it', async () => {
    const receiver = await startReceiver()
    const names = [
      ...deals.map((what) => `deal_${what}`),
      ...projects.map((what) => `project_${what}`),
    ]
    const { secret } = await subscribe(app, names, receiver.url)
    const listed = async (id: string, type: string) => {
      const filter = JSON.stringify([{ field: 'project_id', operator: 'eq', value: id }])
      const query = { project_type: type, filter }
      const [found] = (await app.call('GET', '/automation/project', { query })).body.results
      const { version: _, ...shown } = found
      return shown
    }
    const received = async (type: string, id: string) =>
      verified(secret, await arrived(receiver, type, id))

    const stages = [{ name: 'One', tasks: [{ title: 'First' }] }]
    const project = await make('/api/project/info/', {
      project_name: 'Rollout',
      project_team: [org.users.member.user_id],
      custom_fields: { tier: 'gold' },
      project_template: { template_config: { stages } },
    })
    const { version, ...created } = (await received('project_created', project)).data
    assert.equal(version, 1)
    assert.deepEqual(created, await listed(project, 'project'))
    assert.deepEqual([created.tasks_count, created.milestones_count], [1, 1])
    await ask('PUT', `/api/project/info/${project}/`, { status: 'completed' })
    const { version: second, ...completed } = (await received('project_completed', project)).data
    assert.equal(second, 2)
    assert.deepEqual(completed, await listed(project, 'project'))
    const changed = await received('project_status_changed', project)
    assert.deepEqual(changed.changes.changed_fields, ['status'])
    assert.equal(changed.changes.to.status.status_key, 'completed')
    await ask('DELETE', `/api/project/info/${project}/`)
    assert.equal((await received('project_deleted', project)).data.project_name, 'Rollout')

    const deal = await make('/api/project/info/', { project_name: 'Sale', project_type: 'deal' })
    await received('deal_created', deal)
    await ask('PUT', `/api/project/info/${deal}/`, { stage_id: 'closed_won' })
    const { version: _, ...won } = (await received('deal_won', deal)).data
    assert.deepEqual(won, await listed(deal, 'deal'))
    await received('deal_stage_changed', deal)
    const lost = { stage_id: 'closed_lost', lost_reason: 'price' }
    await ask('PUT', `/api/project/info/${deal}/`, lost)
    assert.equal((await received('deal_lost', deal)).data.lost_reason, 'price')
    const born = await make('/api/project/info/', {
      project_name: 'Won at once',
      project_type: 'deal',
      stage_id: 'closed_won',
    })
    await received('deal_won', born)
  })

  test('gets an event of each milestone and task that comes and goes with its project', async () => {
    const receiver = await startReceiver()
    const kinds = ['milestone', 'task']
    const names = kinds.flatMap((kind) =>
      ['created', 'updated', 'deleted'].map((it) => `${kind}_${it}`),
    )
    const { id: subscription } = await subscribe(app, names, receiver.url)
    const stages = [
      { name: 'One', tasks: [{ title: 'First' }, { title: 'Second' }] },
      { name: 'Two', tasks: [{ title: 'Third', assignee_role: 'project_owner' }] },
    ]
    const project = await make('/api/project/info/', {
      project_name: 'Rollout',
      project_owner: { user_id: org.users.member.user_id },
      project_template: { template_config: { stages } },
    })
    const copy = await make(`/api/project/info/${project}/duplicate/`, {})
    const of = (id: string, type: string) =>
      receiver.arrived(
        type.startsWith('task') ? 3 : 2,
        ({ json }) => json.type === type && json.data.project_id === id,
      )
    for (const id of [project, copy]) {
      const { results } = (
        await app.call('GET', `/automation/project/${id}`, { query: { milestone: true } })
      ).body
      const tasks = results.flatMap((milestone: { tasks: object[] }) => milestone.tasks)
      const events = (await of(id, 'task_created')).map(({ json }) => json)
      assert.deepEqual(
        events.map(({ data }) => data).sort(byTitle),
        tasks.map((each: object) => ({ ...each, version: 1 })).sort(byTitle),
      )
      const third = events.find(({ data }) => data.title === 'Third')
      assert.equal(third.changes.to.title, 'Third')
      assert.equal(third.changes.to.owner.user_id, org.users.member.user_id)
      await of(id, 'milestone_created')
    }
    const created = [...(await of(project, 'task_created')), ...(await of(copy, 'task_created'))]
    for (const { json } of created) {
      const log = await ask('GET', `/api/activity/log/tasks/${json.data.item_id}/`)
      assert.deepEqual(
        log.body.map(({ title }: { title: string }) => title),
        json.data.owner ? ['Task assigned', 'Task created'] : ['Task created'],
      )
    }
    await ask('DELETE', `/api/project/info/${project}/`)
    await of(project, 'milestone_deleted')
    const [gone] = await of(project, 'task_deleted')
    assert.equal(gone!.json.data.version, 2)
    await ask('POST', `/api/project/info/${project}/restore/`)
    await of(project, 'milestone_updated')
    const [back] = await of(project, 'task_updated')
    assert.equal(back!.json.data.version, 3)
    await done(app, subscription)
    assert.equal(receiver.arrivals.length, 20)
  })

  test('receives first values and each later change under the names of `data`', async () => {
    const receiver = await startReceiver()
    const names = ['project', 'task'].flatMap((kind) =>
      ['created', 'updated', 'status_changed'].map((what) => `${kind}_${what}`),
    )
    const meetings = ['meeting_scheduled', 'meeting_rescheduled']
    const { id: subscription } = await subscribe(app, [...names, ...meetings], receiver.url)
    const { user_id } = org.users.member
    const project = await make('/api/project/info/', {
      project_name: 'Told',
      project_owner: user_id,
      project_team: [user_id],
      status: 'in_progress',
    })
    const task = await make('/api/tasks/', {
      title: 'Told',
      project_id: project,
      owner: user_id,
      users: [user_id],
      priority: 'high',
      recurrence_pattern: 'FREQ=DAILY',
    })
    const meeting = await make('/api/calendar/info/', {
      title: 'Told',
      start: '2030-01-01T10:00:00Z',
      end: '2030-01-01T11:00:00Z',
      users: [user_id],
      project,
    })
    for (const path of [`/api/tasks/${task}/`, `/api/calendar/info/${meeting}/`]) {
      const read = await ask('GET', path)
      const back = await ask('PUT', path, read.body)
      assert.equal(back.headers.get('etag'), read.headers.get('etag'))
    }
    await ask('PUT', `/api/tasks/${task}/`, { status: 'in_progress' })
    await ask('PUT', `/api/project/info/${project}/`, { status: 'on_hold', project_team: [] })
    await ask('PUT', `/api/calendar/info/${meeting}/`, { end: '2030-01-01T12:00:00Z' })
    await done(app, subscription)
    const events = receiver.arrivals.map(({ json }) => json)
    const fieldsOf = (type: string) =>
      events.find((each) => each.type === type).changes.changed_fields
    const has = (type: string, ...fields: string[]) =>
      assert.deepEqual(
        fields.filter((each) => !fieldsOf(type).includes(each)),
        [],
      )
    has('project_created', 'project_owner', 'project_team', 'status')
    has('task_created', 'project_id', 'owner', 'users', 'status', 'priority', 'recurrence_pattern')
    has('meeting_scheduled', 'attendees', 'project')
    assert.deepEqual(fieldsOf('meeting_rescheduled'), ['end'])
    for (const { data, changes } of events) {
      for (const [field, to] of Object.entries(changes.to)) assert.deepEqual(to, data[field], field)
    }
  })

  test('receives events for a task that is created assigned or completed, and for its timer', async () => {
    const receiver = await startReceiver()
    const names = ['task_assigned', 'task_completed', 'task_updated']
    const { id: subscription } = await subscribe(app, names, receiver.url)
    const { user_id } = org.users.member
    const finished = await make('/api/tasks/', {
      title: 'Done',
      owner: { user_id },
      status: 'completed',
    })
    const assigned = (await arrived(receiver, 'task_assigned', finished)).json
    assert.equal(assigned.data.owner.user_id, user_id)
    assert.equal(assigned.changes.to.owner.user_id, user_id)
    assert.equal((await arrived(receiver, 'task_completed', finished)).json.data.version, 1)
    const task = await make('/api/tasks/', { title: 'Measured' })
    await ask('POST', `/api/tasks/${task}/timer/start/`)
    const started = (await arrived(receiver, 'task_updated', task)).json
    assert.deepEqual(started.changes.to, { is_timer_running: true })
    assert.equal(started.data.is_timer_running, true)
    const body = { predecessor_id: task }
    await ask('POST', `/api/tasks/${finished}/dependencies/`, body)
    const waits = (await arrived(receiver, 'task_updated', finished)).json
    assert.deepEqual(waits.changes.to, body)
    assert.deepEqual([waits.data.is_blocked, waits.data.version], [true, 2])
    await done(app, subscription)
    assert.equal(receiver.arrivals.length, 4)
  })

  test('gets task events of the one project that it subscribed to, a deal as well', async () => {
    const receiver = await startReceiver()
    const deal = await make('/api/project/info/', { project_name: 'D', project_type: 'deal' })
    const other = await make('/api/project/info/', { project_name: 'P' })
    const body = { events: "['task_created']", url: receiver.url, project_id: deal }
    const reply = await app.call('POST', '/webhook/subscribe', { body })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.body.project_id, deal)
    const elsewhere = await make('/api/tasks/', { title: 'Elsewhere', project_id: other })
    const task = await make('/api/tasks/', { title: 'Here', project_id: deal })
    await arrived(receiver, 'task_created', task)
    // the project of a task may follow from its milestone or its parent alone
    const milestone_id = await make(`/api/project/info/${deal}/milestones/`, { name: 'M' })
    const inMilestone = await make('/api/tasks/', { title: 'In the milestone', milestone_id })
    await arrived(receiver, 'task_created', inMilestone)
    const below = await make('/api/tasks/', { title: 'Below', parent_id: task })
    await arrived(receiver, 'task_created', below)
    await done(app, reply.body.id)
    assert.ok(!receiver.arrivals.some(({ json }) => json.data.item_id === elsewhere))
  })

  test('gets tasks and milestones of the kind that its scopes let it read', async () => {
    const receiver = await startReceiver()
    const seller = await connectApp(service, org, { scopes: ['deal.read'] })
    const { id: subscription } = await subscribe(
      seller,
      ['task_created', 'milestone_created'],
      receiver.url,
    )
    const deal = await make('/api/project/info/', { project_name: 'D', project_type: 'deal' })
    const project = await make('/api/project/info/', { project_name: 'P' })
    for (const id of [project, deal]) {
      await make('/api/tasks/', { title: 'T', project_id: id })
      await make(`/api/project/info/${id}/milestones/`, { name: 'M' })
    }
    const its = await receiver.arrived(2, ({ json }) => json.data.project_id === deal)
    assert.deepEqual(its.map(({ json }) => json.type).sort(), ['milestone_created', 'task_created'])
    await done(seller, subscription)
    assert.ok(!receiver.arrivals.some(({ json }) => json.data.project_id === project))
  })
})

function byTitle(a: object, b: object): number {
  return (a as { title: string }).title.localeCompare((b as { title: string }).title)
}
