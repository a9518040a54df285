import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { asService } from '../../test/support/contexts.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../test/support/service.ts'
import type { Job } from '../kit/ground/job.ts'
import { importJob } from '../records/imports/job.ts'
import { undoJob } from '../records/imports/undo.ts'
import { runAutomation } from '../records/surveys/automations/run.ts'
import type { Enqueued } from './work.ts'
import { runJob } from './work.ts'

describe('a job whose user has left or was deactivated', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
  })

  beforeEach(async () => {
    org = await makeOrganization(service)
  })

  async function call(method: string, path: string, body?: unknown, as = org.users.admin) {
    const reply = await service.call(method, path, { token: as.token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply.body
  }

  /** Runs what waits for a job, as its queue would. */
  async function runWaiting(job: Pick<Job, 'name'>): Promise<void> {
    const waiting = await asService(service, org, (ctx) =>
      ctx.all<Enqueued>(sql`
        delete from asked_jobs where organization_id = ${org.id} and name = ${job.name}
        returning organization_id, id, user_id, source, data`),
    )
    assert.equal(waiting.length, 1)
    await runJob(service.runtime, job as Job, waiting[0]!, new AbortController().signal)
  }

  const deactivate = ({ user_id }: { user_id: string }) =>
    call('PUT', `/api/users/profile/${user_id}/`, { is_active: false })

  const companies = (from: number, to: number) =>
    `company_name\n${Array.from({ length: to - from }, (_, i) => `Left ${from + i}`).join('\n')}`

  test('does not leave an import running', async () => {
    const { manager } = org.users
    const body = { module: 'companies', csv: companies(0, 3), start: true }
    const { import_id } = await call('POST', '/api/imports/', body, manager)
    await deactivate(manager)
    await runWaiting(importJob)
    const { status, error, created } = await call('GET', `/api/imports/${import_id}/`)
    assert.deepEqual(
      { status, error, created },
      { status: 'failed', error: 'Whoever started it is no longer active', created: 0 },
    )
  })

  test('does not leave an undo half done for ever: somebody else can go on with it', async () => {
    const { manager } = org.users
    // more than a request undoes itself
    const body = { module: 'companies', csv: companies(10, 700), start: true }
    const { import_id } = await call('POST', '/api/imports/', body, manager)
    await runWaiting(importJob)
    const path = `/api/imports/${import_id}/`
    assert.equal((await call('GET', path)).created, 690)
    assert.equal((await call('POST', `${path}undo/`, undefined, manager)).status, 'undoing')
    await deactivate(manager)
    await runWaiting(undoJob)
    const stopped = await call('GET', path)
    assert.equal(stopped.status, 'failed')
    assert.equal(stopped.error, 'Its undo has stopped: whoever started it is no longer active')
    await call('POST', `${path}undo/`)
    const undone = await call('GET', path)
    assert.deepEqual([undone.status, undone.undone], ['undone', 690])
  })

  test('is a failed run of an automation, with the reason', async () => {
    const { manager } = org.users
    const form_structure = [{ title: 'One', fields: [{ type: 'long-text', label: 'Why?' }] }]
    const { survey_id } = await call('POST', '/api/surveys/', {
      name: 'Why?',
      form_structure,
      status: 'published',
    })
    const automation = {
      name: 'Close',
      trigger: { type: 'closed' },
      actions: [{ type: 'add_tag', config: { tag: 'closed' } }],
    }
    await call('POST', `/api/surveys/${survey_id}/automations_save/`, automation, manager)
    await call('POST', `/api/surveys/${survey_id}/close/`)
    await deactivate(manager)
    await runWaiting(runAutomation)
    const runs = await call('GET', `/api/surveys/${survey_id}/automations/runs/`)
    assert.equal(runs.length, 1)
    assert.equal(runs[0].status, 'failed')
    assert.equal(runs[0].error, 'Whoever started it is no longer active')
  })
})
