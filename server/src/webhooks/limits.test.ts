import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostLimits, type HostLimits } from './limits.ts'

function clock() {
  let time = 5000
  return { now: () => time, pass: (ms: number) => void (time += ms) }
}

function granted(limits: HostLimits, organization = 'org', host = 'a.test'): () => void {
  const permit = limits.acquire(organization, host)
  assert.ok(permit.granted)
  return permit.release
}

const refused = (waitMs: number | null) => ({ granted: false, waitMs })

test('twenty requests may start in a second, the next one when the first is a second old', () => {
  const { now, pass } = clock()
  const limits = hostLimits({ now })
  for (let i = 0; i < 20; i++) {
    granted(limits)()
    pass(10)
  }
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(800))
  pass(799)
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(1))
  pass(1)
  granted(limits)
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(10))
})

test('ten may be in flight, the next one as soon as one of them ends', () => {
  const limits = hostLimits({ now: clock().now })
  const releases = Array.from({ length: 10 }, () => granted(limits))
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(null))
  releases[3]!()
  granted(limits)
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(null))
})

test('releasing twice frees one place only', () => {
  const limits = hostLimits({ concurrency: 2, now: clock().now })
  const release = granted(limits)
  granted(limits)
  release()
  release()
  granted(limits)
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(null))
})

test('a full host holds up neither other hosts nor other organizations', () => {
  const limits = hostLimits({ concurrency: 1, ratePerSecond: 1, now: clock().now })
  granted(limits, 'org', 'slow.test')
  assert.deepEqual(limits.acquire('org', 'slow.test'), refused(null))
  granted(limits, 'org', 'other.test')
  granted(limits, 'other', 'slow.test')
})

test('upper case and a trailing dot are no way to a second account', () => {
  const limits = hostLimits({ concurrency: 1, now: clock().now })
  granted(limits, 'org', 'a.test')
  assert.deepEqual(limits.acquire('org', 'A.TEST'), refused(null))
  assert.deepEqual(limits.acquire('org', 'a.test.'), refused(null))
})

test('room says how long to wait, as a refusal would', () => {
  const { now, pass } = clock()
  const limits = hostLimits({ concurrency: 2, ratePerSecond: 3, now })
  assert.deepEqual(limits.room('org', 'a.test', 1), { free: 1, waitMs: 0 })
  assert.deepEqual(limits.room('org', 'a.test', 10), { free: 2, waitMs: 0 })
  const [first, second] = [granted(limits), granted(limits)]
  assert.deepEqual(limits.room('org', 'a.test', 10), { free: 0, waitMs: null })
  first()
  second()
  granted(limits)
  pass(400)
  assert.deepEqual(limits.room('org', 'a.test', 10), { free: 0, waitMs: 600 })
})

test('zero switches a limit off', () => {
  const limits = hostLimits({ ratePerSecond: 0, concurrency: 0, now: clock().now })
  assert.deepEqual(limits.room('org', 'a.test', 10), { free: 10, waitMs: 0 })
  for (let i = 0; i < 1000; i++) granted(limits)
})

test('hosts that are no longer used are forgotten, those with a request in flight are not', () => {
  const { now, pass } = clock()
  const limits = hostLimits({ concurrency: 1, now })
  for (let i = 0; i < 1000; i++) granted(limits, 'org', `h${i}.test`)()
  const release = granted(limits, 'org', 'held.test')
  assert.equal(limits.size(), 1001)

  pass(1000)
  assert.deepEqual(limits.acquire('org', 'held.test'), refused(null))
  assert.equal(limits.size(), 1)

  release()
  granted(limits, 'org', 'new.test')
  assert.equal(limits.size(), 1)
})

test('whatever the order of starts and ends, neither limit is ever passed', () => {
  const step = fc.record({ pause: fc.integer({ min: 0, max: 400 }), end: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { now, pass } = clock()
      const limits = hostLimits({ ratePerSecond: 5, concurrency: 3, now })
      const starts: number[] = []
      const running: (() => void)[] = []
      for (const { pause, end } of steps) {
        pass(pause)
        if (end) running.shift()?.()
        const recent = starts.filter((start) => now() - start < 1000).length
        const { free } = limits.room('org', 'a.test', 10)
        assert.equal(free, Math.max(0, Math.min(3 - running.length, 5 - recent)))
        const permit = limits.acquire('org', 'a.test')
        assert.equal(permit.granted, free > 0)
        if (!permit.granted) continue
        starts.push(now())
        running.push(permit.release)
      }
    }),
  )
})

const adaptive = { ratePerSecond: { from: 20, most: 1000 }, concurrency: { from: 10, most: 100 } }

/** Sends all that the limits let through for so many seconds; how many a second that was. */
function play(
  limits: HostLimits,
  pass: (ms: number) => void,
  seconds: number,
  answer: (nth: number) => number,
  ms: (second: number) => number = () => 10,
) {
  const counts: number[] = []
  for (let second = 0; second < seconds; second++) {
    let count = 0
    for (let tick = 0; tick < 100; tick++) {
      const releases: ((answer: { status: number; ms: number }) => void)[] = []
      for (;;) {
        const permit = limits.acquire('org', 'a.test')
        if (!permit.granted) break
        releases.push(permit.release)
      }
      pass(10)
      for (const release of releases) release({ status: answer(count++), ms: ms(second) })
    }
    counts.push(count)
  }
  return counts
}

test('an adaptive limit begins as it says and grows while a host keeps up', () => {
  const { now, pass } = clock()
  const counts = play(hostLimits({ ...adaptive, now }), pass, 5, () => 200)
  assert.equal(counts[0], 20)
  assert.ok(counts[3]! > 900 && Math.max(...counts) <= 1000, String(counts))
})

test('an adaptive limit shrinks while a host answers late, however many answers there are', () => {
  const { now, pass } = clock()
  // from the sixth second on a hundred times as late as before
  const late = (second: number) => (second < 5 ? 10 : 1000)
  const counts = play(hostLimits({ ...adaptive, now }), pass, 15, () => 200, late)
  assert.ok(counts[4]! > 900, String(counts))
  assert.ok(Math.max(...counts.slice(10)) < 300, String(counts))
})

test('neither late answers nor refusals take from a host what its limits begin with', () => {
  const { now, pass } = clock()
  const limits = hostLimits({ ...adaptive, now })
  const counts = play(
    limits,
    pass,
    30,
    (nth) => (nth % 2 ? 503 : 200),
    () => 900,
  )
  assert.ok(Math.min(...counts) >= 20, String(counts))
})

test('slow subscriptions leave the others their places', () => {
  const { now } = clock()
  const limits = hostLimits({ ratePerSecond: 0, concurrency: { from: 10, most: 100 }, now })
  const permits = Array.from({ length: 10 }, () => limits.acquire('org', 'a.test'))
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(null))
  for (const permit of permits) if (permit.granted) permit.demote()
  granted(limits)
  const more = Array.from({ length: 100 }, () => limits.acquire('org', 'a.test', { isSlow: true }))
  assert.equal(more.filter((permit) => permit.granted).length, 40)
  granted(limits)
})

test('slow subscriptions have a third of a fixed limit', () => {
  const { now } = clock()
  const limits = hostLimits({ ratePerSecond: 0, concurrency: 9, now })
  const slow = Array.from({ length: 9 }, () => limits.acquire('org', 'a.test', { isSlow: true }))
  assert.equal(slow.filter((permit) => permit.granted).length, 3)
  for (let i = 0; i < 6; i++) granted(limits)
  assert.deepEqual(limits.acquire('org', 'a.test'), refused(null))
})
