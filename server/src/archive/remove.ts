import { sql } from '../kit/ground/sql.ts'
import { prefixes } from '../jobs/orphans.ts'
import type { Database } from '../database/connect.ts'
import type { Queries } from '../kit/ground/context.ts'
import type { Files } from '../kit/ground/files.ts'
import { checkReferences } from './references.ts'
import { archivedTables, tenantTables } from './tables.ts'

/**
 * Removes an organization with all its rows in one transaction, then its files. `database` is connected as
 * the owner of the tables, because the service itself may not remove log entries. `check` sees exactly what is
 * removed, and throws if it must not be.
 */
export async function removeOrganization(
  database: Database,
  files: Files,
  id: string,
  check?: (queries: Queries) => Promise<void>,
): Promise<{ rows: number; files: number }> {
  const rows = await database.transaction(id, async (queries) => {
    // concurrent writes make one of the two fail
    await queries.run(sql`set transaction isolation level repeatable read`)
    await queries.run(sql`set local statement_timeout = '10min'`)
    await checkReferences(queries, id, 'commit')
    await check?.(queries)
    // those of an archive, before foreign keys and triggers remove some of them without being counted
    const count = await countRows(queries, id)
    const tables = await tenantTables(queries)
    for (const { name } of tables.toReversed()) {
      await queries.run(sql`delete from ${sql.table(name)} t where t.organization_id = ${id}`)
    }
    return count
  })
  const keys: string[] = []
  for (const [prefix] of prefixes) {
    for await (const { key } of files.list(`${prefix}/${id}`)) keys.push(key)
  }
  for (const key of keys) await files.remove(key)
  return { rows, files: keys.length }
}

async function countRows(queries: Queries, id: string): Promise<number> {
  let count = 0
  for (const { name } of await archivedTables(queries)) {
    const found = await queries.one<{ rows: number }>(
      sql`select count(*)::integer as rows from ${sql.table(name)} t where t.organization_id = ${id}`,
    )
    count += found?.rows ?? 0
  }
  return count
}
