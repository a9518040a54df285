import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimReady } from './claim.ts'
import { hostLimits } from './limits.ts'
import { addToLine, lineFor, pick } from './lines.ts'
import type { Claimed, Due } from './queue.ts'
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
