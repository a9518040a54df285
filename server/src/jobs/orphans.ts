import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryPrefix } from '../kit/ground/files.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** How long a file may be stored before the write that refers to it is committed. */
const grace = 86_400_000
const batch = 1000

/** The prefixes of keys, and the table whose rows refer to the files. */
export const prefixes = [
  ['documents', 'documents'],
  ['document-images', 'document_images'],
  ['signature-files', 'signature_files'],
  ['imports', 'imports'],
  ['personal-data', 'personal_data_requests'],
] as const

/**
 * Removes files to which no document, import or export refers, such as those of writes that failed after the
 * file was stored, and what aborted uploads left on this machine. Returns how many there were.
 */
export async function removeOrphans(runtime: Runtime): Promise<number> {
  const before = +runtime.now() - grace
  let removed = await removeOld(join(runtime.config.dataDir, 'uploads'), '', before)
  for (const [prefix, table] of prefixes) {
    removed += await removeUnnamed(runtime, prefix, table, before)
  }
  return removed
}

/**
 * Removes the temporary folders that killed processes left on this machine a day ago: they may contain all that is
 * stored about a person or an organization. Returns how many there were.
 */
export function removeTemporaryFolders(): Promise<number> {
  // by the clock of the machine, which also says when they were changed
  return removeOld(tmpdir(), temporaryPrefix, Date.now() - grace)
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

/** Removes what is in a folder of this machine, by the beginning of its name, and was not changed since a time. */
async function removeOld(folder: string, prefix: string, before: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (!name.startsWith(prefix) || (await changedAt(path)) >= before) continue
    // of another user of this machine
    const isGone = await rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    )
    if (isGone) removed++
  }
  return removed
}

/** When a file, or anything in a folder, was last changed; Infinity if that cannot be found out. */
async function changedAt(path: string): Promise<number> {
  try {
    const found = await stat(path)
    const inside = found.isDirectory() ? await readdir(path) : []
    const times = await Promise.all(inside.map((name) => changedAt(join(path, name))))
    return Math.max(found.mtimeMs, ...times)
  } catch {
    return Infinity
  }
}
