import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, silent } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { until } from '../../test/support/until.ts'
import { connect } from './connect.ts'
import { namesSender, onNames } from './names.ts'

const channel = 'perennial_test_names'

/** Two processes on one database, and what the second one receives: payloads, and the names in them. */
async function two() {
  const { url, database: first } = await freshDatabase()
  const second = connect({ url, log: silent, role: first.role })
  atEnd(() => second.close())
  const payloads: (string | null)[] = []
  const names: (string | null)[] = []
  onNames(
    {
      listen: (name, notified) =>
        second.listen(name, (payload) => {
          payloads.push(payload)
          notified(payload)
        }),
    },
    channel,
    (name) => names.push(name),
  )
  await until(() => second.isListening())
  payloads.length = 0
  names.length = 0
  return { first, second, payloads, names }
}

test('names of a moment arrive in another process, each once, in one notification', async () => {
  const { first, payloads, names } = await two()
  const send = namesSender(first, channel, 5)
  for (const name of ['a', 'b', 'a', 'c']) send(name)
  await until(() => names.length >= 3)
  assert.deepEqual(names, ['a', 'b', 'c'])
  assert.deepEqual(payloads, ['a b c'])
  // and a name that was sent may be sent again
  send('a')
  await until(() => names.length >= 4)
  assert.deepEqual(payloads, ['a b c', 'a'])
})

test('more names than a notification takes arrive in several', async () => {
  const { first, payloads, names } = await two()
  const send = namesSender(first, channel, 5)
  const many = Array.from({ length: 1000 }, (_, n) => `${'x'.repeat(20)}${n}`)
  for (const name of many) send(name)
  await until(() => names.length >= many.length)
  assert.deepEqual(names, many)
  assert.ok(payloads.length <= 4, `${payloads.length} notifications`)
})

test('a name that cannot be sent fails nothing, and those after it arrive', async () => {
  const { first, names } = await two()
  const send = namesSender(first, channel, 1)
  send('x'.repeat(9000))
  send('after')
  await until(() => names.length >= 1)
  assert.deepEqual(names, ['after'])
})

test('listeners learn that some may have been missed', () => {
  const names: (string | null)[] = []
  let notified: ((payload: string | null) => void) | undefined
  onNames({ listen: (_channel, call) => (notified = call) }, channel, (name) => names.push(name))
  notified!(null)
  assert.deepEqual(names, [null])
})
