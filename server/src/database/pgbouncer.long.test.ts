import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { environment } from '../../test/support/killed.ts'
import { noBouncer, startBouncer } from '../../test/support/pgbouncer.ts'
import { runProgram, startServer } from '../../test/support/program.ts'

// A real PgBouncer in transaction mode, where one is installed. It gives each transaction another
// connection and drops what a connection was started with, which the service rests on.

async function tablesInPublic(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ tables: number }>(
    `select count(*)::int as tables from pg_tables where schemaname = 'public'`,
  )
  await client.end()
  return rows[0]!.tables
}

describe('PgBouncer in transaction mode', { skip: noBouncer }, () => {
  const kinds = [
    { drops: 'refuses the settings of connections', settings: [], says: /options/ },
    {
      drops: 'drops the settings of connections',
      settings: ['ignore_startup_parameters = options,extra_float_digits'],
      says: /drops the settings; connect to PostgreSQL itself/,
    },
  ]
  for (const { drops, settings, says } of kinds) {
    test(`that ${drops} stops the start in one sentence, and nothing is left behind`, async () => {
      const { url } = await freshDatabase()
      const through = await startBouncer(url, settings)
      const before = await tablesInPublic(url)
      const pooled = { ...environment(url), DATABASE_URL: through, DATABASE_LISTEN_URL: url }
      for (let i = 0; i < 2; i++) {
        const { status, err } = await runProgram(['serve'], { ...pooled, PORT: '0' })
        assert.equal(status, 1)
        assert.match(err, /^perennial: [^\n]*\n$/)
        assert.match(err, says)
      }
      assert.equal(await tablesInPublic(url), before)
      // no lock of a start that failed stays on a connection of the pooler
      const server = await startServer(environment(url))
      assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    })
  }

  test('that stands beside PostgreSQL itself in DATABASE_POOLER_URL carries the service', async () => {
    const { url } = await freshDatabase()
    const through = await startBouncer(url, ['default_pool_size = 24'])
    const pooled = { ...environment(url), DATABASE_POOLER_URL: through }
    const server = await startServer(pooled)
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    const made = await runProgram(['demo', '--json'], pooled)
    assert.equal(made.status, 0, made.err)
    const { email, password } = JSON.parse(made.out) as { email: string; password: string }
    const login = await fetch(`${server.url}/api/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    assert.equal(login.status, 200)
    const { access_token } = (await login.json()) as { access_token: string }
    const list = await fetch(`${server.url}/api/company/?page=1&items_per_page=3`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    assert.equal(((await list.json()) as unknown[]).length, 3)
  })

  test('that drops settings does not keep migrations of an empty database from their schema', async () => {
    const { url } = await freshDatabase()
    const name = `empty_${process.pid}`
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create database ${name} template template0 encoding 'UTF8'`)
    atEnd(async () => {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    })
    const empty = new URL(url)
    empty.pathname = `/${name}`
    const through = await startBouncer(empty.href, [
      'ignore_startup_parameters = options,extra_float_digits',
    ])
    await runProgram(['migrate'], { ...environment(empty.href), DATABASE_URL: through })
    assert.equal(await tablesInPublic(empty.href), 0)
  })
})
