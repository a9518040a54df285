import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startBeside } from '../../test/support/beside.ts'
import { asService } from '../../test/support/contexts.ts'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import type { Receiver } from '../../test/support/receiver.ts'
import { settled, startReceiver, subscribe, verified } from '../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'
import { pause, until } from '../../test/support/until.ts'
import type { Permission } from '../kit/ground/context.ts'
import { insert } from '../kit/write/write.ts'
import { Company } from '../model/companies/company.ts'
import { makeDeliverer } from './deliver.ts'
import { makeTransport } from './transport.ts'

const day = 86_400_000
const noLimits = { webhookHostRate: 0, webhookHostConcurrency: 0 }

/** An organization with a connected app and a receiver of its own. */
async function setting(service: TestService, options: Parameters<typeof connectApp>[2] = {}) {
  const org = await makeOrganization(service)
  const app = await connectApp(service, org, options)
  const receiver = await startReceiver()
  return { org, app, receiver }
}

async function makeCompany(service: TestService, org: TestOrganization, name = 'Acme') {
  const body = { company_name: name }
  const reply = await service.call('POST', '/api/company/', {
    token: org.users.admin.token,
    body: { ...body, allow_duplicate: true },
  })
  assert.equal(reply.status, 200, reply.text)
  return reply.headers.get('x-record-id')!
}

/** The same without a token, whose hour passes quickly where a test turns the clock. */
function writeCompany(service: TestService, org: TestOrganization) {
  return asService(service, org, (ctx) =>
    insert(ctx, Company, { company_name: 'Acme' }, { set: { record_source: 'job' } }),
  )
}

describe('attempts', () => {
  let service: TestService

  before(async () => {
    const webhookRetrySchedule = [0, 0.02, 0.02, 0.02]
    service = await startService({ ...noLimits, webhookRetrySchedule })
  })

  test('are repeated with the same webhook-id and the same bytes until one succeeds', async () => {
    const { org, app, receiver } = await setting(service)
    const { id, secret } = await subscribe(app, 'company_created', receiver.url)
    receiver.answer = () => ({ status: receiver.arrivals.length < 3 ? 500 : 204, body: undefined })
    await makeCompany(service, org)
    const [delivery] = await settled(app, id, ([each]) => each?.status === 'delivered')
    assert.equal(receiver.arrivals.length, 3)
    for (const arrival of receiver.arrivals) {
      assert.equal(arrival.headers['webhook-id'], delivery.id)
      assert.equal(arrival.text, receiver.arrivals[0]!.text)
      assert.equal(verified(secret, arrival).id, delivery.id)
    }
    assert.equal(delivery.attempts, 3)
    assert.equal(delivery.response_status, 204)
    assert.equal(delivery.next_attempt_at, null)
  })

  test('end in exhausted, with the last answer stored, and can be resent', async () => {
    const { org, app, receiver } = await setting(service)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    receiver.answer = () => ({ status: 500, body: 'out of \0 order' })
    await makeCompany(service, org)
    const [exhausted] = await settled(app, id, ([each]) => each?.status === 'exhausted')
    assert.equal(exhausted.attempts, 4)
    assert.equal(exhausted.response_status, 500)
    assert.equal(exhausted.response_excerpt, 'out of \uFFFD order')

    receiver.answer = () => ({ status: 200 })
    const resent = await app.call('POST', `/webhook/deliveries/${exhausted.id}/resend`)
    assert.equal(resent.status, 200, resent.text)
    assert.equal(resent.body.status, 'pending')
    await settled(app, id, ([each]) => each?.status === 'delivered')
    const texts = new Set(receiver.arrivals.map(({ text }) => text))
    const ids = new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id']))
    assert.deepEqual([receiver.arrivals.length, texts.size, ids.size], [5, 1, 1])
  })

  test('fail without an answer too, and say why', async () => {
    const { org, app } = await setting(service)
    const { id } = await subscribe(app, 'company_created', 'http://127.0.0.1:1/')
    await makeCompany(service, org)
    const [delivery] = await settled(app, id, ([each]) => each?.status === 'exhausted')
    assert.deepEqual([delivery.error, delivery.response_status], ['refused', null])
  })

  test('follow no redirect', async () => {
    const { org, app, receiver } = await setting(service)
    const other = await startReceiver()
    const { id } = await subscribe(app, 'company_created', receiver.url)
    receiver.answer = () => ({ status: 302, headers: { location: other.url } })
    await makeCompany(service, org)
    await settled(app, id, ([each]) => each?.status === 'exhausted')
    assert.equal(other.arrivals.length, 0)
  })

  test('answered with 410 remove the subscription, with an entry in the log', async () => {
    const { org, app, receiver } = await setting(service)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    receiver.answer = () => ({ status: 410 })
    await makeCompany(service, org)
    const entries = () =>
      rows(
        service,
        sql`select raw_description from events
        where organization_id = ${org.id} and reference_id = ${id}`,
      )
    await until(async () => (await entries()).length === 2)
    assert.match((await entries())[1].raw_description.reason, /410/)
    const gone = await app.call('DELETE', '/webhook/unsubscribe', { query: { subscriptionId: id } })
    assert.equal(gone.status, 404)
  })

  test('of an event that was stored without its record read it once', async () => {
    const { org, app, receiver } = await setting(service)
    const company = await makeCompany(service, org)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    receiver.answer = () => ({ status: receiver.arrivals.length < 3 ? 500 : 200 })
    const read = await app.call('GET', '/automation/company', { query: { company_id: company } })
    // as if the subscription had been made on another process in the moment of the write
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into deliveries (organization_id, id, event_id, subscription_id)
        select organization_id, 'late', id, ${id} from events
        where organization_id = ${org.id} and type = 'company_created' and data is null`),
    )
    await receiver.arrived(1)
    await service.call('PUT', `/api/company/${company}/`, {
      token: org.users.admin.token,
      body: { industry: 'Changed meanwhile' },
    })
    await settled(app, id, ([each]) => each?.status === 'delivered')
    assert.deepEqual(receiver.arrivals[0]!.json.data, { ...read.body, version: 1 })
    assert.equal(new Set(receiver.arrivals.map(({ text }) => text)).size, 1)
  })
})

describe('the clock', () => {
  let service: TestService
  let now = Date.parse('2026-03-01T12:00:00Z')

  before(async () => {
    service = await startService(
      { ...noLimits, webhookRetrySchedule: [0, 100, 100] },
      () => new Date(now),
    )
  })

  test('decides when the next attempt is due, give or take a fifth', async () => {
    const { org, app, receiver } = await setting(service)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    receiver.answer = () => ({ status: 500 })
    await makeCompany(service, org)
    const [failing] = await settled(app, id, ([each]) => each?.status === 'failing')
    const wait = Date.parse(failing.next_attempt_at) - now
    assert.ok(wait >= 80_000 && wait <= 120_000, String(wait))
    now += wait - 1
    service.runtime.services.webhooks.wake(org.id)
    await roundPasses(service, org)
    assert.equal(receiver.arrivals.length, 1)
    now += 1
    service.runtime.services.webhooks.wake(org.id)
    await receiver.arrived(2)
  })

  test('gives a receiver the time that it requests, up to twice the step', async () => {
    for (const [retryAfter, waits] of [
      ['150', [150, 150]],
      ['9999', [200, 200]],
      ['1', [80, 120]],
    ] as const) {
      const { org, app, receiver } = await setting(service)
      const { id } = await subscribe(app, 'company_created', receiver.url)
      receiver.answer = () => ({ status: 429, headers: { 'retry-after': retryAfter } })
      await makeCompany(service, org)
      const [failing] = await settled(app, id, ([each]) => each?.status === 'failing')
      const wait = (Date.parse(failing.next_attempt_at) - now) / 1000
      assert.ok(wait >= waits[0] && wait <= waits[1], `${retryAfter}: ${wait}`)
    }
  })

  test('ends the patience with a receiver that fails for five days', async () => {
    const { org, app, receiver } = await setting(service)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    const read = async () => {
      const [subscription] = await rows(
        service,
        sql`select status, failing_since from subscriptions where id = ${id}`,
      )
      const deliveries = await rows(
        service,
        sql`select id, status, attempts, leased_until from deliveries
          where subscription_id = ${id} order by id`,
      )
      return { ...subscription, deliveries }
    }
    const tryOnce = async (status: number) => {
      receiver.answer = () => ({ status })
      await writeCompany(service, org)
      await until(async () => {
        const { attempts, leased_until } = (await read()).deliveries.at(-1)
        return attempts > 0 && leased_until === null
      })
    }
    await tryOnce(500)
    assert.equal((await read()).failing_since, new Date(now).toISOString())
    // one success in between and the days are counted anew
    now += 4 * day
    await tryOnce(200)
    assert.equal((await read()).failing_since, null)
    now += 4 * day
    await tryOnce(500)
    now += 5 * day - 1
    await tryOnce(500)
    assert.equal((await read()).status, 'active')
    now += 1
    await tryOnce(500)
    const { status, deliveries } = await read()
    assert.equal(status, 'disabled')
    const logged = await rows(
      service,
      sql`select raw_description from events where organization_id = ${org.id}
        and reference_id = ${id} and raw_description->>'action' = 'disabled'`,
    )
    assert.equal(logged.length, 1)
    assert.equal(logged[0].raw_description.user_id, app.user_id)
    // its owner is notified, also by mail
    const notified = await rows(
      service,
      sql`select title from notifications where organization_id = ${org.id}
        and user_id = ${app.user_id} and notification_type = 9`,
    )
    assert.deepEqual(notified, [{ title: 'Webhook subscription disabled' }])
    const mails = await rows(
      service,
      sql`select id from asked_jobs where organization_id = ${org.id} and name = 'send-mail'`,
    )
    assert.equal(mails.length, 1)
    // nothing waits for it any more, and nothing new is queued
    for (const each of deliveries) assert.match(each.status, /^(exhausted|delivered)$/)
    await writeCompany(service, org)
    assert.equal((await read()).deliveries.length, deliveries.length)
  })

  test('lets the old secret sign for a day after a rotation', async () => {
    const { org, app, receiver } = await setting(service)
    const { id, secret: old } = await subscribe(app, 'company_created', receiver.url)
    const rotated = await app.call('POST', `/webhook/subscriptions/${id}/rotate-secret`)
    const { secret } = rotated.body
    assert.notEqual(secret, old)
    const signatures = async () => {
      const count = receiver.arrivals.length + 1
      await writeCompany(service, org)
      const { headers } = (await receiver.arrived(count)).at(-1)!
      return String(headers['webhook-signature']).split(' ').length
    }
    assert.equal(await signatures(), 2)
    now += day - 1
    assert.equal(await signatures(), 2)
    now += 1
    assert.equal(await signatures(), 1)
  })

  test('of the configuration holds back the first attempt too', async () => {
    const late = await startService(
      { ...noLimits, webhookRetrySchedule: [100] },
      () => new Date(now),
    )
    const { org, app, receiver } = await setting(late)
    await subscribe(app, 'company_created', receiver.url)
    await writeCompany(late, org)
    const [row] = await rows(late, sql`select next_attempt_at from deliveries`)
    const wait = Date.parse(row.next_attempt_at) - now
    assert.ok(wait >= 80_000 && wait <= 120_000, String(wait))
    now += 120_000
    late.runtime.services.webhooks.wake(org.id)
    await receiver.arrived(1)
  })
})

describe('an event that may not be delivered', () => {
  let service: TestService

  before(async () => {
    service = await startService(noLimits)
  })

  const dropped = async (app: ConnectedApp, id: string, receiver: Receiver) => {
    const [delivery] = await settled(app, id, ([each]) => each?.status === 'dropped')
    assert.equal(receiver.arrivals.length, 0)
    return delivery
  }

  test('is dropped without a word when the user loses the right', async () => {
    const { org, app, receiver } = await setting(service, { as: 'member' })
    const { id } = await subscribe(app, 'company_created', receiver.url)
    await permit(service, org, { companies: { read: 'none' } })
    await makeCompany(service, org)
    const delivery = await dropped(app, id, receiver)
    assert.deepEqual([delivery.event_id, delivery.error, delivery.attempts], [null, null, 0])
  })

  test('is dropped when the app loses the scope', async () => {
    const { org, app, receiver } = await setting(service)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update apps set scopes = '["contact.read"]'
        where organization_id = ${org.id} and id = ${app.app.id}`),
    )
    await makeCompany(service, org)
    await dropped(app, id, receiver)
  })

  test('is dropped when the grant is revoked, and when its user is deactivated', async () => {
    for (const end of [
      (app: ConnectedApp) => sql`update grants set revoked_at = now() where app_id = ${app.app.id}`,
      (app: ConnectedApp) => sql`update users set is_active = false where id = ${app.user_id}`,
    ]) {
      const { org, app, receiver } = await setting(service, { as: 'manager' })
      const { id } = await subscribe(app, 'company_created', receiver.url)
      await service.runtime.database.transaction(org.id, (queries) => queries.run(end(app)))
      service.runtime.cache.evict(org.id)
      await makeCompany(service, org)
      const status = () =>
        rows(service, sql`select status from deliveries where subscription_id = ${id}`)
      await until(async () => (await status())[0]?.status === 'dropped')
      assert.equal(receiver.arrivals.length, 0)
    }
  })

  test('is each record that the user may not see; what is theirs arrives, deleted ones too', async () => {
    const { org, app, receiver } = await setting(service, { as: 'member' })
    const { id } = await subscribe(app, ['company_created', 'company_deleted'], receiver.url)
    const own = { create: 'all', read: 'own', update: 'own', delete: 'own' } as const
    await permit(service, org, { companies: own })
    await makeCompany(service, org, 'Not theirs')
    const { token } = org.users.member
    const made = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: 'Theirs' },
    })
    const company = made.headers.get('x-record-id')!
    assert.equal((await service.call('DELETE', `/api/company/${company}/`, { token })).status, 204)
    const all = await settled(
      app,
      id,
      (each) => each.length === 3 && !each.some(({ status }) => status === 'pending'),
    )
    assert.deepEqual(all.map(({ event, status }) => [event, status]).toSorted(), [
      ['company_created', 'delivered'],
      ['company_created', 'dropped'],
      ['company_deleted', 'delivered'],
    ])
    for (const { json } of receiver.arrivals) assert.equal(json.data.company_id, company)
  })

  test('to a confined user is what they are not attached to', async () => {
    const { org, app, receiver } = await setting(service, { as: 'customer' })
    const { id } = await subscribe(app, 'company_created', receiver.url)
    await makeCompany(service, org)
    await dropped(app, id, receiver)
  })
})

describe('receivers', () => {
  test('that hang delay no other receiver, and no other host of the same organization', async () => {
    const service = await startService({ webhookHostRate: 0, webhookHostConcurrency: 3 })
    const { org, app, receiver: good } = await setting(service)
    const hanging = await startReceiver()
    hanging.answer = () => undefined
    // another name of the same machine is another host
    const bad = await subscribe(
      app,
      'company_created',
      hanging.url.replace('127.0.0.1', 'localhost'),
    )
    await subscribe(app, 'company_created', good.url)
    for (let i = 0; i < 20; i++) await makeCompany(service, org)
    await good.arrived(20)
    await hanging.arrived(3)
    await roundPasses(service, org)
    assert.equal(hanging.arrivals.length, 3, 'no more than three at once')
    const waiting = await settled(app, bad.id, () => true)
    assert.equal(waiting.filter(({ status }) => status === 'pending').length, 20)
  })

  test('get no more at once and per second than the limits allow', async () => {
    const service = await startService({ webhookHostRate: 10, webhookHostConcurrency: 2 })
    const { org, app, receiver } = await setting(service)
    let open = 0
    let most = 0
    const two = Promise.withResolvers<void>()
    receiver.answer = async () => {
      most = Math.max(most, ++open)
      // the first waits for the second, however slow the machine
      if (open === 2) two.resolve()
      await two.promise
      await new Promise((resolve) => setTimeout(resolve, 5))
      open--
      return { status: 200 }
    }
    await subscribe(app, 'company_created', receiver.url)
    for (let i = 0; i < 25; i++) await makeCompany(service, org)
    const arrivals = await receiver.arrived(25)
    assert.equal(most, 2)
    for (let i = 10; i < arrivals.length; i++) {
      const took = arrivals[i]!.at - arrivals[i - 10]!.at
      // what leaves a second apart may arrive a little closer
      assert.ok(took >= 900, `eleven within ${took} ms`)
    }
  })
})

describe('processes', () => {
  test('that share a database deliver each event once', async () => {
    const first = await startService(noLimits)
    const { org, app, receiver } = await setting(first)
    const second = await startBeside(first)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    const makers = [first, second, first, second].map(async (service) => {
      for (let i = 0; i < 50; i++) await makeCompany(service, org)
    })
    await Promise.all(makers)
    await settled(
      app,
      id,
      (all) => all.length === 200 && all.every(({ status }) => status === 'delivered'),
    )
    assert.equal(receiver.arrivals.length, 200)
    assert.equal(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).size, 200)
    const { deliveries: a } = first
    const { deliveries: b } = second
    assert.equal(a.outcomes.delivered + b.outcomes.delivered, 200)
  })

  test('that stop finish what is answered in time and release the rest', async () => {
    const first = await startService(noLimits)
    const { org, app, receiver } = await setting(first)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    let answer = (_status: number) => {}
    const late = new Promise<{ status: number }>((resolve) => {
      answer = (status) => resolve({ status })
    })
    receiver.answer = ({ json }) => (json.data.company_name === 'Slow' ? late : undefined)
    const second = await startBeside(first)
    await makeCompany(second, org, 'Slow')
    await makeCompany(second, org, 'Never')
    await receiver.arrived(2)
    const closed = Promise.all([first.close(), second.close()])
    answer(200)
    await closed
    const state = await rows(
      first,
      sql`select status, attempts, leased_until from deliveries where subscription_id = ${id} order by id`,
    )
    assert.deepEqual(state, [
      { status: 'delivered', attempts: 1, leased_until: null },
      { status: 'pending', attempts: 0, leased_until: null },
    ])
  })

  test('that stop between a claim and its attempt give it back', { timeout: 90_000 }, async () => {
    // this process sends nothing by itself
    const service = await startService({ ...noLimits, role: 'web' })
    const { org, app, receiver } = await setting(service)
    const { id } = await subscribe(app, 'company_created', receiver.url)
    await makeCompany(service, org)
    const deliverer = makeDeliverer(service.runtime, makeTransport(service.runtime.config))
    deliverer.start()
    // from then on it reads what may be sent
    while (!deliverer.metrics.inHand) await nextTurn()
    await deliverer.stop()
    assert.equal(deliverer.metrics.inHand, 0)
    assert.equal(deliverer.metrics.outcomes.released, 1)
    assert.equal(receiver.arrivals.length, 0)
    const state = await rows(
      service,
      sql`select status, attempts from deliveries where subscription_id = ${id}`,
    )
    assert.deepEqual(state, [{ status: 'pending', attempts: 0 }])
  })

  test('that delivered late is not late for ever while another process polls', async () => {
    const service = await startService(noLimits)
    const deliverer = makeDeliverer(service.runtime, makeTransport(service.runtime.config))
    deliverer.start()
    // behind its first poll, which is its own
    await pause(1000)
    deliverer.metrics.lagSeconds = 99
    await until(() => deliverer.metrics.lagSeconds === 0)
    await deliverer.stop()
  })
})

/** Changes what members may do; built-in roles cannot be changed through a surface. */
async function permit(service: TestService, org: TestOrganization, permission: Permission) {
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`update roles set permission = ${JSON.stringify(permission)}
      where organization_id = ${org.id} and id = ${org.roles.member}`),
  )
  service.runtime.cache.evict(org.id)
}

/** A delivery to another receiver of the organization comes and goes, so all that is due had its turn. */
async function roundPasses(service: TestService, org: TestOrganization) {
  const app = await connectApp(service, org)
  const witness = await startReceiver()
  await subscribe(app, 'contact_created', witness.url)
  const body = { full_name: 'Wit Ness' }
  await app.call('POST', '/automation/contact', { body })
  await witness.arrived(1)
}
