import type { Context, Query } from '../ground/context.ts'

/**
 * The rows that a query finds and locks. A statement sees only what existed when it began; while it
 * waits for a row, others may be inserted below that one. So it is repeated until it finds no more.
 */
export async function lockRows<T>(ctx: Context, query: Query): Promise<T[]> {
  for (let known = 0; ;) {
    const rows = await ctx.all<T>(query)
    if (rows.length === known) return rows
    known = rows.length
  }
}
