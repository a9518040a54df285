import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../support/integration.ts'
import { connectApp } from '../support/integration.ts'
import type { Receiver } from '../support/receiver.ts'
import { settled, startReceiver, subscribe, verified } from '../support/receiver.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// The webhooks that an automation platform receives, from its subscription to the delivery.

describe('a platform that subscribed', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let receiver: Receiver
  let subscription: { id: string; secret: string }

  before(async () => {
    service = await startService({ webhookHostRate: 0 })
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    receiver = await startReceiver()
    const events = ['created', 'updated', 'deleted'].flatMap((what) => [
      `company_${what}`,
      `contact_${what}`,
    ])
    subscription = await subscribe(app, events, receiver.url)
  })

  /** The delivery of an event of this type for a record, its signature verified by the standard's library. */
  async function received(type: string, id: string) {
    const [arrival] = await receiver.arrived(1, ({ json }) => {
      const { company_id, contact_id } = json.data
      return json.type === type && (contact_id ?? company_id) === id
    })
    const body = verified(subscription.secret, arrival!)
    assert.equal(arrival!.headers['webhook-id'], body.id)
    assert.equal(arrival!.headers['content-type'], 'application/json')
    assert.match(String(arrival!.headers['user-agent']), /^Perennial-Webhooks\//)
    return { text: arrival!.text, body }
  }

  const viaApplication = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id')!
  }

  const read = (company_id: string) =>
    app.call('GET', '/automation/company', { query: { company_id } })

  test('receives a webhook for a company created on the application surface', async () => {
    const id = await viaApplication('POST', '/api/company/', {
      company_name: 'Übermut & "Söhne" \u2028',
      domain: 'uebermut.test',
      estimated_arr: 1.5,
      company_owner: { email: org.users.member.email },
      tags: ['a', 'b'],
      'anything else': { nested: [1, null] },
    })
    const { text, body } = await received('company_created', id)
    const { body: got } = await read(id)
    // as its GET gives it, in the same order and written as compactly as can be
    assert.ok(text.includes(`"data":${JSON.stringify(got)},`), `${text}\n${JSON.stringify(got)}`)
    assert.deepEqual(Object.keys(body), [
      'id',
      'event_id',
      'type',
      'timestamp',
      'subscription_id',
      'organization_id',
      'source',
      'actor',
      'data',
      'changes',
    ])
    const { user_id } = org.users.admin
    assert.deepEqual(body.actor, { type: 'user', id: user_id, full_name: `admin of ${org.name}` })
    assert.deepEqual(
      [body.source, body.organization_id, body.subscription_id],
      ['application', org.id, subscription.id],
    )
    assert.equal(body.timestamp, body.data.creation_time)
  })

  test('receives a webhook for a company created on the integration surface', async () => {
    const body = { company_name: 'Northwind', tier: 'gold' }
    const made = await app.call('POST', '/automation/company', { body })
    const { company_id } = made.body.data
    const arrived = await received('company_created', company_id)
    assert.deepEqual(arrived.body.data, { ...(await read(company_id)).body, version: 1 })
    assert.deepEqual([arrived.body.source, arrived.body.actor.type], ['integration', 'app'])
    const { changed_fields, from, to } = arrived.body.changes
    assert.ok(
      changed_fields.includes('company_name') && changed_fields.includes('custom_fields.tier'),
    )
    assert.deepEqual([from.company_name, to.company_name], [null, 'Northwind'])
  })

  test('receives what an update changed, from what and to what', async () => {
    const id = await viaApplication('POST', '/api/company/', {
      company_name: 'Before',
      tier: 'gold',
    })
    await viaApplication('PUT', `/api/company/${id}/`, {
      company_name: 'After',
      industry: 'Retail',
      tier: 'silver',
    })
    const { body } = await received('company_updated', id)
    assert.equal(body.data.version, 2)
    assert.deepEqual(body.data, { ...(await read(id)).body, version: 2 })
    const { changed_fields, from, to } = body.changes
    assert.deepEqual(changed_fields.toSorted(), ['company_name', 'custom_fields.tier', 'industry'])
    assert.deepEqual(from, { company_name: 'Before', industry: null, 'custom_fields.tier': 'gold' })
    assert.deepEqual(to, {
      company_name: 'After',
      industry: 'retail',
      'custom_fields.tier': 'silver',
    })
    // an update that changes nothing emits no event
    const before = receiver.arrivals.length
    await viaApplication('PUT', `/api/company/${id}/`, { company_name: 'After' })
    const other = await viaApplication('POST', '/api/contact/', { full_name: 'Witness' })
    await received('contact_created', other)
    assert.equal(receiver.arrivals.length, before + 1)
  })

  test('receives a webhook for a deletion with the last state', async () => {
    const id = await viaApplication('POST', '/api/company/', { company_name: 'Short-lived' })
    const { body: last } = await read(id)
    await viaApplication('DELETE', `/api/company/${id}/`)
    const { body } = await received('company_deleted', id)
    assert.deepEqual(body.data, { ...last, version: 2 })
    assert.deepEqual(body.changes, { changed_fields: [], from: {}, to: {} })
  })

  test('receives webhooks for contacts too, each with its company', async () => {
    const company_id = await viaApplication('POST', '/api/company/', { company_name: 'Employer' })
    const body = { full_name: 'Ada', primary_email: 'Ada@employer.test', company_id }
    const made = await app.call('POST', '/automation/contact', { body })
    const { contact_id } = made.body.data
    const arrived = await received('contact_created', contact_id)
    const query = { contact_id }
    const got = await app.call('GET', '/automation/contact', { query })
    assert.deepEqual(arrived.body.data, { ...got.body, version: 1 })
    assert.equal(arrived.body.data.company.company_id, company_id)
  })

  test('receives no event that it did not subscribe to, and none of other organizations', async () => {
    const other = await makeOrganization(service)
    const { token } = other.users.admin
    const body = { company_name: 'Elsewhere' }
    await service.call('POST', '/api/company/', { token, body })
    await viaApplication('POST', '/api/tags/info/', { tag_name: 'vip' })
    const id = await viaApplication('POST', '/api/company/', { company_name: 'Here' })
    await received('company_created', id)
    for (const { json } of receiver.arrivals) {
      assert.equal(json.organization_id, org.id)
      assert.match(json.type, /^(company|contact)_/)
    }
  })

  test('can rotate its secret without losing a delivery', async () => {
    const { id } = subscription
    const rotated = await app.call('POST', `/webhook/subscriptions/${id}/rotate-secret`)
    assert.equal(rotated.status, 200, rotated.text)
    const made = await viaApplication('POST', '/api/company/', { company_name: 'Signed twice' })
    await received('company_created', made)
    subscription.secret = rotated.body.secret
    await received('company_created', made)
  })

  test('receives nothing after it has unsubscribed, or disconnected', async () => {
    const { id } = subscription
    const again = await subscribe(app, 'company_created', `${receiver.url}/again`)
    const query = { subscriptionId: id }
    assert.equal((await app.call('DELETE', '/webhook/unsubscribe', { query })).status, 200)
    const arrived = () => receiver.arrivals.filter(({ path }) => path === '/').length
    const before = arrived()
    await viaApplication('POST', '/api/company/', { company_name: 'Unheard' })
    await settled(app, again.id, ([each]) => each?.status === 'delivered')
    assert.equal(arrived(), before)

    const ended = await app.call('DELETE', '/automation/invalidate')
    assert.equal(ended.body.deleted.subscriptions, 1, ended.text)
    const count = receiver.arrivals.length
    const other = await connectApp(service, org)
    const witness = await startReceiver()
    await subscribe(other, 'company_created', witness.url)
    await viaApplication('POST', '/api/company/', { company_name: 'Unheard too' })
    await witness.arrived(1)
    assert.equal(receiver.arrivals.length, count)
  })
})
