import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { prefixes } from '../jobs/orphans.ts'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import type { Lock } from './archive.ts'
import { writeArchive } from './archive.ts'
import { columnsOf, connectOwner, named, tablesOf } from './tables.ts'

/** The description at the beginning of a backup; `restore` checks it before it changes anything. */
export type Head = {
  format: 1
  version: string
  created_at: string
  migrations: string[]
  tables: { schema: string; table: string; columns: string[] }[]
}

/** The expected contents, at the end: without it a backup is incomplete. */
export type Tail = {
  rows: { [table: string]: number }
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
}

/**
 * Writes a consistent backup of an installation while it is running: the tables in one
 * snapshot, and then the files; files in the snapshot are not removed for a day. `missingFiles`
 * is the number of files in its rows that the store does not have.
 */
export async function writeBackup(
  source: Source,
  target: Writable,
  lock: Lock,
): Promise<Tail & { missingFiles: number }> {
  const client = await connectOwner(source.url, 'backup')
  const tail: Tail = { rows: {}, sequences: [], files: 0 }
  let missingFiles = 0
  try {
    await client.query('begin isolation level repeatable read, read only')
    const tables = await tablesOf(client)
    const done = await client.query<{ name: string }>(
      'select name from perennial.migrations order by name',
    )
    const head: Head = {
      format: 1,
      version: source.version,
      created_at: new Date().toISOString(),
      migrations: done.rows.map(({ name }) => name),
      tables,
    }
    await writeArchive(target, lock, async (archive) => {
      await archive.add('backup.json', JSON.stringify(head, null, 2))
      if (source.secretKey) await archive.add('secret.key', source.secretKey)
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
      if (source.files) {
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
