import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  defaultSchedule,
  firstAttempt,
  nextAttempt,
  parseRetrySchedule,
  type Outcome,
} from './retry.ts'

const middle = 0.5
const after = (attempt: number, outcome: Outcome, random = middle) =>
  nextAttempt({ attempt, schedule: defaultSchedule, outcome, random })

test('a receiver that never answers well is tried eight times over some 28 hours', () => {
  const waits = [firstAttempt(defaultSchedule, middle)]
  for (let attempt = 1; ; attempt++) {
    const next = after(attempt, { status: 500 })
    if (next.state !== 'retry') {
      assert.deepEqual([attempt, next.state], [8, 'exhausted'])
      break
    }
    waits.push(next.afterMs)
  }
  const [second, minute, hour] = [1000, 60_000, 3_600_000]
  assert.deepEqual(waits, [
    0,
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    10 * hour,
  ])
})

test('every wait lies within 20 % of its gap', () => {
  const attempt = fc.integer({ min: 1, max: defaultSchedule.length - 1 })
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(attempt, random, (attempt, random) => {
      const next = after(attempt, { error: 'timeout' }, random)
      assert.ok(next.state === 'retry')
      const ratio = next.afterMs / (defaultSchedule[attempt]! * 1000)
      assert.ok(ratio >= 0.8 && ratio <= 1.2, String(ratio))
    }),
  )
  assert.deepEqual(after(1, { status: 500 }, 0), { state: 'retry', afterMs: 4000 })
})

test('only 2xx is success, and 410 means gone', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.deepEqual(after(1, { status }), { state: 'delivered' })
  }
  assert.deepEqual(after(8, { status: 200 }), { state: 'delivered' })
  assert.deepEqual(after(1, { status: 410 }), { state: 'gone' })
  for (const status of [undefined, 100, 199, 301, 302, 304, 400, 401, 404, 409, 429, 500, 503]) {
    assert.equal(after(1, { status }).state, 'retry', String(status))
  }
})

test('Retry-After on 429 and 503 lengthens the wait, up to twice the gap, and never shortens it', () => {
  for (const status of [429, 503]) {
    const wait = (retryAfterSeconds: number) => after(2, { status, retryAfterSeconds })
    assert.deepEqual(wait(400), { state: 'retry', afterMs: 400_000 })
    assert.deepEqual(wait(600), { state: 'retry', afterMs: 600_000 })
    assert.deepEqual(wait(86_400), { state: 'retry', afterMs: 600_000 })
    assert.deepEqual(wait(0), { state: 'retry', afterMs: 300_000 })
  }
  const elsewhere = after(2, { status: 500, retryAfterSeconds: 400 })
  assert.deepEqual(elsewhere, { state: 'retry', afterMs: 300_000 })
  assert.deepEqual(after(8, { status: 503, retryAfterSeconds: 1 }), { state: 'exhausted' })
})

test('a schedule is read from comma-separated seconds', () => {
  assert.deepEqual(parseRetrySchedule('0,5,300'), [0, 5, 300])
  assert.deepEqual(parseRetrySchedule(' 0 , 0.25 , 1 '), [0, 0.25, 1])
  assert.deepEqual(parseRetrySchedule('0'), [0])
})

test('a wrong schedule is refused with what is wrong and what would be right', () => {
  const wrong: [string, RegExp][] = [
    ['', /has an empty entry/],
    ['0,5,', /has an empty entry/],
    ['0,five', /"five", which is no number/],
    ['0,-5', /"-5", which is no number/],
    ['0,1e3', /"1e3", which is no number/],
    ['0;5', /"0;5", which is no number/],
    ['0,99999999', /"99999999", which is more than 30 days/],
    [Array(51).fill(0).join(), /has 51 entries/],
  ]
  for (const [text, message] of wrong) {
    assert.throws(() => parseRetrySchedule(text), message)
    assert.throws(() => parseRetrySchedule(text), /^Error: WEBHOOK_RETRY_SCHEDULE .* such as "0,5,/)
  }
})
