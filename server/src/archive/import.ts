import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Queries } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { notOnCitus } from '../database/citus.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import type { Secrets } from '../secrets.ts'
import type { Contents, Head } from './export.ts'
import { lastMigration, tokenMark } from './export.ts'
import { readLines } from './lines.ts'
import type { ArchivedTable } from './tables.ts'
import { archivedTables, sumOf } from './tables.ts'

/** The result of an import, and whether tokens, keys of apps and sessions are valid here too. */
export type Imported = Omit<Contents, 'missing_files'> & {
  organization: Head['organization']
  knows_tokens: boolean
}

type From = { path: string; key: Secrets }

/**
 * Imports an organization from an archive into this installation, in one transaction, and compares each
 * table with the archive before the commit. ConfigError if it already exists here, the versions differ,
 * the key is another one, or a row differs.
 */
export async function importOrganization(runtime: Runtime, from: From): Promise<Imported> {
  const head = await headOf(from.path)
  if (head.migration !== lastMigration()) {
    throw new ConfigError(
      `The archive is of the version ${head.migration}, and this installation of ${lastMigration()}: ` +
        'bring both to the same version first',
    )
  }
  if (runtime.database.isDistributed) throw notOnCitus('An organization is not brought into it')
  await checkWhole(from.path)
  const { organization } = head
  const stored: string[] = []
  try {
    const rows = await runtime.database.transaction(organization.id, async (queries) => {
      await queries.run(sql`set local statement_timeout = '10min'`)
      await queries.run(sql`set local idle_in_transaction_session_timeout = 0`)
      await queries.run(sql`set constraints all deferred`)
      const there = await queries.one(
        sql`select from organizations where organization_id = ${organization.id}`,
      )
      if (there)
        throw new ConfigError(`${organization.name} (${organization.id}) already exists here`)
      return new Reader(runtime, queries, { ...from, organization: organization.id, stored }).read()
    })
    const knows_tokens = await knowsTokens(runtime, from.path)
    return { organization, rows, files: stored.length, knows_tokens }
  } catch (error) {
    for (const key of stored) await runtime.files.remove(key)
    throw error
  }
}

/** Whether an installation accepts the tokens, keys of apps and sessions of an archive. */
export async function knowsTokens(runtime: Runtime, path: string): Promise<boolean> {
  const { tokens } = await headOf(path)
  return tokens === tokenMark(runtime)
}

/** Reads the description of an archive. */
async function headOf(path: string): Promise<Head> {
  for await (const [kind, text] of readLines(path)) {
    if (kind === 'head' && text) return JSON.parse(text) as Head
    break
  }
  throw new ConfigError(`"${path}" is not an archive of an organization`)
}

/** Reads the file to its end to check its hash first: errors from damaged rows would not say that the file is damaged. */
async function checkWhole(path: string): Promise<void> {
  const lines = readLines(path)
  while (!(await lines.next()).done);
}

type Place = From & { organization: string; stored: string[] }

/** The maximum number of rows inserted at once, and of their characters. */
const most = { rows: 500, characters: 4_000_000 }

/** Reads the lines of an archive into the transaction and the file store. */
class Reader {
  runtime: Runtime
  queries: Queries
  place: Place
  tables = new Map<string, ArchivedTable>()
  table: ArchivedTable | undefined
  waiting: string[] = []
  characters = 0
  rows = 0

  constructor(runtime: Runtime, queries: Queries, place: Place) {
    this.runtime = runtime
    this.queries = queries
    this.place = place
  }

  async read(): Promise<number> {
    for (const table of await archivedTables(this.queries)) this.tables.set(table.name, table)
    const lines = readLines(this.place.path)
    const sums: [ArchivedTable, string][] = []
    for await (const [kind, text = '', more = '{}'] of lines) {
      if (kind === 'table') this.table = this.tables.get(text)
      if (kind === 'row') await this.add(text, more)
      if (kind === 'sum') {
        await this.flush()
        if (this.table) sums.push([this.table, text])
      }
      if (kind === 'file') await this.file(text, lines)
    }
    await this.queries.run(sql`set constraints all immediate`)
    for (const [table, sum] of sums) await this.compare(table, sum)
    return this.rows
  }

  async add(text: string, sealed: string) {
    const columns = Object.entries(JSON.parse(sealed) as { [column: string]: string })
    const fresh = columns.map(([name, value]) => {
      const bytes = this.runtime.secrets.encrypt(this.decrypted(value))
      return `,${JSON.stringify(name)}:"\\\\x${bytes.toString('hex')}"`
    })
    const row = `${text.slice(0, -1)}${fresh.join('')}}`
    this.waiting.push(row)
    this.characters += row.length
    if (this.waiting.length >= most.rows || this.characters >= most.characters) await this.flush()
  }

  decrypted(value: string): string {
    try {
      return this.place.key.decrypt(Buffer.from(value, 'base64'))
    } catch {
      throw new ConfigError(
        'The secrets of the archive are encrypted with another key: name it with --key-file',
      )
    }
  }

  async flush() {
    const { table, waiting } = this
    if (!table || !waiting.length) return
    const columns = sql.join([...table.columns, ...table.sealed].map((name) => sql.ref(name)))
    this.rows += await this.queries.run(sql`insert into ${sql.table(table.name)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table.name)},
        ${`[${waiting.join(',')}]`}::json)`)
    this.waiting = []
    this.characters = 0
  }

  /** Stores the file in the next lines, through a local file. */
  async file(key: string, lines: AsyncGenerator<string[]>) {
    const folder = await mkdtemp(join(tmpdir(), 'perennial-'))
    try {
      const path = join(folder, 'file')
      const file = createWriteStream(path, { mode: 0o600 })
      for (;;) {
        const next: IteratorResult<string[], undefined> = await lines.next()
        const [kind, text = ''] = next.value ?? []
        if (kind !== 'bytes') break
        if (!file.write(Buffer.from(text, 'base64'))) await once(file, 'drain')
      }
      await finished(file.end())
      this.place.stored.push(key)
      await this.runtime.files.put(key, path, 'application/octet-stream')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async compare(table: ArchivedTable, expected: string) {
    const sum = await sumOf(this.queries, this.place.organization, table)
    if (`${sum}` === expected) return
    throw new ConfigError(
      `The rows of ${table.name} differ: ${expected.split(' ')[0]} in the archive, ${sum.rows} here`,
    )
  }
}
