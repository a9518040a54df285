import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

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
const daily = { due_date: '2026-03-02', recurrence_pattern: 'FREQ=DAILY' }

async function make(body: object): Promise<any> {
  const reply = await call('POST', base, { title: 'Task', ...body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

/** Completes a task of a series and gives the next. */
async function nextOf({ item_id }: { item_id: string }, role?: Role): Promise<any> {
  const done = await call('PUT', `${base}${item_id}/`, { is_completed: true }, role)
  assert.equal(done.status, 200, done.text)
  const { body } = await call('GET', `${base}?items_per_page=500`)
  const found = body.filter((each: any) => each.parent_recurring_id === item_id)
  assert.equal(found.length, 1)
  return found[0]
}

const typesOf = async (id: string) =>
  (await call('GET', `/api/activity/log/tasks/${id}/`)).body.map(({ type }: any) => type).sort()

describe('the next task of a series', () => {
  test('emits what any new task with an owner does, and notifies them once', async () => {
    const owner = org.users.member.user_id
    const first = await make({ ...daily, owner })
    assert.deepEqual(await typesOf(first.item_id), ['task_assigned', 'task_created'])
    const next = await nextOf(first)
    assert.deepEqual(await typesOf(next.item_id), ['task_assigned', 'task_created'])
    const notified = await rows(
      service,
      sql`select title from notifications where user_id = ${owner}
        and notification_obj ->> 'reference_id' = ${next.item_id}`,
    )
    assert.equal(notified.length, 1)
  })

  test('takes the plan of the one before along, and nothing of what was done', async () => {
    const parent = await make({})
    const first = await make({
      ...daily,
      parent_id: parent.item_id,
      description: 'Each day',
      priority: 'high',
      tags: ['a'],
      users: [org.users.manager.user_id],
      position: 3,
      start_date: '2026-03-01',
      custom_fields: { floor: 2 },
      display_id: 'T-1',
      is_starred: true,
      is_risk: true,
      is_blocked: true,
      form_responses: { q: 1 },
      external_map: { jira: 'X-1' },
    })
    const next = await nextOf(first)
    const planned = [
      'title',
      'description',
      'item_type',
      'parent_id',
      'priority',
      'tags',
      'users',
      'position',
      'custom_fields',
    ]
    for (const name of planned) assert.deepEqual(next[name], first[name], name)
    assert.equal(next.parent_id, parent.item_id)
    assert.deepEqual([next.start_date, next.due_date], ['2026-03-02', '2026-03-03'])
    assert.deepEqual(
      [next.display_id, next.form_responses, next.external_map, next.completed_at],
      [null, null, null, null],
    )
    assert.deepEqual([next.is_starred, next.is_risk, next.is_blocked], [false, false, false])
  })

  test('belongs to nobody where the people of the one before have left', async () => {
    const invited = await call('POST', '/api/users/profile/action/', {
      email: 'leaving@example.test',
      full_name: 'Lea Leaving',
    })
    const { profile_id } = invited.body
    const first = await make({ ...daily, owner: profile_id, users: [profile_id] })
    assert.equal((await call('DELETE', `/api/users/profile/${profile_id}/`)).status, 204)
    const next = await nextOf(first)
    assert.deepEqual([next.owner, next.users], [null, []])
  })

  test('keeps links that whoever completes the one before does not see', async () => {
    const form = await call('POST', '/api/surveys/', { name: 'Check-list' })
    const { survey_id: form_id } = form.body
    const first = await make({ ...daily, owner: org.users.customer.user_id, form_id })
    assert.equal((await nextOf(first, 'customer')).form_id, form_id)
  })

  test('begins without values that must be unique, and lacks what is required since', async () => {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into field_definitions
        (organization_id, id, module, key, label, type, is_unique, required)
        values (${org.id}, 'badge', 'tasks', 'badge', 'Badge', 'text', true, true)`),
    )
    const first = await make({ ...daily, custom_fields: { badge: 'B-1', floor: 1 } })
    assert.deepEqual((await nextOf(first)).custom_fields, { floor: 1 })
  })
})
