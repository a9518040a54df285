import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { optedOut } from './optouts.ts'

/** The links of a user that a newer one replaces, and that are used once. */
export type AccountLink = 'invite' | 'reset' | 'sign_in'

/** What a mail is for, as far as it may end while the mail waits. */
export type Needed = {
  /** the recipient's user id: not needed if they have left or were deactivated */
  user?: string
  /** the link that it contains, by the hash of its token: not needed once it was used, replaced or has expired */
  link?: { of: AccountLink; hash: string }
  /** the recipient of a signature request whom it asks to act: not needed once they have, or the request has ended */
  recipient?: string
  /** the hash of the token in that recipient's link: not needed once the place is another person's, or the link ended */
  signing?: string
  /** the survey that it asks to answer: not needed once that is closed */
  survey?: string
  /** the mailing and the address of a survey's mail: not needed once its recipient has answered, or wants none */
  unanswered?: { schedule: string; address: string }
  /** the time from which it is not needed, such as the end of a meeting; ISO 8601 */
  until?: string | null
}

/** The `needed` of a mail with a link of a user. */
export function neededFor(ctx: Context, of: AccountLink, token: string): { needed: Needed } {
  return { needed: { link: { of, hash: ctx.secrets.hash(token).toString('hex') } } }
}

/** Why a mail that has waited is no longer needed; undefined for one that is. */
export async function whyNotNeeded(
  ctx: Context,
  { user, link, recipient, signing, survey, unanswered, until }: Needed = {},
): Promise<string | undefined> {
  const now = ctx.now().toISOString()
  if (until && until <= now) return 'what it is about is over'
  if (user !== undefined) {
    const active = await ctx.one(sql`select t.id from users t
      where ${mine(ctx)} and t.id = ${user} and t.is_active and t.deleted_at is null`)
    if (!active) return 'the user is no longer active'
  }
  if (link) {
    const open = await ctx.one(sql`select t.id from users t
      where ${mine(ctx)} and t.deleted_at is null
        and ${links[link.of].hash} = ${Buffer.from(link.hash, 'hex')} and ${links[link.of].end} > ${now}`)
    if (!open) return 'its link was used or replaced, or has expired'
  }
  if (recipient !== undefined) {
    const open = await ctx.one(sql`select t.id from signature_recipients t
      join signature_requests q on q.organization_id = $organization and q.id = t.request_id
      where ${mine(ctx)} and t.id = ${recipient} and t.status in ('waiting', 'sent', 'viewed')
        and q.status = 'open' and (q.expires_at is null or q.expires_at > ${now})`)
    if (!open) return 'its recipient has acted, or the request has ended'
  }
  if (recipient !== undefined && signing !== undefined) {
    const same = await ctx.one(sql`select t.id from signature_recipients t
      where ${mine(ctx)} and t.id = ${recipient} and t.token_hash = ${Buffer.from(signing, 'hex')}`)
    if (!same) return 'its link has ended: there is another one, or another person'
  }
  if (survey !== undefined) {
    const open = await ctx.one(sql`select t.id from surveys t
      where ${mine(ctx)} and t.id = ${survey} and t.deleted_at is null
        and t.status = 'published' and t.is_active`)
    if (!open) return 'its survey is closed'
  }
  if (unanswered) {
    const { schedule, address } = unanswered
    const key = address.toLowerCase()
    const done = await ctx.one(sql`select t.id from survey_responses t
      where ${mine(ctx)} and t.schedule_id = ${schedule} and t.finished
        and lower(t.respondent_email) = ${key} limit 1`)
    if (done) return 'its recipient has answered'
    const refused = await ctx.one(sql`select t.id from contacts t
      where ${mine(ctx)} and t.primary_email_key = ${key} and t.do_not_contact = 'yes'
        and t.deleted_at is null limit 1`)
    if (refused) return 'its recipient wants no contact'
    if ((await optedOut(ctx, 'surveys', [key])).has(key)) return 'its recipient has unsubscribed'
  }
  return undefined
}

/** The columns of each kind of link: the hash of its token, and when it ends. */
const links = {
  invite: { hash: sql`t.invite_hash`, end: sql`t.invite_expires_at` },
  reset: { hash: sql`t.reset_hash`, end: sql`t.reset_expires_at` },
  sign_in: { hash: sql`t.sign_in_hash`, end: sql`t.sign_in_expires_at` },
} satisfies { [of in AccountLink]: unknown }
