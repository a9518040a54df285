import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busyKeysOf, namedOf } from './busy-keys.ts'

test('who is free is asked for by addresses, of users without one by their id, and once each', () => {
  const me = { type: 'user', id: 'me', email: 'me@example.com' } as const
  const people = [
    { id: 'u1', name: 'Una', email: 'una@example.com' },
    { id: 'u2', name: 'Otto' },
    { id: 'contact:c1', name: 'Carla', email: 'carla@example.com' },
    { id: 'contact:c2', name: 'Without an address' },
    { id: 'address:eve@example.com', name: 'eve@example.com' },
    { id: 'me', name: 'Me', email: 'me@example.com' },
  ].map(namedOf)
  assert.deepEqual(busyKeysOf([me, ...people]), [
    'me@example.com',
    'una@example.com',
    'u2',
    'carla@example.com',
    'eve@example.com',
  ])
  const many = Array.from({ length: 60 }, (_, at) => namedOf({ id: `u${at}`, name: '' }))
  assert.equal(busyKeysOf([me, ...many]).length, 50)
})
