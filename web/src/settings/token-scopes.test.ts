import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeWords } from './token-scopes.ts'

test('a scope names records as the screens do', () => {
  assert.equal(scopeWords('companies.write'), 'Change companies')
  assert.equal(scopeWords('interactions.read'), 'Read comments')
  assert.equal(scopeWords('calendar.read'), 'Read meetings')
  assert.equal(scopeWords('all.read'), 'Read everything')
})
