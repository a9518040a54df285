import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { anywhere, mine, nothingCached, sql } from '../../kit/ground/sql.ts'
import { sessionRefreshed } from '../../database/cached-tables.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Identity, Session } from './sign-in.ts'
import { expiry, sessionOf } from './sign-in.ts'

/** A rotated refresh token is good for this much longer, for answers that were lost. */
const graceMs = 60_000

type Found = Identity & {
  id: string
  is_current: boolean
  is_previous: boolean | null
  rotated_at: string
}

/**
 * Rotates a session's refresh token; undefined when the token is not valid. The next token is derived
 * from it, so that whoever lost the answer or sent it twice at once gets the same one for 60 s more.
 * After that, and for older tokens at once, its use means that it was copied, and ends the session.
 */
export async function rotateSession(
  ctx: PublicContext,
  token: string,
): Promise<Session | undefined> {
  const { secrets } = ctx
  const family = secrets.hash(token.split('.')[0] ?? '')
  const next = `${token.split('.')[0]}.${secrets.hash(`next ${token}`).toString('base64url')}`
  const owner = await ctx.lookup.one<{ organization_id: string; user_id: string }>(sql`
    select organization_id, user_id from sessions t where ${anywhere('t')} and family_hash = ${family}`)
  const known = owner && (await loadActor(ctx.lookup, owner.organization_id, owner.user_id))
  if (!known?.is_active) return undefined
  const session = await ctx.actAs(known).write((own) => rotate(own, family, token, next))
  return session && sessionOf(ctx, session, session.id, next)
}

async function rotate(
  ctx: Context,
  family: Buffer,
  token: string,
  next: string,
): Promise<Found | undefined> {
  const { secrets } = ctx
  const hash = secrets.hash(token)
  const now = ctx.now()
  const found = await ctx.one<Found>(sql`
    select t.organization_id, t.id, t.user_id, u.full_name, u.email, r.role_name as role,
      t.refresh_hash = ${hash} as is_current, t.previous_hash = ${hash} as is_previous, t.rotated_at
    from sessions t
    join users u on u.organization_id = $organization and u.id = t.user_id
    join roles r on r.organization_id = $organization and r.id = u.role_id
    where ${mine(ctx)} and t.family_hash = ${family} and t.revoked_at is null
      and t.expires_at > ${now.toISOString()} and u.is_active and u.deleted_at is null
    for update of t`)
  if (!found) return undefined
  if (found.is_current) {
    await ctx.run(sql`${nothingCached} update sessions t set refresh_hash = ${secrets.hash(next)},
      previous_hash = ${hash}, rotated_at = ${now.toISOString()}, expires_at = ${expiry(now)}
      where ${mine(ctx)} and t.id = ${found.id}`)
    sessionRefreshed(ctx, ctx.organization.id, found.id)
    return found
  }
  if (found.is_previous && +now - Date.parse(found.rotated_at) <= graceMs) return found
  await ctx.run(sql`update sessions t set revoked_at = ${now.toISOString()}
    where ${mine(ctx)} and t.id = ${found.id}`)
  ctx.forget()
  return undefined
}
