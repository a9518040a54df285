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
  await ctx.run(isShared ? sharedLock(name) : sql`select pg_advisory_xact_lock(${keyOf(name)})`)
}

/** Shares the name for what the transaction sends after this, which does not wait for the answer here. */
export function shareName(ctx: Context, name: string): void {
  ctx.later(sharedLock(name))
}

const sharedLock = (name: string) => sql`select pg_advisory_xact_lock_shared(${keyOf(name)})`
const keyOf = (name: string) => sql`hashtextextended(${name}, 0)`
