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

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { token: org.users.admin.token, body })

/** Creates a project from these tasks of one stage and gives its tasks by title. */
async function laidOut(tasks: object[]): Promise<Map<string, any>> {
  const project = await call('POST', '/api/project/info/', {
    project: { project_name: 'Laid out', project_owner: { user_id: org.users.member.user_id } },
    project_template: { template_config: { stages: [{ name: 'Stage', tasks }] } },
  })
  assert.equal(project.status, 201, project.text)
  const project_id = project.headers.get('x-record-id')
  const { body } = await call('GET', `/api/tasks/?project_id=${project_id}&items_per_page=500`)
  return new Map(body.map((task: any) => [task.title, task]))
}

const entriesOf = (id: string) =>
  rows(
    service,
    sql`select type, changes, project_id from events where reference_id = ${id} order by id`,
  )

describe('the tasks of a template', () => {
  test('emit what tasks with and without an owner emit when they are created one by one', async () => {
    const tasks = await laidOut([
      { title: 'Owned', assignee_role: 'project_owner' },
      { title: 'Free', depends_on: ['Owned'] },
    ])
    const { owner, item_id, project_id } = tasks.get('Owned')
    assert.equal(owner.user_id, org.users.member.user_id)
    const [created, assigned, ...others] = await entriesOf(item_id)
    assert.deepEqual([created!.type, assigned!.type], ['task_created', 'task_assigned'])
    assert.deepEqual(others, [])
    assert.deepEqual(assigned!.changes, [{ field: 'owner', from: null, to: owner }])
    assert.equal(assigned!.project_id, project_id)
    const free = tasks.get('Free')
    assert.equal(free.is_blocked, true)
    const types = (await entriesOf(free.item_id)).map(({ type }) => type)
    assert.deepEqual(types, ['task_created'])
  })

  test('take the defaults of custom fields, and lack what a template cannot hold', async () => {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into field_definitions
        (organization_id, id, module, key, label, type, required, default_value)
        values (${org.id}, 'size', 'tasks', 'size', 'Size', 'text', false, '"small"'),
          (${org.id}, 'badge', 'tasks', 'badge', 'Badge', 'text', true, null)`),
    )
    // the service is notified of it a moment later
    service.runtime.cache.clear()
    const tasks = await laidOut([{ title: 'One' }, { title: 'Two', tags: ['a'], item_type: 4 }])
    assert.deepEqual(tasks.get('One').custom_fields, { size: 'small' })
    const { tags, item_type, position } = tasks.get('Two')
    assert.deepEqual([tags, item_type, position], [['a'], 4, 1])
  })
})
