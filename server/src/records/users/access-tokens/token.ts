import { randomBytes } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { conflict, notFound } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { UserProfile } from '../../../model/users/user.ts'

/** The maximum number of valid tokens per user. */
const mostTokens = 50
const dayMs = 86_400_000

/** The format of a token: its organization and its id identify it, its secret authenticates it. */
const pattern = /^pat_([0-9a-z]{1,25})_([0-9a-z]{1,25})_([\w-]{43})$/

export type TokenParts = { organization_id: string; id: string; secret: string }

/** The parts of a personal access token; undefined for any other text. */
export function tokenParts(text: string): TokenParts | undefined {
  const [, organization_id, id, secret] = pattern.exec(text) ?? []
  return organization_id && id && secret ? { organization_id, id, secret } : undefined
}

export type NewToken = { name: string; scopes: string[]; expires_in_days: number }

/** Creates a token for the caller, and logs it; its text is only in the answer. */
export async function createToken(ctx: Context, { name, scopes, expires_in_days }: NewToken) {
  const { organization, actor } = ctx
  const now = ctx.now()
  // so that two concurrent requests cannot both use the last free place
  await ctx.run(sql`select from users t where ${mine(ctx)} and t.id = ${actor.user_id}
    for no key update`)
  const found = await ctx.one<{ count: number }>(sql`
    select count(*)::int as count from access_tokens t where ${mine(ctx)}
      and t.user_id = ${actor.user_id} and t.revoked_at is null
      and t.expires_at > ${now.toISOString()}`)
  if (found && found.count >= mostTokens) {
    throw conflict(`You have ${mostTokens} access tokens: revoke one first`, 'too_many_tokens')
  }
  const id = newId()
  const secret = randomBytes(32).toString('base64url')
  const expires_at = new Date(+now + expires_in_days * dayMs).toISOString()
  const creation_time = now.toISOString()
  await ctx.run(sql`insert into access_tokens (organization_id, id, user_id, name, secret_hash, scopes,
      expires_at, creation_time)
    values (${organization.id}, ${id}, ${actor.user_id}, ${name}, ${ctx.secrets.hash(secret)},
      ${JSON.stringify(scopes)}, ${expires_at}, ${creation_time})`)
  await logToken(ctx, 'access_token_created', 'Access token created', { name, scopes })
  return {
    access_token_id: id,
    name,
    scopes,
    creation_time,
    expires_at,
    last_used_at: null,
    token: `pat_${organization.id}_${id}_${secret}`,
  }
}

/** The caller's valid tokens, newest first; at most `mostTokens` of them. */
export function listTokens(ctx: Context) {
  return ctx.all(sql`
    select t.id as access_token_id, t.name, t.scopes, t.creation_time, t.expires_at, t.last_used_at
    from access_tokens t where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}
      and t.revoked_at is null and t.expires_at > ${ctx.now().toISOString()}
    order by t.id desc limit ${mostTokens}`)
}

/** Revokes one of the caller's tokens; 404 for one that has ended. */
export async function revokeToken(ctx: Context, id: string): Promise<void> {
  const now = ctx.now().toISOString()
  const row = await ctx.one<{ name: string; scopes: string[] }>(sql`
    update access_tokens t set revoked_at = ${now}
    where ${mine(ctx)} and t.id = ${id} and t.user_id = ${ctx.actor.user_id}
      and t.revoked_at is null and t.expires_at > ${now} returning t.name, t.scopes`)
  if (!row) throw notFound('Access token')
  await logToken(ctx, 'access_token_revoked', 'Access token revoked', row)
  ctx.forget()
}

/** Revokes every token of a user, when their sessions end. */
export async function revokeTokensOf(ctx: Context, user_id: string): Promise<void> {
  await ctx.run(sql`update access_tokens t set revoked_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.user_id = ${user_id} and t.revoked_at is null`)
}

async function logToken(
  ctx: Context,
  action: string,
  title: string,
  { name, scopes }: { name: string; scopes: string[] },
) {
  const { user_id: id, full_name } = ctx.actor
  await announce(ctx, UserProfile, action, {
    id,
    title,
    name: full_name,
    more: { token: name, scopes },
  })
}
