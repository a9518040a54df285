import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Queries } from '../kit/ground/context.ts'
import { ConfigError, Failure } from '../kit/ground/errors.ts'
import { temporaryFolder } from '../kit/ground/interruption.ts'
import { isId } from '../kit/ground/ids.ts'
import { translate } from '../database/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import { prefixes } from '../jobs/orphans.ts'
import type { Runtime } from '../runtime.ts'
import type { Secrets } from '../secrets.ts'
import type { Contents, Head } from './export.ts'
import { lastMigration, tokenMark } from './export.ts'
import { readLines } from './lines.ts'
import { checkReferences } from './references.ts'
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
  await checkWhole(from.path)
  const { organization } = head
  const stored: string[] = []
  try {
    const rows = await runtime.database.transaction(organization.id, async (queries) => {
      await queries.run(sql`set local statement_timeout = '10min'`)
      await queries.run(sql`set local idle_in_transaction_session_timeout = 0`)
      await checkReferences(queries, organization.id, 'commit')
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
  for await (const [kind, text = ''] of readLines(path)) {
    const head = kind === 'head' ? (parsed(text) as Partial<Head> | null | undefined) : undefined
    const { organization, migration } = head ?? {}
    // the id decides whose rows and files are written
    const isNamed = isId(`${organization?.id}`) && typeof organization?.name === 'string'
    if (isNamed && typeof migration === 'string') return head as Head
    break
  }
  throw new ConfigError(`"${path}" is not an archive of an organization`)
}

/** A JSON text's value; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads it to its end, where its hash is: what a damaged place makes of a row would be no sentence about the file. */
async function checkWhole(path: string): Promise<void> {
  const lines = readLines(path)
  while (!(await lines.next()).done);
}

type Place = From & { organization: string; stored: string[] }

/** The maximum number of rows inserted at once, and of their characters. */
const most = { rows: 500, characters: 4_000_000 }

/**
 * Reads the lines of an archive into the transaction and the store of files. Anybody can write a file with a hash
 * that fits, so that each line is checked: it must be as an export writes it, of this organization alone.
 */
class Reader {
  runtime: Runtime
  queries: Queries
  place: Place
  tables = new Map<string, ArchivedTable>()
  /** the sums of the tables that were read */
  sums = new Map<ArchivedTable, string>()
  files = new Set<string>()
  table: ArchivedTable | undefined
  waiting: string[] = []
  characters = 0
  rows = 0
  /** the rows of the tables before this one */
  before = 0

  constructor(runtime: Runtime, queries: Queries, place: Place) {
    this.runtime = runtime
    this.queries = queries
    this.place = place
  }

  async read(): Promise<number> {
    for (const table of await archivedTables(this.queries)) this.tables.set(table.name, table)
    const lines = readLines(this.place.path)
    // its head is known
    await lines.next()
    for await (const [kind = '', text = '', more = '{}'] of lines) {
      if (kind === 'table' && !this.table) this.begin(text)
      else if (kind === 'row' && this.table) await this.add(text, more)
      else if (kind === 'sum' && this.table) await this.end(text)
      else if (kind === 'file' && !this.table) await this.file(text, lines)
      else throw this.changed(`"${kind.slice(0, 20)}" is out of place`)
    }
    for (const table of this.tables.values()) {
      if (!this.sums.has(table)) throw this.changed(`the table ${table.name} is missing`)
    }
    await this.accepted('A row', () =>
      checkReferences(this.queries, this.place.organization, 'now'),
    )
    for (const [table, sum] of this.sums) await this.compare(table, sum)
    return this.rows
  }

  begin(name: string) {
    const table = this.tables.get(name)
    if (!table || this.sums.has(table))
      throw this.changed(`"${name.slice(0, 80)}" is no table of it`)
    this.table = table
    this.before = this.rows
  }

  async end(sum: string) {
    await this.flush()
    const read = this.rows - this.before
    if (this.table && !sum.startsWith(`${read} `)) throw this.differing(this.table, sum, read)
    if (this.table) this.sums.set(this.table, sum)
    this.table = undefined
  }

  async add(text: string, more: string) {
    const sealed = parsed(more) as { [column: string]: unknown } | null | undefined
    if (!sealed || !text.startsWith('{') || !text.endsWith('}')) {
      throw this.changed(`a row of ${this.table?.name} is none`)
    }
    const fresh = Object.entries(sealed).map(([name, value]) => {
      if (!this.table?.sealed.includes(name)) {
        throw this.changed(`"${name.slice(0, 80)}" is no secret of ${this.table?.name}`)
      }
      const bytes = this.runtime.secrets.encrypt(this.decrypted(String(value)))
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
    // with its conflicts as an answer, since Citus would copy the rows otherwise, which row-level security forbids
    await this.accepted(`A row of ${table.name}`, () =>
      this.queries.run(sql`insert into ${sql.table(table.name)} (${columns})
        select ${columns} from json_populate_recordset(null::${sql.table(table.name)},
          ${`[${waiting.join(',')}]`}::json)
        on conflict do nothing`),
    )
    this.rows += waiting.length
    this.waiting = []
    this.characters = 0
  }

  /** Does something with rows of the archive; ConfigError where the database refuses them. */
  async accepted<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const failure = translate(error)
      const isRefused =
        failure instanceof Failure
          ? failure.status < 500
          : // what row-level security refuses: a row of another organization
            (error as { code?: string }).code === '42501'
      if (!isRefused) throw error
      throw new ConfigError(
        `${what} in "${this.place.path}" cannot be stored: ${(failure as Error).message}`,
        { cause: error },
      )
    }
  }

  /** Stores the file that the next lines hold, by way of one of this machine. */
  async file(key: string, lines: AsyncGenerator<string[]>) {
    const [prefix, organization, name = '', ...more] = key.split('/')
    const isOwn =
      prefixes.some(([each]) => each === prefix) && organization === this.place.organization
    if (!isOwn || !/^\w[\w.-]*$/.test(name) || more.length || this.files.has(key)) {
      throw this.changed(`"${key.slice(0, 200)}" is no file of it`)
    }
    this.files.add(key)
    const folder = await temporaryFolder()
    try {
      const path = join(folder.path, 'file')
      const file = createWriteStream(path, { mode: 0o600 })
      for (;;) {
        const next: IteratorResult<string[], undefined> = await lines.next()
        const [kind, text = ''] = next.value ?? []
        if (kind === 'stored') break
        const bytes = Buffer.from(text, 'base64')
        if (kind !== 'bytes' || bytes.toString('base64') !== text) {
          throw this.changed(`the file "${key}" is not whole`)
        }
        if (!file.write(bytes)) await once(file, 'drain')
      }
      await finished(file.end())
      this.place.stored.push(key)
      await this.runtime.files.put(key, path, 'application/octet-stream')
    } finally {
      await folder.remove()
    }
  }

  async compare(table: ArchivedTable, expected: string) {
    const sum = await sumOf(this.queries, this.place.organization, table)
    if (`${sum}` === expected) return
    throw this.differing(table, expected, sum.rows)
  }

  differing(table: ArchivedTable, expected: string, rows: number): ConfigError {
    return new ConfigError(
      `The rows of ${table.name} differ: ${expected.split(' ')[0]} by its sum in the archive, ${rows} here`,
    )
  }

  changed(why: string): ConfigError {
    return new ConfigError(`"${this.place.path}" was changed after it was written: ${why}`)
  }
}
