import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { connectMs } from './while-starting.ts'

/** The schema in which the job library keeps its tables. */
export const jobsSchema = 'perennial_jobs'

/** Brings the job library's tables to its version, as the user of the URL, who owns them then. */
export async function prepareJobs(url: string): Promise<void> {
  // the start of the database does not wait for the library
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    connectionString: url,
    schema: jobsSchema,
    application_name: 'perennial migrate',
    max: 2,
    connectionTimeoutMillis: connectMs,
    supervise: false,
    schedule: false,
  })
  let failure: Error | undefined
  boss.on('error', (error) => (failure ??= error))
  await boss.start()
  await boss.stop({ graceful: false })
  if (failure) throw failure
}

/**
 * Whether the job library's tables are those of the version that is installed: to ask saves the library's
 * start, a third of a second.
 */
export async function isPrepared(client: pg.Client): Promise<boolean> {
  const { rows: tables } = await client.query<{ found: string | null }>(
    `select to_regclass('${jobsSchema}.version')::text as found`,
  )
  if (!tables[0]?.found) return false
  const { rows } = await client.query<{ version: number }>(
    `select version from ${jobsSchema}.version`,
  )
  const needed = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.resolve('pg-boss')), 'utf8'),
  ) as { pgboss?: { schema?: number } }
  return Number(rows[0]?.version) === needed.pgboss?.schema
}
