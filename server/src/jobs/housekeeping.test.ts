import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import { housekeeping } from './housekeeping.ts'
import { startQueue } from './queue.ts'

const day = 86_400_000

describe('housekeeping', () => {
  let service: TestService
  let org: TestOrganization
  let now = Date.now()

  before(async () => {
    service = await startService({}, () => new Date(now))
    org = await makeOrganization(service)
  })

  /** A token of today: those of the beginning have expired. */
  async function signIn() {
    const { user_id } = org.users.admin
    const identity = { organization_id: org.id, user_id, full_name: '', email: '', role: '' }
    return ((await service.signIn.start(identity)) as { access_token: string }).access_token
  }

  test('a deleted record stays for 30 days, its company for as long as a contact points to it', async () => {
    const { token } = org.users.admin
    const create = async (path: string, body: object) =>
      (await service.call('POST', path, { token, body })).headers.get('x-record-id')!
    const company = await create('/api/company/', { company_name: 'Acme' })
    const contact = await create('/api/contact/', { full_name: 'Ada', company_id: company })
    await service.call('DELETE', `/api/company/${company}/`, { token })
    await service.call('DELETE', `/api/contact/${contact}/`, { token })
    now += 29 * day
    const early = await housekeeping(service.runtime)
    assert.deepEqual([early.contacts, early.companies], [0, 0])
    now += 2 * day
    const late = await housekeeping(service.runtime)
    assert.deepEqual([late.contacts, late.companies], [1, 1])
  })

  test('a project goes with its plan, a series never with its first task', async () => {
    const token = await signIn()
    const create = async (path: string, body: object) =>
      (await service.call('POST', path, { token, body })).headers.get('x-record-id')!
    const account_id = await create('/api/account/info/', { account_name: 'Acme' })
    const project = await create('/api/project/info/', { project_name: 'P', account_id })
    const milestone = { name: 'M' }
    const milestone_id = await create(`/api/project/info/${project}/milestones/`, milestone)
    await create('/api/tasks/', { title: 'T', milestone_id })
    const body = { title: 'Daily', due_date: '2030-01-01', recurrence_pattern: 'FREQ=DAILY' }
    const first = await create('/api/tasks/', body)
    await service.call('PUT', `/api/tasks/${first}/`, { token, body: { is_completed: true } })
    for (const path of [
      `project/info/${project}`,
      `account/info/${account_id}`,
      `tasks/${first}`,
    ]) {
      const reply = await service.call('DELETE', `/api/${path}/`, { token })
      assert.equal(reply.status, 204, reply.text)
    }
    now += 31 * day
    const gone = await housekeeping(service.runtime)
    assert.deepEqual([gone.tasks, gone.milestones, gone.projects, gone.accounts], [1, 1, 1, 1])
  })

  test('an idempotency key is forgotten after a day', async () => {
    const made = await service.call('POST', '/api/tags/info/', {
      token: await signIn(),
      body: { name: 'vip' },
      headers: { 'idempotency-key': 'k1' },
    })
    assert.equal(made.status, 201, made.text)
    now += day + 1000
    assert.equal((await housekeeping(service.runtime)).idempotency_keys, 1)
  })

  test('the job queue starts on the same database and takes a schedule', async () => {
    const queue = await startQueue(service.runtime, [])
    await queue.every('a-test', '0 0 1 1 *', async () => {})
    await queue.close()
  })
})
