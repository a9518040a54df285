import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'

/** A condition over `t`: nothing that its columns name, by their tables, is deleted. */
export function notBelowDeleted(ctx: Context, above: { [column: string]: string }): Query {
  const each = Object.entries(above).map(
    ([column, table]) => sql`not exists (select from ${sql.table(table)} o
      where ${mine(ctx, 'o')} and o.id = ${sql.ref(`t.${column}`)} and o.deleted_at is not null)`,
  )
  return all(...each)
}

/** A condition over `t`: an erasure of personal data names it in this list of ids. */
export function isErased(ctx: Context, list: 'user_ids' | 'contact_ids'): Query {
  return sql`exists (select from personal_data_requests r
    where ${mine(ctx, 'r')} and r.kind = 'erasure' and ${sql.ref(`r.${list}`)} ? t.id)`
}

/** A condition over `t`: it was deleted, and not merged into another record. */
export function notMerged(ctx: Context): Query {
  return sql`not exists (select from merged_records m where ${mine(ctx, 'm')} and m.id = t.id)`
}
