import { unavailable } from '../kit/errors.ts'
import { sql } from '../kit/sql.ts'
import type { Database } from './connect.ts'
import { everyone } from './connect.ts'
import { migrations } from './migrate.ts'

/** A check that throws 503 while the database cannot be reached or lacks a migration. */
export function readinessOf(database: Database): () => Promise<void> {
  const needed = migrations().map(({ name }) => name)
  let isMigrated = false
  return async () => {
    if (isMigrated) return database.ping()
    const rows = await database
      .reads(everyone)
      .all<{ name: string }>(sql`select name from migrations`)
      .catch(() => {
        throw unavailable('The database cannot be reached, or is not set up')
      })
    const applied = new Set(rows.map(({ name }) => name))
    isMigrated = needed.every((name) => applied.has(name))
    if (!isMigrated) throw unavailable('The database is not migrated to this version')
  }
}
