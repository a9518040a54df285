import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** Ends every session of a user: those of the application, and those of the consent pages. */
export async function endSessions(ctx: Context, user_id: string): Promise<void> {
  await ctx.run(sql`update sessions t set revoked_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and user_id = ${user_id} and revoked_at is null`)
  await ctx.run(sql`delete from browser_sessions t where ${mine(ctx)} and user_id = ${user_id}`)
  ctx.forget()
}
