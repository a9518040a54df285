import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matches } from './match.ts'

describe('what is typed', () => {
  test('matches the beginnings of words, in any order', () => {
    assert.ok(matches('New contact', 'con ne'))
    assert.ok(matches('Zoë Müller', 'mul zoe'))
    assert.ok(matches('Import from a file', ''))
    assert.ok(!matches('New contact', 'tact'))
    assert.ok(!matches('New contact', 'new deal'))
  })
})
