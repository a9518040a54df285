import type { Context } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'

/**
 * Transactions that lock the same name pass one at a time, up to their commit; those that share it pass beside
 * each other, and not beside one that does not. The name holds the id of whom it is about: an organization or a user.
 */
export async function lockName(
  ctx: Context,
  name: string,
  { isShared = false }: { isShared?: boolean } = {},
): Promise<void> {
  const key = sql`hashtextextended(${name}, 0)`
  await ctx.run(
    isShared
      ? sql`select pg_advisory_xact_lock_shared(${key})`
      : sql`select pg_advisory_xact_lock(${key})`,
  )
}
