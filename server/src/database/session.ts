import type pg from 'pg'
import { UnsuitableConnection } from '../kit/ground/errors.ts'
import type { ConnectOptions, Use } from './client.ts'
import { requestConnectMs, settingsFor } from './client.ts'
import type { Queries } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'

type Shown = { [name: string]: string | null }

/**
 * Checks a connection that has just been opened, and watches it from then on. Connections of a pooler
 * have no settings of their own: each transaction contains them.
 */
export async function begin(
  client: pg.ClientBase,
  options: ConnectOptions,
  use: Use,
): Promise<void> {
  options.watch?.add(client)
  if (!options.poolerUrl || use === 'listen') await checkSession(client, options, use)
}

/**
 * UnsuitableConnection unless a new connection has the settings that the service needs: a pooler may drop
 * them, and then tables of another schema, or rows of every organization, would be read.
 */
async function checkSession(
  client: pg.ClientBase,
  options: ConnectOptions,
  use: Use,
): Promise<void> {
  const wanted = settingsFor(options, use)
  const { rows } = await client.query<{ found: string }>({
    text: `select json_object_agg(name, current_setting(name, true))::text as found
      from unnest($1::text[]) name`,
    values: [wanted.map(([name]) => name)],
    query_timeout: options.opening?.ms ?? requestConnectMs,
  } as pg.QueryConfig)
  const shown = JSON.parse(rows[0]?.found ?? '{}') as Shown
  for (const [name, value] of wanted) {
    if (isSame(name, shown[name] ?? '', value)) continue
    throw new UnsuitableConnection(
      `A connection to the database has ${name} = "${shown[name] ?? ''}" and not "${value}": what is ` +
        'between it and the service drops the settings; connect to PostgreSQL itself, and name a ' +
        'pooler in transaction mode in DATABASE_POOLER_URL',
    )
  }
}

/** Whether row-level security applies to the user of a transaction. */
export async function isBound(queries: Pick<Queries, 'one'>): Promise<boolean> {
  const user = await queries.one<{ bypasses: boolean }>(
    sql`select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`,
  )
  return !user?.bypasses
}

/** Whether nothing can be written: a replica, or a database or user with `default_transaction_read_only`. */
export async function isReadOnly(queries: Pick<Queries, 'one'>): Promise<boolean> {
  const transaction = await queries.one<{ is_read_only: boolean }>(
    sql`select current_setting('transaction_read_only') = 'on' as is_read_only`,
  )
  return transaction?.is_read_only === true
}

/** The error of a start whose database cannot be written. */
export function readOnly(): UnsuitableConnection {
  return new UnsuitableConnection(
    'The database is read-only: name the primary in DATABASE_URL, not a replica, and a database and a user ' +
      'without default_transaction_read_only',
  )
}

/** The error of a start whose user bypasses row-level security. */
export function unbound(): UnsuitableConnection {
  return new UnsuitableConnection(
    'The user of DATABASE_URL is not bound by row-level security: name one that is no superuser and ' +
      'bypasses nothing in DATABASE_URL, and the owner of the tables in DATABASE_MIGRATE_URL',
  )
}

const units: { [unit: string]: number } = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }

/** Whether a setting as PostgreSQL shows it is the one that was sent. */
function isSame(name: string, shown: string, sent: string): boolean {
  if (name === 'DateStyle') return shown.startsWith(sent)
  if (!name.endsWith('_timeout')) return shown.replaceAll(' ', '') === sent
  const [, count = '', unit = 'ms'] = /^(\d+)(ms|s|min|h)?$/.exec(shown) ?? []
  return Number(count) * (units[unit] ?? 1) === Number(sent)
}
