import { Sum } from './sum.ts'
import { encryptedColumns } from '../database/installation-secrets.ts'
import type { Queries, Query } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Table } from '../kit/read/tenant-tables.ts'
import { tenantTables as catalogued } from '../kit/read/tenant-tables.ts'
import { serviceTables } from '../model/all.ts'

/** A table with rows of organizations, and how an archive stores it. */
export type ArchivedTable = {
  name: string
  /** the columns stored unchanged */
  columns: string[]
  /** the columns encrypted with SECRET_KEY, which are re-encrypted with the key of the archive */
  sealed: string[]
  /** the key columns after the organization's id, with their types */
  key: { name: string; type: string }[]
}

/** Tables that an archive omits: what triggers rebuild, and what expires within a day. */
const leftOut = new Set(
  serviceTables.flatMap(({ table, isDerived, isShortLived }) =>
    isDerived || isShortLived ? [table] : [],
  ),
)

/** The id of the transaction that wrote an event, which is meaningless in another installation. */
const ownColumns = new Set(['events.written_in'])

/** The tables with rows of organizations, each after those that it refers to, as far as possible. */
export async function archivedTables(queries: Queries): Promise<ArchivedTable[]> {
  return (await tenantTables(queries)).filter(({ name }) => !leftOut.has(name))
}

/** The same including the tables that an archive omits. */
export async function tenantTables(queries: Queries): Promise<ArchivedTable[]> {
  const tables = await catalogued(queries)
  const links = await queries.all<{ table: string; to: string }>(sql`
    select distinct c.relname as table, o.relname as to from pg_constraint f
    join pg_class c on c.oid = f.conrelid join pg_class o on o.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = current_schema()::regnamespace and c.oid <> o.oid`)
  return inOrder(tables.map(asArchived), links)
}

function asArchived({ name, columns, key }: Table): ArchivedTable {
  const sealed = encryptedColumns.filter(([table]) => table === name).map(([, column]) => column)
  return {
    name,
    columns: columns
      .map((column) => column.name)
      .filter((each) => !sealed.includes(each) && !ownColumns.has(`${name}.${each}`)),
    sealed,
    key: key.map((column) => ({ name: column.name, type: column.type })),
  }
}

/** The referenced ones first; in a cycle of references any. */
function inOrder(tables: ArchivedTable[], links: { table: string; to: string }[]): ArchivedTable[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: ArchivedTable[] = []
  while (left.size) {
    const isFree = ({ name }: ArchivedTable) =>
      !links.some(({ table, to }) => table === name && left.has(to))
    const free = [...left.values()].filter(isFree)
    const next = free.length ? free : [...left.values()].slice(0, 1)
    for (const table of next) left.delete(table.name)
    ordered.push(...next)
  }
  return ordered
}

/** A row in an archive: its columns as PostgreSQL's JSON, and its encrypted values. */
export type ArchivedRow = { text: string; sealed: { [column: string]: Buffer } }

/** The number of bytes of rows that are read at once. */
const pageBytes = 4 * 1024 * 1024
const pageRows = 1000

/** The rows of an organization in a table, in the order of their keys. */
export async function* rowsOf(
  queries: Queries,
  organization: string,
  { name, columns, sealed, key }: ArchivedTable,
): AsyncGenerator<ArchivedRow> {
  const carried = sql.join(columns.map((column) => sql.ref(`t.${column}`)))
  const keys = key.map((column) => sql.ref(`t.${column.name}`))
  const hidden = sealed.map((column) => sql`encode(${sql.ref(`t.${column}`)}, 'base64')`)
  let after: (string | null)[] | undefined
  for (;;) {
    const behind: Query = after
      ? sql`and (${sql.join(keys)}) > (${sql.join(
          key.map(({ type }, i) => sql`${after?.[i] ?? null}::text::${sql.raw(type)}`),
        )})`
      : sql``
    const cells = [
      sql`(select row_to_json(r) from (select ${carried}) r)::text`,
      ...hidden,
      ...keys.map((each) => sql`${each}::text`),
    ]
    const { rows, isCut } = await queries.page(
      sql`select ${sql.join(cells)} from ${sql.table(name)} t
        where t.organization_id = ${organization} ${behind}
        order by ${sql.join(keys)} limit ${pageRows}`,
      pageBytes,
    )
    for (const [text, ...others] of rows) {
      const bytes = sealed.flatMap((column, i) =>
        others[i] ? [[column, Buffer.from(others[i], 'base64')] as const] : [],
      )
      yield { text: oneLine(text ?? ''), sealed: Object.fromEntries(bytes) }
    }
    if (!rows.length || (rows.length < pageRows && !isCut)) return
    after = rows.at(-1)?.slice(1 + sealed.length)
  }
}

/** JSON on one line: a line break in it can only be whitespace between its parts, never part of a text. */
function oneLine(json: string): string {
  return json.replaceAll(/[\r\n\t]/g, ' ')
}

/** The number and the hash sum of an organization's rows in a table. */
export async function sumOf(queries: Queries, id: string, table: ArchivedTable): Promise<Sum> {
  const sum = new Sum()
  for await (const { text } of rowsOf(queries, id, table)) sum.add(text)
  return sum
}
