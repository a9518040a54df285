import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce, beside, eachValue } from './steps.ts'

const doubled = () => eachValue({ a: 1, b: 2, c: 3 }, (value, key) => `${key}${value * 2}`)
const result = { a: 'a2', b: 'b4', c: 'c6' }

test('steps make the same at once and beside other work, which gets its turns', async () => {
  assert.deepEqual(atOnce(doubled()), result)
  let turns = 0
  const others = setInterval(() => turns++)
  const count = () => setImmediate(() => turns++)
  const making = beside(
    (function* () {
      for (let i = 0; i < 20; i++) {
        count()
        yield
      }
      return yield* doubled()
    })(),
  )
  assert.deepEqual(await making, result)
  clearInterval(others)
  assert.ok(turns >= 20, `${turns} turns`)
})

test('what a step throws is thrown to the caller', async () => {
  const failing = () => eachValue({ a: 1 }, () => assert.fail('no'))
  assert.throws(() => atOnce(failing()), /no/)
  await assert.rejects(beside(failing()), /no/)
})
