import type { Context, Query } from '../ground/context.ts'

/**
 * The rows that a query finds and locks. A statement sees what was there when it began: where it waits for
 * a row, others may have come below that one meanwhile. So it is sent again until it finds no more.
 */
export async function lockRows<T>(ctx: Context, query: Query): Promise<T[]> {
  for (let known = 0; ;) {
    const rows = await ctx.all<T>(query)
    if (rows.length === known) return rows
    known = rows.length
  }
}
