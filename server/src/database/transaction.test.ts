import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, silent } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { sql } from '../kit/ground/sql.ts'
import { usualLanes } from '../kit/ground/limits.ts'
import { connect } from './connect.ts'

test('each transaction is bound to its organization, whatever the one before came to', async () => {
  const { url } = await freshDatabase()
  // all on one connection
  const database = connect({ url, log: silent, role: null, writers: 1, lanes: usualLanes })
  atEnd(() => database.close())
  const found = async (organization: string) => {
    const row = await database.transaction(organization, (queries) =>
      queries.one<{ organization: string; pid: number }>(
        sql`select current_setting('app.organization', true) as organization, pg_backend_pid() as pid`,
      ),
    )
    return row!
  }
  const { pid } = await found('a')
  const bound = async (organization: string) => {
    assert.deepEqual(await found(organization), { organization, pid })
  }
  const fail = (organization: string) =>
    assert.rejects(
      database.transaction(organization, async (queries) => {
        await queries.run(sql`select 1`)
        throw new Error('refused')
      }),
      /refused/,
    )
  await bound('a')
  await bound('b')
  // the rollback takes the connection back to the one before
  await fail('a')
  await bound('a')
  await fail('b')
  await bound('b')
  await fail('b')
  await bound('a')
  // an error of PostgreSQL, and of a statement that nobody waits for
  await assert.rejects(database.transaction('c', (queries) => queries.run(sql`select 1 / 0`)))
  await bound('a')
  await assert.rejects(
    database.transaction('c', async (queries) => queries.later(sql`select 1 / 0`)),
  )
  await bound('c')
  // one that was committed, though the service failed over an answer
  await assert.rejects(
    database.transaction('d', async (queries) =>
      queries.later(sql`select 1`, () => {
        throw new Error('refused')
      }),
    ),
  )
  await bound('c')
  // no query comes before what a transaction begins with, on a connection that is set too
  for (const organization of ['c', 'd']) {
    await database.transaction(organization, (queries) =>
      queries.run(sql`set transaction isolation level repeatable read`),
    )
  }
})
