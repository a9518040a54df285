import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import type { Receiver } from '../../test/support/receiver.ts'
import { settled, startReceiver } from '../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'

let service: TestService
let org: TestOrganization
let app: ConnectedApp
let receiver: Receiver

before(async () => {
  service = await startService({
    webhookHostRate: 0,
    webhookHostConcurrency: 0,
    webhookRetrySchedule: [0, 0.02, 0.02],
  })
  org = await makeOrganization(service)
  app = await connectApp(service, org)
  receiver = await startReceiver()
})

const subscribing = (body: object) =>
  app.call('POST', '/webhook/subscribe', {
    body: { url: `${receiver.url}/${Math.random()}`, ...body },
  })

const make = async (body: object) => {
  const reply = await app.call('POST', '/automation/company', { body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data.company_id as string
}

describe('a subscription with conditions', () => {
  test('gets only the events whose record meets them; the others are in the log', async () => {
    const where = [{ field: 'industry', operator: 'eq', value: 'Retail' }]
    const made = await subscribing({ events: 'company_created', where })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.where, where)
    const wanted = await make({ company_name: 'Shop', industry: 'Retail' })
    await make({ company_name: 'Farm', industry: 'Farming' })
    const log = await settled(
      app,
      made.body.id,
      (each) => each.length === 2 && !each.some(({ status }) => status === 'pending'),
    )
    const states = log.map(({ status, error }) => [status, error]).toSorted()
    assert.deepEqual(states, [
      ['delivered', null],
      ['dropped', 'filtered'],
    ])
    const arrivals = receiver.arrivals.filter(({ json }) => json.subscription_id === made.body.id)
    assert.deepEqual(
      arrivals.map(({ json }) => json.data.company_id),
      [wanted],
    )
  })

  test('is another than one without, and the same again is the same', async () => {
    const url = `${receiver.url}/same`
    const where = '[{"field": "industry", "operator": "is_not_empty"}]'
    const plain = await subscribing({ url, events: 'company_created' })
    const filtered = await subscribing({ url, events: 'company_created', where })
    const again = await subscribing({ url, events: 'company_created', where: JSON.parse(where) })
    assert.deepEqual([plain.status, filtered.status, again.status], [201, 201, 200])
    assert.notEqual(plain.body.id, filtered.body.id)
    assert.equal(again.body.id, filtered.body.id)
  })

  test('that one of its events cannot have is refused, naming the field', async () => {
    for (const [where, wrong] of [
      ['{', /JSON array/],
      [{ field: 'industry' }, /./],
      [[{ field: 'nothing', operator: 'eq', value: 1 }], /nothing/],
      [[{ field: 'industry', operator: 'near', value: 1 }], /near/],
    ] as const) {
      const reply = await subscribing({ events: ['company_created', 'company_updated'], where })
      assert.equal(reply.status, 400, reply.text)
      assert.match(reply.text, /where/)
      assert.match(reply.text, wrong)
    }
    const where = [{ field: 'industry', operator: 'eq', value: 'Retail' }]
    const mixed = await subscribing({ events: ['company_created', 'task_created'], where })
    assert.equal(mixed.status, 400, mixed.text)
  })
})

describe('a subscription with fields', () => {
  test('gets these of the record and of what changed, with its id and version', async () => {
    const made = await subscribing({
      events: ['company_created', 'company_updated'],
      fields: 'company_name, industry',
    })
    assert.deepEqual(made.body.fields, ['company_name', 'industry'])
    const id = await make({ company_name: 'Small', industry: 'Retail', description: 'Much' })
    const [arrival] = await receiver.arrived(
      1,
      ({ json }) => json.subscription_id === made.body.id && json.data.company_id === id,
    )
    const { data, changes } = arrival!.json
    assert.deepEqual(Object.keys(data).toSorted(), [
      'company_id',
      'company_name',
      'industry',
      'version',
    ])
    assert.deepEqual(changes.changed_fields.toSorted(), ['company_name', 'industry'])
  })

  test('gets these alone in a test, too, by the app and by session', async () => {
    const url = `${receiver.url}/tested`
    const made = await subscribing({ events: 'company_created', fields: 'company_name', url })
    const { id } = made.body
    const { token } = org.users.admin
    const tests = [
      await app.call('POST', '/webhook/test', { body: { subscriptionId: id } }),
      await service.call('POST', '/api/webhooks/test/', { token, body: { subscription_id: id } }),
      await app.call('POST', '/webhook/trigger', {
        body: { event: 'company_created', subscriptionId: id },
      }),
    ]
    for (const reply of tests) assert.equal(reply.status, 200, reply.text)
    for (const { json } of await receiver.arrived(3, ({ path }) => path === '/tested')) {
      assert.deepEqual(Object.keys(json.data).toSorted(), ['company_id', 'company_name', 'version'])
      assert.deepEqual(json.changes.changed_fields, ['company_name'])
      assert.equal(json.test, true)
    }
    const two = { subscription_id: id, url: `${url}/another` }
    const refusal = await service.call('POST', '/api/webhooks/test/', { token, body: two })
    assert.equal(refusal.status, 400, refusal.text)
  })

  test('that no event has is refused', async () => {
    const reply = await subscribing({
      events: 'company_created',
      fields: ['company_name', 'nothing'],
    })
    assert.equal(reply.status, 400, reply.text)
    assert.match(reply.text, /nothing/)
  })

  test('is managed by session too', async () => {
    const { token } = org.users.admin
    const where = [{ field: 'industry', operator: 'eq', value: 'Retail' }]
    const body = {
      app_id: app.app.id,
      events: ['company_created'],
      url: `${receiver.url}/managed`,
      where,
      fields: ['company_name'],
    }
    const path = '/api/webhooks/subscriptions/'
    const made = await service.call('POST', path, { token, body })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.where, made.body.fields], [where, ['company_name']])
    const changed = await service.call('PUT', `${path}${made.body.subscription_id}/`, {
      token,
      body: { where: null },
    })
    assert.deepEqual(
      [changed.body.where, changed.body.fields],
      [null, ['company_name']],
      changed.text,
    )
    const wrong = await service.call('PUT', `${path}${made.body.subscription_id}/`, {
      token,
      body: { where: [{ field: 'nothing', operator: 'eq', value: 1 }] },
    })
    assert.equal(wrong.status, 400, wrong.text)
  })
})

test('the log is searched by event, record, answer and time', async () => {
  const made = await subscribing({ events: ['company_created', 'company_updated'] })
  const { id: subscriptionId } = made.body
  receiver.answer = ({ json }) => ({ status: json.type === 'company_updated' ? 418 : 200 })
  const from = new Date(Date.now() - 60_000).toISOString()
  const id = await make({ company_name: 'Searched' })
  await make({ company_name: 'Another' })
  const put = await service.call('PUT', `/api/company/${id}/`, {
    token: org.users.admin.token,
    body: { industry: 'Retail' },
  })
  assert.equal(put.status, 200, put.text)
  await settled(
    app,
    subscriptionId,
    (all) =>
      all.length === 3 &&
      all.every(({ status }) => status === 'delivered' || status === 'exhausted'),
  )
  const found = async (query: { [name: string]: string | number }) => {
    const reply = await app.call('GET', '/webhook/deliveries', {
      query: { subscriptionId, ...query },
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.results.length
  }
  assert.equal(await found({ record_id: id }), 2)
  assert.equal(await found({ response_status: 418 }), 1)
  assert.equal(await found({ record_id: id, status: 'delivered' }), 1)
  assert.equal(await found({ from }), 3)
  assert.equal(await found({ to: from }), 0)
  // a day alone is meant whole, in the organization's zone
  const day = (shift: number) =>
    new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10)
  assert.equal(await found({ from: day(-1), to: day(1) }), 3)
  assert.equal(await found({ from: day(2) }), 0)
  assert.equal(await found({ to: day(-2) }), 0)
  const wrong = await app.call('GET', '/webhook/deliveries', { query: { from: 'yesterday' } })
  assert.equal(wrong.status, 400)

  const { token } = org.users.admin
  const managed = await service.call(
    'GET',
    `/api/webhooks/deliveries/?subscription_id=${subscriptionId}&response_status=418`,
    { token },
  )
  assert.equal(managed.body.results.length, 1)
})

test('after many failures over a while a subscription is paused, which its owner sees and ends', async () => {
  const hopeless = await startReceiver()
  hopeless.answer = () => ({ status: 500 })
  const made = await subscribing({ url: hopeless.url, events: 'company_created' })
  const { id } = made.body
  // failing for two minutes, by the database's clock
  const since = () =>
    service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update subscriptions set failing_since = now() - interval '2 minutes',
        failures = 9 where id = ${id}`),
    )
  await since()
  await make({ company_name: 'Tried' })
  await until(async () => {
    const [row] = await rows(service, sql`select paused_until from subscriptions where id = ${id}`)
    return row.paused_until !== null
  })
  const listed = await app.call('GET', '/webhook/subscriptions')
  const shown = listed.body.results.find((each: { id: string }) => each.id === id)
  assert.ok(shown.failures >= 10 && Date.parse(shown.paused_until) > Date.now() + 20_000)
  const { token } = org.users.admin
  const path = `/api/webhooks/subscriptions/${id}/`
  const managed = await service.call('GET', path, { token })
  assert.equal(managed.body.health.state, 'paused')

  const before = hopeless.arrivals.length
  await make({ company_name: 'Waits' })
  const [waiting] = await rows(
    service,
    sql`select status, attempts from deliveries where subscription_id = ${id} order by id desc`,
  )
  assert.deepEqual(waiting, { status: 'pending', attempts: 0 })
  assert.equal(hopeless.arrivals.length, before)

  hopeless.answer = () => ({ status: 200 })
  const enabled = await service.call('POST', `${path}enable/`, { token })
  assert.equal(enabled.status, 200, enabled.text)
  await settled(app, id, (all) => all.every(({ status }) => status !== 'pending'))
  await until(async () => {
    const { body } = await service.call('GET', path, { token })
    return body.health.state === 'healthy' && body.health.failures === 0
  })
})
