import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../test/support/depth.ts'
import type { HostBound } from '../config.ts'
import { breakOffSlow, demoteSlow } from './demote.ts'
import { hostLimits } from './limits.ts'
import { addToLine, land, lineFor, pick } from './lines.ts'
import type { Claimed, Due } from './queue.ts'
import type { DeliveryWorker, Flight, Lane, Line } from './worker.ts'
import { laneOf } from './worker.ts'

/** For how long a healthy subscription may wait, whatever the others do. */
const mostWaitMs = 2000
const tickMs = 10
const timeoutMs = 15_000
const retriesMs = [1000, 2000, 4000]

/** How a receiver answers its next request; `ms` is what it takes, and `waitMs` a `Retry-After`. */
const healthy = fc.record({ ms: fc.integer({ min: 1, max: 60 }), status: fc.constant(200) })
const refusal = fc.record({
  ms: fc.integer({ min: 1, max: 60 }),
  status: fc.constantFrom(429, 503),
  waitMs: fc.constantFrom(0, 1000, 2000, 60_000),
})
const failure = fc.record({ ms: fc.integer({ min: 1, max: 60 }), status: fc.constantFrom(0, 500) })
const hang = fc.record({ ms: fc.constant(timeoutMs), status: fc.constant(0) })
const late = fc.record({ ms: fc.integer({ min: 260, max: 5000 }), status: fc.constant(200) })
type Answer = { ms: number; status: number; waitMs?: number }
const bad: fc.Arbitrary<Answer[]> = fc.oneof(
  ...[refusal, failure, hang, late, fc.oneof(healthy, refusal, failure, hang, late)].map((each) =>
    fc.array(each as fc.Arbitrary<Answer>, { minLength: 1, maxLength: 6 }),
  ),
)
const good: fc.Arbitrary<Answer[]> = fc.array(healthy, { minLength: 1, maxLength: 6 })

/** Subscriptions that come at some second, with the answers that they give in turn. */
const subscription = fc.record({
  organization: fc.integer({ min: 0, max: 1 }),
  host: fc.integer({ min: 0, max: 1 }),
  second: fc.integer({ min: 0, max: 20 }),
  answers: fc.oneof(
    good.map((list) => ({ isGood: true, list })),
    bad.map((list) => ({ isGood: false, list })),
  ),
})
const world = fc.record({
  subscriptions: fc.array(subscription, { minLength: 2, maxLength: 12 }),
  events: fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 5, maxLength: 30 }),
  rate: fc.constantFrom<HostBound>({ from: 20, most: 1000 }, 20, 0),
  places: fc.constantFrom<HostBound>({ from: 10, most: 100 }, 10, 4, 0),
  ofOrganization: fc.constantFrom(200, 20, 0),
})

type World = typeof world extends fc.Arbitrary<infer T> ? T : never

test('no healthy subscription waits longer than it may, whatever the others answer', () => {
  fc.assert(
    fc.property(world, (drawn) => {
      const waits = play(drawn)
      const longest = Math.max(0, ...waits)
      assert.ok(longest <= mostWaitMs, `a healthy subscription waited ${longest} ms`)
    }),
    { numRuns: depth(100, 2000) },
  )
})

test('one that refuses keeps no new one waiting, and is itself tried again', () => {
  const list = [{ ms: 5, status: 200 }]
  const refuses = [{ ms: 5, status: 503, waitMs: 1000 }]
  const waits = play({
    subscriptions: [
      { organization: 0, host: 0, second: 0, answers: { isGood: true, list } },
      { organization: 0, host: 0, second: 0, answers: { isGood: false, list: refuses } },
      { organization: 0, host: 0, second: 9, answers: { isGood: true, list } },
    ],
    events: [100, 10_000],
    rate: { from: 20, most: 1000 },
    places: { from: 10, most: 100 },
    ofOrganization: 200,
  })
  assert.equal(waits.length, 3)
  assert.ok(Math.max(...waits) <= tickMs, String(waits))
})

test('one that answers once while an older request of it hangs does not keep all places for new ones', () => {
  const hangs = { ms: timeoutMs, status: 0 }
  const quick = { ms: 1, status: 200 }
  const waits = play({
    subscriptions: [
      { organization: 0, host: 0, second: 0, answers: { isGood: true, list: [quick] } },
      {
        organization: 0,
        host: 0,
        second: 0,
        answers: { isGood: false, list: [hangs, hangs, quick] },
      },
    ],
    events: [...Array<number>(4).fill(0), ...Array<number>(12).fill(191), 16_021],
    rate: { from: 20, most: 1000 },
    places: 10,
    ofOrganization: 200,
  })
  assert.ok(Math.max(...waits) <= mostWaitMs, String(waits))
})

/**
 * Sends by the worker's own functions at a clock of the test, which calls them only when the worker would: something
 * is due, a request has ended, or the time has come at which a lane looks again. How long the deliveries of
 * healthy subscriptions waited, in ms.
 */
function play({ subscriptions, events, rate, places, ofOrganization }: World): number[] {
  let now = 1000
  const begun = now
  // a mock would keep each of millions of calls, with its stack
  performance.now = () => now
  const config = { webhookConcurrency: 2000, webhookOrganizationConcurrency: ofOrganization }
  const worker = {
    runtime: { config },
    transport: { limits: hostLimits({ ratePerSecond: rate, concurrency: places }) },
    lanes: new Map(),
    blocked: new Set(),
    inFlight: 0,
  } as unknown as DeliveryWorker
  const due: { at: number; nth: number; delivery: Claimed }[] = []
  for (const at of events)
    for (const [nth, { second }] of subscriptions.entries())
      if (at >= second * 1000)
        due.push({ at: begun + at, nth, delivery: { id: `${at} ${nth}`, attempts: 0 } as Claimed })
  const landings: { at: number; line: Line; flight: Flight; lane: Lane; answer: Answer }[] = []
  const lookAt = new Map<Lane, number>()
  const queuedAt = new Map<string, number>()
  const nextAnswer = subscriptions.map(() => 0)
  const waits: number[] = []

  function dispatch(lane: Lane) {
    const { picked, again } = pick(worker, lane)
    lookAt.set(lane, Math.min(again, lookAt.get(lane) ?? Infinity))
    for (const { delivery, line, flight } of picked) {
      const nth = Number(line.subscription.id)
      const { isGood, list } = subscriptions[nth]!.answers
      if (isGood) waits.push(now - queuedAt.get(delivery.id)!)
      flight.permit.start()
      const answer = list[nextAnswer[nth]!++ % list.length]!
      const landing = { at: now + answer.ms, line, flight, lane, answer }
      landings.push(landing)
      flight.cancel = () => {
        landings.splice(landings.indexOf(landing), 1)
        land(worker, lane, { line, flight })
        due.push({ at: now, nth, delivery })
      }
      if (answer.status === 200) continue
      const retry = retriesMs[delivery.attempts]
      const again = { ...delivery, id: `${delivery.id}'`, attempts: delivery.attempts + 1 }
      if (retry !== undefined) due.push({ at: now + answer.ms + retry, nth, delivery: again })
    }
  }

  const last = begun + Math.max(0, ...events) + 10_000
  for (; now < last; now += tickMs) {
    const changed = new Set<Lane>()
    for (const each of landings.filter(({ at }) => at <= now)) {
      landings.splice(landings.indexOf(each), 1)
      const { status, ms, waitMs } = each.answer
      land(worker, each.lane, each, { status, ms, waitMs, isDelivered: status === 200 })
      changed.add(each.lane)
    }
    for (const each of due.filter(({ at }) => at <= now)) {
      due.splice(due.indexOf(each), 1)
      const { organization, host } = subscriptions[each.nth]!
      const lane = laneOf(worker, `organization ${organization}`)
      const url = `https://h${host}.test/${each.nth}`
      const subscription = { id: String(each.nth), url, failures: 0 } as Due
      queuedAt.set(each.delivery.id, now)
      addToLine(lineFor(lane, subscription), each.delivery, subscription)
      changed.add(lane)
    }
    for (const lane of worker.lanes.values()) {
      if (now % 100 === 0) {
        if (demoteSlow(lane)) changed.add(lane)
        const before = lane.inFlight
        breakOffSlow(worker, lane)
        if (lane.inFlight !== before) changed.add(lane)
      }
      if ((lookAt.get(lane) ?? Infinity) <= now) {
        lookAt.delete(lane)
        changed.add(lane)
      }
    }
    for (const lane of changed) dispatch(lane)
  }
  Reflect.deleteProperty(performance, 'now')
  for (const lane of worker.lanes.values())
    for (const line of lane.lines.values())
      if (subscriptions[Number(line.subscription.id)]!.answers.isGood)
        for (const { id } of line.waiting) waits.push(now - queuedAt.get(id)!)
  return waits
}
