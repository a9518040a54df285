import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { newId } from '../server/src/kit/ground/ids.ts'
import { sql } from '../server/src/kit/ground/sql.ts'
import { attempt } from '../server/src/webhooks/attempt.ts'
import type { Claimed, Due } from '../server/src/webhooks/queue.ts'
import { makeTransport } from '../server/src/webhooks/transport.ts'
import { atEnd } from '../server/test/support/finally.ts'
import type { ConnectedApp } from '../server/test/support/integration.ts'
import { connectApp } from '../server/test/support/integration.ts'
import { subscribe } from '../server/test/support/receiver.ts'
import type { TestOrganization, TestService } from '../server/test/support/service.ts'
import { makeOrganization, rows, startService } from '../server/test/support/service.ts'

// How fast webhooks are delivered, as ratios of what the same process does without a queue: it signs
// and posts the same bodies in a loop. `node --test bench/webhooks.test.ts`, with BENCH_DELIVERIES.

const many = Number(process.env.BENCH_DELIVERIES ?? 10_000)
const unlimited = { webhookHostRate: 0, webhookHostConcurrency: 0 }
const atOnce = 64

type State = { total: number; paths?: { [path: string]: number }; times?: Arrival[] }
type Arrival = { path: string; at: number; sent: number }

describe('delivering webhooks', () => {
  let service: TestService
  let child: ChildProcess
  let port: number

  before(async () => {
    service = await startService(unlimited)
    child = fork(new URL('receiver.ts', import.meta.url))
    atEnd(async () => void child.kill())
    port = await new Promise((resolve) =>
      child.once('message', (message: { port: number }) => resolve(message.port)),
    )
  })
  after(() => void child.kill())

  function ask(request: { reset?: boolean; timing?: boolean; paths?: boolean }): Promise<State> {
    const answer = new Promise<State>((resolve) => child.once('message', resolve))
    child.send(request)
    return answer
  }

  async function arrived(count: number, seconds = 60): Promise<void> {
    const late = performance.now() + seconds * 1000
    for (;;) {
      const { total } = await ask({})
      if (total >= count) return
      assert.ok(performance.now() < late, `${total} of ${count} arrived within ${seconds} s`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Waits for so many deliveries, as a write would have left them, that no worker knows of yet. */
  async function queue(org: TestOrganization, subscriptions: string[], each: number) {
    const [event] = await rows(
      service,
      sql`select * from events where organization_id = ${org.id} and type = 'company_created' limit 1`,
    )
    const prefix = newId().slice(0, 12)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into events (organization_id, id, type, title, module_id, reference_id,
          actor_type, actor_id, actor_name, source, changes, data, record_version, occurred_at)
        select ${org.id}, ${prefix} || lpad(i::text, 13, '0'), type, title, module_id, reference_id,
          actor_type, actor_id, actor_name, source, changes, data, record_version, now()
        from generate_series(1, ${each}) i, events e
        where e.organization_id = ${org.id} and e.id = ${event.id}`),
    )
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into deliveries (organization_id, id, event_id, subscription_id)
        select ${org.id}, left(s.id, 10) || left(md5(e.id || s.id), 15), e.id, s.id
        from subscriptions s, events e
        where s.organization_id = ${org.id} and s.id = any(${subscriptions})
          and e.organization_id = ${org.id} and e.id like ${`${prefix}%`}`),
    )
  }

  async function sender(paths: string[], url = `http://127.0.0.1:${port}`) {
    const org = await makeOrganization(service)
    const app = await connectApp(service, org)
    const subscriptions: string[] = []
    for (const path of paths) {
      subscriptions.push((await subscribe(app, 'company_created', `${url}${path}`)).id)
    }
    await company(org, app)
    return { org, app, subscriptions }
  }

  async function company(org: TestOrganization, app: ConnectedApp) {
    const body = { company_name: `Company ${newId()}`, industry: 'Retail', domain: 'acme.test' }
    const reply = await app.call('POST', '/automation/company', { body })
    assert.equal(reply.status, 201, reply.text)
    assert.ok(org)
  }

  /** Deliveries a second of a loop that builds, signs and posts, and does nothing else. */
  async function bare(count: number): Promise<number> {
    const { runtime } = service
    const transport = makeTransport(runtime.config)
    const { org, subscriptions } = await sender(['/bare'])
    const [claimed] = await rows<Claimed>(
      service,
      sql`select d.id, d.event_id, d.subscription_id, 0 as attempts, d.next_attempt_at as due_at,
          e.organization_id, e.type, e.occurred_at, e.source, e.actor_type, e.actor_id, e.actor_name,
          e.reference_id, e.changes::text as changes, e.data::text as data, e.record_version
        from deliveries d join events e on e.organization_id = d.organization_id and e.id = d.event_id
        where d.organization_id = ${org.id} and d.subscription_id = any(${subscriptions})`,
    )
    const [due] = await rows<Due>(
      service,
      sql`select s.id, s.url, s.user_id, s.secret, s.previous_secret, s.previous_until
        from subscriptions s where s.organization_id = ${org.id}`,
    )
    let left = count
    const lane = async () => {
      while (left-- > 0) await attempt(runtime, transport, { ...claimed!, id: newId() }, due!)
    }
    const begun = performance.now()
    await Promise.all(Array.from({ length: atOnce }, lane))
    const rate = count / ((performance.now() - begun) / 1000)
    await transport.agent.destroy()
    return rate
  }

  async function drained(organizations: number): Promise<number> {
    const senders = []
    for (let i = 0; i < organizations; i++) senders.push(await sender([`/o${i}`]))
    const each = Math.ceil(many / organizations)
    for (const { org, subscriptions } of senders) await queue(org, subscriptions, each)
    // what was there before has arrived, and nothing of it is under way
    await new Promise((resolve) => setTimeout(resolve, 300))
    await ask({ reset: true })
    const begun = performance.now()
    for (const { org } of senders) service.runtime.services.webhooks.wake(org.id)
    await arrived(each * organizations)
    return (each * organizations) / ((performance.now() - begun) / 1000)
  }

  for (const organizations of [1, 4]) {
    test(`of ${organizations} organizations to one receiver`, async (t) => {
      await bare(2000)
      const ratios: number[] = []
      for (let round = 0; round < 3; round++) {
        const floor = await bare(Math.min(many, 10_000))
        const rate = await drained(organizations)
        ratios.push(rate / floor)
        t.diagnostic(`${rate.toFixed(0)}/s of ${floor.toFixed(0)}/s: ${(rate / floor).toFixed(2)}`)
      }
      t.diagnostic(`median ${ratios.toSorted((a, b) => a - b)[1]!.toFixed(2)} of a bare loop`)
    })
  }
})
