import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('milestones', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  async function call(method: string, path: string, body?: unknown) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  test('that are completed from their first day are announced as that too', async () => {
    const project = await call('POST', '/api/project/info/', { project_name: 'Done before' })
    const path = `/api/project/info/${project.headers.get('x-record-id')}/milestones/`
    for (const [status, events] of [
      ['completed', ['milestone_created', 'milestone_completed']],
      ['in_progress', ['milestone_created']],
    ] as const) {
      const { body } = await call('POST', path, { name: 'Step', status })
      const log = await call('GET', `/api/activity/log/milestones/${body.milestone_id}/`)
      const types = log.body.map(({ type }: { type: string }) => type).toReversed()
      assert.deepEqual(types, events)
    }
  })
})
