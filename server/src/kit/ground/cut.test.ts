import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut } from './cut.ts'

test('a text is cut between its characters', () => {
  assert.equal(cut('abc', 5), 'abc')
  assert.equal(cut('abcdef', 3), 'abc')
  assert.equal(cut('ab😀cd', 3), 'ab')
  assert.equal(cut('ab😀cd', 4), 'ab😀')
  assert.equal(cut('😀', 1), '')
})
