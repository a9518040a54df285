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
  await ctx.run(isShared ? sharedLock(name) : sql`select pg_advisory_xact_lock(${keyOf(name)})`)
}

/** Shares the name for what the transaction sends after this, which does not wait for the answer here. */
export function shareName(ctx: Context, name: string): void {
  ctx.later(sharedLock(name))
}

const sharedLock = (name: string) => sql`select pg_advisory_xact_lock_shared(${keyOf(name)})`
const keyOf = (name: string) => sql`hashtextextended(${name}, 0)`
