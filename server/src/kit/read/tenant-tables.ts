import type { Queries } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'

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

/** A table with rows of organizations; its key is without the organization's id, unless that is all of it. */
export type Table = { name: string; columns: Column[]; key: Column[] }

/** Every table with rows of organizations, from the database's catalogue, so that later tables are included. */
export async function tenantTables(queries: Queries): Promise<Table[]> {
  const rows = await queries.all<Column & { table: string; key_position: number | null }>(sql`
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
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, all]) => {
    const whole = all
      .filter(({ key_position }) => key_position !== null)
      .toSorted((a, b) => Number(a.key_position) - Number(b.key_position))
    const own = whole.filter((column) => column.name !== 'organization_id')
    return { name, columns: all, key: own.length ? own : whole }
  })
}
