import pg from 'pg'
import { jobsSchema } from '../database/jobs-schema.ts'
import { connectMs, whileStarting } from '../database/while-starting.ts'

/** A table in a backup, with its stored (not generated) columns. */
export type Table = { schema: string; table: string; columns: string[] }

/** Tables that every installation fills itself: applied migrations, and short-lived data. */
const left = ['perennial.migrations', 'perennial.shared_counts', `${jobsSchema}.version`]

/** The tables of both schemas, or those without rows of organizations; partitioned ones count as one. */
export async function tablesOf(
  client: pg.Client,
  which: 'all' | 'shared' = 'all',
): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as table,
       array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = ''
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname || '.' || c.relname <> all($2)
     group by 1, 2 having $3 or not bool_or(a.attname = 'organization_id') order by 1, 2`,
    [['perennial', jobsSchema], left, which === 'all'],
  )
  return rows
}

/** A table's name in SQL. */
export function named({ schema, table }: Table): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
}

/** Its columns in SQL. */
export function columnsOf({ columns }: Table): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ')
}

/** A connection of the owner that sees every organization. */
export async function connectOwner(url: string, name: string): Promise<pg.Client> {
  const client = await whileStarting(async () => {
    const made = new pg.Client({
      connectionString: url,
      application_name: `perennial ${name}`,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
    })
    made.on('error', () => {})
    await made.connect()
    return made
  })
  await client.query(`set search_path = perennial, public; set app.organization = '*';
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
    set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
  return client
}
