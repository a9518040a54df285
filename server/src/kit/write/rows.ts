import type { Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { sql } from '../ground/sql.ts'

/** A body, or columns, by name. */
export type Body = { [key: string]: unknown }

/** One statement for all; a row whose unique key is taken is left out. */
export async function insertRows(
  ctx: Context,
  record: AnyRecord,
  rows: Body[],
): Promise<Set<string>> {
  if (!rows.length) return new Set()
  // columns that no row sets are left out: they are null anyway
  const present = new Set<string>()
  for (const row of rows) {
    for (const name in row) if (row[name] !== null && row[name] !== undefined) present.add(name)
  }
  const names = sql.join([...present].sort().map((name) => sql.ref(name)))
  const made = await ctx.all<{ id: string }>(sql`
    insert into ${sql.table(record.table)} (${names})
    select ${names} from ${populated(record, rows)} r on conflict do nothing returning id`)
  return new Set(made.map(({ id }) => id))
}

/** Rows of the record's table out of one parameter of JSON, whatever their number. */
export function populated(record: AnyRecord, rows: Body[]): Query {
  const table = sql.table(record.table)
  return sql`json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`
}
