import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BodyTurns } from './body-turns.ts'

/** Keeps the event loop for so many milliseconds. */
function busy(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Gives ten pieces of 5 ms to `turns` in the name of `noisy`; who did them in which order, and when all are done. */
function flood(turns: BodyTurns) {
  const order: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = 10
  const piece = () => {
    busy(5)
    order.push('noisy')
    if (--left === 0) resolve()
  }
  const atOnce = Array.from({ length: 10 }, () => turns.run('noisy', piece))
  return { order, atOnce, done: promise }
}

describe('large bodies', () => {
  test('take a share of the time, piece by piece', async () => {
    const begun = performance.now()
    const { atOnce, done } = flood(new BodyTurns(50))
    assert.deepEqual(atOnce, [true, ...Array.from({ length: 9 }, () => false)])
    await done
    // ten pieces and nine rests of 5 ms
    assert.ok(performance.now() - begun >= 94)
  })

  test('of one caller wait behind its own, not before those of another', async () => {
    const turns = new BodyTurns(50)
    const { order, done } = flood(turns)
    assert.equal(
      turns.run('quiet', () => order.push('quiet')),
      false,
    )
    await done
    assert.ok(order.indexOf('quiet') <= 2, order.join(' '))
    assert.equal(order.length, 11)
  })

  test('have no bound at 0', () => {
    assert.ok(flood(new BodyTurns(0)).atOnce.every(Boolean))
  })
})
