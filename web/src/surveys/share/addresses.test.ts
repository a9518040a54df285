import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesIn } from './addresses.ts'

test('addresses are found in lists as people paste them, each once', () => {
  const text = 'Ada Byron <ada@acme.test>; bob@acme.test,\nADA@acme.test  wrong@\tjoe@acme'
  assert.deepEqual(addressesIn(text), {
    addresses: ['ada@acme.test', 'bob@acme.test'],
    wrong: ['wrong@', 'joe@acme'],
  })
})
