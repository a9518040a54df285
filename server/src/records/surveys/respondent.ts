import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import type { Known } from '../../model/forms/piping.ts'
import { pipesIn, textsOf } from '../../model/forms/piping.ts'
import type { Page } from '../../model/forms/form-parts.ts'
import { loadActor } from '../users/actor.ts'

/**
 * What the texts of a form say of the person who is signed in, as they would by a link of their own: to customers and
 * partners, who read no contacts, what those who sent it to them know of them.
 */
export async function knownOfCaller(ctx: Context, pages: Page[]): Promise<Known> {
  if (!saysWho(pages)) return {}
  const me = await ctx.one<{ email: string }>(sql`select t.email from users t
    where ${mine(ctx)} and t.id = ${ctx.actor.user_id}`)
  return me ? knownTo(ctx, {}, me.email, ctx.actor.is_confined) : {}
}

/** The survey, the recipient and the mailing of a personal link, and who made it. */
type Linked = { email: string; schedule?: string | undefined; by?: string | undefined }

/**
 * What texts may say of the person whom a link is for: as much as whoever sent it may read, and nothing once they have
 * left. Otherwise a link to an address would show its maker what their role hides.
 */
export async function knownOf(
  ctx: Context,
  survey: { account_id?: unknown; created_by: string | null },
  { email, schedule, by }: Linked,
): Promise<Known> {
  const mailing = schedule
    ? await ctx.one<{ created_by: string | null }>(sql`select t.created_by from survey_schedules t
        where ${mine(ctx)} and t.id = ${schedule}`)
    : undefined
  const sender = mailing ? mailing.created_by : (by ?? survey.created_by)
  const its = sender ? await loadActor(ctx, ctx.organization.id, sender) : undefined
  return its?.is_active ? knownTo({ ...ctx, actor: its.actor }, survey, email) : {}
}

type Person = {
  full_name: string
  job_title: string | null
  company: string | null
  account: string | null
  owner: string | null
}

/** Whether the texts of a survey say something of the person who answers, or of their account. */
export function saysWho(pages: Page[]): boolean {
  const parts = pages.flatMap((page) => [page, ...page.fields])
  return textsSayWho(parts.flatMap(textsOf))
}

/** Whether texts say something of the person who answers, or of their account. */
export function textsSayWho(texts: string[]): boolean {
  return texts.flatMap(pipesIn).some((name) => !name.startsWith('answers.'))
}

/**
 * What the caller may read of the contact with this address, and of the account of their own company: that of the
 * survey, if it is theirs, else their oldest.
 */
async function knownTo(
  ctx: Context,
  survey: { account_id?: unknown },
  email: string,
  isOpen = false,
): Promise<Known> {
  const account = typeof survey.account_id === 'string' ? survey.account_id : null
  const rows = (table: string) => (isOpen ? sql.table(table) : readableRows(ctx, table))
  const found = await ctx.one<Person>(sql`
    select t.full_name, t.job_title, c.company_name as company, a.account_name as account,
      o.full_name as owner
    from ${rows('contacts')} t
    left join ${rows('companies')} c on ${mine(ctx, 'c')} and c.id = t.company_id
      and c.deleted_at is null
    left join lateral (
      select b.* from ${rows('accounts')} b where ${mine(ctx, 'b')} and b.deleted_at is null
        and b.company_id = t.company_id and (${account}::text is null or b.id = ${account})
      order by b.id limit 1
    ) a on true
    left join users o on ${mine(ctx, 'o')} and o.id = a.account_owner and o.deleted_at is null
    where ${mine(ctx)} and t.primary_email_key = ${email.toLowerCase()} and t.deleted_at is null
    order by a.id is null, t.id limit 1`)
  if (!found) return {}
  const { full_name, job_title, company, account: name, owner } = found
  const [first_name = ''] = full_name.includes('@') ? [] : full_name.split(/\s+/)
  return {
    'contact.first_name': first_name,
    'contact.full_name': first_name ? full_name : '',
    'contact.job_title': job_title,
    'contact.company': company,
    'account.name': name,
    'account.owner': owner,
  }
}
