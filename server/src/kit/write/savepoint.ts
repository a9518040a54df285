import type { Context } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'

/** Does a part of a transaction: what it has written is undone if it throws, and the transaction may go on. */
export async function inSavepoint<T>(
  ctx: Pick<Context, 'run'>,
  work: () => Promise<T>,
): Promise<T> {
  await ctx.run(sql`savepoint part`)
  try {
    const result = await work()
    await ctx.run(sql`release savepoint part`)
    return result
  } catch (error) {
    // of a connection that is gone the error is what says why
    await ctx.run(sql`rollback to savepoint part`).catch(() => {})
    throw error
  }
}
