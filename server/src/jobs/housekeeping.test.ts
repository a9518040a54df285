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

  test('an idempotency key is forgotten after a day', async () => {
    const fresh = (await service.signIn.start({
      organization_id: org.id,
      user_id: org.users.admin.user_id,
      full_name: '',
      email: '',
      role: '',
    })) as { access_token: string }
    const made = await service.call('POST', '/api/tags/info/', {
      token: fresh.access_token,
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
