import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectApp } from '../../test/support/integration.ts'
import { subscribe } from '../../test/support/receiver.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import type { Queries, Query } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import { claimReady } from './claim.ts'
import { hostLimits } from './limits.ts'
import { addToLine, lineFor, pick } from './lines.ts'
import type { Claimed, Due } from './queue.ts'
import { readDue } from './queue.ts'
import type { DeliveryWorker } from './worker.ts'
import { laneOf } from './worker.ts'

test('a lane without free places reads on before it has sent all that it has read', () => {
  const never = new Promise<never>(() => {})
  const worker = {
    state: 'running',
    runtime: {
      config: { webhookConcurrency: 2000, webhookOrganizationConcurrency: 10 },
      database: { reads: () => ({ all: () => never }) },
      now: () => new Date(),
    },
    transport: { limits: hostLimits({ ratePerSecond: 0, concurrency: { from: 100, most: 100 } }) },
    lanes: new Map(),
    ready: new Set(),
    blocked: new Set(),
    claiming: 0,
    inFlight: 0,
    bytes: 0,
  } as unknown as DeliveryWorker
  const lane = laneOf(worker, 'org')
  lane.leasedUntil = Infinity
  const due = { id: 's', url: 'https://a.test/', failures: 0 } as Due
  const line = lineFor(lane, due)
  line.isProven = true
  for (let i = 0; i < 50; i++) addToLine(line, { id: `${i}` } as Claimed, due)
  pick(worker, lane)
  assert.deepEqual([line.flights.size, line.waiting.length], [10, 40])

  const claim = () => {
    worker.ready.add('org')
    claimReady(worker)
    return lane.isClaiming
  }
  assert.equal(claim(), false, 'four times as many wait as are in flight')
  line.waiting.splice(15)
  assert.equal(claim(), true, 'fewer wait than twice as many')
})

test('a claim finds deliveries and events by their keys, where the planner does not know how many there are', async () => {
  const service = await startService()
  const { runtime } = service
  const org = await makeOrganization(service)
  const app = await connectApp(service, org)
  const { id } = await subscribe(app, 'company_created', 'http://127.0.0.1:9/')
  const fill = (event: Query) =>
    runtime.database.transaction(org.id, (queries) => queries.run(event))
  await fill(sql`insert into events (organization_id, id, type, title, actor_type, actor_name, source, occurred_at)
    select ${org.id}, 'event' || n, 'company_created', 'x', 'system', 'x', 'job', now()
    from generate_series(1, 300) n`)
  await fill(sql`insert into deliveries (organization_id, id, event_id, subscription_id)
    select ${org.id}, 'delivery' || n, 'event' || n, ${id} from generate_series(1, 300) n`)
  const asked: Query[] = []
  const reads = runtime.database.reads(org.id)
  const queries: Pick<Queries, 'all'> = {
    all: (query) => {
      asked.push(query)
      return reads.all(query)
    },
  }
  const wanted = { most: 200, each: 200, shares: [], held: [] }
  const { claimed, due } = await readDue(queries, runtime, org.id, wanted)
  assert.deepEqual([claimed.length, due.size, asked.length], [200, 1, 2])
  const lines = await reads.all<{ 'QUERY PLAN': string }>(sql`explain (analyze) ${asked[0]!}`)
  const plan = lines.map((line) => line['QUERY PLAN'])
  const removed = plan.flatMap((line) => /Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? [])
  assert.ok(
    removed.map(Number).every((rows) => rows <= 1),
    plan.join('\n'),
  )
  // a list is compared with each row in turn
  assert.doesNotMatch(plan.join('\n'), /Filter: .*= ANY \(\(/)
})
