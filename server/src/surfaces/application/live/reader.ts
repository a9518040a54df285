import type { Actor, Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { loadSession } from '../authenticate.ts'

/** Why a stream announces the session: its rights have changed, or it has ended. */
export type SessionReason =
  | 'rights_changed'
  | 'signed_out'
  | 'deactivated'
  | 'expired'
  | 'totp_required'

/**
 * The current caller of a stream, by its session, cached until something about them changes; or
 * why the session has ended.
 */
export async function readerNow(
  ctx: Context,
  now: Date,
): Promise<
  { ctx: Context; reason?: 'rights_changed' } | { ctx?: undefined; reason: SessionReason }
> {
  const { organization, actor } = ctx
  const id = actor.session_id ?? ''
  const session = await ctx.cached(`session ${id}`, (committed) =>
    loadSession(committed, organization.id, id),
  )
  if (!session) return { reason: await reasonOf(ctx) }
  if (Date.parse(session.expires_at) < +now) return { reason: 'expired' }
  if (session.must_enrol) return { reason: 'totp_required' }
  if (session.actor === actor) return { ctx }
  const reader: Context = { ...ctx, organization: session.organization, actor: session.actor }
  const isSame = rightsOf(session.actor) === rightsOf(actor)
  return isSame ? { ctx: reader } : { ctx: reader, reason: 'rights_changed' }
}

/** The properties that decide what a caller may do and see. */
function rightsOf(actor: Actor): string {
  const { role_id, is_admin, is_confined, is_external, permission, team, account_id } = actor
  const kind = [role_id, is_admin, is_confined, is_external, account_id]
  return JSON.stringify([kind, permission, team.toSorted()])
}

async function reasonOf(ctx: Context): Promise<SessionReason> {
  const active = await ctx.one(sql`select from users t
    where ${mine(ctx)} and t.id = ${ctx.actor.user_id} and t.is_active and t.deleted_at is null`)
  return active ? 'signed_out' : 'deactivated'
}
