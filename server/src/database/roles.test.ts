import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { run } from '../commands/line.ts'
import { at, serverUrl, silent } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { freshFolder } from '../../test/support/program.ts'
import { makeOrganization, call, password, secretKey } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { readConfig } from '../config.ts'
import { sql } from '../kit/ground/sql.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { createService } from '../service.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'

/** A server's user by name, with a password; gone at the end with what it owns. */
type User = { name: string; url(database: string): string }

let admin: string
/** what only the superuser does here */
async function asAdmin(text: string, database?: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: database ? at(admin, database) : admin })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function emptyDatabase(owner?: User): Promise<string> {
  const name = `roles_${randomBytes(5).toString('hex')}`
  await asAdmin(`create database ${name} template template0 encoding 'UTF8'
    ${owner ? `owner ${owner.name}` : ''}`)
  atEnd(async () => void (await asAdmin(`drop database if exists ${name} with (force)`)))
  return name
}

async function newUser(rights = ''): Promise<User> {
  const name = `user_${randomBytes(5).toString('hex')}`
  await asAdmin(`create role ${name} login password 'secret' ${rights}`)
  atEnd(async () => void (await asAdmin(`drop role if exists ${name}`).catch(() => [])))
  return {
    name,
    url(database) {
      const url = new URL(at(admin, database))
      url.username = name
      url.password = 'secret'
      return url.href
    },
  }
}

/** What the service must not be able to do, whatever statement somebody smuggles in. */
const forbidden = [
  'drop table companies',
  'alter table companies disable row level security',
  'alter table companies no force row level security',
  'drop policy tenant on companies',
  `create policy open on companies using (true)`,
  'truncate companies',
  'create table perennial.mine (x int)',
  'create schema mine',
  'create role mine superuser',
  `alter role current_user bypassrls`,
  `update events set title = 'never happened'`,
  'delete from events',
  `insert into migrations (name) values ('9999')`,
  'alter function make_tenant(regclass) security definer',
  'drop table perennial_jobs.queue cascade',
  `copy companies to program 'cat'`,
  `select pg_read_file('postgresql.conf')`,
]

async function cannot(client: pg.Client, others: string[]) {
  for (const text of [...forbidden, ...others]) {
    await assert.rejects(client.query(text), { code: '42501' }, text)
  }
  // without its policies a table is not read at all
  await client.query('set row_security = off')
  await assert.rejects(client.query('select * from companies'), { code: '42501' })
  await client.query('reset row_security')
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=perennial' })
  await client.connect()
  atEnd(() => client.end())
  return client
}

before(async () => {
  admin = await serverUrl()
})

describe('the service’s own user', () => {
  let owner: User
  let service: User
  let database: string

  before(async () => {
    ;[owner, service] = [await newUser(), await newUser()]
    database = await emptyDatabase(owner)
  })

  test('gets its rights from the owner who migrates, and serves with its jobs', async () => {
    const { role, applied } = await migrate(owner.url(database), { user: service.name })
    assert.ok(applied.length)
    assert.equal(role, null)
    const pool = connect({ url: service.url(database), role, log: silent })
    const config = readConfig(
      { LOG_LEVEL: 'silent', DATA_DIR: freshFolder() },
      { max_in_flight: 0 },
    )
    const log = pino({ level: 'silent' })
    const running = await createService({ config, database: pool, secretKey, log })
    const url = await running.app.listen({ port: 0, host: '127.0.0.1' })
    await running.start()
    atEnd(async () => {
      await running.close()
      await pool.close()
    })
    const org = await makeOrganization(running)
    const { token, email } = org.users.admin
    const created = await call(url, 'POST', '/api/company/', { token, body: { company_name: 'A' } })
    assert.equal(created.status, 200, created.text)
    // a mail goes through the queue
    const body = { email }
    assert.equal((await call(url, 'POST', '/api/login/reset/', { body })).status, 200)
    const sent = async () => asAdmin('select from perennial.sent_mails', database)
    await until(async () => (await sent()).length > 0)
    assert.equal((await sent()).length, 1)
    const wrong = { email, password: `not ${password}` }
    assert.equal((await call(url, 'POST', '/api/login/', { body: wrong })).status, 401)
  })

  test('changes no table, lifts no policy, becomes nobody else', async () => {
    const client = await connected(service.url(database))
    await cannot(client, [`set role ${owner.name}`, `set session authorization ${owner.name}`])
    assert.deepEqual((await client.query('select * from companies')).rows, [])
    await client.query('reset role')
    await client.query('set role none')
    await client.query('reset session authorization')
    await cannot(client, [])
  })

  test('starts by itself once the owner has migrated, and not before', async () => {
    assert.deepEqual(await migrate(service.url(database)), {
      applied: [],
      role: null,
      isDistributed: false,
    })
    await asAdmin(`delete from perennial.migrations where name = '0066_openid.sql'`, database)
    await assert.rejects(migrate(service.url(database)), (error: Error) => {
      assert.ok(error instanceof ConfigError)
      return /lacks 1 migrations.+DATABASE_MIGRATE_URL/s.test(error.message)
    })
    await asAdmin(`insert into perennial.migrations (name) values ('0066_openid.sql')`, database)
  })

  test('must not be the owner, nor anybody who bypasses row-level security', async () => {
    const url = owner.url(database)
    const bypassing = await newUser('bypassrls')
    for (const user of [owner.name, bypassing.name, 'nobody_at_all']) {
      await assert.rejects(migrate(url, { user }), ConfigError, user)
    }
  })
})

describe('a single user for both', () => {
  test('takes the role where it can', async () => {
    for (const rights of ['superuser', 'createrole']) {
      const owner = await newUser(rights)
      const database = await emptyDatabase(owner)
      const url = owner.url(database)
      // where another test has made the role, only a superuser grants it to others
      if (rights === 'createrole') await asAdmin(`grant perennial_service to ${owner.name}`)
      const { role } = await migrate(url)
      assert.equal(role, 'perennial_service')
      const pool = connect({ url, role, log: silent })
      atEnd(() => pool.close())
      await assert.rejects(
        pool.transaction('*', (queries) => queries.run(sql`drop table companies`)),
        /permission denied|must be owner/,
      )
      await asAdmin(`drop database ${database} with (force)`)
    }
  })

  test('stops the start where there is no role, unless the operator allows it', async () => {
    const owner = await newUser()
    const database = await emptyDatabase(owner)
    await assert.rejects(migrate(owner.url(database)), (error: Error) => {
      assert.ok(error instanceof ConfigError)
      return /create role perennial_service.+DATABASE_ALLOW_OWNER/s.test(error.message)
    })
    const { role, applied } = await migrate(owner.url(database), { allowOwner: true })
    assert.ok(applied.length)
    assert.equal(role, null)
    const said: string[] = []
    const terminal = {
      out: (text: string) => void said.push(text),
      note: () => {},
      hasColors: false,
    }
    const env = { DATABASE_URL: owner.url(database), DATA_DIR: freshFolder(), PORT: '0' }
    await run(['doctor', '--json'], env, terminal)
    const { findings } = JSON.parse(said.join(''))
    const found = findings.find(({ check }: { check: string }) => check === 'database user')
    assert.equal(found.state, 'warn')
    assert.match(found.advice, /DATABASE_MIGRATE_URL/)
  })
})

describe('the embedded database', () => {
  test('has a login for the service that owns nothing', async () => {
    const database = await emptyDatabase()
    const secret = randomBytes(16).toString('hex')
    const user = 'perennial_service'
    await migrate(at(admin, database), { user, password: secret })
    const url = new URL(at(admin, database))
    url.username = user
    url.password = secret
    const client = await connected(url.href)
    const { rows } = await client.query('select session_user as s, current_user as c')
    assert.deepEqual(rows, [{ s: user, c: user }])
    const [{ name }] = await asAdmin('select current_user as name')
    await cannot(client, [`set role ${name}`, `set session authorization ${name}`])
  })
})
