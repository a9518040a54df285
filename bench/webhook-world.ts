import { stopFollowing } from '../server/test/support/registering.ts'
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
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
import type { Answers, Work } from './caller.ts'

/** A received delivery: its arrival, and the time of its event, in ms since 1970. */
export type Arrival = { path: string; event: string; at: number; sent: number }
type State = { total: number; paths?: { [path: string]: number }; times?: Arrival[] }

/** An organization with an app, its subscriptions, and an event that was delivered to them. */
export type Sender = { org: TestOrganization; app: ConnectedApp; subscriptions: string[] }

/** A service as in production: without the test's checks of answers and tracking of promises. */
export function startAlone(overrides: Parameters<typeof startService>[0]): Promise<TestService> {
  stopFollowing()
  return startService(overrides, undefined, false, undefined, true)
}

/** A receiver in a separate process (`receiver.ts`), which listens on all loopback addresses. */
export async function startReceiver() {
  const child = fork(new URL('receiver.ts', import.meta.url))
  atEnd(async () => void child.kill())
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message: { port: number }) => resolve(message.port)),
  )
  const ask = (request: { reset?: boolean; timing?: boolean; paths?: boolean }): Promise<State> => {
    const answer = new Promise<State>((resolve) => child.once('message', resolve))
    child.send(request)
    return answer
  }
  return {
    pid: child.pid!,
    port,
    url: `http://127.0.0.1:${port}`,
    ask,
    async arrived(count: number, seconds = 60): Promise<void> {
      const late = performance.now() + seconds * 1000
      for (;;) {
        const { total } = await ask({})
        if (total >= count) return
        assert.ok(performance.now() < late, `${total} of ${count} arrived within ${seconds} s`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

/** Sends requests from a separate process (`caller.ts`), at a rate. */
export async function startCaller(): Promise<(work: Work) => Promise<Answers>> {
  const child = fork(new URL('caller.ts', import.meta.url))
  atEnd(async () => void child.kill())
  await new Promise((resolve) => child.once('message', resolve))
  return (work) => {
    const answer = new Promise<Answers>((resolve) => child.once('message', resolve))
    child.send(work)
    return answer
  }
}

/** An organization whose app is subscribed at these URLs, and its first event. */
export async function makeSender(at: TestService, urls: readonly string[]): Promise<Sender> {
  const org = await makeOrganization(at)
  const app = await connectApp(at, org)
  const subscriptions: string[] = []
  for (const url of urls) subscriptions.push((await subscribe(app, 'company_created', url)).id)
  await createCompany(app)
  return { org, app, subscriptions }
}

/** Emits one event. */
export async function createCompany(app: ConnectedApp): Promise<void> {
  const body = { company_name: `Company ${newId()}`, industry: 'Retail' }
  const reply = await app.call('POST', '/automation/company', { body })
  assert.equal(reply.status, 201, reply.text)
}

/** Inserts deliveries for each subscription, as writes would, without waking a worker. */
export async function queueDeliveries(
  at: TestService,
  { org, subscriptions }: Pick<Sender, 'org' | 'subscriptions'>,
  each: number,
): Promise<void> {
  const [event] = await rows(
    at,
    sql`select * from events where organization_id = ${org.id} and type = 'company_created' limit 1`,
  )
  const prefix = newId().slice(0, 12)
  await at.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`insert into events (organization_id, id, type, title, module_id, reference_id,
        actor_type, actor_id, actor_name, source, changes, data, record_version, occurred_at)
      select ${org.id}, ${prefix} || lpad(i::text, 13, '0'), type, title, module_id, reference_id,
        actor_type, actor_id, actor_name, source, changes, data, record_version, now()
      from generate_series(1, ${each}) i, events e
      where e.organization_id = ${org.id} and e.id = ${event.id}`),
  )
  await at.runtime.database.transaction(org.id, (queries) =>
    queries.run(sql`insert into deliveries (organization_id, id, event_id, subscription_id)
      select ${org.id}, left(s.id, 10) || left(md5(e.id || s.id), 15), e.id, s.id
      from subscriptions s, events e
      where s.organization_id = ${org.id} and s.id = any(${subscriptions})
        and e.organization_id = ${org.id} and e.id like ${`${prefix}%`}`),
  )
}

const atOnce = 64

/**
 * Deliveries a second of a loop that builds, signs and posts to these URLs in turn, by the same code,
 * and does nothing else.
 */
export async function bareRate(
  at: TestService,
  urls: readonly string[],
  count: number,
): Promise<number> {
  const { runtime } = at
  const transport = makeTransport(runtime.config)
  const { org, subscriptions } = await makeSender(at, urls.slice(0, 1))
  const [claimed] = await rows<Claimed>(
    at,
    sql`select d.id, d.event_id, d.subscription_id, 0 as attempts, d.next_attempt_at as due_at,
        e.organization_id, e.type, e.occurred_at, e.source, e.actor_type, e.actor_id, e.actor_name,
        e.reference_id, e.changes::text as changes, e.data::text as data, e.record_version
      from deliveries d join events e on e.organization_id = d.organization_id and e.id = d.event_id
      where d.organization_id = ${org.id} and d.subscription_id = any(${subscriptions})`,
  )
  const [due] = await rows<Due>(
    at,
    sql`select s.id, s.url, s.user_id, s.secret, s.previous_secret, s.previous_until
      from subscriptions s where s.organization_id = ${org.id}`,
  )
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const url = urls[left % urls.length]!
      await attempt(runtime, transport, { ...claimed!, id: newId() }, { ...due!, url })
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: atOnce }, lane))
  const rate = count / ((performance.now() - begun) / 1000)
  await transport.agent.destroy()
  return rate
}

/** A quantile of some numbers. */
export function percentile(all: readonly number[], share: number): number {
  const sorted = all.toSorted((x, y) => x - y)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
