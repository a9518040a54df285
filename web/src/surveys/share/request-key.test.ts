import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFinal, requestKey } from './request-key.ts'

test('what is sent again has its key, until it has changed or was answered', () => {
  const key = requestKey()
  const first = key.of({ to: ['ada@acme.test'] })
  assert.equal(key.of({ to: ['ada@acme.test'] }), first)
  const other = key.of({ to: ['bob@acme.test'] })
  assert.notEqual(other, first)
  key.renew()
  assert.notEqual(key.of({ to: ['bob@acme.test'] }), other)
})

test('a refusal is final, but not a lost answer or one that is still awaited', () => {
  const final = (status: number, code = '') => isFinal({ status, code })
  assert.ok(final(400) && final(409, 'wrong_move'))
  assert.ok(!final(0) && !final(503) && !final(429) && !final(409, 'in_flight'))
})
