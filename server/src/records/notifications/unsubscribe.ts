import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { mailing } from '../../kit/write/events.ts'
import { addressHash } from '../mail/optouts.ts'
import type { Weekly } from './mailed.ts'
import { stopMailed, weekly } from './mailed.ts'
import { categories } from './preferences.ts'

/** The recipient and kind of mails of a link: a user's notifications, or surveys to an address. */
type Ending = { user: string; category: string } | { address: string; topic: 'surveys' }
export type UnsubscribeTicket = Ending & { organization: string }

const purpose = 'unsubscribe'

/** The address that ends mails of a kind: a page for people, one POST for mail programs (RFC 8058). */
export function unsubscribeUrl(ctx: Context, ending: Ending): string {
  const ticket: UnsubscribeTicket = { ...ending, organization: ctx.organization.id }
  const token = ctx.secrets.seal(ticket, purpose)
  return `${ctx.public_url}/unsubscribe/${token}`
}

/** The content of the token in such an address; undefined if this service did not create it. */
export function readUnsubscribe(
  secrets: PublicContext['secrets'],
  token: string,
): UnsubscribeTicket | undefined {
  return secrets.unseal(token, purpose) as UnsubscribeTicket | undefined
}

/** The e-mail address of a link; undefined for a user who has left. */
export async function addressOfTicket(
  ctx: Context,
  ticket: UnsubscribeTicket,
): Promise<string | undefined> {
  if ('address' in ticket) return ticket.address
  const user = await ctx.one<{ email: string }>(sql`select t.email from users t
    where ${mine(ctx)} and t.id = ${ticket.user} and t.deleted_at is null`)
  return user?.email
}

/** Ends mails of the link's kind, or kinds, with commas; idempotent. `daily` ends the digest and everything in it, `overview` the weekly one, `dashboard:ID` and `report:ID` that of a dashboard or a report. */
export async function unsubscribe(ctx: Context, ticket: UnsubscribeTicket): Promise<void> {
  if ('address' in ticket) {
    await ctx.run(sql`insert into mail_optouts (organization_id, address_hash, topic, creation_time)
      values (${ctx.organization.id}, ${addressHash(ctx, ticket.address)}, ${ticket.topic},
        ${ctx.now().toISOString()}) on conflict do nothing`)
    return
  }
  if (ticket.category === 'overview') {
    await ctx.run(sql`update portal_overviews t set is_on = false
      where ${mine(ctx)} and t.user_id = ${ticket.user}`)
    return
  }
  const [kind = '', id] = ticket.category.split(':')
  if (Object.hasOwn(weekly, kind) && id !== undefined)
    return stopMailed(ctx, kind as Weekly, ticket.user, id)
  const ended = ticket.category === 'daily' ? categories : ticket.category.split(',')
  await ctx.run(sql`insert into notification_preferences
      (organization_id, user_id, category, in_app, email)
    select ${ctx.organization.id}, u.id, c, true, 'off' from users u, unnest(${ended}::text[]) c
    where ${mine(ctx, 'u')} and u.id = ${ticket.user}
      and u.deleted_at is null and (${ticket.category !== 'daily'}
        or ${mailing(sql`u.id`, sql`c`)} = 'daily')
    on conflict (organization_id, user_id, category) do update set email = 'off'`)
}
