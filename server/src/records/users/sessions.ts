import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { revokeTokensOf } from './access-tokens/token.ts'

/** Ends the session of the request; its tokens and its cookie become invalid at once. */
export async function endThisSession(ctx: Context): Promise<void> {
  await ctx.run(sql`update sessions t set revoked_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${ctx.actor.session_id}`)
  ctx.forget()
}

/**
 * Ends all access of a user: the sessions of the application and of the consent pages, all
 * `except` the one with that id, and the personal access tokens.
 */
export async function endSessionsAndTokens(
  ctx: Context,
  user_id: string,
  except = '',
): Promise<void> {
  await revokeTokensOf(ctx, user_id)
  await endSessions(ctx, user_id, except)
}

/**
 * Ends the sessions of a user, those of the application and those of the consent pages; all `except`
 * the one with that id.
 */
export async function endSessions(ctx: Context, user_id: string, except = ''): Promise<void> {
  await ctx.run(sql`update sessions t set revoked_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and user_id = ${user_id} and id <> ${except} and revoked_at is null`)
  await ctx.run(sql`delete from browser_sessions t where ${mine(ctx)} and user_id = ${user_id}`)
  ctx.forget()
}
