import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { upgradable } from '../src/commands/doctor/upgrade.ts'
import { readConfig } from '../src/config.ts'
import { migrate, migrations } from '../src/database/migrate.ts'
import { at, freshDatabase, serverUrl } from './support/database.ts'
import { atEnd } from './support/finally.ts'
import { freshFolder, runProgram } from './support/program.ts'
import { secretKey } from './support/service.ts'

type Finding = { check: string; state: string; seen: string; advice?: string }

/** Runs the command in a process of its own. */
async function check(env: { [name: string]: string }) {
  const { status, out, err } = await runProgram(['upgrade', '--check', '--json'], env)
  assert.equal(err, '')
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] }
  assert.equal(status, ok ? 0 : 1, out)
  const of = (name: string) => {
    const found = findings.find((each) => each.check === name)
    assert.ok(found, `${name} in ${out}`)
    return found
  }
  return { ok, of, out }
}

/** Runs statements on a database as its owner. */
async function run(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: { [column: string]: unknown }[] = []
    for (const statement of statements) ({ rows } = await client.query(statement))
    return rows
  } finally {
    await client.end()
  }
}

/** An empty database that belongs to `owner`, gone when the file is done. */
async function emptyDatabase(owner?: string): Promise<string> {
  const admin = await serverUrl()
  const name = `test_upgrade_${process.pid}_${randomBytes(4).toString('hex')}`
  const owned = owner ? `owner ${owner}` : ''
  await run(admin, `create database ${name} ${owned} template template0 encoding 'UTF8'`)
  atEnd(async () => void (await run(admin, `drop database if exists ${name} with (force)`)))
  return at(admin, name)
}

/** Everything that a start could change: tables, columns, functions, roles, rows of migrations. */
function stateOf(url: string) {
  return run(
    url,
    `select (select json_agg(m order by name) from perennial.migrations m)::text as migrations,
      (select count(*) from pg_class) as classes, (select count(*) from pg_attribute) as columns,
      (select count(*) from pg_proc) as functions, (select count(*) from pg_roles) as roles,
      (select count(*) from perennial.hash_keys) as keys`,
  )
}

describe('perennial upgrade --check', () => {
  const folder = freshFolder()
  let url: string
  let env: { [name: string]: string }

  before(async () => {
    ;({ url } = await freshDatabase())
    env = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: secretKey }
    const made = await runProgram(['org', 'create', 'Acme'], env)
    assert.equal(made.status, 0, made.err)
  })

  test('finds nothing on a database of this version', async () => {
    const { ok, of } = await check(env)
    assert.equal(ok, true)
    assert.equal(of('migrations').seen, `all ${migrations().length} are applied`)
    assert.match(of('extensions').seen, /^btree_gin, pg_trgm can be used$/)
    assert.match(of('room').seen, /^the database has \d+ MB/)
    assert.equal(of('secret key').seen, 'fits')
    const { out } = await runProgram(['upgrade', '--check'], env)
    assert.match(out, /\n\nVersion \d+\.\d+\.\d+ may be started\b/)
  })

  test('names another SECRET_KEY', async () => {
    const { ok, of } = await check({ ...env, SECRET_KEY: 'another secret key of 32 characters' })
    assert.equal(ok, false)
    assert.equal(of('secret key').state, 'fail')
  })

  test('refuses a database on which a newer version ran', async () => {
    const name = '9999_of_tomorrow.sql'
    await run(url, `insert into perennial.migrations (name) values ('${name}')`)
    const { ok, of } = await check(env)
    await run(url, `delete from perennial.migrations where name = '${name}'`)
    assert.equal(ok, false)
    assert.match(of('migrations').seen, /^9999_of_tomorrow\.sql are applied and unknown/)
  })

  test('names what is to be applied, and applies nothing', async () => {
    const old = await emptyDatabase()
    const missing = migrations()
      .slice(-2)
      .map(({ name }) => name)
    const all = new Set(migrations().map(({ name }) => name))
    await migrate(old, { only: all.difference(new Set(missing)) })
    const before = await stateOf(old)
    const { ok, of } = await check({ ...env, DATABASE_URL: old })
    assert.equal(ok, true)
    assert.equal(of('migrations').seen, `2 to apply at the start: ${missing.join(', ')}`)
    assert.match(of('side by side').seen, /^processes of the previous version may keep running/)
    assert.equal(of('owner').state, 'ok')
    assert.deepEqual(await stateOf(old), before)
    const applied = await runProgram(['migrate'], { ...env, DATABASE_URL: old })
    assert.equal(applied.status, 0, applied.err)
    const again = await check({ ...env, DATABASE_URL: old })
    assert.match(again.of('migrations').seen, /^all \d+ are applied$/)
  })

  test('warns of what the version before could not run beside', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const ours = [
      ...migrations(),
      { name: '9998_drop.sql', sql: 'alter table tasks drop column title;' },
    ]
    try {
      const findings = await upgradable(client, readConfig({ DATABASE_URL: url }), ours)
      const found = findings.find((each) => each.check === 'side by side')
      assert.equal(found?.state, 'warn')
      assert.match(found?.seen ?? '', /^9998_drop\.sql may remove/)
    } finally {
      await client.end()
    }
  })

  test('refuses an owner who can take no other role, unless that is wanted', async () => {
    const admin = await serverUrl()
    const owner = `plain_${process.pid}_${randomBytes(3).toString('hex')}`
    await run(admin, `create role ${owner} login password 'plain'`)
    atEnd(async () => void (await run(admin, `drop role if exists ${owner}`)))
    const address = new URL(await emptyDatabase(owner))
    address.username = owner
    address.password = 'plain'
    await migrate(address.href, { allowOwner: true })
    const own = { ...env, DATABASE_URL: address.href }
    const refused = await check(own)
    assert.equal(refused.ok, false)
    assert.match(refused.of('serving user').seen, /may not take the role perennial_service/)
    const allowed = await check({ ...own, DATABASE_ALLOW_OWNER: 'true' })
    assert.equal(allowed.ok, true, allowed.out)
    assert.equal(allowed.of('serving user').state, 'warn')
  })

  test('says when the database cannot be reached, or is yet to be made', async () => {
    const away = await check({ ...env, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/none' })
    assert.equal(away.ok, false)
    assert.match(away.of('database').seen, /cannot be reached/)
    const DATA_DIR = join(folder, 'not made yet')
    const { ok, of } = await check({ DATA_DIR })
    assert.equal(ok, true)
    assert.match(of('database').seen, /^none yet/)
    assert.equal(existsSync(DATA_DIR), false)
  })
})
