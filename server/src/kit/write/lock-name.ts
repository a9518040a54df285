import type { Context } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'

/**
 * A lock on a name until the commit: transactions with an exclusive lock run one at a time, those that
 * share it run together. The name contains the id of its organization or user.
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
