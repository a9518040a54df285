import { readFileSync, readdirSync } from 'node:fs'
import pg from 'pg'
import { ConfigError } from '../kit/ground/errors.ts'

/** The role that row-level security binds. It owns nothing and cannot sign in. */
export const serviceRole = 'perennial_service'

const folder = new URL('./migrations/', import.meta.url)

/** The numbered SQL files in order; append-only once released. */
export function migrations(): { name: string; sql: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }))
}

/**
 * Brings the database to this version and says which role the service should take: none when the
 * connecting role is itself bound by row-level security. Safe to run from several processes at once.
 */
export async function migrate(url: string): Promise<{ applied: string[]; role: string | null }> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c search_path=perennial,public',
    application_name: 'perennial migrate',
    connectionTimeoutMillis: 5000,
  })
  // a connection that breaks between statements shows in the next one
  client.on('error', () => {})
  await client.connect()
  try {
    await checkVersion(client)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', ['perennial migrate'])
    const role = await setUpRole(client)
    await client.query('create schema if not exists perennial')
    await client.query(`create table if not exists perennial.migrations (
      name text primary key, applied_at timestamptz not null default now())`)
    const done = await client.query<{ name: string }>('select name from perennial.migrations')
    const known = new Set(done.rows.map(({ name }) => name))
    const applied: string[] = []
    for (const { name, sql } of migrations()) {
      if (known.has(name)) continue
      // a table that others hold makes the start fail, not the others wait behind it
      await client.query("begin; set local lock_timeout = '10s'")
      await client.query(sql)
      await client.query('insert into perennial.migrations (name) values ($1)', [name])
      await client.query('commit')
      applied.push(name)
    }
    if (role && applied.length) await grant(client, role)
    return { applied, role }
  } finally {
    await client.end()
  }
}

async function checkVersion(client: pg.Client) {
  const { rows } = await client.query<{ n: string; e: string }>(
    `select current_setting('server_version_num') n, current_setting('server_encoding') e`,
  )
  const { n, e } = rows[0]!
  if (Number(n) < 150000) {
    throw new ConfigError(
      `PostgreSQL 15 or newer is needed; this server is ${Math.floor(+n / 10000)}`,
    )
  }
  if (e !== 'UTF8') throw new ConfigError(`The database must be encoded in UTF8; this one is ${e}`)
}

async function setUpRole(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ bypasses: boolean; may_create: boolean; exists: boolean }>(
    `select rolsuper or rolbypassrls as bypasses, rolsuper or rolcreaterole as may_create,
       exists (select from pg_roles where rolname = $1) as exists
     from pg_roles where rolname = current_user`,
    [serviceRole],
  )
  const { bypasses, may_create, exists } = rows[0]!
  if (!exists && may_create) {
    // several databases of one server share the role, and may be set up at the same moment
    await client.query(`do $$ begin create role ${serviceRole} nologin noinherit;
      exception when duplicate_object or unique_violation then null; end $$`)
    await client.query(`grant ${serviceRole} to current_user`)
    return serviceRole
  }
  const member = exists && (await isMember(client))
  if (member) return serviceRole
  if (exists && may_create) {
    await client.query(`grant ${serviceRole} to current_user`)
    return serviceRole
  }
  if (bypasses) {
    throw new ConfigError(
      `The database role bypasses row-level security and may not create ${serviceRole}: ` +
        'connect as a role without BYPASSRLS, or as one that may create roles',
    )
  }
  return null
}

async function isMember(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ member: boolean }>(
    `select pg_has_role(current_user, $1, 'member') as member`,
    [serviceRole],
  )
  return rows[0]!.member
}

/** The service reads and writes rows; it changes no table, and never what has happened. */
async function grant(client: pg.Client, role: string) {
  await client.query(`
    grant usage on schema perennial to ${role};
    grant select, insert, update, delete on all tables in schema perennial to ${role};
    grant execute on all functions in schema perennial to ${role};
    revoke update, delete on perennial.events from ${role};
    revoke insert, update, delete on perennial.migrations from ${role};
  `)
}
