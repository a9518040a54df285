import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spentIn, spentText } from './spent.ts'

test('how long something took is read as people write it', () => {
  const hours: [string, number | null][] = [
    ['2h 30m', 2.5],
    ['2 h 30 min', 2.5],
    ['2h30m', 2.5],
    ['2:30', 2.5],
    ['90m', 1.5],
    ['16', 16],
    ['1.5', 1.5],
    ['1,5 h', 1.5],
    ['2d', 16],
    ['1 day 2 hours', 10],
    ['0', 0],
    ['', null],
    ['soon', null],
    ['2h x', null],
    ['2:75', null],
    ['-1h', null],
  ]
  for (const [text, expected] of hours) {
    assert.equal(spentIn(text), expected === null ? null : expected * 3600, text)
  }
})

test('what a field shows is read as the same', () => {
  for (const seconds of [60, 3600, 5400, 9000, 90_000]) {
    assert.equal(spentIn(spentText(seconds)), seconds)
  }
  assert.deepEqual([spentText(9000), spentText(7200), spentText(20)], ['2h 30m', '2h', '0m'])
})
