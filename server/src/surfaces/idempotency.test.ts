import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import { refused, refusedField } from '../../test/support/refused.ts'
import type { Receiver } from '../../test/support/receiver.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'

describe('a POST that writes no record', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let receiver: Receiver
  let later = 0

  before(async () => {
    service = await startService({}, () => new Date(Date.now() + later))
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    receiver = await startReceiver()
  })

  const send = (path: string, key: string, body: object) =>
    app.call('POST', path, { body, headers: { 'idempotency-key': key } })
  const session = (path: string, key: string, body: object) =>
    service.call('POST', path, {
      token: org.users.admin.token,
      body,
      headers: { 'idempotency-key': key },
    })
  const isReplayed = ({ headers }: { headers: Headers }) =>
    headers.get('idempotency-replayed') === 'true'

  test('sends a test delivery once for its Idempotency-Key, on both surfaces', async () => {
    for (const [from, path] of [
      [send, '/webhook/test'],
      [session, '/api/webhooks/test/'],
    ] as const) {
      const url = `${receiver.url}${path}`
      const subscribed = await app.call('POST', '/webhook/subscribe', {
        body: { events: 'company_created', url },
      })
      const { id: subscriptionId } = subscribed.body
      const body = from === send ? { subscriptionId } : { subscription_id: subscriptionId }
      const first = await from(path, 'once', body)
      assert.equal(first.status, 200, first.text)
      assert.ok(!isReplayed(first))
      const second = await from(path, 'once', body)
      assert.deepEqual([second.status, second.text], [200, first.text])
      assert.ok(isReplayed(second))
      assert.equal(receiver.arrivals.filter((each) => each.path === path).length, 1)
      refusedField(await from(path, 'once', { ...body, event: 'company_created' }), [
        'Idempotency-Key',
      ])
    }
  })

  test('is in flight for its Idempotency-Key while the receiver takes its time', async () => {
    const path = '/slow'
    const released = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await released.promise
      return { status: 200 }
    }
    const body = { url: `${receiver.url}${path}` }
    const first = send('/webhook/test', 'slow', body)
    await receiver.arrived(1, (each) => each.path === path)
    const second = await send('/webhook/test', 'slow', body)
    refused(second, 409)
    assert.equal(second.body.code, 'in_flight')
    released.resolve()
    assert.equal((await first).status, 200)
    assert.ok(isReplayed(await send('/webhook/test', 'slow', body)))
    receiver.answer = () => ({ status: 200 })
  })

  test('may be repeated a minute after its process was cut off', async () => {
    const path = '/cut-off'
    const released = Promise.withResolvers<void>()
    receiver.answer = async () => {
      await released.promise
      return { status: 200 }
    }
    const body = { url: `${receiver.url}${path}` }
    const first = send('/webhook/test', 'cut off', body)
    await receiver.arrived(1, (each) => each.path === path)
    later = 61_000
    receiver.answer = () => ({ status: 200 })
    const again = await send('/webhook/test', 'cut off', body)
    later = 0
    assert.equal(again.body.status, 'success', again.text)
    released.resolve()
    await first
  })

  test('stores its refusals, and neither other answers nor the key without one', async () => {
    const first = await send('/webhook/test', 'refused', { url: 'http://10.0.0.1/' })
    const second = await send('/webhook/test', 'refused', { url: 'http://10.0.0.1/' })
    refusedField(first, ['url'])
    assert.deepEqual([second.status, second.text], [400, first.text])
    assert.ok(isReplayed(second))
    refusedField(await send('/webhook/test', '', { url: receiver.url }), ['Idempotency-Key'])
  })

  test('gives the same link of a survey, and the same counts, for its Idempotency-Key', async () => {
    const { token } = org.users.admin
    const form_structure = [{ title: 'One', fields: [{ type: 'short-text', label: 'Why?' }] }]
    const made = await service.call('POST', '/api/surveys/', {
      token,
      body: { name: 'Asked', status: 'published', form_structure },
    })
    assert.equal(made.status, 201, made.text)
    const link = `/api/surveys/${made.body.survey_id}/link/`
    const first = await session(link, 'link', { email: 'ann@acme.test' })
    const second = await session(link, 'link', { email: 'ann@acme.test' })
    assert.equal(first.status, 200, first.text)
    assert.equal(second.text, first.text)
    const counts = '/api/interactions/info/unread-counts/'
    const body = { module_name: 'surveys', reference_ids: [made.body.survey_id] }
    assert.ok(!isReplayed(await session(counts, 'counts', body)))
    assert.ok(isReplayed(await session(counts, 'counts', body)))
  })
})
