import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/until.ts'
import { newId } from '../kit/ground/ids.ts'
import { nothingCached, sql } from '../kit/ground/sql.ts'
import { cachedTables, changedChannel, changesCached } from './cached-tables.ts'

describe('a statement changes what processes cache', () => {
  test('if it writes to a table of which they cache rows', () => {
    for (const text of [
      'update users set full_name = $1',
      'UPDATE only "perennial"."roles" t set x = 1',
      'delete\n from sessions t where t.id = $1',
      `with gone as (select 1) delete from apps using gone`,
      `with a as (update grants set revoked_at = now() returning id) select from a`,
      'insert into stages (id) values ($1)',
      'insert into grants (id) values ($1) on conflict (id) do update set scopes = $2',
    ])
      assert.ok(changesCached(text), text)
  })

  test('and not where it reads, writes to another one, or says that it changes nothing cached', () => {
    for (const text of [
      'select from users for update of users',
      'insert into sessions (id) values ($1)',
      'insert into organizations (id) values ($1) on conflict do nothing',
      'update user_profiles set x = 1',
      'delete from apps_of_others',
      '/* nothing cached */ update access_tokens set last_used_at = $1',
    ])
      assert.ok(!changesCached(text), text)
  })
})

test('the tables are those whose triggers notify of what others than the service write', async () => {
  const { database } = await freshDatabase()
  const triggers = await database.reads('*').all<{ table: string; on_insert: boolean }>(sql`
    select tgrelid::regclass::text as table, (tgtype & 4) > 0 as on_insert
    from pg_trigger where tgname = 'tell'`)
  const named = (is: boolean) =>
    triggers.flatMap(({ table, on_insert }) => (on_insert === is ? [table] : [])).toSorted()
  // on Citus there are none
  if (!triggers.length) return
  assert.deepEqual(named(true), cachedTables.always.toSorted())
  assert.deepEqual(named(false), cachedTables.unlessInserted.toSorted())
})

test('no row of them is removed with a row of a table that nobody is notified of', async () => {
  const { database } = await freshDatabase()
  const cached = [...cachedTables.always, ...cachedTables.unlessInserted]
  const cascades = await database.reads('*').all<{ parent: string; child: string }>(sql`
    select confrelid::regclass::text as parent, conrelid::regclass::text as child
    from pg_constraint where contype = 'f' and confdeltype <> 'a'
      and connamespace = 'perennial'::regnamespace`)
  assert.ok(cascades.length > 20)
  const unnoticed = cascades.filter(
    ({ parent, child }) => cached.includes(child) && !cached.includes(parent),
  )
  assert.deepEqual(unnoticed, [])
})

test('a transaction notifies with its commit, once, and never when it is rolled back', async () => {
  const { url, database } = await freshDatabase()
  await withoutTriggers(url, ['organizations', 'mail_defaults'])
  const payloads: (string | null)[] = []
  database.listen(changedChannel, (payload) => payloads.push(payload))
  assert.ok(await database.settled(5000))
  payloads.length = 0
  const organization = newId()
  const write = (name: string, fail = false) =>
    database.transaction(organization, async ({ run }) => {
      if (name === 'made')
        await run(
          sql`insert into organizations (organization_id, name) values (${organization}, 'made')`,
        )
      await run(sql`insert into mail_defaults (organization_id) values (${organization})
        on conflict do nothing`)
      await run(
        sql`update organizations set name = ${name} where organization_id = ${organization}`,
      )
      if (fail) throw new Error('no')
    })
  await assert.rejects(write('never', true), /no/)
  await write('made')
  await write('changed')
  await database.transaction(organization, ({ run }) =>
    run(sql`${nothingCached} update organizations set timezone = 'Europe/Paris'
      where organization_id = ${organization}`),
  )
  await database.notify(changedChannel, 'last')
  await until(() => payloads.includes('last'))
  assert.deepEqual(payloads, [organization, organization, 'last'])
})

/** Citus has none, and takes no statement about one. */
async function withoutTriggers(url: string, tables: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ place: string }>(
    `select tgrelid::regclass::text as place from pg_trigger
     where tgname = 'tell' and tgrelid = any($1::regclass[])`,
    [tables.map((table) => `perennial.${table}`)],
  )
  for (const { place } of rows) await client.query(`drop trigger tell on ${place}`)
  await client.end()
}
