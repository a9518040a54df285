// first, before anything uses node:test
import '../server/test/support/registering.ts'
import { before, describe, test } from 'node:test'
import { readConfig } from '../server/src/config.ts'
import { connectApp } from '../server/test/support/integration.ts'
import { subscribe } from '../server/test/support/receiver.ts'
import type { TestService } from '../server/test/support/service.ts'
import { makeOrganization, rows } from '../server/test/support/service.ts'
import { sql } from '../server/src/kit/ground/sql.ts'
import { parentOf, processorTime, processorTimeUnder } from './processor-time.ts'
import type { Arrival } from './webhook-world.ts'
import {
  bareRate,
  createCompany,
  makeSender,
  percentile,
  queueDeliveries,
  startAlone,
  startReceiver,
} from './webhook-world.ts'

// The speed of webhook deliveries, relative to the same process without a queue, which signs
// and posts the same bodies in a loop; and how much bad receivers slow down the good ones.
// `node --test bench/webhooks.test.ts`, with BENCH_DELIVERIES=100000 for the full size.

const many = Number(process.env.BENCH_DELIVERIES ?? 10_000)
const unlimited = { webhookHostRate: 0, webhookHostConcurrency: 0 }
/** the default limits of a service */
const { webhookHostRate, webhookHostConcurrency } = readConfig({})
const usual = { webhookHostRate, webhookHostConcurrency }
const faults = process.env.BENCH_FAULTS !== '0'
const throughput = process.env.BENCH_THROUGHPUT !== '0'

describe('delivering webhooks', () => {
  let service: TestService
  let receiver: Awaited<ReturnType<typeof startReceiver>>

  before(async () => {
    service = await startAlone(unlimited)
    receiver = await startReceiver()
  })

  function sender(paths: string[], at = service) {
    return makeSender(
      at,
      paths.map((path) => `${receiver.url}${path}`),
    )
  }

  async function drained(organizations: number): Promise<number> {
    const senders = []
    for (let i = 0; i < organizations; i++) senders.push(await sender([`/o${i}`]))
    const share = Math.ceil(many / organizations)
    // earlier deliveries have arrived, and none is in flight
    await new Promise((resolve) => setTimeout(resolve, 300))
    await receiver.ask({ reset: true })
    for (const each of senders) await queueDeliveries(service, each, share)
    // a poll may already have found some of them
    const { total: early } = await receiver.ask({})
    const begun = performance.now()
    for (const { org } of senders) service.runtime.services.webhooks.wake(org.id)
    await receiver.arrived(share * organizations)
    return (share * organizations - early) / ((performance.now() - begun) / 1000)
  }

  for (const organizations of [1, 4]) {
    test(
      `throughput: ${organizations} organizations to one receiver`,
      { skip: !throughput },
      async (t) => {
        await bareRate(service, [`${receiver.url}/bare`], 1000)
        const ratios: number[] = []
        for (let round = 0; round < 3; round++) {
          const floor = await processors(() =>
            bareRate(service, [`${receiver.url}/bare`], Math.min(many, 10_000)),
          )
          const queued = await processors(() => drained(organizations))
          ratios.push(queued.result / floor.result)
          t.diagnostic(
            `${queued.result.toFixed(0)}/s of ${floor.result.toFixed(0)}/s: ${ratios.at(-1)!.toFixed(2)}; ` +
              `microseconds a delivery of this process, the receiver and the database: ` +
              `${queued.each(many)}, of a loop's ${floor.each(Math.min(many, 10_000))}`,
          )
        }
        t.diagnostic(`median ${ratios.toSorted((x, y) => x - y)[1]!.toFixed(2)} of a bare loop`)
      },
    )
  }

  /** The processor time of this process, the receiver and the database. */
  async function processors<T>(work: () => Promise<T>) {
    const [backend] = await rows<{ pid: number }>(service, sql`select pg_backend_pid() as pid`)
    const database = parentOf(backend!.pid)
    const taken = () => [
      processorTime(process.pid),
      processorTime(receiver.pid),
      processorTimeUnder(database),
    ]
    const before = taken()
    const result = await work()
    const us = taken().map((after, nth) => after - before[nth]!)
    const each = (count: number) => us.map((all) => (all / count).toFixed(0)).join(', ')
    return { result, each }
  }

  /** The times from the event to the delivery at some paths, in ms: the median and the 99th percentile. */
  function lateness(times: Arrival[], isMeant: (path: string) => boolean) {
    const ms = times.filter(({ path }) => isMeant(path)).map(({ at, sent }) => at - sent)
    return { count: ms.length, median: percentile(ms, 0.5), p99: percentile(ms, 0.99) }
  }

  /** Emits one event every so many milliseconds for some seconds; waits until the good ones have received all. */
  async function play(writers: (() => Promise<void>)[], seconds: number, everyMs: number) {
    await receiver.ask({ reset: true, timing: true })
    const end = performance.now() + seconds * 1000
    const under: Promise<void>[] = []
    while (performance.now() < end) {
      for (const write of writers) under.push(write())
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    await Promise.all(under)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const { times } = await receiver.ask({ timing: false, paths: true })
    return { times: times!, written: under.length, ids: times!.map(({ event }) => event) }
  }

  // the usual limits, which all subscriptions of one host share
  describe('40 of 100 subscriptions on one host hang or fail', { skip: !faults }, () => {
    for (const [what, limited] of [
      ['the usual limits', usual],
      ['fixed limits', { webhookHostRate: 400, webhookHostConcurrency: 20 }],
    ] as const) {
      test(what, async (t) => {
        const other = await startAlone(limited)
        const good = Array.from({ length: 60 }, (_, i) => `/good${i}`)
        const bad = Array.from({ length: 40 }, (_, i) => (i % 2 ? `/hang${i}` : `/fail${i}`))
        const isGood = (path: string) => path.startsWith('/good')
        const run = async (paths: string[]) => {
          const { app } = await sender(paths, other)
          const write = () => createCompany(app)
          // nothing is known about the receivers yet, and the limits have their initial values
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

  test(
    "one organization's 220 slow hosts beside another's deliveries",
    { skip: !faults },
    async (t) => {
      const other = await startAlone({})
      const quietly = await sender(['/bystander'], other)
      const write = () => createCompany(quietly.app)
      await play([write], 2, 50)
      const before = lateness((await play([write], 6, 50)).times, (path) => path === '/bystander')
      const noisy = await makeOrganization(other)
      const app = await connectApp(other, noisy)
      for (let i = 0; i < 220; i++) {
        await subscribe(app, 'company_created', `http://127.0.3.${i + 1}:${receiver.port}/hang`)
      }
      const attack = () => createCompany(app)
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
