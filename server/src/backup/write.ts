import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { exportOrganization } from '../archive/export.ts'
import { ofAll } from '../database/citus.ts'
import { prefixes } from '../jobs/orphans.ts'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import { temporaryFolder } from '../kit/ground/interruption.ts'
import type { Runtime } from '../runtime.ts'
import type { Secrets } from '../secrets.ts'
import type { Lock } from './archive.ts'
import { writeArchive } from './archive.ts'
import { columnsOf, connectOwner, named, tablesOf } from './tables.ts'

/**
 * The description at the beginning of a backup; `restore` checks it before it changes anything. Format 1 is one snapshot of
 * all tables, format 2 an archive of each organization and then the tables that belong to none.
 */
export type Head = {
  format: 1 | 2
  version: string
  created_at: string
  migrations: string[]
  tables: { schema: string; table: string; columns: string[] }[]
  /** of format 2: encrypted with the secret key, so that another one is found out before anything is stored */
  sealed?: string
}

/** The expected contents, at the end: without it a backup is incomplete. */
export type Tail = {
  rows: { [table: string]: number }
  /** of format 2: the rows of each organization, by its id */
  organizations?: { [id: string]: number }
  sequences: { name: string; value: string }[]
  files: number
}

type Source = {
  /** the database as its owner */
  url: string
  version: string
  /** undefined if files are omitted */
  files: Files | undefined
  /** the secret key, if it is part of the backup */
  secretKey: string | undefined
  /** for an archive of each organization in place of one snapshot: the service, and the key of their secrets */
  each?: { runtime: Runtime; key: Secrets } | undefined
}

/**
 * Writes a consistent backup of an installation while it is running: the tables in one
 * snapshot, and then the files; files in the snapshot are not removed for a day. With `each`, every organization is a
 * snapshot of its own, with its files, and what belongs to none is read last, so that no job is missing that an organization waits
 * for. `missingFiles` is the number of files in its rows that the store does not have.
 */
export async function writeBackup(
  source: Source,
  target: Writable,
  lock: Lock,
): Promise<Tail & { missingFiles: number }> {
  const client = await connectOwner(source.url, 'backup')
  const tail: Tail = { rows: {}, sequences: [], files: 0 }
  const { each } = source
  const begin = () => client.query('begin isolation level repeatable read, read only')
  let missingFiles = 0
  try {
    if (!each) await begin()
    const tables = await tablesOf(client, each ? 'shared' : 'all')
    const done = await client.query<{ name: string }>(
      'select name from perennial.migrations order by name',
    )
    const head: Head = {
      format: each ? 2 : 1,
      version: source.version,
      created_at: new Date().toISOString(),
      migrations: done.rows.map(({ name }) => name),
      tables,
      ...(each ? { sealed: each.key.encrypt('backup').toString('base64') } : {}),
    }
    await writeArchive(target, lock, async (archive) => {
      await archive.add('backup.json', JSON.stringify(head, null, 2))
      if (source.secretKey) await archive.add('secret.key', source.secretKey)
      if (each) {
        missingFiles = await addOrganizations(
          client,
          archive,
          { ...each, files: source.files },
          tail,
        )
        await begin()
      }
      const streams = new Map<string, { rowCount: number }>()
      for (const table of tables) {
        const stream = client.query(
          copyTo(`copy (select ${columnsOf(table)} from ${named(table)}) to stdout`),
        )
        await archive.stream(`tables/${table.schema}.${table.table}`, stream)
        streams.set(`${table.schema}.${table.table}`, stream)
      }
      const { rows } = await client.query<{ name: string; value: string }>(
        `select schemaname || '.' || sequencename as name, last_value::text as value
         from pg_sequences where schemaname = any($1) and last_value is not null`,
        [[...new Set(tables.map(({ schema }) => schema))]],
      )
      tail.sequences = rows
      // a stream ends before the message with its row count, which has arrived by now
      for (const [name, { rowCount }] of streams) tail.rows[name] = rowCount
      if (source.files && !each) {
        const expected = namedFiles(client)
        tail.files = await addFiles(source.files, archive, (key) => expected.add(key))
        missingFiles = await expected.missing()
      }
      await archive.add('end.json', JSON.stringify(tail, null, 2))
    })
    return { ...tail, missingFiles }
  } finally {
    await client.end().catch(() => {})
  }
}

type Archive = Parameters<Parameters<typeof writeArchive>[2]>[0]

/** Adds an archive of each organization, and what it holds to the expected contents; returns how many files are missing. */
async function addOrganizations(
  client: pg.Client,
  archive: Archive,
  { runtime, key, files }: { runtime: Runtime; key: Secrets; files: Files | undefined },
  tail: Tail,
): Promise<number> {
  const all = await ofAll<{ id: string; name: string; timezone: string }>(
    client,
    'select organization_id as id, name, timezone from perennial.organizations order by 1',
  )
  const folder = await temporaryFolder()
  let missing = 0
  tail.organizations = {}
  try {
    for (const organization of all) {
      const { id } = organization
      const path = join(folder.path, id)
      const given = { path, key, files: files ?? null }
      const contents = await exportOrganization(runtime, organization, given)
      // removed since they were listed
      if (!contents.rows) continue
      await archive.stream(`organizations/${id}`, createReadStream(path))
      await rm(path)
      tail.organizations[id] = contents.rows
      tail.files += contents.files
      missing += contents.missing_files.length
    }
  } finally {
    await folder.remove()
  }
  return missing
}

async function addFiles(
  files: Files,
  archive: Archive,
  added: (key: string) => Promise<void>,
): Promise<number> {
  let count = 0
  for await (const { key } of files.list('')) {
    if (key.endsWith('.part')) continue
    try {
      await archive.stream(`files/${key}`, await files.get(key))
      count++
      await added(key)
    } catch (error) {
      // removed since it was listed, by a user or as an orphan
      if (!(error instanceof NoSuchFile)) throw error
    }
  }
  return count
}

/** Counts which files of the snapshot have been added, some keys at a time. */
function namedFiles(client: pg.Client) {
  let keys: string[] = []
  let found = 0
  const count = async (condition: string, values: unknown[] = []) => {
    let sum = 0
    for (const [, table] of prefixes) {
      const { rows } = await client.query<{ n: number }>(
        `select count(distinct storage_key)::integer as n from ${table} where ${condition}`,
        values,
      )
      sum += rows[0]?.n ?? 0
    }
    return sum
  }
  const look = async () => {
    found += await count('storage_key = any($1)', [keys])
    keys = []
  }
  return {
    async add(key: string) {
      keys.push(key)
      if (keys.length === 1000) await look()
    },
    async missing(): Promise<number> {
      await look()
      return (await count('storage_key is not null')) - found
    },
  }
}

/** A source: a local file, or standard input for `-`. */
export function sourceOf(from: string) {
  return from === '-' ? process.stdin : createReadStream(from)
}
