import assert from 'node:assert/strict'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { atEnd } from '../../../test/support/finally.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { Receiver } from '../../../test/support/receiver.ts'
import { startReceiver, verified } from '../../../test/support/receiver.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { addMember } from '../../../test/support/world.ts'

describe('webhooks by session', () => {
  let service: TestService
  let org: TestOrganization
  let receiver: Receiver
  let app_id: string

  before(async () => {
    // the public address is known before the port of the service: what comes there is passed on
    const entrance = createServer((req, res) => {
      const { method, headers, url: path } = req
      const onwards = httpRequest(service.url + path, { method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(res)
      })
      req.pipe(onwards)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => entrance.once('listening', resolve))
    atEnd(async () => {
      entrance.closeAllConnections()
      entrance.close()
    })
    const publicUrl = `http://127.0.0.1:${(entrance.address() as AddressInfo).port}`
    const noLimits = { webhookHostRate: 0, webhookHostConcurrency: 0 }
    const webhookRetrySchedule = [0, 0.02]
    service = await startService({ ...noLimits, publicUrl, webhookRetrySchedule }, undefined, true)
    org = await makeOrganization(service)
    receiver = await startReceiver()
    const scopes = ['company.read', 'contact.read']
    const made = await service.call('POST', '/api/apps/', {
      token: org.users.admin.token,
      body: { name: 'Connector', scopes },
    })
    app_id = made.body.app_id
  })

  const call = (method: string, path: string, body?: unknown, token = org.users.admin.token) =>
    service.call(method, `/api/${path}`, { body, token })
  const subscribe = async (body: object = {}, token = org.users.admin.token) => {
    const url = `${receiver.url}/${Math.random()}`
    const request = { app_id, events: ['company_created'], url, ...body }
    const reply = await call('POST', 'webhooks/subscriptions/', request, token)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const company = async (company_name: string) => {
    const reply = await call('POST', 'company/', { company_name })
    assert.equal(reply.status, 200, reply.text)
    return reply.headers.get('x-record-id')!
  }
  const deliveries = async (subscription_id: string, more = '') =>
    (await call('GET', `webhooks/deliveries/?subscription_id=${subscription_id}${more}`)).body
      .results as { [field: string]: any }[]
  const settledAs = async (subscription_id: string, status: string) => {
    await until(async () =>
      (await deliveries(subscription_id)).some((each) => each.status === status),
    )
    return (await deliveries(subscription_id)).find((each) => each.status === status)!
  }

  test('a subscription delivers, its log shows the request and the answer', async () => {
    const { subscription_id, secret } = await subscribe()
    receiver.answer = () => ({ status: 202, body: 'thanks' })
    await company('Delivered')
    const { delivery_id, answer } = await settledAs(subscription_id, 'delivered')
    assert.equal(answer.status, 202)
    assert.equal(answer.excerpt, 'thanks')
    const arrival = receiver.arrivals.find(({ headers }) => headers['webhook-id'] === delivery_id)!
    verified(secret, arrival)
    const { request } = (await call('GET', `webhooks/deliveries/${delivery_id}/`)).body
    assert.equal(request.body, arrival.text)
    assert.equal(request.headers['webhook-id'], delivery_id)
    const { health } = (await call('GET', `webhooks/subscriptions/${subscription_id}/`)).body
    assert.deepEqual([health.state, health.delivered, health.exhausted], ['healthy', 1, 0])
    assert.match(health.last_delivered_at, /^\d{4}-.*\.\d{3}Z$/)
  })

  test('what failed is sent again at once, all since a time', async () => {
    receiver.answer = () => ({ status: 500, body: undefined })
    const since = new Date().toISOString()
    const { subscription_id } = await subscribe()
    await company('Refused')
    await company('Refused too')
    await until(async () => (await deliveries(subscription_id, '&status=exhausted')).length === 2)
    const { health } = (await call('GET', `webhooks/subscriptions/${subscription_id}/`)).body
    assert.equal(health.state, 'failing')
    receiver.answer = () => ({ status: 204, body: undefined })
    const later = new Date(Date.now() + 60_000).toISOString()
    const none = await call('POST', 'webhooks/deliveries/resend-failed/', {
      subscription_id,
      since: later,
    })
    assert.equal(none.body.failed, 0)
    const some = await call('POST', 'webhooks/deliveries/resend-failed/', {
      subscription_id,
      since,
    })
    assert.deepEqual([some.body.failed, some.body.has_more], [2, false])
    await until(async () => (await deliveries(subscription_id, '&status=delivered')).length === 2)
    assert.equal((await deliveries(subscription_id, `&from=${later}`)).length, 0)
    assert.equal((await deliveries(subscription_id, `&to=${later}`)).length, 2)
  })

  test('an app resends what failed of a subscription of its own, by a filter', async () => {
    const theirs = await makeOrganization(service)
    const app = await connectApp(service, theirs)
    receiver.answer = () => ({ status: 500, body: undefined })
    const since = new Date(Date.now() - 60_000).toISOString()
    const url = `${receiver.url}/app`
    const body = { events: ['company_created'], url }
    const { id: subscriptionId } = (await app.call('POST', '/webhook/subscribe', { body })).body
    for (const company_name of ['One', 'Two']) {
      const { token } = theirs.users.admin
      await service.call('POST', '/api/company/', { token, body: { company_name } })
    }
    const withStatus = async (status: string) =>
      (await app.call('GET', `/webhook/deliveries?status=${status}`)).body.results.length as number
    await until(async () => (await withStatus('exhausted')) === 2)
    receiver.answer = () => ({ status: 204, body: undefined })
    const resend = (more: object) =>
      app.call('POST', '/webhook/deliveries/resend-failed', {
        body: { subscriptionId, since, ...more },
      })
    const none = await resend({ event: 'company_updated' })
    assert.deepEqual([none.status, none.body.failed], [200, 0])
    const all = await resend({ response_status: 500 })
    assert.deepEqual(
      [all.body.subscriptionId, all.body.failed, all.body.has_more],
      [subscriptionId, 2, false],
    )
    await until(async () => (await withStatus('delivered')) === 2)
    const { subscription_id } = await subscribe()
    refused(await resend({ subscriptionId: subscription_id }), 404)
    refusedField(await resend({ since: 'yesterday' }), ['since'])
  })

  test('a disabled one drops waiting deliveries, and an enabled one continues', async () => {
    receiver.answer = () => ({ status: 204, body: undefined })
    const { subscription_id } = await subscribe()
    const path = `webhooks/subscriptions/${subscription_id}`
    assert.equal((await call('POST', `${path}/disable/`, {})).body.health.state, 'disabled')
    await company('Unheard')
    assert.deepEqual(await deliveries(subscription_id), [])
    refused(
      await call('POST', 'webhooks/deliveries/resend-failed/', {
        subscription_id,
        since: '2026-01-01T00:00:00Z',
      }),
      409,
    )
    assert.equal((await call('POST', `${path}/enable/`, {})).body.status, 'active')
    await company('Heard')
    await settledAs(subscription_id, 'delivered')
  })

  test('only its user changes where a subscription goes; others see its record as they may', async () => {
    receiver.answer = () => ({ status: 204, body: undefined })
    const { subscription_id } = await subscribe()
    const developer = await addMember(service, org, {
      apps: { create: 'all', read: 'all', update: 'all', delete: 'none' },
      contacts: { read: 'all' },
    })
    await company('Not theirs to read')
    const { delivery_id } = await settledAs(subscription_id, 'delivered')
    const path = `webhooks/subscriptions/${subscription_id}/`
    const { token } = developer
    refused(await call('PUT', path, { url: `${receiver.url}/mine` }, token), 403)
    const seen = await call('GET', `webhooks/deliveries/${delivery_id}/`, undefined, token)
    assert.equal(seen.status, 200)
    assert.equal(seen.body.request.body, null)
    // a role that reads its own alone does not know it
    const own = await addMember(service, org, { apps: { read: 'own' } })
    refused(await call('GET', path, undefined, own.token), 404)
    // and a test to it carries nothing of who tests
    receiver.arrivals.length = 0
    const tested = await call('POST', 'webhooks/test/', { subscription_id }, token)
    assert.equal(tested.body.status, 'success', tested.text)
    assert.ok(!receiver.arrivals[0]!.text.includes('Not theirs'))
  })

  test('needs the scope of the app and the right of the caller', async () => {
    const url = `${receiver.url}/scopes`
    const beyond = { app_id, events: ['project_created'], url }
    refused(await call('POST', 'webhooks/subscriptions/', beyond), 403)
    const theirs = await addMember(service, org, { apps: { create: 'all', read: 'all' } })
    const request = { app_id, events: ['company_created'], url }
    refused(await call('POST', 'webhooks/subscriptions/', request, theirs.token), 403)
    const unknown = { app_id: 'nope', events: ['company_created'], url }
    refusedField(await call('POST', 'webhooks/subscriptions/', unknown), ['app_id'])
    const same = await call('POST', 'webhooks/subscriptions/', request)
    const again = await call('POST', 'webhooks/subscriptions/', request)
    assert.deepEqual([same.status, again.status], [201, 200])
    assert.equal(again.body.subscription_id, same.body.subscription_id)
  })

  describe('the inspector', () => {
    const opened = async () => (await call('POST', 'webhooks/inspector/', {})).body
    const shown = async (id: string) => (await call('GET', `webhooks/inspector/${id}/`)).body

    test('stores tests and deliveries of subscriptions to it', async () => {
      const { inspector_id, url, secret } = await opened()
      const tested = await call('POST', 'webhooks/test/', { url, event: 'contact_created' })
      assert.equal(tested.body.response_status, 200, tested.text)
      const [first] = (await shown(inspector_id)).deliveries
      assert.equal(JSON.parse(first.body).test, true)
      verified(secret, { headers: first.headers, text: first.body } as never)
      const { subscription_id } = await subscribe({ url })
      await company('Looked at')
      await settledAs(subscription_id, 'delivered')
      const [newest] = (await shown(inspector_id)).deliveries
      assert.equal(JSON.parse(newest.body).data.company_name, 'Looked at')
      assert.equal((await call('DELETE', `webhooks/inspector/${inspector_id}/`)).status, 204)
      const [left] = await rows(
        service,
        sql`select count(*)::int as rows from inspected_deliveries where inspector_id = ${inspector_id}`,
      )
      assert.equal(left.rows, 0)
    })

    test('stores nothing that this installation has not signed, and nothing when its time is over', async () => {
      const { inspector_id, url } = await opened()
      const path = new URL(url).pathname
      const headers = {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,nonsense',
      }
      const body = { data: 'of somebody else' }
      refused(await service.call('POST', path, { headers, body }), 401)
      refused(await service.call('POST', path, { body }), 401)
      refused(await service.call('POST', `${path}x`, { headers, body }), 404)
      refused(await service.call('GET', path), 405)
      assert.deepEqual((await shown(inspector_id)).deliveries, [])
      const { url: foreign } = (
        await call('POST', 'webhooks/inspector/', {}, org.users.manager.token)
      ).body
      refusedField(await call('POST', 'webhooks/test/', { url: foreign }), ['url'])
      await service.runtime.database.transaction(org.id, ({ run }) =>
        run(sql`update webhook_inspectors set expires_at = now() where id = ${inspector_id}`),
      )
      const tested = await service.call('POST', path, { headers, body })
      refused(tested, 404)
      refused(await call('GET', `webhooks/inspector/${inspector_id}/`), 404)
    })

    test('shows the newest 50, and a user has three', async () => {
      const { inspector_id, url } = await opened()
      for (let nth = 0; nth < 53; nth++) {
        const tested = await call('POST', 'webhooks/test/', { url, event: 'company_created' })
        assert.equal(tested.body.response_status, 200, tested.text)
      }
      assert.equal((await shown(inspector_id)).deliveries.length, 50)
      for (let nth = 0; nth < 3; nth++) await opened()
      refused(await call('GET', `webhooks/inspector/${inspector_id}/`), 404)
      assert.equal((await call('GET', 'webhooks/inspector/')).body.length, 3)
    })
  })
})
