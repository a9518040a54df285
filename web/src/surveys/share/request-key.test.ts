import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestKey } from './request-key.ts'

test('what is sent again has its key, until it has changed or was answered', () => {
  const key = requestKey()
  const first = key.of({ to: ['ada@acme.test'] })
  assert.equal(key.of({ to: ['ada@acme.test'] }), first)
  const other = key.of({ to: ['bob@acme.test'] })
  assert.notEqual(other, first)
  key.renew()
  assert.notEqual(key.of({ to: ['bob@acme.test'] }), other)
})
