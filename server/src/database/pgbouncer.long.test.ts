import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { environment, freePort } from '../../test/support/killed.ts'
import { freshFolder, runProgram, startServer } from '../../test/support/program.ts'
import { until } from '../../test/support/until.ts'

// A real PgBouncer in transaction mode, where one is installed. It gives each transaction another
// connection and drops what a connection was started with, which the service rests on.

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0

/** The user that PgBouncer runs as: it refuses to be root. */
const nobody = 65_534

/** Starts PgBouncer before a database; gives the address to reach it there. */
async function startBouncer(url: string, settings: string[]): Promise<string> {
  const port = await freePort()
  const { hostname, port: behind, username, password, pathname } = new URL(url)
  const folder = freshFolder()
  const users = join(folder, 'users.txt')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${behind}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      ...settings,
    ].join('\n'),
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const each of [folder, users, file]) chownSync(each, nobody, nobody)
  chmodSync(folder, 0o755)
  const child = spawn('pgbouncer', [file], {
    stdio: 'ignore',
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  const ended = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await until(async () => {
    const socket = connectTo(port, '127.0.0.1')
    const isUp = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    return isUp
  })
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(port)
  assert.ok(pathname.length > 1)
  return through.href
}

async function tablesInPublic(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ tables: number }>(
    `select count(*)::int as tables from pg_tables where schemaname = 'public'`,
  )
  await client.end()
  return rows[0]!.tables
}

describe('PgBouncer in transaction mode', { skip: !isInstalled && 'it is not installed' }, () => {
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
