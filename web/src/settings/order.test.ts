import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moved } from './order.ts'

test('an element goes to its place, the others close up', () => {
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 0, 2), ['b', 'c', 'a', 'd'])
  assert.deepEqual(moved(['a', 'b', 'c', 'd'], 3, 1), ['a', 'd', 'b', 'c'])
})

test('a place beyond the ends is the end', () => {
  assert.deepEqual(moved(['a', 'b'], 0, 9), ['b', 'a'])
  assert.deepEqual(moved(['a', 'b'], 1, -1), ['b', 'a'])
  assert.deepEqual(moved(['a', 'b'], 5, 0), ['a', 'b'])
})
