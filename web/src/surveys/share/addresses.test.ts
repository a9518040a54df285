import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesIn, localTime } from './addresses.ts'

test('addresses are found in lists as people paste them, each once', () => {
  const text = 'Ada Byron <ada@acme.test>; bob@acme.test,\nADA@acme.test  wrong@\tjoe@acme'
  assert.deepEqual(addressesIn(text), {
    addresses: ['ada@acme.test', 'bob@acme.test'],
    wrong: ['wrong@', 'joe@acme'],
  })
})

test('a time is written as the clocks of the zone show it', () => {
  const at = new Date('2026-11-30T23:59:30Z')
  assert.equal(localTime(at, 'UTC'), '2026-11-30T23:59:30')
  assert.equal(localTime(at, 'Europe/Paris'), '2026-12-01T00:59:30')
})
