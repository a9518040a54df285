import { createHash, randomBytes, randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database/connect.ts'
import { prefixes } from '../jobs/orphans.ts'
import type { Organization, Queries } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import { temporaryFolder } from '../kit/ground/interruption.ts'
import { newId } from '../kit/ground/ids.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { secretsFrom } from '../secrets.ts'
import type { Contents } from './export.ts'
import { exportOrganization } from './export.ts'
import type { Imported } from './import.ts'
import { importOrganization, knowsTokens } from './import.ts'
import { readLines } from './lines.ts'
import { removeOrganization } from './remove.ts'
import { archivedTables, sumOf } from './tables.ts'

/** An installation, with its database URL as the owner of the tables. */
export type Cell = { runtime: Runtime; owner: Database }

export type Moved = Omit<Imported, 'organization'> & Pick<Contents, 'missing_files'>

/**
 * Moves an organization with its files to another installation and removes it here, after comparing every row and
 * file. If anything differs, or has changed here meanwhile, it is removed there
 * again and stays here. A move that was stopped is resumed: if the organization already exists there,
 * with equal rows, it is only removed here. ConfigError otherwise, and if the import refuses it.
 */
export async function moveOrganization(
  from: Cell,
  to: Cell,
  organization: Organization,
): Promise<Moved> {
  const { path: folder, remove } = await temporaryFolder()
  try {
    await checkApart(from, to, folder)
    const archive = {
      path: join(folder, 'archive'),
      key: secretsFrom(randomBytes(32).toString('hex')),
    }
    const contents = await exportOrganization(from.runtime, organization, archive)
    const sums = await sumsIn(archive.path)
    const wasThere = await isIn(to, organization)
    if (wasThere) await compareThere(to, organization, sums)
    else await importOrganization(to.runtime, archive)
    try {
      await compareFiles(from.runtime.files, to.runtime.files, organization)
      await removeOrganization(from.owner, from.runtime.files, organization.id, async (queries) => {
        const other = await otherTable(queries, organization, sums)
        if (other) throw changed(organization.name, `rows of ${other}`)
      })
    } catch (error) {
      // where two processes move it, the second one finds it there and removes it here: then it is only there
      if (!(await isIn(from, organization))) {
        throw new ConfigError(
          `${organization.name} is no longer here: another process has moved or removed it meanwhile`,
          { cause: error },
        )
      }
      // people may already use an organization that existed there before
      if (!wasThere) await removeOrganization(to.owner, to.runtime.files, organization.id)
      throw error
    }
    return { ...contents, knows_tokens: await knowsTokens(to.runtime, archive.path) }
  } finally {
    await remove()
  }
}

/**
 * Refuses a move to where the organization is already: removed here, it would be gone there, too. What settings say
 * is not enough, since one place can have several addresses.
 */
async function checkApart(from: Cell, to: Cell, folder: string): Promise<void> {
  const key = randomInt(2 ** 47)
  const isSameDatabase = await from.owner.transaction(allOrganizations, async (queries) => {
    await queries.run(sql`select pg_advisory_xact_lock(${key}::bigint)`)
    return to.owner.transaction(allOrganizations, async (others) => {
      const lock = await others.one<{ is_free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${key}::bigint) as is_free`,
      )
      return !lock?.is_free
    })
  })
  if (isSameDatabase) {
    throw new ConfigError(
      'Both installations have the same database: name another one in DATABASE_URL',
    )
  }
  const probe = `moves/${newId()}`
  const path = join(folder, 'probe')
  await writeFile(path, '')
  await to.runtime.files.put(probe, path, 'application/octet-stream')
  try {
    if (!(await hasFile(from.runtime.files, probe))) return
  } finally {
    await to.runtime.files.remove(probe)
  }
  throw new ConfigError(
    'Both installations store files in the same place: name another one in DATA_DIR or S3_BUCKET',
  )
}

async function hasFile(files: Files, key: string): Promise<boolean> {
  try {
    const file = await files.get(key)
    file.destroy()
    return true
  } catch (error) {
    if (error instanceof NoSuchFile) return false
    throw error
  }
}

/** The numbers and sums of the tables in an archive. */
async function sumsIn(path: string): Promise<Map<string, string>> {
  const sums = new Map<string, string>()
  let table = ''
  for await (const [kind, text = ''] of readLines(path)) {
    if (kind === 'table') table = text
    if (kind === 'sum') sums.set(table, text)
  }
  return sums
}

/** The first table whose rows differ from the archive. */
async function otherTable(
  queries: Queries,
  { id }: Organization,
  sums: Map<string, string>,
): Promise<string | undefined> {
  for (const table of await archivedTables(queries)) {
    if (`${await sumOf(queries, id, table)}` !== sums.get(table.name)) return table.name
  }
  return undefined
}

async function isIn({ runtime }: Cell, { id }: Organization): Promise<boolean> {
  const found = await runtime.database
    .reads(id)
    .one(sql`select from organizations where organization_id = ${id}`)
  return found !== undefined
}

async function compareThere(
  { owner }: Cell,
  organization: Organization,
  sums: Map<string, string>,
) {
  await owner.transaction(organization.id, async (queries) => {
    await queries.run(sql`set transaction isolation level repeatable read, read only`)
    await queries.run(sql`set local statement_timeout = '10min'`)
    const other = await otherTable(queries, organization, sums)
    if (!other) return
    throw new ConfigError(
      `${organization.name} is in both installations, with different rows of ${other}: remove it in one of ` +
        'them with perennial org remove',
    )
  })
}

async function compareFiles(here: Files, there: Files, { id, name }: Organization) {
  for (const [prefix] of prefixes) {
    const [ours, theirs] = [
      await hashesOf(here, `${prefix}/${id}`),
      await hashesOf(there, `${prefix}/${id}`),
    ]
    for (const key of new Set([...ours.keys(), ...theirs.keys()]))
      if (ours.get(key) !== theirs.get(key)) throw changed(name, `the file ${key}`)
  }
}

async function hashesOf(files: Files, prefix: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for await (const { key } of files.list(prefix)) {
    const hash = createHash('sha256')
    for await (const chunk of (await files.get(key)) as AsyncIterable<Buffer>) hash.update(chunk)
    hashes.set(key, hash.digest('hex'))
  }
  return hashes
}

function changed(name: string, what: string): ConfigError {
  return new ConfigError(
    `${name} stays here: ${what} changed while it was moved. Answer its host name with 503 and stop the workers first`,
  )
}
