import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { ofAll } from '../database/citus.ts'
import { newestSecrets } from '../database/installation-secrets.ts'
import { migrations } from '../database/migrate.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { isId } from '../kit/ground/ids.ts'
import { temporaryFolder } from '../kit/ground/interruption.ts'
import type { Files } from '../kit/ground/files.ts'
import type { Secrets } from '../secrets.ts'
import type { Keys, Part } from './archive.ts'
import { readArchive } from './archive.ts'
import { columnsOf, connectOwner, named, tablesOf } from './tables.ts'
import type { Head, Tail } from './write.ts'

type Target = {
  /** the database as its owner, empty or without an organization */
  url: string
  files: Files
  /** migrates the database to the version of the backup, or to the latest */
  migrate(only?: Set<string>): Promise<void>
  /** opens the migrated installation, to bring organizations in and to take them out again */
  open(): Promise<Opened>
  /** stores the secret key of the backup, if it contains one, before anything else is written; returns what decrypts its secrets */
  keepKey(secretKey: string | undefined): Secrets
}

type Opened = {
  /** stores the organization of an archive, whose secrets the key decrypts */
  bring(path: string, key: Secrets): Promise<{ id: string; rows: number; files: number }>
  remove(id: string): Promise<void>
  close(): Promise<void>
}

/**
 * Restores a backup: the rows in one transaction, which fails as a whole, with every
 * foreign key checked at its end; then the migrations that came after the backup. One of format 2 is restored an
 * organization at a time, into any database of its version; if something fails, those are removed again.
 */
export async function restoreBackup(source: Readable, keys: Keys, target: Target) {
  const parts = readArchive(source, keys)
  const first = await parts.next()
  const head = headOf(first.value)
  // an archive of an organization is of the same version
  await target.migrate(head.format === 1 ? new Set(head.migrations) : undefined)
  const client = await connectOwner(target.url, 'restore')
  const incoming = new Incoming(client, head, target)
  let isStored = false
  try {
    await checkEmpty(client)
    for await (const part of parts) await incoming.take(part)
    const tail = await incoming.end()
    await client.query('commit')
    isStored = true
    await target.migrate()
    return { head, tail }
  } catch (error) {
    // this rolls back what was not committed, also while rows are being copied
    await client.end().catch(() => {})
    if (!isStored) await incoming.takeBack()
    throw error
  } finally {
    await parts.return(undefined)
    await client.end().catch(() => {})
  }
}

function headOf(part: Part | undefined): Head {
  const isHead = part?.name === 'backup.json'
  const head = isHead ? (parsed(part.bytes) as Head | null | undefined) : undefined
  const { format = 0, migrations: applied, tables } = head ?? {}
  if (![1, 2].includes(format) || !Array.isArray(applied) || !Array.isArray(tables)) {
    throw new ConfigError('This is not a backup of Perennial')
  }
  const known = migrations().map(({ name }) => name)
  const newer = applied.filter((name) => !known.includes(name))
  if (newer.length) {
    throw new ConfigError(
      `The backup is of a newer version (${head?.version}, with ${newer.at(-1)}): restore it with that version`,
    )
  }
  if (format === 2 && known.some((name) => !applied.includes(name))) {
    throw new ConfigError(
      `The backup has an archive of each organization, which only its own version restores (${head?.version}, without ${known.at(-1)}): ` +
        'restore it with that version, and then start this one',
    )
  }
  return head as Head
}

/** A JSON part's value; undefined where it is none. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** What the database says of damaged rows, as a sentence about the backup; other errors as they are. */
function unfit(error: unknown, what: string): unknown {
  // of data, of constraints, and of names
  const isOfRows = error instanceof pg.DatabaseError && /^(22|23|42)/.test(error.code ?? '')
  if (!isOfRows) return error
  return new ConfigError(`The backup is damaged. ${what}: ${error.message}`, { cause: error })
}

async function checkEmpty(client: pg.Client): Promise<void> {
  const rows = await ofAll<{ count: string }>(
    client,
    'select count(*)::text as count from perennial.organizations',
  )
  if (rows[0]?.count === '0') return
  throw new ConfigError(
    'The database already has organizations: restore into an empty one, such as another data folder',
  )
}

/** Throws a ConfigError if the secrets in the rows were encrypted with another key. */
async function checkKey(client: pg.Client, secrets: Secrets | undefined): Promise<void> {
  const stored = await newestSecrets(client)
  try {
    for (const bytes of stored) secrets?.decrypt(bytes)
  } catch (error) {
    throw otherKey(error)
  }
}

function otherKey(error: unknown): ConfigError {
  return new ConfigError(
    'The secrets in the backup were encrypted with another SECRET_KEY: set SECRET_KEY to the one of its installation, or put its secret.key into the data folder',
    { cause: error },
  )
}

/**
 * Prepares the tables for rows in any order, as the owner may: no trigger runs, row-level security does not apply to the
 * owner, and foreign keys are dropped; `close` restores all of that and thereby checks every row.
 */
async function openTables(
  client: pg.Client,
  which: 'all' | 'shared',
): Promise<{ tables: string[]; close(): Promise<void> }> {
  const tables = await tablesOf(client, which)
  const places = tables.map(named)
  await client.query('begin')
  const { rows: references } = await client.query<{ place: string; name: string; text: string }>(
    `select c.conrelid::regclass::text as place, quote_ident(c.conname) as name,
       pg_get_constraintdef(c.oid) as text
     from pg_constraint c
     where c.contype = 'f' and c.conparentid = 0 and c.conrelid = any($1::regclass[])`,
    [places],
  )
  const forced = await client.query<{ place: string }>(
    `select c.oid::regclass::text as place from pg_class c
     where c.relforcerowsecurity and c.oid = any($1::regclass[])`,
    [places],
  )
  for (const { place, name } of references) {
    await client.query(`alter table ${place} drop constraint ${name}`)
  }
  for (const { place } of forced.rows) {
    await client.query(`alter table ${place} no force row level security`)
  }
  for (const table of tables) await client.query(`alter table ${named(table)} disable trigger user`)
  // rows inserted by migrations or the job library also come from the backup
  for (const table of tables) await client.query(`delete from ${named(table)}`)
  return {
    tables: tables.map(({ schema, table }) => `${schema}.${table}`),
    async close() {
      for (const table of tables) {
        await client.query(`alter table ${named(table)} enable trigger user`)
      }
      for (const { place } of forced.rows) {
        await client.query(`alter table ${place} force row level security`)
      }
      for (const { place, name, text } of references) {
        await client.query(`alter table ${place} add constraint ${name} ${text}`)
      }
      if (which === 'shared') return
      // case folding may differ here
      await client.query('select perennial.rehash_filter_entries()')
      await client.query('analyze')
    },
  }
}

/** Processes the parts of a backup in order. */
class Incoming {
  readonly #client: pg.Client
  readonly #head: Head
  readonly #target: Target
  /** the tables that are filled, once the first row has come */
  #restoring: Awaited<ReturnType<typeof openTables>> | undefined
  /** the installation, while it has organizations brought in */
  #opened: Opened | undefined
  /** what reads the secrets of the backup, once its first part has come */
  secrets: Secrets | undefined
  /** the part of the last piece */
  #name = ''
  #into: Writable | undefined
  #finish: (() => Promise<void>) | undefined
  #rows: { [table: string]: number } = {}
  #organizations: { [id: string]: number } = {}
  #files = 0
  #tail: Tail | undefined

  constructor(client: pg.Client, head: Head, target: Target) {
    this.#client = client
    this.#head = head
    this.#target = target
  }

  async take({ name, number, bytes }: Part): Promise<void> {
    if (name !== this.#name || number <= 1) await this.#close()
    this.#name = name
    const isKey = name === 'secret.key'
    // it comes before everything that is stored
    this.secrets ??= this.#keepKey(isKey ? bytes.toString() : undefined)
    if (isKey) return
    if (name === 'end.json') return void (this.#tail = parsed(bytes) as Tail | undefined)
    const [, kind, rest = ''] = /^(tables|files|organizations)\/(.*)$/.exec(name) ?? []
    if (kind === 'tables') this.#into ??= await this.#openTable(rest)
    else if (kind === 'files') this.#into ??= await this.#openFile(rest)
    else if (kind === 'organizations') this.#into ??= await this.#openOrganization(rest)
    const into = this.#into
    if (!into || !bytes.length) return
    await new Promise<void>((resolve, reject) => {
      into.write(bytes, (error) => (error ? reject(error) : resolve()))
    }).catch((error: unknown) => {
      // of a stream that has failed before, this says only that it has
      throw unfit(into.errored ?? error, `Rows of ${rest} cannot be stored`)
    })
  }

  /** Compares what the backup should contain with what was read; ConfigError if it is incomplete. */
  async end(): Promise<Tail> {
    await this.#close()
    const tail = this.#tail
    if (!tail?.rows || !tail.sequences)
      throw new ConfigError('The backup is incomplete: its end is missing')
    for (const [table, count] of Object.entries(tail.rows)) {
      if (this.#rows[table] === count) continue
      throw new ConfigError(
        `The backup is incomplete: ${this.#rows[table] ?? 0} of ${count} rows of ${table}`,
      )
    }
    if (this.#files !== tail.files) {
      throw new ConfigError(`The backup is incomplete: ${this.#files} of ${tail.files} files`)
    }
    for (const [id, count] of Object.entries(tail.organizations ?? {})) {
      if (this.#organizations[id] === count) continue
      throw new ConfigError(
        `The backup is incomplete: ${this.#organizations[id] ?? 0} of ${count} rows of the organization ${id}`,
      )
    }
    for (const { name, value } of tail.sequences) {
      await this.#client
        .query('select setval($1::regclass, $2::bigint)', [name, value])
        .catch((error: unknown) => {
          throw unfit(error, `The sequence ${name} cannot be set`)
        })
    }
    await checkKey(this.#client, this.secrets)
    await this.#restoring?.close().catch((error: unknown) => {
      throw unfit(error, 'Its rows do not fit each other')
    })
    return tail
  }

  /** Removes the organizations that were brought in. */
  async takeBack(): Promise<void> {
    const ids = Object.keys(this.#organizations)
    try {
      for (const id of ids) await (this.#opened ??= await this.#target.open()).remove(id)
    } finally {
      await this.#opened?.close()
    }
  }

  /** The key of the backup's secrets; ConfigError if it does not decrypt them, where that is known already. */
  #keepKey(secretKey: string | undefined): Secrets {
    const secrets = this.#target.keepKey(secretKey)
    const { sealed } = this.#head
    try {
      if (sealed !== undefined) secrets.decrypt(Buffer.from(sealed, 'base64'))
    } catch (error) {
      throw otherKey(error)
    }
    return secrets
  }

  async #openTable(name: string): Promise<Writable> {
    const table = this.#head.tables.find((each) => `${each.schema}.${each.table}` === name)
    // what else is open would wait for the locks
    await this.#opened?.close()
    this.#opened = undefined
    this.#restoring ??= await openTables(this.#client, this.#head.format === 1 ? 'all' : 'shared')
    if (!table || !this.#restoring.tables.includes(name)) {
      throw new ConfigError(`The backup names a table that there is not: ${name}`)
    }
    const stream = this.#client.query(
      copyFrom(`copy ${named(table)} (${columnsOf(table)}) from stdin`),
    )
    stream.on('error', () => {})
    this.#finish = async () => {
      stream.end()
      await finished(stream).catch((error: unknown) => {
        throw unfit(error, `Rows of ${name} cannot be stored`)
      })
      this.#rows[name] = stream.rowCount
    }
    return stream
  }

  #openFile(key: string): Promise<Writable> {
    if (key.split('/').some((part) => ['', '.', '..'].includes(part))) {
      throw new ConfigError(`The backup is damaged: "${key.slice(0, 200)}" is no name of a file`)
    }
    return this.#openTemporary('file', async (path) => {
      await this.#target.files.put(key, path, 'application/octet-stream')
      this.#files++
    })
  }

  #openOrganization(id: string): Promise<Writable> {
    const { secrets } = this
    if (this.#head.format === 1 || !isId(id) || this.#restoring || !secrets) {
      throw new ConfigError(
        `The backup is damaged: there is no place for the organization "${id.slice(0, 80)}"`,
      )
    }
    return this.#openTemporary(id, async (path) => {
      this.#opened ??= await this.#target.open()
      const brought = await this.#opened.bring(path, secrets).catch((error: unknown) => {
        if (!(error instanceof ConfigError)) throw error
        const message = `The organization ${id} of the backup cannot be restored: ${error.message}`
        throw new ConfigError(message, { cause: error })
      })
      this.#organizations[brought.id] = brought.rows
      this.#files += brought.files
    })
  }

  /** A file of this machine for the pieces of a part, which are whole then. */
  async #openTemporary(name: string, use: (path: string) => Promise<void>): Promise<Writable> {
    const folder = await temporaryFolder()
    const path = join(folder.path, name)
    const stream = createWriteStream(path, { mode: 0o600 })
    this.#finish = async () => {
      try {
        stream.end()
        await finished(stream)
        await use(path)
      } finally {
        await folder.remove()
      }
    }
    return stream
  }

  async #close(): Promise<void> {
    const finish = this.#finish
    this.#finish = undefined
    this.#into = undefined
    await finish?.()
  }
}
