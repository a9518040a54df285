import { readFileSync, readdirSync } from 'node:fs'
import pg from 'pg'
import { ConfigError } from '../kit/ground/errors.ts'
import {
  bringOver,
  checkDistributed,
  checkMachines,
  distribute,
  migratingOnCitus,
  whereTablesAre,
} from './citus.ts'
import { isPrepared, prepareJobs } from './jobs-schema.ts'
import {
  allowLogin,
  checkService,
  giveLogin,
  grant,
  isGranted,
  roleForOwner,
  serviceRole,
} from './roles.ts'
import { connectMs, type Waiting, whileStarting } from './while-starting.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The numbered SQL files in order; append-only once released. */
export function migrations(): { name: string; sql: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(new URL(name, folder), 'utf8') }))
}

/** The user that serves, besides the one that migrates. */
export type Service = {
  /** the user that the service connects as, where it has one of its own */
  user?: string
  /** its password, which is set only in the embedded database */
  password?: string
  /** the connecting user may serve though it owns the tables, where there is no other */
  allowOwner?: boolean
  /** the migrations to apply, where it is not all: of a backup that is restored */
  only?: Set<string>
  /** how it waits for a database that is starting */
  waiting?: Waiting
}

/** What was applied, and how the service should connect. */
export type Migrated = {
  applied: string[]
  /** the role to set after connecting; null if the connection's user is the service's own */
  role: string | null
  /** the database is Citus, with the organizations spread over its machines */
  isDistributed: boolean
}

/**
 * Migrates the database to this version and returns the role that the service should set after
 * connecting: none if it connects as its own user. A user who owns nothing changes nothing, and fails
 * if a migration is missing. Safe to run from several processes at once.
 */
export async function migrate(
  url: string,
  { user, password, allowOwner = false, only, waiting }: Service = {},
): Promise<Migrated> {
  const client = await whileStarting(async () => {
    const made = new pg.Client({
      connectionString: url,
      options: '-c search_path=perennial,public',
      application_name: 'perennial migrate',
      connectionTimeoutMillis: connectMs,
    })
    // a connection that breaks between statements shows in the next one
    made.on('error', () => {})
    await made.connect()
    return made
  }, waiting)
  try {
    await checkVersion(client)
    const place = await whereTablesAre(client)
    const isDistributed = place === 'many'
    if (place === 'coordinator') {
      waiting?.note?.(
        `The organizations of this database are on the coordinator of Citus alone: to spread them, ${bringOver}`,
      )
    }
    if (isDistributed && only) {
      throw new ConfigError(
        'The database is Citus. One snapshot of everything is not restored into it: docs/scale.md says what to do instead',
      )
    }
    if (await onlyServes(client)) {
      await checkComplete(client)
      if (isDistributed) await checkDistributed(client)
      return { applied: [], role: null, isDistributed }
    }
    if (password !== undefined) await giveLogin(client, password)
    if (user !== undefined) await checkService(client, user)
    // one that is down keeps no others from being served, where nothing is left to be changed
    if (isDistributed && !(await isMigrated(client))) await checkMachines(client, user)
    const role = user === undefined ? await alone(client, () => roleForOwner(client)) : null
    if (user === undefined && role === null && !allowOwner) throw await noRole(client)
    if (isDistributed && role !== null) await allowLogin(client)
    const serving = user ?? role
    // beside each other: the job library has connections of its own
    const jobs = (await isPrepared(client)) ? Promise.resolve() : prepareJobs(url)
    // but for Citus, where both notify the workers of what they create
    if (isDistributed) await jobs
    const applied = await applyAll(client, { serving, only, jobs, isDistributed })
    if (serving !== null && !(await isGranted(client, serving))) {
      await alone(client, () => grant(client, serving))
    }
    // again: the tables are there now, and somebody owns them
    if (user !== undefined) await checkService(client, user)
    return { applied, role, isDistributed }
  } finally {
    await client.end()
  }
}

/** So many migrations of a new database are one transaction: few commits, and few locks at once. */
const together = 20

type Ways = {
  /** who is granted what the service needs, with the last migration */
  serving: string | null
  only: Set<string> | undefined
  isDistributed: boolean
  /** when the job library has made its tables, which are granted too */
  jobs: Promise<void>
}

/**
 * Applies what is missing, each migration in a transaction, of a new database several; with the last one
 * `serving` is granted what the service needs, and Citus distributes what it does not know yet, so that whoever
 * finds them all applied may serve.
 */
async function applyAll(
  client: pg.Client,
  { serving, only, jobs, isDistributed }: Ways,
): Promise<string[]> {
  // awaited below, and whatever becomes of the migrations
  jobs.catch(() => {})
  try {
    if (!(await isBegun(client))) {
      await alone(client, async () => {
        await client.query('create schema if not exists perennial')
        await client.query(`create table if not exists perennial.migrations (
          name text primary key, applied_at timestamptz not null default now())`)
      })
    }
    const all = migrations()
    const known = await appliedBefore(client)
    const missing = all.filter(({ name }) => !known.has(name) && only?.has(name) !== false)
    const applied: string[] = []
    const size = known.size ? 1 : together
    for (let at = 0; at < missing.length; at += size) {
      await alone(client, async () => {
        const sofar = await appliedBefore(client)
        const these = missing.slice(at, at + size).filter(({ name }) => !sofar.has(name))
        // if others have locked a table, the start fails, instead of making others wait behind it
        await client.query("set local lock_timeout = '10s'")
        if (isDistributed) await client.query(migratingOnCitus)
        for (const { name, sql } of these) {
          await client.query(sql)
          await client.query('insert into perennial.migrations (name) values ($1)', [name])
          sofar.add(name)
        }
        if (these.length && all.every(({ name }) => sofar.has(name))) {
          if (isDistributed) await distribute(client)
          await jobs
          if (serving !== null) await grant(client, serving)
        }
        applied.push(...these.map(({ name }) => name))
      })
    }
    // of a database that got the extension after the last migration
    if (isDistributed && !applied.length) await alone(client, () => distribute(client))
    return applied
  } finally {
    await jobs
  }
}

/** The names of the migrations in the database; ConfigError if its table of migrations is not ours. */
async function appliedBefore(client: pg.Client): Promise<Set<string>> {
  const found = await client
    .query<{ name: string }>('select name::text from perennial.migrations')
    .catch((error: unknown) => {
      // there is no such column
      throw (error as pg.DatabaseError).code === '42703' ? ofAnother(error) : error
    })
  const names = new Set(found.rows.map(({ name }) => name))
  const [first] = migrations()
  if (names.size && !names.has(first?.name ?? '')) throw ofAnother()
  return names
}

function ofAnother(cause?: unknown): ConfigError {
  return new ConfigError(
    'The schema perennial of this database belongs to another application: name another database in DATABASE_URL',
    { cause },
  )
}

/**
 * Runs work in a transaction under a lock that excludes other processes. The lock and the search path
 * end with the transaction, because a pooler may then give the connection to somebody else.
 */
async function alone<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; set local search_path = perennial, public;
    select pg_advisory_xact_lock(hashtextextended('perennial migrate', 0))`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Whether the schema is there and belongs to somebody whom the connecting user cannot become. */
async function onlyServes(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ serves: boolean }>(
    `select not pg_has_role(current_user, nspowner, 'member') as serves
     from pg_namespace where nspname = 'perennial'`,
  )
  return rows[0]?.serves ?? false
}

/** Whether the table of migrations is there. */
async function isBegun(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('perennial.migrations') is not null as is_there`,
  )
  return rows[0]?.is_there ?? false
}

/** Whether all migrations of this version have been applied. */
export async function isMigrated(client: pg.Client): Promise<boolean> {
  if (!(await isBegun(client))) return false
  const known = await appliedBefore(client)
  return migrations().every(({ name }) => known.has(name))
}

async function checkComplete(client: pg.Client) {
  const known = await appliedBefore(client)
  const missing = migrations().filter(({ name }) => !known.has(name))
  if (!missing.length) return
  throw new ConfigError(
    `The database lacks ${missing.length} migrations, and the user of DATABASE_URL does not own it: ` +
      'name the owner in DATABASE_MIGRATE_URL, or run perennial migrate with it',
  )
}

async function noRole(client: pg.Client): Promise<ConfigError> {
  const { rows } = await client.query<{ name: string }>('select current_user as name')
  const name = rows[0]?.name
  return new ConfigError(
    `The database user ${name} would serve as the owner of the tables, and may not create ${serviceRole}: ` +
      `let an administrator run "create role ${serviceRole} nologin; grant ${serviceRole} to ${name}", ` +
      'or name a user that owns nothing in DATABASE_URL and this one in DATABASE_MIGRATE_URL, ' +
      'or set DATABASE_ALLOW_OWNER=true',
  )
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
