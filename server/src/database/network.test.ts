import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, silent } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { type Gate, gateBefore } from '../../test/support/gate.ts'
import { until } from '../../test/support/until.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import type { Failure } from '../kit/ground/errors.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import type { ConnectOptions } from './client.ts'
import type { Database } from './connect.ts'
import { connect } from './connect.ts'

/** A database behind a gate, with what arrives on a channel of it. */
async function behind(
  options: Parameters<typeof gateBefore>[1] = {},
  connecting: Partial<ConnectOptions> = {},
) {
  const direct = await freshDatabase()
  const gate = await gateBefore(direct.url, options)
  const { role } = direct.database
  const database = connect({ url: gate.url, log: silent, role, ...connecting })
  atEnd(() => database.close())
  return { direct: direct.database, gate, database }
}

const one = (database: Database) =>
  database.reads(allOrganizations).one<{ n: number }>(sql`select 1 as n`)
const write = (database: Database) =>
  database.transaction(allOrganizations, (queries) => queries.one(sql`select 1 as n`))
const says = (database: Database, payload: string) =>
  database.transaction(allOrganizations, (queries) =>
    queries.run(sql`select pg_notify('perennial_changed', ${payload})`),
  )

/** Milliseconds until something holds; fails after `most`. */
async function msUntil(holds: () => Promise<boolean> | boolean, most: number): Promise<number> {
  const begun = performance.now()
  for (;;) {
    if (await holds()) return performance.now() - begun
    const ms = performance.now() - begun
    assert.ok(ms < most, `not within ${most} ms`)
    await sleep(20)
  }
}

const works = async (run: Promise<unknown>) =>
  run.then(
    () => true,
    () => false,
  )

describe('a network that swallows packets', () => {
  let gate: Gate
  let database: Database
  let direct: Database
  const payloads: (string | null)[] = []

  before(async () => {
    ;({ gate, database, direct } = await behind())
    database.listen('perennial_changed', (payload) => payloads.push(payload))
    await until(() => database.isListening())
  })

  test('of the open connections: everything works again within 5 s, and missed changes are known', async () => {
    await Promise.all([one(database), write(database), write(database)])
    payloads.length = 0
    gate.swallow()
    await says(direct, 'swallowed')
    const [untrusted, reads, writes] = await Promise.all([
      msUntil(() => payloads.includes(null), 5000),
      msUntil(() => works(one(database)), 5000),
      msUntil(() => works(write(database)), 5000),
    ])
    assert.ok(untrusted && reads && writes)
    await until(() => database.isListening())
    assert.ok(!payloads.includes('swallowed'))
    assert.ok(database.lost() > 0)
    await says(direct, 'after')
    await until(() => payloads.includes('after'))
  })

  test('of all connections: 503 within 5 s, nothing trusted, and back within 5 s of its end', async () => {
    gate.swallow()
    gate.swallowNew(true)
    const begun = performance.now()
    await assert.rejects(one(database), { status: 503 })
    await assert.rejects(write(database), { status: 503 })
    await msUntil(() => !database.isListening(), 5000)
    assert.ok(performance.now() - begun < 10_000)
    gate.swallowNew(false)
    gate.swallow()
    await msUntil(() => works(one(database)), 5000)
    await msUntil(() => works(write(database)), 5000)
    await msUntil(() => database.isListening(), 5000)
  })

  test('a statement has its own time to connect, whatever is left of that of another one', async () => {
    const { gate: closed, database: narrow } = await behind({}, { readers: 1 })
    closed.swallowNew(true)
    const first = one(narrow)
    first.catch(() => {})
    await sleep(1500)
    closed.swallowNew(false)
    assert.deepEqual(await one(narrow), { n: 1 })
    await assert.rejects(first, (failure: Failure) => {
      assert.match(String(failure.cause), /timeout/)
      return failure.status === 503
    })
  })

  test('a slow statement is no silent connection', async () => {
    const lost = database.lost()
    await database.reads(allOrganizations).one(sql`select 1 as n from pg_sleep(4)`)
    await database.transaction(allOrganizations, (queries) => queries.one(sql`select pg_sleep(4)`))
    assert.equal(database.lost(), lost)
  })
})

test('a pooler that passes no NOTIFY on is never taken to be listening', async () => {
  const { gate, direct } = await behind()
  const other = await freshDatabase()
  // the listening connection is of another database, where the heartbeats are not sent
  const database = connect({
    url: gate.url,
    listenUrl: other.url,
    log: silent,
    role: direct.role,
  })
  atEnd(() => database.close())
  let notifications = 0
  database.listen('perennial_changed', () => notifications++)
  assert.equal(await database.settled(2500), false)
  assert.equal(database.isListening(), false)
})

test('connections whose settings are dropped are refused in one sentence', async () => {
  const { database } = await behind({ dropsSettings: true })
  await assert.rejects(database.check(), (error: Error) => {
    assert.ok(error instanceof ConfigError)
    assert.match(error.message, /search_path = .* and not "perennial,public".*pooler/)
    return true
  })
  await assert.rejects(one(database), { status: 503 })
  await assert.rejects(write(database), { status: 503 })
})

test('a user that row-level security does not bind is refused', async () => {
  const { url, database: other } = await freshDatabase()
  if (!other.role) return
  const database = connect({ url, log: silent, role: null })
  atEnd(() => database.close())
  await assert.rejects(database.check(), /not bound by row-level security/)
})
