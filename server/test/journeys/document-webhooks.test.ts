import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { schemaCheck } from '../support/answers.ts'
import { connectApp } from '../support/integration.ts'
import { settled, startReceiver, subscribe } from '../support/receiver.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// Events of documents go to those who may read the document, and carry it as a read shows it.

describe('events of documents', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService({ webhookHostRate: 0 })
    org = await makeOrganization(service)
  })

  const as =
    (role: keyof TestOrganization['users']) =>
    async (method: string, path: string, body?: object) =>
      service.call(method, path, { token: org.users[role].token, body })

  async function publish(role: keyof TestOrganization['users'], body: object): Promise<string> {
    const made = await as(role)('POST', '/api/documents/', body)
    assert.equal(made.status, 201, made.text)
    const published = await as(role)('POST', `/api/documents/${made.body.attach_id}/publish/`, {})
    assert.equal(published.status, 200, published.text)
    return made.body.attach_id
  }

  test('never carry a private document to a subscriber whose own read of it is 404', async () => {
    const app = await connectApp(service, org, { as: 'member' })
    const receiver = await startReceiver()
    const { id: subscription } = await subscribe(app, ['document_published'], receiver.url)
    const secret = { document_name: 'Offer', description: 'the price is 17', is_private: true }
    const hidden = await publish('admin', secret)
    const open = await publish('admin', { document_name: 'Handbook' })
    assert.equal((await as('member')('GET', `/api/documents/${hidden}/`)).status, 404)
    const read = await as('member')('GET', `/api/documents/${open}/`)
    assert.equal(read.status, 200)
    await settled(
      app,
      subscription,
      (all) => all.length > 0 && all.every(({ status }) => status !== 'pending'),
    )
    const [arrived] = await receiver.arrived(1)
    assert.deepEqual(
      receiver.arrivals.map(({ json }) => json.data.attach_id),
      [open],
    )
    const { can: _, ...shown } = read.body
    assert.deepEqual(arrived!.json.data, shown)
  })

  test('of their own reach those who read no others', async () => {
    const { token } = org.users.admin
    const permission = { documents: { create: true, read: 'own', update: 'own', delete: 'own' } }
    const body = { role_name: 'Authors', kind: 'member', permission }
    const role = await service.call('POST', '/api/users/role/', { token, body })
    assert.equal(role.status, 201, role.text)
    const path = `/api/users/profile/${org.users.manager.user_id}/`
    const moved = await service.call('PUT', path, { token, body: { role_id: role.body.role_id } })
    assert.equal(moved.status, 200, moved.text)
    const app = await connectApp(service, org, { as: 'manager' })
    const receiver = await startReceiver()
    await subscribe(app, ['document_published'], receiver.url)
    const others = await publish('admin', { document_name: 'Not theirs' })
    const own = await publish('manager', { document_name: 'Theirs' })
    const [arrived] = await receiver.arrived(1)
    assert.equal(arrived!.json.data.attach_id, own)
    assert.equal((await as('manager')('GET', `/api/documents/${others}/`)).status, 404)
    assert.equal(receiver.arrivals.length, 1)
  })

  test('have the document’s shape in samples and in the API document', async () => {
    const app = await connectApp(service, org)
    const check = schemaCheck(service.document())
    const query = { event: 'document_signed' }
    const sample = await app.call('GET', '/webhook/sample', { query })
    assert.equal(sample.status, 200, sample.text)
    assert.equal(typeof sample.body.data.document_name, 'string')
    const at = '/webhooks/document_signed/post/requestBody/content/application~1json/schema'
    assert.equal(check(at, sample.body), undefined)
    const other = { ...sample.body.data, document_name: 5 }
    assert.ok(check(at, { ...sample.body, data: other }), 'any data would do')
  })
})
