// first, before anything uses node:test
import '../server/test/support/registering.ts'
import { describe, test } from 'node:test'
import type { Answers, Request } from './caller.ts'
import type { Sender } from './webhook-world.ts'
import { makeSender, percentile, startAlone, startCaller, startReceiver } from './webhook-world.ts'

// The time from an event to its first byte at the receiver, and how much deliveries slow down the writes that
// cause them. `node --test bench/first-byte.test.ts`, with BENCH_RATE=200 for fewer events a second.

const rate = Number(process.env.BENCH_RATE ?? 500)
const seconds = 10
const unlimited = { webhookHostRate: 0, webhookHostConcurrency: 0 }

describe(`${rate} events a second`, () => {
  for (const organizations of [1, 4, 20]) {
    test(`of ${organizations} organizations`, async (t) => {
      const service = await startAlone(unlimited)
      const receiver = await startReceiver()
      const call = await startCaller()
      const url = `${service.url}/api/company/`
      const create = ({ org }: Sender): Request => ({
        method: 'POST',
        url,
        token: org.users.admin.token,
        body: { company_name: 'Company {n}', industry: 'Retail' },
      })
      const made = async (urls: string[]) => {
        const senders: Sender[] = []
        for (let i = 0; i < organizations; i++) senders.push(await makeSender(service, urls))
        return senders.map(create)
      }
      const silent = await made([])
      const subscribed = await made([`${receiver.url}/hook`])
      await call({ requests: silent, rate, seconds: 3 })
      const without = await call({ requests: silent, rate, seconds })
      await call({ requests: subscribed, rate, seconds: 3 })
      await receiver.ask({ reset: true, timing: true })
      const beside = await call({ requests: subscribed, rate, seconds })
      const sent = Object.values(beside.ms).flat().length
      await receiver.arrived(sent)
      const { times = [] } = await receiver.ask({ timing: false, paths: true })
      const late = times.map(({ at, sent: event }) => at - event)
      t.diagnostic(
        `${(sent / seconds).toFixed(0)} a second, ${late.length} of ${sent} arrived: median ${percentile(late, 0.5)} ms, p99 ${percentile(late, 0.99)} ms`,
      )
      const [alone, under] = [without, beside].map(writesOf)
      t.diagnostic(`the writes that cause them: ${under}; those without a subscription: ${alone}`)
      for (const failure of new Set([...without.failed, ...beside.failed])) t.diagnostic(failure)
      await service.close()
    })
  }
})

function writesOf({ ms }: Answers): string {
  const all = Object.values(ms).flat()
  return `median ${percentile(all, 0.5).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms`
}
