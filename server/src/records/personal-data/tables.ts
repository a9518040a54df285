import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** A column of a table, from PostgreSQL's catalogue. */
export type Column = {
  name: string
  type: string
  kind: 'text' | 'json' | 'list' | 'other'
  /** whether an update can reset it to its default */
  has_default: boolean
  /** whether no two rows may have the same value, by itself or with other columns */
  is_unique: boolean
}

/** A table with rows of organizations, and its key. */
export type Table = { name: string; columns: Column[]; key: Column[] }

/** Tables that are not searched: their data is derived from others, or not personal. */
const passedOver = new Set([
  // maintained by triggers on the tables of searchable and filterable records
  'search_entries',
  'filter_entries',
  'search_words',
  // the requests themselves, which contain only ids
  'personal_data_requests',
  // information about the organization itself
  'organizations',
  'organization_logos',
])

/** Every table with rows of organizations, from the database's catalogue, so that later tables are included. */
export async function tablesOf(ctx: Context): Promise<Table[]> {
  const rows = await ctx.all<Column & { table: string; key_position: number | null }>(sql`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      case when t.typname in ('text', 'varchar', 'bpchar') then 'text'
        when t.typname in ('json', 'jsonb') then 'json'
        when t.typname in ('_text', '_varchar') then 'list' else 'other' end as kind,
      (not a.attnotnull or a.atthasdef) as has_default,
      exists (select from pg_index u where u.indrelid = c.oid and u.indisunique
        and a.attnum = any(u.indkey::int2[])) as is_unique,
      array_position(i.indkey::int2[], a.attnum) as key_position
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    join pg_type t on t.oid = a.atttypid
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and exists (select from pg_attribute o where o.attrelid = c.oid
        and o.attname = 'organization_id')
    order by c.relname, a.attnum`)
  const byName = Map.groupBy(rows, ({ table }) => table)
  return [...byName]
    .filter(([name]) => !passedOver.has(name))
    .map(([name, columns]) => ({
      name,
      columns: columns.filter((column) => column.name !== 'organization_id'),
      key: keyOf(columns),
    }))
}

/** The columns of a key without the organization's id, unless that is the only one. */
function keyOf<C extends Column & { key_position: number | null }>(columns: C[]): C[] {
  const whole = columns
    .filter(({ key_position }) => key_position !== null)
    .sort((a, b) => Number(a.key_position) - Number(b.key_position))
  const own = whole.filter(({ name }) => name !== 'organization_id')
  return own.length ? own : whole
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
