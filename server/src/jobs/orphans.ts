import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** How long a file may be stored before the write that refers to it is committed. */
const grace = 86_400_000
const batch = 1000

/** The prefixes of keys, and the table whose rows refer to the files. */
export const prefixes = [
  ['documents', 'documents'],
  ['imports', 'imports'],
  ['personal-data', 'personal_data_requests'],
] as const

/**
 * Removes files to which no document, import or export refers, such as those of writes that failed after the
 * file was stored, and what aborted uploads left on this machine. Returns how many there were.
 */
export async function removeOrphans(runtime: Runtime): Promise<number> {
  const before = +runtime.now() - grace
  let removed = await removeUploads(join(runtime.config.dataDir, 'uploads'), before)
  for (const [prefix, table] of prefixes) {
    removed += await removeUnnamed(runtime, prefix, table, before)
  }
  return removed
}

/** The files under a prefix to which no row of the table refers. */
async function removeUnnamed(
  runtime: Runtime,
  prefix: string,
  table: string,
  before: number,
): Promise<number> {
  let removed = 0
  let keys: string[] = []
  const look = async () => {
    const named = await runtime.database.reads(allOrganizations).all<{ storage_key: string }>(sql`
      select storage_key from ${sql.table(table)} where storage_key = any(${keys})`)
    const known = new Set(named.map((row) => row.storage_key))
    for (const key of keys) {
      if (known.has(key)) continue
      await runtime.files.remove(key)
      removed++
    }
    keys = []
  }
  for await (const { key, storedAt } of runtime.files.list(prefix)) {
    if (+storedAt < before) keys.push(key)
    if (keys.length === batch) await look()
  }
  if (keys.length) await look()
  return removed
}

async function removeUploads(folder: string, before: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (!found || found.mtimeMs >= before) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}
