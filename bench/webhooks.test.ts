import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../server/src/config.ts'
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
// and posts the same bodies in a loop; and what bad receivers cost the good ones.
// `node --test bench/webhooks.test.ts`, with BENCH_DELIVERIES=100000 for the whole of it.

const many = Number(process.env.BENCH_DELIVERIES ?? 10_000)
const unlimited = { webhookHostRate: 0, webhookHostConcurrency: 0 }
const atOnce = 64
/** the limits that a service has which nobody configured */
const { webhookHostRate, webhookHostConcurrency } = readConfig({})
const usual = { webhookHostRate, webhookHostConcurrency }
const faults = process.env.BENCH_FAULTS !== '0'
const throughput = process.env.BENCH_THROUGHPUT !== '0'

type State = { total: number; paths?: { [path: string]: number }; times?: Arrival[] }
type Arrival = { path: string; event: string; at: number; sent: number }

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
  async function queue(org: TestOrganization, subscriptions: string[], each: number, at = service) {
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

  async function sender(paths: string[], url = `http://127.0.0.1:${port}`, at = service) {
    const org = await makeOrganization(at)
    const app = await connectApp(at, org)
    const subscriptions: string[] = []
    for (const path of paths) {
      subscriptions.push((await subscribe(app, 'company_created', `${url}${path}`)).id)
    }
    await company(org, app)
    return { org, app, subscriptions }
  }

  async function company(org: TestOrganization, app: ConnectedApp) {
    const body = { company_name: `Company ${newId()}`, industry: 'Retail' }
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
    // what was there before has arrived, and nothing of it is under way
    await new Promise((resolve) => setTimeout(resolve, 300))
    await ask({ reset: true })
    for (const { org, subscriptions } of senders) await queue(org, subscriptions, each)
    // a poll may have found some of it already
    const { total: early } = await ask({})
    const begun = performance.now()
    for (const { org } of senders) service.runtime.services.webhooks.wake(org.id)
    await arrived(each * organizations)
    return (each * organizations - early) / ((performance.now() - begun) / 1000)
  }

  for (const organizations of [1, 4]) {
    test(
      `throughput: ${organizations} organizations to one receiver`,
      { skip: !throughput },
      async (t) => {
        await bare(1000)
        const ratios: number[] = []
        for (let round = 0; round < 3; round++) {
          const floor = await processor(() => bare(Math.min(many, 10_000)))
          const queued = await processor(() => drained(organizations))
          ratios.push(queued.result / floor.result)
          t.diagnostic(
            `${queued.result.toFixed(0)}/s of ${floor.result.toFixed(0)}/s: ${ratios.at(-1)!.toFixed(2)}; ` +
              `processor time of this process ${(queued.ms / floor.ms).toFixed(2)} × a loop's`,
          )
        }
        t.diagnostic(`median ${ratios.toSorted((x, y) => x - y)[1]!.toFixed(2)} of a bare loop`)
      },
    )
  }

  /** With the processor time of this process. */
  async function processor<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
    const before = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    return { result, ms: (user + system) / 1000 }
  }

  /** How long deliveries at paths took from the event on, in ms: the median and the 99th percentile. */
  function lateness(times: Arrival[], isMeant: (path: string) => boolean) {
    const ms = times
      .filter(({ path }) => isMeant(path))
      .map(({ at, sent }) => at - sent)
      .toSorted((x, y) => x - y)
    const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? NaN
    return { count: ms.length, median: at(0.5), p99: at(0.99) }
  }

  /** One event every so many milliseconds for so many seconds, and until the good ones have it. */
  async function play(writers: (() => Promise<void>)[], seconds: number, everyMs: number) {
    await ask({ reset: true, timing: true })
    const end = performance.now() + seconds * 1000
    const under: Promise<void>[] = []
    while (performance.now() < end) {
      for (const write of writers) under.push(write())
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    await Promise.all(under)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const { times } = await ask({ timing: false, paths: true })
    return { times: times!, written: under.length, ids: times!.map(({ event }) => event) }
  }

  // the limits are the usual ones here: what many subscriptions of one host share
  describe('40 of 100 subscriptions on one host hang or fail', { skip: !faults }, () => {
    for (const [what, limited] of [
      ['the usual limits', usual],
      ['fixed limits', { webhookHostRate: 400, webhookHostConcurrency: 20 }],
    ] as const) {
      test(what, async (t) => {
        const other = await startService(limited)
        const good = Array.from({ length: 60 }, (_, i) => `/good${i}`)
        const bad = Array.from({ length: 40 }, (_, i) => (i % 2 ? `/hang${i}` : `/fail${i}`))
        const isGood = (path: string) => path.startsWith('/good')
        const run = async (paths: string[]) => {
          const { org, app } = await sender(paths, undefined, other)
          const write = () => company(org, app)
          // nothing is known of any receiver yet, and the limits are as they begin
          const first = await play([write], 18, 1000)
          const { times, written } = await play([write], 8, 1000)
          const seen = new Set(first.ids)
          const since = times.filter(({ event }) => !seen.has(event))
          return {
            first: { ...lateness(first.times, isGood), due: first.written * good.length },
            then: { ...lateness(since, isGood), due: written * good.length },
          }
        }
        const quiet = await run(good)
        const disturbed = await run([...good, ...bad])
        const say = (of: typeof quiet.then) =>
          `${of.count} of ${of.due} arrived, median ${of.median} ms, p99 ${of.p99} ms`
        for (const when of ['first', 'then'] as const) {
          t.diagnostic(`${when}, 60 alone: ${say(quiet[when])}`)
          t.diagnostic(`${when}, 60 beside 40 bad ones: ${say(disturbed[when])}`)
          t.diagnostic(`${when}, p99 ${(disturbed[when].p99 / quiet[when].p99).toFixed(2)} ×`)
        }
        await other.close()
      })
    }
  })

  test('a backlog to 50 hosts with the usual limits', { skip: !faults }, async (t) => {
    const other = await startService(usual)
    const org = await makeOrganization(other)
    const app = await connectApp(other, org)
    const subscriptions: string[] = []
    for (let i = 0; i < 50; i++) {
      const url = `http://127.0.4.${i + 1}:${port}/host${i}`
      subscriptions.push((await subscribe(app, 'company_created', url)).id)
    }
    await company(org, app)
    const each = Math.ceil(many / 50)
    await queue(org, subscriptions, each, other)
    await ask({ reset: true })
    const begun = performance.now()
    other.runtime.services.webhooks.wake(org.id)
    await arrived(each * 50, 120)
    const seconds = (performance.now() - begun) / 1000
    t.diagnostic(`${each * 50} in ${seconds.toFixed(1)} s: ${((each * 50) / seconds).toFixed(0)}/s`)
    await other.close()
  })

  test(
    "one organization's 220 slow hosts beside another's deliveries",
    { skip: !faults },
    async (t) => {
      const other = await startService({})
      const quietly = await sender(['/bystander'], undefined, other)
      const write = () => company(quietly.org, quietly.app)
      await play([write], 2, 50)
      const before = lateness((await play([write], 6, 50)).times, (path) => path === '/bystander')
      const noisy = await makeOrganization(other)
      const app = await connectApp(other, noisy)
      for (let i = 0; i < 220; i++) {
        await subscribe(app, 'company_created', `http://127.0.3.${i + 1}:${port}/hang`)
      }
      const attack = () => company(noisy, app)
      for (let i = 0; i < 5; i++) await attack()
      const during = lateness(
        (await play([write, attack], 6, 50)).times,
        (path) => path === '/bystander',
      )
      t.diagnostic(
        `median ${before.median} → ${during.median} ms, p99 ${before.p99} → ${during.p99} ms`,
      )
      t.diagnostic(`median ${(during.median / before.median).toFixed(2)} ×`)
      await other.close()
    },
  )
})
