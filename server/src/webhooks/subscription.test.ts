import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import ajvFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import { settled, startReceiver, subscribe, verified } from '../../test/support/receiver.ts'
import { refused, refusedField } from '../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'
import { eventNames } from './catalogue.ts'

const url = 'http://127.0.0.1:1/hook'

let service: TestService
let org: TestOrganization
let app: ConnectedApp

before(async () => {
  service = await startService()
  org = await makeOrganization(service)
  app = await connectApp(service, org)
})

const subscribing = (body: object, by = app) => by.call('POST', '/webhook/subscribe', { body })
const unsubscribing = (subscriptionId: string, by = app) =>
  by.call('DELETE', '/webhook/unsubscribe', { query: { subscriptionId } })

describe('subscribing', () => {
  test('answers 201 with the subscription and its secret', async () => {
    const made = await subscribing({ events: "['company_created', 'contact_updated']", url })
    assert.equal(made.status, 201, made.text)
    const { id, secret, creation_time: _when, ...rest } = made.body
    assert.match(secret, /^whsec_[\w+/]{32}$/)
    assert.deepEqual(rest, {
      subscriptionId: id,
      events: ['company_created', 'contact_updated'],
      url,
      name: null,
      project_id: null,
      where: null,
      fields: null,
      status: 'active',
      failures: 0,
      dropped_deliveries: 0,
      paused_until: null,
      failing_since: null,
    })
    const [row] = await rows(service, sql`select secret from subscriptions where id = ${id}`)
    assert.ok(!row.secret.includes(secret), 'the secret is kept encrypted')
  })

  test('takes a name, which the list shows', async () => {
    const body = { events: 'user_updated', url: `${url}/named`, name: ' New deals ' }
    const made = await subscribing(body)
    assert.equal(made.body.name, 'New deals', made.text)
    const shown = async () => {
      const { results } = (await app.call('GET', '/webhook/subscriptions')).body
      return results.find(({ id }: { id: string }) => id === made.body.id).name
    }
    assert.equal(await shown(), 'New deals')
    // the same again keeps it, unless it brings another one
    await subscribing({ ...body, name: undefined })
    assert.equal(await shown(), 'New deals')
    const again = await subscribing({ ...body, name: 'Other' })
    assert.deepEqual([again.status, again.body.id, await shown()], [200, made.body.id, 'Other'])
    refused(await subscribing({ ...body, name: 'x'.repeat(256) }), 400)
  })

  test('takes a list literal, JSON text, an array or one bare name', async () => {
    const inputs = ["['user_created']", '["user_created"]', ['user_created'], 'user_created']
    const ids = new Set<string>()
    for (const events of inputs) {
      const made = await subscribing({ events, url: `${url}/forms` })
      assert.deepEqual(made.body.events, ['user_created'], made.text)
      ids.add(made.body.id)
    }
    assert.equal(ids.size, 1)
  })

  test('takes the target under the names that platforms use', async () => {
    for (const name of ['target_url', 'targetUrl', 'hookUrl', 'webhook_url', 'callback_url']) {
      const made = await subscribing({ events: 'contact_created', [name]: `${url}/${name}` })
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.url, `${url}/${name}`)
    }
  })

  test('again is 200 with the same id and secret, whatever the order of the events', async () => {
    const again = { url: `${url}/again` }
    const first = await subscribing({ ...again, events: ['company_created', 'company_deleted'] })
    const second = await subscribing({ ...again, events: ['company_deleted', 'company_created'] })
    assert.deepEqual([first.status, second.status], [201, 200])
    assert.deepEqual(second.body, first.body)
    const others = [
      await subscribing({ ...again, events: ['company_created'] }),
      await subscribing({ url: `${url}/other`, events: ['company_created', 'company_deleted'] }),
      await subscribing(
        { ...again, events: ['company_created', 'company_deleted'] },
        await connectApp(service, org),
      ),
    ]
    for (const other of others) {
      assert.equal(other.status, 201, other.text)
      assert.notEqual(other.body.id, first.body.id)
    }
  })

  test('many times at the same moment makes one', async () => {
    const body = { events: 'company_created', url: `${url}/together` }
    const all = await Promise.all(Array.from({ length: 20 }, () => subscribing(body)))
    assert.equal(all.filter(({ status }) => status === 201).length, 1)
    assert.equal(all.filter(({ status }) => status === 200).length, 19)
    assert.equal(new Set(all.map(({ body: { id, secret } }) => `${id} ${secret}`)).size, 1)
  })

  test('to an event that there is not is 400 and lists those that there are', async () => {
    const reply = await subscribing({ events: "['company_created', 'company_bought']", url })
    refusedField(reply, ['events'])
    assert.ok(reply.body.message.includes('company_bought'))
    for (const name of eventNames) assert.ok(reply.body.message.includes(name), name)
    for (const events of ['', '[]', "['company_created'", [1], ['company_created', null]]) {
      refusedField(await subscribing({ events, url }), ['events'], JSON.stringify(events))
    }
  })

  test('needs the read scope of every event, and the right to read there', async () => {
    const reader = await connectApp(service, org, { scopes: ['company.read', 'contact.write'] })
    assert.equal((await subscribing({ events: 'company_created', url }, reader)).status, 201)
    const both = { events: ['company_created', 'contact_created'], url }
    const refusal = await subscribing(both, reader)
    refused(refusal, 403)
    assert.ok(refusal.body.message.includes('contact.read'), refusal.text)

    // tasks hang on projects and deals: one of the two scopes is enough
    const deals = await connectApp(service, org, { scopes: ['deal.read'] })
    assert.equal((await subscribing({ events: 'task_created', url }, deals)).status, 201)

    // people of the confined roles have no rights on roles, apps and filters, but read the rest
    const customer = await connectApp(service, org, { as: 'customer' })
    assert.equal((await subscribing({ events: 'company_created', url }, customer)).status, 201)
    const strict = await makeOrganization(service)
    await service.runtime.database.transaction(strict.id, (queries) =>
      queries.run(sql`update roles set permission = '{}' where id = ${strict.roles.member}`),
    )
    const member = await connectApp(service, strict, { as: 'member' })
    refused(await subscribing({ events: 'company_created', url }, member), 403)
  })

  test('to a project that there is not is 404; none at all may be said with null or nothing', async () => {
    const body = { events: 'task_created', url: `${url}/project` }
    refused(await subscribing({ ...body, project_id: '03h9vqz0k4m2x7c5t8b1n6r3d' }), 404)
    assert.equal((await subscribing({ ...body, project_id: null })).status, 201)
    assert.equal((await subscribing({ ...body, project_id: '' })).status, 200)
  })

  test('to a target that webhooks must not go to is 400 and names the url', async () => {
    const targets = [
      'nonsense',
      'ftp://example.com/',
      'https://user:password@example.com/',
      'https://10.0.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://224.0.0.1/',
      'https://240.0.0.1/',
      'https://192.0.2.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00::1]/',
      'https://[2002:7f00:1::]/',
      'https://does-not-exist.invalid/',
      'http://93.184.216.34/',
    ]
    for (const target of targets) {
      refusedField(await subscribing({ events: 'company_created', url: target }), ['url'], target)
    }
    const reply = await subscribing({ events: 'company_created', hookUrl: 'https://10.0.0.1/' })
    refusedField(reply, ['hookUrl'])
  })

  test('is answered again for its Idempotency-Key, also when it was refused', async () => {
    const headers = { 'idempotency-key': 'subscribe once' }
    const body = { events: 'company_created', url: `${url}/key` }
    const call = (sent: object) =>
      app.call('POST', '/webhook/subscribe', { body: { ...body, ...sent }, headers })
    const first = await call({})
    const second = await call({})
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    headers['idempotency-key'] = 'refuse once'
    refusedField(await call({ url: 'https://10.0.0.1/' }), ['url'])
    const replayed = await call({ url: 'https://10.0.0.1/' })
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true')
  })
})

describe('unsubscribing', () => {
  test('takes the id in the query or in the body, once', async () => {
    for (const place of ['query', 'body']) {
      const { id } = await subscribe(app, 'company_created', `${url}/${place}`)
      const remove = () =>
        app.call('DELETE', '/webhook/unsubscribe/', { [place]: { subscriptionId: id } })
      const removed = await remove()
      assert.equal(removed.status, 200, removed.text)
      assert.deepEqual(removed.body, { status: 'success', id })
      refused(await remove(), 404)
    }
    refusedField(await app.call('DELETE', '/webhook/unsubscribe'), ['subscriptionId'])
  })

  test('removes nothing where the query and the body name two', async () => {
    const { id } = await subscribe(app, 'company_created', `${url}/one`)
    const { id: other } = await subscribe(app, 'company_created', `${url}/other`)
    const remove = (inBody: string) =>
      app.call('DELETE', '/webhook/unsubscribe', {
        query: { subscriptionId: id },
        body: { subscriptionId: inBody },
      })
    refusedField(await remove(other), ['subscriptionId'])
    const query = { subscriptionId: id, subscription_id: other }
    refusedField(await app.call('GET', '/webhook/deliveries', { query }), ['subscriptionId'])
    assert.equal((await remove(id)).status, 200)
    assert.equal((await unsubscribing(other)).status, 200)
  })

  test('knows nobody else’s: not of another app, user or organization', async () => {
    const { id } = await subscribe(app, 'company_created', `${url}/mine`)
    const others = [
      await connectApp(service, org),
      await connectApp(service, org, { as: 'manager' }),
      await connectApp(service, await makeOrganization(service)),
    ]
    for (const other of others) {
      refused(await unsubscribing(id, other), 404)
      refused(await other.call('POST', `/webhook/subscriptions/${id}/rotate-secret`), 404)
      refused(await other.call('POST', '/webhook/test', { body: { subscriptionId: id } }), 404)
      const query = { subscriptionId: id }
      refused(await other.call('GET', '/webhook/deliveries', { query }), 404)
      const { body } = await other.call('GET', '/webhook/subscriptions')
      assert.deepEqual(body.results, [])
    }
    assert.equal((await unsubscribing(id)).status, 200)
  })

  test('during a write fails neither the write nor the removal', async () => {
    const mine = await makeOrganization(service)
    const connected = await connectApp(service, mine)
    const { token } = mine.users.admin
    let isDone = false
    const writes = (async () => {
      for (let i = 0; !isDone; i++) {
        const body = { company_name: `Company ${i}` }
        const made = await service.call('POST', '/api/company/', { token, body })
        assert.equal(made.status, 200, made.text)
      }
    })()
    for (let i = 0; i < 40; i++) {
      const { id } = await subscribe(connected, 'company_created', `${url}/${i}`)
      assert.equal((await unsubscribing(id, connected)).status, 200)
    }
    isDone = true
    await writes
  })
})

describe('the lists', () => {
  test('of subscriptions come page by page, newest first, without secrets', async () => {
    const mine = await connectApp(service, org)
    const ids = []
    for (let i = 0; i < 5; i++) {
      ids.unshift((await subscribe(mine, 'company_created', `${url}/${i}`)).id)
    }
    const seen: string[] = []
    let next_cursor: string | null = ''
    while (next_cursor !== null) {
      const query = { limit: 2, ...(next_cursor && { next_cursor }) }
      const page = await mine.call('GET', '/webhook/subscriptions', { query })
      assert.ok(!page.text.includes('whsec_'))
      seen.push(...page.body.results.map(({ id }: { id: string }) => id))
      next_cursor = page.body.next_cursor
    }
    assert.deepEqual(seen, ids)
  })

  test('of deliveries can be had by subscription, status and event', async () => {
    const mine = await makeOrganization(service)
    const connected = await connectApp(service, mine)
    const receiver = await startReceiver()
    const good = await subscribe(connected, ['company_created', 'contact_created'], receiver.url)
    const bad = await subscribe(connected, ['company_created'], url)
    await connected.call('POST', '/automation/company', { body: { company_name: 'A' } })
    await connected.call('POST', '/automation/contact', { body: { full_name: 'B' } })
    await settled(connected, good.id, (all) => all.every((each) => each.status === 'delivered'))
    await settled(connected, bad.id, ([each]) => each.status === 'failing')
    const list = async (query: { [name: string]: string | number }) => {
      const reply = await connected.call('GET', '/webhook/deliveries', { query })
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    }
    const found = async (query: { [name: string]: string }) =>
      (await list(query)).results.map((each: any) => [each.subscriptionId, each.event]).toSorted()
    const all = [
      [good.id, 'company_created'],
      [good.id, 'contact_created'],
      [bad.id, 'company_created'],
    ].toSorted()
    assert.deepEqual(await found({}), all)
    assert.deepEqual(await found({ status: 'failing' }), [[bad.id, 'company_created']])
    assert.deepEqual(await found({ event: 'contact_created' }), [[good.id, 'contact_created']])
    assert.deepEqual(await found({ subscriptionId: bad.id, status: 'delivered' }), [])
    assert.deepEqual(await found({ subscription_id: bad.id }), [[bad.id, 'company_created']])

    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, next_cursor: first.next_cursor })
    assert.equal(new Set([...first.results, ...second.results].map(({ id }) => id)).size, 3)
    assert.equal(second.next_cursor, null)
    const query = { limit: 2, next_cursor: first.next_cursor, status: 'failing' }
    refusedField(await connected.call('GET', '/webhook/deliveries', { query }), ['next_cursor'])
  })
})

describe('the catalogue', () => {
  test('has every event with its schema, and a sample that satisfies it', async () => {
    const reader = await connectApp(service, org, { scopes: ['company.read'] })
    const { body } = await reader.call('GET', '/webhook/events')
    assert.deepEqual(
      body.results.map(({ event }: { event: string }) => event),
      eventNames,
    )
    for (const { event, scopes, allowed, schema, sample } of body.results) {
      assert.equal(allowed, scopes.includes('company.read'))
      assert.equal(sample.type, event)
      satisfies(schema, sample, event)
      // the service lives in this process too, and a schema takes long to compile
      await setImmediate()
    }
  })

  test('shows a real record where there is one to be seen, else a made-up one', async () => {
    const mine = await makeOrganization(service)
    const [all, blind] = [
      await connectApp(service, mine),
      await connectApp(service, mine, { scopes: [] }),
    ]
    const sample = async (event: string, by = all) =>
      (await by.call('GET', '/webhook/sample', { query: { event } })).body
    const { body } = await all.call('GET', '/webhook/events')
    const schemaOf = (event: string) =>
      body.results.find((each: any) => each.event === event).schema
    const madeUp = await sample('company_created')
    satisfies(schemaOf('company_created'), madeUp, 'made up')

    const made = await all.call('POST', '/automation/company', { body: { company_name: 'Real' } })
    const { company_id } = made.body.data
    const read = await all.call('GET', '/automation/company', { query: { company_id } })
    const real = await sample('company_created')
    satisfies(schemaOf('company_created'), real, 'real')
    assert.deepEqual(real.data, { ...read.body, version: 1 })
    assert.deepEqual(real.changes.to.company_name, 'Real')
    const updated = await sample('company_updated')
    assert.deepEqual(updated.changes.changed_fields, ['company_name'])
    assert.equal(
      (await sample('company_created', blind)).data.company_name,
      madeUp.data.company_name,
    )
    assert.equal((await sample('survey_published')).type, 'survey_published')
    const unknown = await all.call('GET', '/webhook/sample', { query: { event: 'nope' } })
    refusedField(unknown, ['event'])
  })

  test('can be tried: a test event goes to a subscription or a URL at once', async () => {
    const receiver = await startReceiver()
    const { id, secret } = await subscribe(app, ['contact_updated'], receiver.url)
    const sent = await app.call('POST', '/webhook/test', { body: { subscriptionId: id } })
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual([sent.body.status, sent.body.response_status], ['success', 200])
    assert.ok(!('secret' in sent.body))
    const body = verified(secret, receiver.arrivals[0]!)
    assert.deepEqual([body.type, body.test, body.id], ['contact_updated', true, sent.body.id])
    const listed = await app.call('GET', '/webhook/events')
    const { schema } = listed.body.results.find(
      ({ event }: { event: string }) => event === 'contact_updated',
    )
    assert.deepEqual(Object.keys(body).toSorted(), Object.keys(schema.properties).toSorted())

    receiver.answer = () => ({ status: 500, body: 'no' })
    const request = { url: receiver.url, event: 'company_deleted' }
    const other = await app.call('POST', '/webhook/test', { body: request })
    const { status, response_status, response_excerpt } = other.body
    assert.deepEqual([status, response_status, response_excerpt], ['failed', 500, 'no'])
    assert.equal(verified(other.body.secret, receiver.arrivals[1]!).type, 'company_deleted')

    receiver.answer = () => ({ status: 200 })
    for (const name of ['target_url', 'targetUrl', 'hookUrl', 'webhook_url', 'callback_url']) {
      const named = await app.call('POST', '/webhook/test', { body: { [name]: receiver.url } })
      assert.equal(named.body.status, 'success', named.text)
    }
    const two = { subscriptionId: id, url: `${receiver.url}/another` }
    refusedField(await app.call('POST', '/webhook/test', { body: two }), ['url'])
    refusedField(await app.call('POST', '/webhook/test', { body: {} }), ['subscriptionId'])
    const inward = await app.call('POST', '/webhook/test', { body: { url: 'https://10.0.0.1/' } })
    refusedField(inward, ['url'])
  })
})

function satisfies(schema: object, value: unknown, what: string) {
  const ajv = new Ajv2020({ strict: false })
  ajvFormats.default(ajv, ['date', 'date-time', 'email', 'uri'])
  const validate = ajv.compile(schema)
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`)
}
