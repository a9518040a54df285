// first, before anything uses node:test
import '../server/test/support/registering.ts'
import { describe, test } from 'node:test'
import { readConfig } from '../server/src/config.ts'
import type { TestService } from '../server/test/support/service.ts'
import { idOf, makeOrganization } from '../server/test/support/service.ts'
import type { Answers, Request } from './caller.ts'
import {
  bareRate,
  makeSender,
  percentile,
  queueDeliveries,
  startAlone,
  startCaller,
  startReceiver,
} from './webhook-world.ts'

// How fast one organization's backlog to 50 hosts drains within the usual limits, and how much that slows down
// the reads and writes of another organization. `node --test bench/backlog.test.ts`, with
// BENCH_BACKLOG=20000 for less.

const many = Number(process.env.BENCH_BACKLOG ?? 200_000)
const hosts = 50
/** the other organization's requests per second, and the duration of a measurement */
const rate = 60
const seconds = 5
const { webhookHostRate, webhookHostConcurrency } = readConfig({})
const kinds = ['list of 50', 'one', 'create']

describe('a backlog', () => {
  test(`${many} deliveries wait for ${hosts} hosts`, { timeout: 900_000 }, async (t) => {
    const service = await startAlone({ webhookHostRate, webhookHostConcurrency })
    const receiver = await startReceiver()
    const call = await startCaller()
    const requests = await bystander(service)
    const urls = Array.from(
      { length: hosts },
      (_, i) => `http://127.0.4.${i + 1}:${receiver.port}/host${i}`,
    )
    const sender = await makeSender(service, urls)
    await call({ requests, rate, seconds })
    const quiet = await call({ requests, rate, seconds: 3 * seconds })
    await bareRate(service, urls, 2000)
    const floor = await bareRate(service, urls, 10_000)

    const each = Math.ceil(many / hosts)
    await queueDeliveries(service, sender, each)
    await receiver.ask({ reset: true })
    const begun = performance.now()
    service.runtime.services.webhooks.wake(sender.org.id)
    const beside = watch(() => call({ requests, rate, seconds }))
    let half = 0
    const progress = receiver.arrived((each * hosts) / 2, 400).then(() => {
      half = performance.now() - begun
    })
    await progress
    await receiver.arrived(each * hosts, 400)
    const took = performance.now() - begun
    const loaded = await beside.end()

    const drained = (count: number, ms: number) => (count / (ms / 1000)).toFixed(0)
    t.diagnostic(
      `${drained(each * hosts, took)}/s, of which the first half ${drained((each * hosts) / 2, half)}/s; ` +
        `${((each * hosts) / (took / 1000) / floor).toFixed(2)} of a bare loop's ${floor.toFixed(0)}/s`,
    )
    for (const [nth, kind] of kinds.entries()) {
      const [alone, under] = [quiet.ms[nth] ?? [], loaded.ms[nth] ?? []]
      const [p50, p99] = [0.5, 0.99].map((share) => {
        const [a, b] = [percentile(alone, share), percentile(under, share)]
        return `${a.toFixed(1)} → ${b.toFixed(1)} ms (${(b / a).toFixed(2)} ×)`
      })
      t.diagnostic(`${kind}: median ${p50}, p99 ${p99} of ${under.length}`)
    }
    t.diagnostic(
      `refused or failed: ${quiet.failed.length} alone, ${loaded.failed.length} beside it`,
    )
    for (const failure of new Set(loaded.failed)) t.diagnostic(failure)
    await service.close()
  })
})

/** The reads and writes of a user of another organization, which has no webhooks. */
async function bystander(service: TestService): Promise<Request[]> {
  const { token } = (await makeOrganization(service)).users.admin
  const create = (company_name: string) => ({ company_name, industry: 'Retail' })
  const ids: string[] = []
  for (let i = 0; i < 200; i++) {
    const body = create(`Company ${i}`)
    ids.push(idOf(await service.call('POST', '/api/company/', { token, body })))
  }
  const url = `${service.url}/api/company/`
  return [
    { method: 'GET', url: `${url}?page=1&items_per_page=50`, token },
    { method: 'GET', url: `${url}${ids[7]}/`, token },
    { method: 'POST', url, token, body: create('Company {n}') },
  ]
}

/** Sends requests repeatedly until `end`, which returns all answers. */
function watch(call: () => Promise<Answers>) {
  const all: Answers = { ms: {}, failed: [] }
  let isOver = false
  const ended = (async () => {
    while (!isOver) {
      const { ms, failed } = await call()
      for (const [nth, times] of Object.entries(ms)) (all.ms[nth] ??= []).push(...times)
      all.failed.push(...failed)
    }
    return all
  })()
  return {
    end() {
      isOver = true
      return ended
    },
  }
}
