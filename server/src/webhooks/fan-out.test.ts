import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../test/support/contexts.ts'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import { startReceiver, subscribe } from '../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, startService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Work } from '../kit/ground/job.ts'
import { fanOut } from './fan-out.ts'
import { dropWaiting, levelOf } from './waiting.ts'

/** Beyond so many subscriptions a job creates the deliveries. */
const few = 50

/** So many subscriptions to a port on which nobody listens, as copies of one. */
async function manySubscriptions(
  service: TestService,
  org: TestOrganization,
  id: string,
  count: number,
) {
  await service.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`insert into subscriptions (organization_id, id, app_id, grant_id, user_id, events,
        url, unique_key, secret, creation_time)
      select s.organization_id, left(s.id, 20) || n, s.app_id, s.grant_id, s.user_id, s.events,
        s.url || n, sha256(convert_to(s.id || n, 'utf8')), s.secret, s.creation_time
      from subscriptions s, generate_series(1, ${count}) n
      where s.organization_id = ${org.id} and s.id = ${id}`),
  )
}

async function writeCompany(app: ConnectedApp, name: string) {
  const body = { company_name: name, industry: 'Retail' }
  const reply = await app.call('POST', '/automation/company', { body })
  assert.equal(reply.status, 201, reply.text)
}

async function count(service: TestService, org: TestOrganization): Promise<number> {
  const [found] = await rows<{ count: number }>(
    service,
    sql`select count(*)::integer as count from deliveries where organization_id = ${org.id}`,
  )
  return found!.count
}

/** An organization with so many subscriptions to a dead host and one more. */
async function crowd(service: TestService, dead: number) {
  const org = await makeOrganization(service)
  const app = await connectApp(service, org)
  const first = await subscribe(app, 'company_created', 'http://127.0.0.1:9/')
  await manySubscriptions(service, org, first.id, dead - 1)
  return { org, app, first }
}

describe('an event with many subscriptions', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })

  test('creates its deliveries in the write up to a few dozen, and in a job beyond', async () => {
    const { org, app } = await crowd(service, few)
    await writeCompany(app, 'Acme')
    assert.equal(await count(service, org), few)
    await subscribe(app, 'company_created', 'http://127.0.0.1:9/one-more')
    await writeCompany(app, 'Example')
    assert.equal(await count(service, org), few)
    const jobs = await rows<{ data: { events: string[]; due: string } }>(
      service,
      sql`select data from asked_jobs where organization_id = ${org.id} and name = ${fanOut.name}`,
    )
    assert.equal(jobs.length, 1)
    // a job that was killed in between is run again
    for (let again = 0; again < 2; again++) {
      await fanOut.run(workOf(service, org), jobs[0]!.data)
      assert.equal(await count(service, org), few + few + 1)
    }
  })

  test('of many records creates few rows in its write, too', async () => {
    const { org } = await crowd(service, few + 10)
    const events = Array.from({ length: 20 }, (_, nth) => ({
      type: 'company_created',
      title: `Company ${nth} was created`,
      module_id: 1,
      reference_id: `company ${nth}`,
      data: '{}',
    }))
    await asService(service, { id: org.id, name: 'Org' }, async (ctx) => ctx.emitMany(events))
    assert.equal(await count(service, org), 0)
    const [job] = await rows<{ data: { events: string[]; due: string } }>(
      service,
      sql`select data from asked_jobs where organization_id = ${org.id} and name = ${fanOut.name}`,
    )
    assert.equal(job!.data.events.length, 20)
    await fanOut.run(workOf(service, org), job!.data)
    assert.equal(await count(service, org), 20 * (few + 10))
  })

  test('reaches a receiver that answers, past those that do not', async () => {
    const running = await startService({}, undefined, true)
    const { app } = await crowd(running, few + 10)
    const receiver = await startReceiver()
    await subscribe(app, 'company_created', receiver.url)
    for (let nth = 0; nth < 3; nth++) await writeCompany(app, `Company ${nth}`)
    const got = await receiver.arrived(3)
    const names = got.map(({ json }) => json.data.company_name)
    assert.deepEqual(names.toSorted(), ['Company 0', 'Company 1', 'Company 2'])
  })
})

describe('deliveries that wait', () => {
  const quotas = { waitingDeliveries: 40, subscriptionsPerHost: 5 }

  test('are never more than the quota after any transaction of the job, and the notice is one for their user', async () => {
    const most = few * 4
    const base = await startService()
    const { quotas: usual } = base.runtime.services
    const service = await startService({ quotas: { ...usual, waitingDeliveries: most } })
    const { org } = await crowd(service, few * 2)
    const events = Array.from({ length: 30 }, (_, nth) => ({
      type: 'company_created',
      title: `Company ${nth} was created`,
      module_id: 1,
      reference_id: `company ${nth}`,
      data: '{}',
    }))
    await asService(service, { id: org.id, name: 'Org' }, async (ctx) => ctx.emitMany(events))
    const [job] = await rows<{ data: { events: string[]; due: string } }>(
      service,
      sql`select data from asked_jobs where organization_id = ${org.id} and name = ${fanOut.name}`,
    )
    const work = workOf(service, org)
    const counts: number[] = []
    let atWork = 0
    const begun = performance.now()
    await fanOut.run(
      {
        ...work,
        async write(run) {
          const from = performance.now()
          const result = await work.write(run)
          atWork += Math.min(500, performance.now() - from)
          counts.push(await count(service, org))
          return result
        },
      },
      job!.data,
    )
    assert.ok(counts.length > 3, `${counts.length} transactions`)
    assert.ok(Math.max(...counts) <= most, counts.join())
    // each subscription keeps its part
    const kept = await rows<{ count: number }>(
      service,
      sql`select count(*)::integer as count from deliveries
        where organization_id = ${org.id} group by subscription_id`,
    )
    assert.deepEqual(
      kept.map((each) => each.count),
      Array(few * 2).fill(2),
    )
    const notices = await rows(
      service,
      sql`select id from notifications where organization_id = ${org.id}`,
    )
    assert.equal(notices.length, 1)
    // most of its time it leaves to others
    assert.ok(performance.now() - begun > 2 * atWork)
  })

  test('are dropped beyond the quotas, the oldest first, and their user learns how many', async () => {
    const base = await startService()
    const service = await startService({ quotas: { ...base.runtime.services.quotas, ...quotas } })
    const { org, app, first } = await crowd(service, 1)
    const { id } = await subscribe(app, 'company_created', 'http://127.0.0.1:9/other')
    await app.call('DELETE', '/webhook/unsubscribe', { query: { subscriptionId: first.id } })
    for (let nth = 0; nth < 15; nth++) await writeCompany(app, `Company ${nth}`)
    const before = await waitingOf(service, id)
    assert.equal(before.length, 15)
    const drop = () => asService(service, { id: org.id, name: 'Org' }, dropWaiting)
    assert.equal(await drop(), 5)
    assert.equal(await drop(), 0)
    assert.deepEqual(await waitingOf(service, id), before.slice(5))
    const list = await app.call('GET', '/webhook/subscriptions')
    assert.equal(list.body.results[0].dropped_deliveries, 5)
    await until(async () => {
      const [notice] = await rows<{ description: string }>(
        service,
        sql`select description from notifications where organization_id = ${org.id}`,
      )
      return notice?.description.includes('more deliveries waited than may') ?? false
    })
  })

  test('have a limit for all subscriptions of an organization together, and none may use more than a quarter', () => {
    assert.equal(levelOf([10, 20], 40), 10)
    assert.equal(levelOf([3, 3, 9, 9, 9, 9], 40), 8)
    assert.equal(levelOf([10, 10, 10, 10], 40), 10)
    assert.equal(levelOf([10, 10, 10, 10, 10, 10, 10, 10], 40), 5)
    assert.equal(levelOf([], 40), 10)
  })

  test('come from few subscriptions to an event at one host', async () => {
    const base = await startService()
    const service = await startService({ quotas: { ...base.runtime.services.quotas, ...quotas } })
    const app = await connectApp(service, await makeOrganization(service))
    for (let nth = 0; nth < 5; nth++)
      await subscribe(app, 'company_created', `http://127.0.0.1:${9 + nth}/`)
    const more = (events: string, url: string) =>
      app.call('POST', '/webhook/subscribe', { body: { events, url } })
    const refused = await more('company_created', 'http://127.0.0.1:99/')
    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'subscription_quota_exceeded')
    assert.match(refused.body.message, /5 subscriptions to company_created at 127\.0\.0\.1/)
    for (const spelling of ['http://127.1:98/', 'HTTP://0x7F.1/', 'http://127.0.0.1.:80/'])
      assert.equal((await more('company_created', spelling)).status, 409, spelling)
    // the same again is none more, and another event or host has its own
    assert.equal((await more('company_created', 'http://127.0.0.1:9/')).status, 200)
    assert.equal((await more('company_updated', 'http://127.0.0.1:99/')).status, 201)
    assert.equal((await more('company_created', 'http://127.0.0.2:99/')).status, 201)
  })
})

function waitingOf(service: TestService, subscription: string) {
  return rows<{ id: string }>(
    service,
    sql`select id from deliveries where subscription_id = ${subscription}
      and status in ('pending', 'failing') order by id`,
  )
}

/** What the queue gives a job of the organization. */
function workOf(service: TestService, org: TestOrganization): Work {
  return {
    id: 'job',
    reads: undefined as never,
    write: (run) => asService(service, { id: org.id, name: 'Org' }, run),
    signal: new AbortController().signal,
  }
}
