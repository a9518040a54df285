import { existsSync, statfsSync } from 'node:fs'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { isPrepared } from '../../database/jobs-schema.ts'
import { migrations } from '../../database/migrate.ts'
import { checkService, serviceRole } from '../../database/roles.ts'
import { sentenceOf } from '../failure.ts'
import type { Finding } from './finding.ts'

type Migration = ReturnType<typeof migrations>[number]

/**
 * What a start of this version would change in a database that is set up, and whether it could. `client` is the
 * owner's, who migrates, on a read-only connection; failures come first.
 */
export async function upgradable(
  client: pg.Client,
  config: Config,
  ours: Migration[] = migrations(),
): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string }>('select name from perennial.migrations')
  const done = new Set(rows.map(({ name }) => name))
  const pending = ours.filter(({ name }) => !done.has(name))
  const known = new Set(ours.map(({ name }) => name))
  const newer = [...done].filter((name) => !known.has(name)).toSorted()
  return [
    applied(done.size, pending, newer),
    ...(pending.length ? [beside(pending), await owner(client)] : []),
    await jobTables(client),
    await extensions(client, ours),
    await service(client, config),
    await space(client, config, pending),
  ]
}

function applied(count: number, pending: Migration[], newer: string[]): Finding {
  const check = 'migrations'
  if (newer.length) {
    const seen = `${newer.join(', ')} are applied and unknown to this version, so a newer one ran here`
    return { check, state: 'fail', seen, advice: 'start that version, or a newer one' }
  }
  if (!pending.length) return { check, state: 'ok', seen: `all ${count} are applied` }
  const names = pending.map(({ name }) => name).join(', ')
  return { check, state: 'ok', seen: `${pending.length} to apply at the start: ${names}` }
}

/** Migrations that remove or change what a process of the previous version reads or writes. */
const breaks =
  /\bdrop\s+(table|column|view|function|type)\b|\brename\s+(to|column|constraint)\b|\bset\s+not\s+null\b|\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b|\btruncate\b/i

function beside(pending: Migration[]): Finding {
  const check = 'side by side'
  const breaking = pending.filter(({ sql }) => breaks.test(sql.replaceAll(/--.*$/gm, '')))
  if (!breaking.length) {
    return {
      check,
      state: 'ok',
      seen: 'processes of the previous version may keep running beside this one',
    }
  }
  const names = breaking.map(({ name }) => name).join(', ')
  const seen = `${names} may remove what processes of the previous version use`
  return { check, state: 'warn', seen, advice: 'stop those before this version starts' }
}

async function owner(client: pg.Client): Promise<Finding> {
  const check = 'owner'
  const { rows } = await client.query<{ name: string; owns: boolean }>(
    `select current_user as name, pg_has_role(current_user, nspowner, 'member') as owns
     from pg_namespace where nspname = 'perennial'`,
  )
  const { name = '', owns = false } = rows[0] ?? {}
  if (owns) return { check, state: 'ok', seen: `${name} may apply them` }
  const advice = 'name the owner in DATABASE_MIGRATE_URL, or run perennial migrate with it'
  return { check, state: 'fail', seen: `${name} does not own the tables`, advice }
}

async function jobTables(client: pg.Client): Promise<Finding> {
  const check = 'job tables'
  if (await isPrepared(client)) return { check, state: 'ok', seen: 'are those of this version' }
  return { check, state: 'ok', seen: 'are brought to this version at the start' }
}

/** Whether every extension that the migrations need exists, or may be created by this user. */
async function extensions(client: pg.Client, ours: Migration[]): Promise<Finding> {
  const check = 'extensions'
  const wanted = new Set(
    ours.flatMap(({ sql }) =>
      [...sql.matchAll(/create extension if not exists (\w+)/gi)].map(([, name = '']) => name),
    ),
  )
  const { rows } = await client.query<{ name: string; is_there: boolean; may_create: boolean }>(
    `select w.name, e.oid is not null as is_there,
       coalesce(bool_or(v.trusted or r.rolsuper), false) as may_create
     from unnest($1::text[]) as w(name)
     left join pg_extension e on e.extname = w.name
     left join pg_available_extension_versions v on v.name = w.name
     left join pg_roles r on r.rolname = current_user
     group by 1, 2 order by 1`,
    [[...wanted]],
  )
  const missing = rows.filter(({ is_there, may_create }) => !is_there && !may_create)
  if (!missing.length) {
    return { check, state: 'ok', seen: `${rows.map(({ name }) => name).join(', ')} can be used` }
  }
  const names = missing.map(({ name }) => name).join(', ')
  const advice = `let an administrator install them and run "create extension" for each`
  return { check, state: 'fail', seen: `${names} cannot be created`, advice }
}

/** Whether there is a role for the service that is subject to row-level security. */
async function service(client: pg.Client, config: Config): Promise<Finding> {
  const check = 'serving user'
  const { databaseUrl, databaseMigrateUrl, databaseAllowOwner } = config
  if (!databaseUrl) return { check, state: 'ok', seen: `${serviceRole}, of the embedded database` }
  if (databaseMigrateUrl) {
    const user = decodeURIComponent(new URL(databaseUrl).username)
    try {
      await checkService(client, user)
    } catch (error) {
      return { check, state: 'fail', seen: sentenceOf(error) ?? String(error) }
    }
    return { check, state: 'ok', seen: `${user} owns nothing and bypasses nothing` }
  }
  const { rows } = await client.query<{ name: string; may_take: boolean; only_serves: boolean }>(
    `select rolname as name, rolsuper or rolcreaterole or exists (select from pg_roles s
         where s.rolname = $1 and pg_has_role(current_user, s.oid, 'member')) as may_take,
       not pg_has_role(current_user, (select nspowner from pg_namespace
         where nspname = 'perennial'), 'member') as only_serves
     from pg_roles where rolname = current_user`,
    [serviceRole],
  )
  const { name = '', may_take = false, only_serves = false } = rows[0] ?? {}
  if (only_serves) return { check, state: 'ok', seen: `${name} owns nothing` }
  if (may_take) return { check, state: 'ok', seen: `${name} takes the role ${serviceRole}` }
  if (databaseAllowOwner) {
    return { check, state: 'warn', seen: `${name} serves as the owner (DATABASE_ALLOW_OWNER)` }
  }
  const seen = `${name} owns the tables and may not take the role ${serviceRole}`
  const advice =
    `let an administrator run "create role ${serviceRole} nologin; grant ${serviceRole} to ${name}", ` +
    'or set DATABASE_MIGRATE_URL or DATABASE_ALLOW_OWNER'
  return { check, state: 'fail', seen, advice }
}

/** The minimum free bytes for a start, and the fraction of the database's size that migrations may add. */
const leastFree = 100_000_000
const addedByMigrations = 0.2

/** The free space on the disk of the embedded database; of another database only the size is known. */
async function space(client: pg.Client, config: Config, pending: Migration[]): Promise<Finding> {
  const check = 'room'
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database())::text as bytes',
  )
  const size = Number(rows[0]?.bytes)
  const needed = leastFree + (pending.length ? size * addedByMigrations : 0)
  const has = `the database has ${megabytes(size)}`
  if (config.databaseUrl || !existsSync(config.dataDir)) {
    const seen = `${has}; look at its disk yourself: ${megabytes(needed)} should be free there`
    return { check, state: 'ok', seen }
  }
  const { bavail, bsize } = statfsSync(config.dataDir)
  const free = bavail * bsize
  const seen = `${has}, its disk ${megabytes(free)} free`
  if (free >= needed) return { check, state: 'ok', seen }
  return { check, state: 'fail', seen, advice: `make room: ${megabytes(needed)} are needed` }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
