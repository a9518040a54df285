import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('the integration door', () => {
  let service: TestService
  let org: TestOrganization
  let connected: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    connected = await connectApp(service, org)
  })

  test('test names the organization and the app', async () => {
    const reply = await connected.call('GET', '/automation/test')
    assert.equal(reply.status, 200, reply.text)
    const { app } = connected
    assert.deepEqual(reply.body, { status: 'success', organisation: org.name, id: app.id })
  })

  test('invalidate removes the connection; the same token is 401 afterwards', async () => {
    const other = await connectApp(service, org)
    const reply = await other.call('DELETE', '/automation/invalidate/')
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, {
      status: 'success',
      deleted: { connections: 1, tokens: 1, subscriptions: 0, deliveries: 0 },
    })
    const after = await other.call('GET', '/automation/test')
    assert.equal(after.status, 401)
    assert.equal((await connected.call('GET', '/automation/test')).status, 200)
  })
})
