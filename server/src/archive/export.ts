import { migrations } from '../database/migrate.ts'
import type { Organization, Queries } from '../kit/ground/context.ts'
import { type Files, NoSuchFile } from '../kit/ground/files.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import type { Secrets } from '../secrets.ts'
import { prefixes } from '../jobs/orphans.ts'
import { writeLines } from './lines.ts'
import { Sum } from './sum.ts'
import { archivedTables, rowsOf } from './tables.ts'

/** The description of an archive, in its second line. */
export type Head = {
  organization: { id: string; name: string }
  /** the last migration of the installation that wrote it */
  migration: string
  /** equal in installations that accept each other's tokens */
  tokens: string
  exported_at: string
}

/** The contents of an archive; `missing_files` are those that its rows name and the store does not have. */
export type Contents = { rows: number; files: number; missing_files: string[] }

/** A fingerprint of the key with which the installation hashes tokens. */
export function tokenMark({ secrets }: Runtime): string {
  return secrets.hash('archives of organizations').toString('hex')
}

/** The version of the schema: the name of the last migration. */
export function lastMigration(): string {
  return migrations().at(-1)?.name ?? ''
}

/**
 * Writes a consistent snapshot of an organization with its files to an archive, while the service runs. Data that
 * is encrypted with SECRET_KEY is encrypted with the key of the archive instead. The files are left out where `files`
 * is null.
 */
export async function exportOrganization(
  runtime: Runtime,
  { id, name }: Organization,
  { path, key, files = runtime.files }: { path: string; key: Secrets; files?: Files | null },
): Promise<Contents> {
  const contents: Contents = { rows: 0, files: 0, missing_files: [] }
  const head: Head = {
    organization: { id, name },
    migration: lastMigration(),
    tokens: tokenMark(runtime),
    exported_at: runtime.now().toISOString(),
  }
  async function* lines(queries: Queries) {
    yield ['head', JSON.stringify(head)]
    for (const table of await archivedTables(queries)) {
      const sum = new Sum()
      yield ['table', table.name]
      for await (const { text, sealed } of rowsOf(queries, id, table)) {
        sum.add(text)
        const fresh = Object.entries(sealed).map(([column, bytes]) => [
          column,
          key.encrypt(runtime.secrets.decrypt(bytes)).toString('base64'),
        ])
        yield ['row', text, JSON.stringify(Object.fromEntries(fresh))]
      }
      yield ['sum', `${sum}`]
      contents.rows += sum.rows
    }
    if (files) yield* fileLines(files, queries, id, contents)
  }
  await runtime.database.transaction(id, async (queries) => {
    // one snapshot; a long time limit, because the disk may be slow
    await queries.run(sql`set transaction isolation level repeatable read, read only`)
    await queries.run(sql`set local idle_in_transaction_session_timeout = 0`)
    await queries.run(sql`set local statement_timeout = '10min'`)
    await writeLines(path, lines(queries))
  })
  return contents
}

async function* fileLines(files: Files, queries: Queries, id: string, contents: Contents) {
  for (const [prefix, table] of prefixes) {
    const missing = await namedFiles(queries, id, table)
    for await (const { key } of files.list(`${prefix}/${id}`)) {
      try {
        const bytes = await files.get(key)
        yield ['file', key]
        for await (const chunk of bytes as AsyncIterable<Buffer>) {
          yield ['bytes', chunk.toString('base64')]
        }
        yield ['stored']
        contents.files++
        missing.delete(key)
      } catch (error) {
        // removed since it was listed
        if (!(error instanceof NoSuchFile)) throw error
      }
    }
    contents.missing_files.push(...missing)
  }
}

/** The names of files that are read at once. */
const namesOfPage = 5000

/** The files that rows of a table name. */
async function namedFiles(queries: Queries, id: string, table: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (let last = '', count = namesOfPage; count === namesOfPage;) {
    const found = await queries.all<{ key: string }>(sql`
      select distinct t.storage_key as key from ${sql.table(table)} t
      where t.organization_id = ${id} and t.storage_key > ${last} order by 1 limit ${namesOfPage}`)
    for (const { key } of found) names.add(key)
    last = found.at(-1)?.key ?? last
    count = found.length
  }
  return names
}
