import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import type { Stored } from './fields.ts'
import { linksTo } from '../links/links.ts'

/** The unique key of a stored row: null if it has none. */
export type KeyOf = (row: Stored) => string | null

/** The stored rows of a merge, locked: the one that stays, and the others. */
export async function storedRows(
  ctx: Context,
  record: AnyRecord,
  primary_id: string,
  merged_ids: string[],
): Promise<{ primary: Stored; merged: Stored[] }> {
  const found = await ctx.all<{ row: Stored }>(sql`select to_jsonb(t) as row
    from ${sql.table(record.table)} t
    where ${mine(ctx)} and t.id = any(${[primary_id, ...merged_ids]}) order by t.id for update`)
  const rows = new Map(found.map(({ row }) => [String(row.id), row]))
  const rowOf = (id: string) => {
    const row = rows.get(id)
    if (!row) throw new Error(`${record.word} ${id} of a merge has no row`)
    return row
  }
  return { primary: rowOf(primary_id), merged: merged_ids.map(rowOf) }
}

/** Values for columns: objects and arrays as JSON text. */
export function asColumns(values: Stored): Stored {
  const entries = Object.entries(values).map(([column, value]) => [
    column,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(entries)
}

/** The custom fields of a row, as in a read. */
export function customFieldsOf({ custom_fields }: Stored): { [key: string]: unknown } {
  return (custom_fields as { [key: string]: unknown } | undefined) ?? {}
}

/** The columns in which a record points to another of the same type. */
export function linksToItself(record: AnyRecord) {
  return (linksTo[record.table] ?? []).filter(({ table }) => table === record.table)
}
