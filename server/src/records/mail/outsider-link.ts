import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

const purpose = 'mailed link'
const day = 86_400_000
/** How long a link is valid: a mail of Friday is read on Monday. */
const validMs = 7 * day
/** How long what was done by a link can be taken back by it. */
const undoMs = 10 * 60_000

type Ticket = { organization: string; link: string }

/** A page of the portal that a mail leads to, and the task that can be done from there. */
export type OutsiderPlace = { path: string; task_id?: string | null }

/**
 * The address in a mail to a customer or partner: `/t/{token}`, where one task is done without a sign-in, or
 * `/enter/{token}`, which signs in by a button and shows the page. It is valid once, for seven days; opening it uses
 * nothing up, since programs open links too.
 */
export async function outsiderUrl(
  ctx: Context,
  user: string,
  { path, task_id = null }: OutsiderPlace,
): Promise<string> {
  const link = newId()
  const expires = new Date(+ctx.now() + validMs).toISOString()
  await ctx.run(sql`insert into mailed_links
      (organization_id, id, user_id, task_id, path, expires_at)
    values (${ctx.organization.id}, ${link}, ${user}, ${task_id}, ${path}, ${expires})`)
  const ticket: Ticket = { organization: ctx.organization.id, link }
  return `${ctx.public_url}/${task_id ? 't' : 'enter'}/${ctx.secrets.seal(ticket, purpose)}`
}

/** A link that was mailed; `isRecent` for one that was used just now, so that its act can be taken back. */
export type OutsiderLink = {
  organization_id: string
  id: string
  user_id: string
  task_id: string | null
  path: string
  state: 'open' | 'used' | 'expired'
  isRecent: boolean
}

/** The link of a token; undefined for one that this service did not mail, or that is long over. */
export async function readOutsiderLink(
  ctx: PublicContext,
  token: string,
): Promise<OutsiderLink | undefined> {
  const ticket = ctx.secrets.unseal(token, purpose) as Ticket | undefined
  if (!ticket) return undefined
  const { organization, link } = ticket
  const found = await ctx.lookup.one<Stored>(sql`
    select t.organization_id, t.id, t.user_id, t.task_id, t.path, t.expires_at, t.used_at
    from mailed_links t where t.organization_id = ${organization} and t.id = ${link}`)
  if (!found) return undefined
  const { used_at, expires_at, ...rest } = found
  const now = +ctx.now()
  const state = used_at ? 'used' : Date.parse(expires_at) > now ? 'open' : 'expired'
  return { ...rest, state, isRecent: used_at !== null && Date.parse(used_at) > now - undoMs }
}

type Stored = Pick<OutsiderLink, 'organization_id' | 'id' | 'user_id' | 'task_id' | 'path'> & {
  expires_at: string
  used_at: string | null
}

/** Uses a link up; false for one that was used before, or has expired. */
export async function useOutsiderLink(ctx: Context, id: string): Promise<boolean> {
  const now = ctx.now().toISOString()
  const used = await ctx.one(sql`update mailed_links t set used_at = ${now}
    where ${mine(ctx)} and t.id = ${id} and t.used_at is null and t.expires_at > ${now}
    returning t.id`)
  return used !== undefined
}

/** Makes a link valid again whose act was taken back. */
export async function reopenOutsiderLink(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`update mailed_links t set used_at = null where ${mine(ctx)} and t.id = ${id}`)
}

/** Ends the links that were mailed to a user. */
export async function endOutsiderLinks(ctx: Context, user: string): Promise<void> {
  await ctx.run(sql`delete from mailed_links t where ${mine(ctx)} and t.user_id = ${user}`)
}
