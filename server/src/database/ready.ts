import { unavailable } from '../kit/ground/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Database } from './connect.ts'
import { migrations } from './migrate.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** A check that throws 503 while the database cannot be reached or lacks a migration. */
export function readinessOf(database: Database): () => Promise<void> {
  const needed = migrations().map(({ name }) => name)
  let isMigrated = false
  return async () => {
    if (isMigrated) return database.ping()
    const rows = await database
      .reads(allOrganizations)
      .all<{ name: string }>(sql`select name from migrations`)
      .catch(() => {
        throw unavailable('The database cannot be reached, or is not set up')
      })
    const applied = new Set(rows.map(({ name }) => name))
    isMigrated = needed.every((name) => applied.has(name))
    if (!isMigrated) throw unavailable('The database is not migrated to this version')
  }
}
