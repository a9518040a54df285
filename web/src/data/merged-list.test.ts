import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergedList } from './merged-list.ts'

/** Lists as texts: each letter is a line, and what follows it in brackets is its content. */
const merged = (...sides: [base: string, mine: string, theirs: string]) =>
  mergedList(
    sides.map((side) => side.match(/\w(\[\w+\])?/g) ?? []),
    (line) => line.charAt(0),
  ).join('')

test('a list that two have changed has what both did', () => {
  assert.equal(merged('abc', 'axbc', 'abyc'), 'axbyc')
  assert.equal(merged('abc', 'ab[m]c', 'abc[t]'), 'ab[m]c[t]')
  assert.equal(merged('abc', 'ab[m]c', 'ab[t]c'), 'ab[m]c')
  assert.equal(merged('abc', 'bc', 'abc[t]'), 'bc[t]')
  assert.equal(merged('abc', 'ab[m]c', 'ac'), 'ab[m]c')
})

test('a move stays, whatever the other has added, deleted or moved', () => {
  assert.equal(merged('abc', 'cab', 'abxc'), 'cabx')
  assert.equal(merged('abc', 'abxc', 'cab'), 'cabx')
  assert.equal(merged('abcd', 'abc', 'dcba'), 'cba')
  assert.equal(merged('abcd', 'dcba', 'abc'), 'cba')
  assert.equal(merged('abc', 'bac', 'cab'), 'bac')
})
