import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { everyNth, ticksOf } from './scale.ts'

describe('the axis of a chart', () => {
  test('has round steps that reach over all values', () => {
    assert.deepEqual(ticksOf([3, 17, 9]), [0, 5, 10, 15, 20])
    assert.deepEqual(ticksOf([62_000, 118_000]), [0, 50_000, 100_000, 150_000])
    assert.deepEqual(ticksOf([-40, 30]), [-40, -20, 0, 20, 40])
    assert.deepEqual(ticksOf([0.1, 0.3]), [0, 0.1, 0.2, 0.3])
  })

  test('has whole steps for counts, and stands for nothing too', () => {
    assert.deepEqual(ticksOf([1, 1]), [0, 1])
    assert.deepEqual(ticksOf([0, 0]), [0, 1])
    assert.deepEqual(ticksOf([]), [0, 1])
  })

  test('leaves labels out that would not fit', () => {
    assert.equal(everyNth(6, 600, 60), 1)
    assert.equal(everyNth(30, 600, 60), 3)
  })
})
