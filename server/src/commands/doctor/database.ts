import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { startEmbedded } from '../../database/embedded.ts'
import type { Machine } from '../../database/citus.ts'
import { bringOver, machines, whereTablesAre } from '../../database/citus.ts'
import { newestSecrets } from '../../database/installation-secrets.ts'
import { migrations } from '../../database/migrate.ts'
import { serviceRole, standingOf } from '../../database/roles.ts'
import { keyInDataDir, secretsFrom } from '../../secrets.ts'
import type { DatabaseSetting } from '../failure.ts'
import { placeOf, sentenceOf } from '../failure.ts'
import { besideDatabase, reach } from '../reach.ts'
import type { Finding } from './finding.ts'

/** Further checks of a database that is set up, over its owner's connection. */
type Beside = (owner: pg.Client, config: Config) => Promise<Finding[]>

/**
 * Whether the database answers, its version and settings are right, and its secrets can be read. Findings of
 * `beside` replace those about migrations and users.
 */
export async function database(config: Config, beside?: Beside): Promise<Finding[]> {
  const check = 'database'
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres.json'))) {
    return [
      { check, state: 'ok', seen: 'none yet: the first start creates one in the data folder' },
    ]
  }
  let embedded: Awaited<ReturnType<typeof startEmbedded>> | undefined
  let client: pg.Client | undefined
  try {
    embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log: () => {} })
    const connectionString = databaseUrl ?? embedded!.url
    client = await reading(connectionString, databaseUrl ? 'DATABASE_URL' : undefined)
    const place = databaseUrl ? placeOf(databaseUrl) : 'embedded'
    return [...(await examine(client, config, place, beside)), ...(await besides(config))]
  } catch (error) {
    const seen = sentenceOf(error) ?? (error as Error).message
    return [{ check, state: 'fail', seen }]
  } finally {
    await client?.end().catch(() => {})
    await embedded?.stop()
  }
}

/** A connection that cannot write. */
async function reading(url: string, setting: DatabaseSetting | undefined): Promise<pg.Client> {
  const client = await reach(url, setting)
  await client.query('set default_transaction_read_only = on')
  return client
}

const checkOf: { [setting in DatabaseSetting]: string } = {
  DATABASE_URL: 'database',
  DATABASE_MIGRATE_URL: 'table owner',
  DATABASE_POOLER_URL: 'pooler',
  DATABASE_LISTEN_URL: 'notifications',
}

/** Whether the databases in settings besides DATABASE_URL answer. */
async function besides(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { setting, url } of besideDatabase(config)) {
    const check = checkOf[setting]
    try {
      const client = await reach(url, setting)
      await client.end()
      findings.push({ check, state: 'ok', seen: `${placeOf(url)} answers` })
    } catch (error) {
      findings.push({ check, state: 'fail', seen: sentenceOf(error) ?? (error as Error).message })
    }
  }
  return findings
}

async function examine(
  client: pg.Client,
  config: Config,
  place: string,
  beside?: Beside,
): Promise<Finding[]> {
  const begun = Date.now()
  const { rows } = await client.query<{
    version: string
    number: number
    encoding: string
    now: number
    connections: number
    is_set_up: boolean
    may_create: boolean
    is_read_only: boolean
  }>(`select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      current_setting('max_connections')::int as connections,
      to_regclass('perennial.migrations') is not null as is_set_up,
      has_database_privilege(current_database(), 'create') as may_create,
      -- as the connection began: this one has been made read-only since
      pg_is_in_recovery() or exists (select from pg_settings
        where name = 'default_transaction_read_only' and reset_val = 'on') as is_read_only`)
  const [{ version, number, encoding, now, connections, is_set_up, may_create, is_read_only }] =
    rows as [(typeof rows)[0]]
  const took = Date.now() - begun
  const tooOld = number < 150_000
  const findings: Finding[] = [
    {
      check: 'database',
      state: tooOld ? 'fail' : 'ok',
      seen: `PostgreSQL ${version}, ${place}, answers in ${took} ms`,
      ...(tooOld ? { advice: 'PostgreSQL 15 or newer is needed' } : {}),
    },
  ]
  if (encoding !== 'UTF8') {
    const advice = "make the database again with encoding 'UTF8'"
    findings.push({ check: 'encoding', state: 'fail', seen: encoding, advice })
  }
  if (is_read_only) {
    const advice =
      'name the primary in DATABASE_URL, and nothing with default_transaction_read_only'
    findings.push({ check: 'writes', state: 'fail', seen: 'the database is read-only', advice })
  }
  if (connections < 50) {
    const advice = 'each process of the service takes up to 36: raise max_connections'
    findings.push({ check: 'connections', state: 'warn', seen: `${connections} at most`, advice })
  }
  findings.push(clock(now - begun - took / 2))
  if (!is_set_up) {
    const check = 'migrations'
    const yet = 'not set up yet: the first start or perennial migrate does it'
    const may: Finding = { check, state: 'ok', seen: yet }
    const seen = 'not set up yet, and this user may not create in the database'
    const advice = 'grant create on database … to the user in DATABASE_URL'
    return [
      ...findings,
      may_create || config.databaseMigrateUrl ? may : { check, state: 'fail', seen, advice },
    ]
  }
  if (beside) {
    const { databaseMigrateUrl } = config
    const owner = databaseMigrateUrl
      ? await reading(databaseMigrateUrl, 'DATABASE_MIGRATE_URL')
      : client
    try {
      return [...findings, ...(await beside(owner, config)), await key(client, config)]
    } finally {
      if (owner !== client) await owner.end()
    }
  }
  return [
    ...findings,
    await migrated(client),
    ...(await spread(client)),
    await separation(client),
    await ownUser(client, config),
    await key(client, config),
  ]
}

/** Signatures are valid for 300 s, so with a clock that is wrong by more everything is refused. */
function clock(difference: number): Finding {
  const seconds = Math.abs(difference) / 1000
  const check = 'clock'
  if (seconds < 5) return { check, state: 'ok', seen: 'agrees with the database' }
  const seen = `${seconds.toFixed(0)} s away from the database's`
  return { check, state: seconds < 60 ? 'warn' : 'fail', seen, advice: 'set both by NTP' }
}

async function migrated(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>('select name from perennial.migrations')
  const done = new Set(rows.map(({ name }) => name))
  const known = migrations()
  const pending = known.filter(({ name }) => !done.has(name))
  const newer = [...done].filter((name) => !known.some((each) => each.name === name))
  const check = 'migrations'
  if (newer.length) {
    const seen = `a newer version applied ${newer.toSorted().join(', ')}`
    return { check, state: 'warn', seen, advice: 'start that version here, too' }
  }
  if (!pending.length) return { check, state: 'ok', seen: `${rows.length} applied` }
  const seen = `${pending.map(({ name }) => name).join(', ')} not applied yet`
  return { check, state: 'warn', seen, advice: 'the next start or perennial migrate does it' }
}

/** Whether the machines of Citus answer, and have the organizations. */
async function spread(client: pg.Client): Promise<Finding[]> {
  const check = 'machines'
  const where = await whereTablesAre(client)
  if (where === 'one') return []
  if (where === 'coordinator') {
    const seen = 'the organizations are on the coordinator of Citus alone'
    return [{ check, state: 'warn', seen, advice: `to spread them, ${bringOver}` }]
  }
  const { rows } = await client.query<Machine>(machines)
  const silent = rows.filter(({ answers }) => !answers)
  if (!silent.length) return [{ check, state: 'ok', seen: `${rows.length} of Citus answer` }]
  const seen = `no answer from ${silent.map(({ place }) => place).join(' and ')}, of ${rows.length}`
  const advice = 'the organizations there wait until the coordinator can sign in again'
  return [{ check, state: 'fail', seen, advice }]
}

/** Tables read by functions of their owner, which restrict the organization themselves (decision 8). */
const unforced = ['search_entries', 'search_words', 'filter_entries']

/** Whether the service's role is subject to the row-level security of every table. */
async function separation(client: pg.Client): Promise<Finding> {
  const check = 'tenants apart'
  const { rows: roles } = await client.query<{ bypasses: boolean; member: boolean; name: string }>(
    `select rolsuper or rolbypassrls as bypasses, rolname as name,
       exists (select from pg_roles s where s.rolname = $1 and not s.rolsuper
         and not s.rolbypassrls and pg_has_role(current_user, s.oid, 'member')) as member
     from pg_roles where rolname = current_user`,
    [serviceRole],
  )
  const { bypasses, member, name } = roles[0]!
  if (bypasses && !member) {
    const seen = `the role ${name} bypasses row-level security`
    const advice = 'connect as a role without BYPASSRLS, or as one that may create roles'
    return { check, state: 'fail', seen, advice }
  }
  const { rows: open } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'perennial'
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and a.attnum > 0
     where c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)
       and not (c.relrowsecurity and c.relname = any($1))`,
    [unforced],
  )
  if (!open.length) {
    return { check, state: 'ok', seen: `as ${member ? serviceRole : name}, forced on every table` }
  }
  const seen = `no forced row-level security on ${open.map((table) => table.name).join(', ')}`
  return { check, state: 'fail', seen, advice: 'alter table … force row level security' }
}

/** Whether the service's database user could do more than the service needs. */
async function ownUser(client: pg.Client, { databaseUrl }: Config): Promise<Finding> {
  const check = 'database user'
  const { rows } = await client.query<{ name: string }>('select session_user as name')
  const name = databaseUrl ? (rows[0]?.name ?? '') : serviceRole
  const standing = await standingOf(client, name)
  if (!standing) {
    const seen = `${name} is created by the next start`
    return { check, state: 'ok', seen }
  }
  if (!standing.isPowerful && !standing.isOwner) {
    return { check, state: 'ok', seen: `${name} owns nothing and bypasses nothing` }
  }
  const what = standing.isPowerful ? 'could bypass row-level security' : 'owns the tables'
  return {
    check,
    state: 'warn',
    seen: `${name} ${what}, though the service works as ${serviceRole} where it can`,
    advice: 'name a user that owns nothing in DATABASE_URL, and the owner in DATABASE_MIGRATE_URL',
  }
}

async function key(
  client: pg.Client,
  { secretKey, previousSecretKey: previous, dataDir, databaseUrl }: Config,
): Promise<Finding> {
  const check = 'secret key'
  const known = secretKey ?? keyInDataDir(dataDir)
  await client.query(`select set_config('app.organization', '*', false)`)
  const stored = await newestSecrets(client)
  if (!known) {
    const seen = 'neither SECRET_KEY nor a key in the data folder'
    // a start fails instead of creating a key, which could not decrypt anything stored
    return stored.length
      ? { check, state: 'fail', seen, advice: 'restore the key of this database' }
      : { check, state: 'ok', seen: 'none yet: the next start creates one in the data folder' }
  }
  try {
    for (const bytes of stored) secretsFrom(known, { previous }).decrypt(bytes)
  } catch {
    const seen = 'the secrets in this database were encrypted with another one'
    return { check, state: 'fail', seen, advice: 'set SECRET_KEY to that one' }
  }
  if (databaseUrl && !secretKey) {
    const seen = 'fits; it is in the data folder of this machine only'
    return { check, state: 'warn', seen, advice: 'set SECRET_KEY, the same on every machine' }
  }
  return { check, state: 'ok', seen: stored.length ? 'fits' : 'nothing is encrypted yet' }
}
