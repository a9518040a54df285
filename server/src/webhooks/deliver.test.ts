import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startReceiver, verified } from '../../test/support/receiver.ts'
import type { TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import { makeConnection, makeSubscription } from '../../test/support/subscriptions.ts'

describe('deliveries', () => {
  let service: TestService

  before(async () => {
    service = await startService()
  })

  test('a company that is made arrives at once, signed', async () => {
    const org = await makeOrganization(service)
    const receiver = await startReceiver()
    const connection = await makeConnection(service, org, ['company.read'])
    const { id, secret } = await makeSubscription(
      service,
      connection,
      ['company_created'],
      receiver.url,
    )
    const made = await service.call('POST', '/api/company/', {
      token: org.users.admin.token,
      body: { company_name: 'Acme', tier: 'gold' },
    })
    const [arrival] = await receiver.arrived(1)
    const body = verified(secret, arrival!)
    assert.equal(body.subscription_id, id)
    assert.equal(body.data.company_id, made.headers.get('x-record-id'))
  })
})
