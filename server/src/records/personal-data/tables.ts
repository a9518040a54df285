import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Table } from '../../kit/read/tenant-tables.ts'
import { tenantTables } from '../../kit/read/tenant-tables.ts'
import { serviceTables } from '../../model/all.ts'

/** Tables that are not searched: their data is derived from others, or not personal. */
const passedOver = new Set(
  serviceTables.flatMap(({ table, isDerived, isImpersonal }) =>
    isDerived || isImpersonal ? [table] : [],
  ),
)

/** Every table with rows of organizations that may hold something about people. */
export async function tablesOf(ctx: Context): Promise<Table[]> {
  const all = await tenantTables(ctx)
  return all
    .filter(({ name }) => !passedOver.has(name))
    .map((table) => ({
      ...table,
      columns: table.columns.filter(({ name }) => name !== 'organization_id'),
    }))
}

/** The values of a row's key, as texts. */
export type Key = string[]

/** The number of rows that one statement searches, so that it ends within seconds. */
const chunk = 10_000
/** The maximum number of rows that one part returns, and of their bytes, since each may contain a document. */
const most = 100
const mostBytes = 4 * 1024 * 1024

/** A row with a match: its key, and its columns as PostgreSQL's text. */
export type Found = { key: Key; values: { [column: string]: string | null } }

/**
 * The rows of the next part of a table that meet a condition over `t`, and where the following part
 * begins; null after the last.
 */
export async function nextPart(
  ctx: Context,
  table: Table,
  after: Key | null,
  condition: Query,
): Promise<{ found: Found[]; next: Key | null }> {
  const key = table.key.map(({ name }) => sql.ref(`t.${name}`))
  const behind = after?.length
    ? sql`and (${sql.join(key)}) > (${sql.join(keyValues(table, after))})`
    : sql``
  const part = sql`select t.* from ${sql.table(table.name)} t where ${mine(ctx)} ${behind}
    order by ${sql.join(key)} limit ${chunk}`
  const asText = (names: string[]) =>
    sql`json_build_array(${sql.join(names.map((name) => sql`${sql.ref(`t.${name}`)}::text`))})`
  const names = table.columns.map(({ name }) => name)
  const keys = table.key.map(({ name }) => name)
  const [last] = await ctx.all<{ key: Key }>(sql`select ${asText(keys)} as key
    from (${part}) t order by ${sql.join(key.map((each) => sql`${each} desc`))} limit 1`)
  if (!last) return { found: [], next: null }
  const { rows, isCut } = await ctx.page(
    sql`select ${asText(keys)} as key, ${asText(names)} as cells from (${part}) t where ${condition}
      order by ${sql.join(key)} limit ${most}`,
    mostBytes,
  )
  const found = rows.map(([its = '', cells]): Found => {
    const values = JSON.parse(cells ?? '[]') as (string | null)[]
    const byName = names.map((name, i) => [name, values[i] ?? null] as const)
    return { key: JSON.parse(its ?? '[]') as Key, values: Object.fromEntries(byName) }
  })
  // if there may be more, the next part begins after the last row
  const isPart = isCut || found.length === most
  return { found, next: (isPart && found.at(-1)?.key) || last.key }
}

/** Whether a row of `t` has this key. */
export function isRow(table: Table, key: Key): Query {
  const names = table.key.map(({ name }) => sql.ref(`t.${name}`))
  return sql`(${sql.join(names)}) = (${sql.join(keyValues(table, key))})`
}

function keyValues(table: Table, key: Key): Query[] {
  return table.key.map(({ type }, i) => sql`${key[i] ?? null}::text::${sql.raw(type)}`)
}
