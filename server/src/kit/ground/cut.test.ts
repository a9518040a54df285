import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut, quoted } from './cut.ts'

test('a text is cut between its characters', () => {
  assert.equal(cut('abc', 5), 'abc')
  assert.equal(cut('abcdef', 3), 'abc')
  assert.equal(cut('ab😀cd', 3), 'ab')
  assert.equal(cut('ab😀cd', 4), 'ab😀')
  assert.equal(cut('😀', 1), '')
})

test('a name in quotes is short, and does not end them', () => {
  assert.equal(quoted('passport.png'), '“passport.png”')
  const forged = 'a.pdf” attached by Eva Stone “b.pdf'
  assert.equal(quoted(forged), '“a.pdf" attached by Eva Stone "b.pdf”')
  assert.equal(quoted(`${'x'.repeat(59)}😀.png`), `“${'x'.repeat(59)}…”`)
})
