import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../test/support/depth.ts'
import { connectApp } from '../../test/support/integration.ts'
import type { Receiver, ReceiverAnswer } from '../../test/support/receiver.ts'
import { startReceiver, subscribe } from '../../test/support/receiver.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import type { Config } from '../config.ts'
import { sql } from '../kit/ground/sql.ts'

/** Generous, since other tests share the machine: what this test is about took a minute. */
const promisedMs = 10_000

/** An organization with an app, whose receivers all have the same host. */
async function setting(config: Partial<Config> = {}) {
  const service = await startService({ webhookRetrySchedule: [0, 1, 2, 4], ...config })
  const org = await makeOrganization(service)
  const app = await connectApp(service, org)
  let count = 0
  return {
    service,
    org,
    app,
    /** the id of a new company, whose event is delivered */
    async write(): Promise<string> {
      const body = { company_name: `Company ${count++}`, industry: 'Retail' }
      const reply = await app.call('POST', '/automation/company', { body })
      assert.equal(reply.status, 201, reply.text)
      return reply.body.data.company_id
    },
  }
}

test('three refusals of one receiver keep no new one on its host from its first delivery', async () => {
  const { app, write } = await setting()
  const [a, b, c] = [await startReceiver(), await startReceiver(), await startReceiver()]
  b.answer = () => ({ status: 503 })
  await subscribe(app, 'company_created', a.url)
  await write()
  await a.arrived(1)
  await subscribe(app, 'company_created', b.url)
  await write()
  await b.arrived(3)
  await subscribe(app, 'company_created', c.url)
  const begun = performance.now()
  await write()
  await c.arrived(1)
  const ms = performance.now() - begun
  assert.ok(ms < promisedMs, `the new one got its first request after ${ms} ms`)
  await b.arrived(4)
})

test('a row of bad receivers on one host keeps neither retries nor new ones nor thirty events', async () => {
  const { app, write } = await setting()
  const slow = await startReceiver()
  slow.answer = () => undefined
  await subscribe(app, 'company_created', slow.url)
  await write()
  await slow.arrived(1)

  const begun = performance.now()
  const refusing = await startReceiver()
  refusing.answer = () => ({ status: 503, headers: { 'retry-after': '2' } })
  const endless = await startReceiver()
  endless.answer = () => ({ status: 429, headers: { 'retry-after': '999999999' } })
  await subscribe(app, 'company_created', refusing.url)
  await subscribe(app, 'company_created', endless.url)
  await write()
  const [first, second] = await refusing.arrived(2)
  assert.ok(second!.at - first!.at >= 1900, 'the time that the receiver wants')
  await endless.arrived(1)
  const fresh = [await startReceiver(), await startReceiver(), await startReceiver()]
  for (const receiver of fresh) {
    await subscribe(app, 'company_created', receiver.url)
    await write()
    await receiver.arrived(1)
  }
  const counts = fresh.map(({ arrivals }) => arrivals.length)
  for (let nth = 0; nth < 30; nth++) await write()
  await Promise.all(fresh.map((receiver, nth) => receiver.arrived(counts[nth]! + 30)))
  const ms = performance.now() - begun
  assert.ok(ms < 4 * promisedMs, `all of it took ${ms} ms`)
  for (const { arrivals } of fresh) {
    const ids = arrivals.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, ids.length, 'each event arrives once')
  }
  assert.equal(endless.arrivals.length, 1)
})

const answers: { [kind: string]: () => ReceiverAnswer | undefined | Promise<undefined> } = {
  healthy: () => ({ status: 200 }),
  'answers with 500': () => ({ status: 500 }),
  refuses: () => ({ status: 503 }),
  'refuses for 2 s': () => ({ status: 503, headers: { 'retry-after': '2' } }),
  'refuses for ever': () => ({ status: 429, headers: { 'retry-after': '999999999' } }),
  redirects: () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
  'breaks off': () => 'broken',
  'is gone': () => ({ status: 410 }),
  hangs: () => undefined,
}
const acts = [...Object.keys(answers), 'fails for long', 'is removed', 'closes', 'is invited again']
const settings: Partial<Config>[] = [
  {},
  // places for slow ones that run out, so that requests are broken off
  { webhookHostConcurrency: 6 },
]

test('after whatever one receiver does, all others of its host get their events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...acts), { minLength: 30, maxLength: 30 }),
      fc.constantFrom(...settings),
      playActs,
    ),
    { numRuns: depth(1, 6), endOnFailure: true },
  )
})

/** Plays one act after another, each by a new receiver, with an event after each that all healthy ones must get. */
async function playActs(list: string[], config: Partial<Config>): Promise<void> {
  const { service, org, app, write } = await setting(config)
  const healthy: Receiver[] = [await startReceiver()]
  await subscribe(app, 'company_created', healthy[0]!.url)
  const others: string[] = []
  for (const [nth, act] of list.entries()) {
    const receiver = await startReceiver()
    receiver.answer = answers[act] ?? (() => ({ status: 500 }))
    // a port on which nobody listens
    const url = act === 'closes' ? 'http://127.0.0.1:9/' : receiver.url
    const { id } = await subscribe(app, 'company_created', `${url}/${nth}`)
    if (act === 'healthy') healthy.push(receiver)
    else others.push(id)
    if (act === 'fails for long') {
      await service.runtime.database.transaction(org.id, (queries) =>
        queries.run(sql`update subscriptions set failures = 9,
          failing_since = now() - interval '2 minutes'
          where organization_id = ${org.id} and id = ${id}`),
      )
    }
    if (act === 'is removed' || act === 'is invited again') {
      await write()
      await receiver.arrived(1)
      const reply = await app.call('DELETE', '/webhook/unsubscribe', {
        query: { subscriptionId: id },
      })
      assert.equal(reply.status, 200, reply.text)
      if (act === 'is invited again') await subscribe(app, 'company_created', `${url}/${nth}`)
    }
    const begun = performance.now()
    const company = await write()
    const isThis = ({ json }: { json: { data: { company_id: string } } }) =>
      json.data.company_id === company
    await Promise.all(healthy.map((each) => each.arrived(1, isThis)))
    const ms = performance.now() - begun
    assert.ok(ms < promisedMs, `after “${act}” (act ${nth}) it took ${ms} ms: ${list}`)
  }
  for (const { arrivals } of healthy) {
    const ids = arrivals.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, ids.length, 'each event arrives once')
  }
}
