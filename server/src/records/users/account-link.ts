import { randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { reserve } from '../../kit/write/quota.ts'

/** What anybody may have mailed to a user: only the hash of the token is stored, with its end. */
export type OfferedLink = { of: 'reset' | 'sign_in'; prefix: string; minutes: number }

/** Milliseconds in which no other link is mailed while the last one has not been used. */
export const quietMs = 2 * 60_000
/** Links of an hour to one address, of all kinds; above it only when none is open, so that nobody is locked out. */
const mostInHour = 5

const columns = {
  reset: { hash: sql`reset_hash`, end: sql`reset_expires_at` },
  sign_in: { hash: sql`sign_in_hash`, end: sql`sign_in_expires_at` },
}

/**
 * A token for a new link of a user, which replaces the one before; undefined if the one before was mailed just now,
 * or if the hour has had enough while it is open.
 */
export async function newLink(
  ctx: Context,
  { id, email }: { id: string; email: string },
  { of, prefix, minutes }: OfferedLink,
): Promise<string | undefined> {
  const { hash, end } = columns[of]
  const validMs = minutes * 60_000
  const now = +ctx.now()
  const last = await ctx.one<{ end: string }>(sql`select ${end} as end from users t
    where ${mine(ctx)} and t.id = ${id} and ${hash} is not null for no key update`)
  const leftMs = last ? +new Date(last.end) - now : 0
  if (leftMs > validMs - quietMs) return undefined
  const links = { name: 'links', key: email.toLowerCase(), limit: mostInHour, seconds: 3600 }
  const spent = await reserve(ctx, [links])
  if (spent && leftMs > 0) return undefined
  const token = `${prefix}_${randomBytes(32).toString('base64url')}`
  await ctx.run(sql`update users t set ${hash} = ${ctx.secrets.hash(token)},
    ${end} = ${new Date(now + validMs).toISOString()} where ${mine(ctx)} and id = ${id}`)
  return token
}
