import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostBound } from '../config.ts'
import { hostLimits } from './limits.ts'
import { breakOffSlow, demoteSlow } from './demote.ts'
import { addToLine, land, lineFor, pick } from './lines.ts'
import type { Claimed, Due } from './queue.ts'
import type { DeliveryWorker, Lane, Line } from './worker.ts'
import { laneOf } from './worker.ts'

const adaptive = { from: 10, most: 100 }

/** A worker without a database, and its lane with so many lines on one host or on one each. */
function setting(
  count: number,
  {
    places = adaptive,
    ofOrganization = 200,
    failures = 0,
    hostOf = () => 'a.test',
  }: {
    places?: HostBound
    ofOrganization?: number
    failures?: number
    hostOf?: (nth: number) => string
  } = {},
) {
  const limits = hostLimits({ ratePerSecond: 0, concurrency: places })
  const config = { webhookConcurrency: 2000, webhookOrganizationConcurrency: ofOrganization }
  const worker = {
    runtime: { config },
    transport: { limits },
    lanes: new Map(),
    blocked: new Set(),
    inFlight: 0,
  } as unknown as DeliveryWorker
  const lane = laneOf(worker, 'org')
  const lines = Array.from({ length: count }, (_, nth) => {
    const due = { id: `s${nth}`, url: `https://${hostOf(nth)}/${nth}`, failures } as Due
    const line = lineFor(lane, due)
    for (let i = 0; i < 50; i++) addToLine(line, { id: `${nth} ${i}` } as Claimed, due)
    return line
  })
  return { worker, lane, lines }
}

const perLine = (lines: Line[]) => lines.map(({ flights }) => flights.size)

/** What is under way has been for so long. */
function age(lines: Line[], ms: number) {
  for (const { flights } of lines) for (const flight of flights) flight.startedAt -= ms
}

function answerAll(worker: DeliveryWorker, lane: Lane, lines: Line[]) {
  for (const line of lines)
    for (const flight of line.flights)
      land(worker, lane, { line, flight }, { status: 200, ms: 5, isDelivered: true })
}

test('subscriptions of one host take turns', () => {
  const { worker, lane, lines } = setting(5)
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [2, 2, 2, 2, 2])
})

test('alone on its host, a subscription has all places', () => {
  const { worker, lane, lines } = setting(1)
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [10])
})

test('of many hosts, those with the fewest requests in flight come first', () => {
  const { worker, lane, lines } = setting(50, { hostOf: (nth) => `h${nth}.test` })
  for (const line of lines.slice(1)) line.flights.add({} as never)
  lane.inFlight = 199
  const { picked } = pick(worker, lane)
  assert.deepEqual(
    picked.map(({ line }) => line.subscription.id),
    ['s0'],
  )
})

test('hanging subscriptions are marked as slow, and the others get the places of the host back', () => {
  const { worker, lane, lines } = setting(10)
  const [hanging, good] = [lines.slice(0, 4), lines.slice(4)]
  pick(worker, lane)
  answerAll(worker, lane, good)
  age(hanging, 2000)
  assert.ok(demoteSlow(lane))
  pick(worker, lane)
  assert.deepEqual(
    hanging.map(({ isSlow }) => isSlow),
    [true, true, true, true],
  )
  assert.equal(
    good.reduce((sum, { flights }) => sum + flights.size, 0),
    10,
  )
  assert.ok(hanging.every(({ flights }) => flights.size === 1))
})

test('an answer in time puts a subscription back in line', () => {
  const { worker, lane, lines } = setting(2)
  pick(worker, lane)
  age(lines, 2000)
  demoteSlow(lane)
  answerAll(worker, lane, lines)
  assert.deepEqual(
    lines.map(({ isSlow }) => isSlow),
    [false, false],
  )
  assert.deepEqual([lane.slow, lane.inFlight, worker.inFlight], [0, 0, 0])
})

test('one that another process saw failing begins out of line', () => {
  const { worker, lane, lines } = setting(3, { failures: 2 })
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [1, 1, 1])
})

test('after many failures in a row one request at a time is tried', () => {
  const { worker, lane, lines } = setting(1, { failures: 10 })
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [1])
})

test('slow hosts leave the others of their organization some of its places', () => {
  const { worker, lane, lines } = setting(41, {
    places: 4,
    ofOrganization: 40,
    hostOf: (nth) => `h${nth}.test`,
  })
  const good = lines[40]!
  good.isProven = true
  for (const line of lines.slice(0, 40)) line.isSlow = true
  const { picked } = pick(worker, lane)
  assert.equal(good.flights.size, 4)
  assert.equal(picked.length, 30 + 4)
})

test('a receiver that wants fewer requests gets none for a while, and the others do', () => {
  const { worker, lane, lines } = setting(2)
  pick(worker, lane)
  const [first, second] = lines as [Line, Line]
  for (const flight of first.flights) {
    const answer = { status: 429, ms: 5, isDelivered: false, waitMs: 30_000 }
    land(worker, lane, { line: first, flight }, answer)
  }
  answerAll(worker, lane, [second])
  const next = pick(worker, lane)
  assert.equal(first.flights.size, 0)
  assert.ok(second.flights.size > 0)
  // the second, which waits for a place, is looked at again in any case
  assert.ok(next.again <= performance.now() + 1000)
  second.waiting = []
  const { again } = pick(worker, lane)
  assert.ok(again > performance.now() + 29_000)
})

test('a receiver that refuses gets half as many at once afterwards, and one more after as many answers', () => {
  const { worker, lane, lines } = setting(1)
  const [line] = lines as [Line]
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [10])
  for (const flight of line.flights) {
    land(worker, lane, { line, flight }, { status: 429, ms: 5, isDelivered: false, waitMs: 1000 })
  }
  line.notBefore = -Infinity
  line.isSlow = false
  line.failures = 0
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [5])
  answerAll(worker, lane, lines)
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [5])
  answerAll(worker, lane, lines)
  pick(worker, lane)
  assert.deepEqual(perLine(lines), [6])
})

test('of those on a host that answer, the ones that wait for longest come first, and one that never has in between', () => {
  const { worker, lane, lines } = setting(4, { places: 1 })
  for (const line of lines.slice(0, 3)) line.isProven = true
  const order: string[] = []
  for (let turn = 0; turn < 5; turn++) {
    const { picked } = pick(worker, lane)
    order.push(...picked.map(({ line }) => line.subscription.id))
    answerAll(worker, lane, lines)
  }
  assert.deepEqual(order, ['s0', 's3', 's1', 's2', 's0'])
})

/** Lets requests be broken off; gives the lines of those that were. */
function cancellable(worker: DeliveryWorker, lane: Lane, lines: Line[]): Line[] {
  const cancelled: Line[] = []
  for (const line of lines) {
    for (const flight of line.flights) {
      flight.cancel = () => {
        cancelled.push(line)
        land(worker, lane, { line, flight })
      }
    }
  }
  return cancelled
}

test('subscriptions that answer in time come before those that never have', () => {
  const { worker, lane, lines } = setting(20)
  const proven = lines.slice(15)
  for (const line of proven) line.isProven = true
  pick(worker, lane)
  assert.ok(proven.every(({ flights }) => flights.size >= 1))
})

test('beside those that answer, subscriptions that never have leave them a quarter of the places', () => {
  for (const places of [12, { from: 12, most: 100 }]) {
    const { worker, lane, lines } = setting(31, { places })
    const good = lines[30]!
    good.isProven = true
    const { waiting } = good
    good.waiting = []
    pick(worker, lane)
    assert.equal(lane.inFlight, 12 - 3)
    good.waiting = waiting
    pick(worker, lane)
    assert.equal(good.flights.size, 3)
  }
})

test('one that has never answered is measured by the others of its host', () => {
  const { worker, lane, lines } = setting(2)
  const [hanging, good] = lines as [Line, Line]
  good.isProven = true
  good.usualMs = 5
  pick(worker, lane)
  answerAll(worker, lane, [good])
  age([hanging], 150)
  assert.equal(demoteSlow(lane), false)
  age([hanging], 100)
  assert.ok(demoteSlow(lane))
  assert.ok(hanging.isSlow && !good.isSlow)
})

test('where hanging requests hold all places of a host, those beyond their share are broken off once', () => {
  const { worker, lane, lines } = setting(30, { places: 12 })
  const [hanging, good] = [lines.slice(0, 12), lines.slice(12)]
  const { picked } = pick(worker, lane)
  assert.ok(picked.every(({ line }) => hanging.includes(line)))
  const cancelled = cancellable(worker, lane, hanging)
  age(hanging, 500)
  demoteSlow(lane)
  breakOffSlow(worker, lane)
  assert.equal(cancelled.length, 0)
  age(hanging, 2000)
  demoteSlow(lane)
  breakOffSlow(worker, lane)
  assert.equal(cancelled.length, 12 - 4)
  pick(worker, lane)
  assert.equal(
    good.reduce((sum, { flights }) => sum + flights.size, 0),
    8,
  )
  // what began out of line may take its time
  answerAll(worker, lane, good)
  const later = cancellable(worker, lane, hanging)
  age(hanging, 2000)
  breakOffSlow(worker, lane)
  assert.equal(later.length, 0)
})

test('nothing is broken off while nobody waits for its place', () => {
  const { worker, lane, lines } = setting(4, { places: 4 })
  for (const line of lines) line.waiting.length = 1
  pick(worker, lane)
  const cancelled = cancellable(worker, lane, lines)
  age(lines, 2000)
  demoteSlow(lane)
  breakOffSlow(worker, lane)
  assert.equal(cancelled.length, 0)
})

test('hosts that hang leave an organization places at their first requests', () => {
  const { worker, lane, lines } = setting(30, {
    ofOrganization: 20,
    hostOf: (nth) => `h${nth}.test`,
  })
  const hanging = lines.slice(0, 29)
  const good = lines[29]!
  const { waiting } = good
  good.waiting = []
  pick(worker, lane)
  assert.equal(lane.inFlight, 20)
  good.waiting = waiting
  const cancelled = cancellable(worker, lane, hanging)
  age(hanging, 2000)
  demoteSlow(lane)
  breakOffSlow(worker, lane)
  assert.equal(cancelled.length, 20 - 15)
  good.isProven = true
  pick(worker, lane)
  assert.ok(good.flights.size > 0)
})

test('hosts that have not answered yet leave places to one that does', () => {
  const { worker, lane, lines } = setting(30, {
    ofOrganization: 20,
    hostOf: (nth) => `h${nth}.test`,
  })
  const good = lines[29]!
  good.isProven = true
  good.waiting.length = 1
  pick(worker, lane)
  assert.equal(good.flights.size, 1)
  assert.ok(lane.inFlight <= 16, `${lane.inFlight} places are taken`)
})
