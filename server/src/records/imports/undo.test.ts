import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('what an import changed and its undo takes back', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
  })

  async function call(method: string, path: string, body?: unknown) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const make = async (path: string, body: object) =>
    (await call('POST', path, body)).headers.get('x-record-id')!

  async function until(path: string, status: string) {
    for (;;) {
      const { body } = await call('GET', path)
      if (body.status === status) return body
      assert.ok(['running', 'undoing'].includes(body.status), JSON.stringify(body))
      await sleep(20)
    }
  }

  /** The events of a record that taking an import of these rows back emits, sorted. */
  async function eventsOfUndo(module: string, id: string, csv: string): Promise<string[]> {
    const body = { module, csv, on_duplicate: 'update', start: true }
    const path = `/api/imports/${(await call('POST', '/api/imports/', body)).body.import_id}/`
    assert.equal((await until(path, 'completed')).updated, 1, csv)
    const log = async (): Promise<{ log_id: string; type: string | null }[]> =>
      (await call('GET', `/api/activity/log/${module}/${id}/`)).body
    const known = (await log()).map(({ log_id }) => log_id)
    await call('POST', `${path}undo/`)
    assert.equal((await until(path, 'undone')).undone, 1)
    const fresh = (await log()).filter(({ log_id }) => !known.includes(log_id))
    return fresh.map(({ type }) => String(type)).toSorted()
  }

  test('has the events of each move, and its place in the history of stages', async () => {
    const deal = await make('/api/project/info/', { project_name: 'Deal', project_type: 'deal' })
    const first = (await call('GET', `/api/project/info/${deal}/`)).body.stage_id
    assert.deepEqual(
      await eventsOfUndo('deals', deal, `project_id,stage_id\n${deal},Closed won\n`),
      ['deal_stage_changed', 'deal_updated'],
    )
    const stages = (await call('GET', `/api/project/info/${deal}/stage-history/`)).body
    const { stage_id, left_at } = stages.at(-1)
    assert.deepEqual([stages.length, stage_id, left_at], [3, first, null])

    const project = await make('/api/project/info/', { project_name: 'Project' })
    await call('PUT', `/api/project/info/${project}/`, { status: 'completed' })
    assert.deepEqual(
      await eventsOfUndo('projects', project, `project_id,status\n${project},in_progress\n`),
      ['project_completed', 'project_status_changed', 'project_updated'],
    )
    const milestone = await make(`/api/project/info/${project}/milestones/`, {
      name: 'Step',
      status: 'completed',
    })
    const step = `milestone_id,project_id,name,status\n${milestone},${project},Step,not_started\n`
    assert.deepEqual(await eventsOfUndo('milestones', milestone, step), [
      'milestone_completed',
      'milestone_updated',
    ])
    const task = await make('/api/tasks/', { project_id: project, title: 'Call' })
    assert.deepEqual(await eventsOfUndo('tasks', task, `item_id,status\n${task},completed\n`), [
      'task_status_changed',
      'task_updated',
    ])
    const start = '2027-03-02T09:00:00Z'
    const meeting = { title: 'Kick-off', start, end: '2027-03-02T10:00:00Z' }
    const kickOff = await make('/api/calendar/info/', meeting)
    const cancelled = `calendar_id,is_meeting_cancelled\n${kickOff},true\n`
    assert.deepEqual(
      (await eventsOfUndo('meetings', kickOff, cancelled)).filter((type) => type !== 'null'),
      ['meeting_scheduled', 'meeting_updated'],
    )
  })
})
