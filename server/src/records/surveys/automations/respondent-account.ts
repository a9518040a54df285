import type { Context } from '../../../kit/ground/context.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Contact } from '../../../model/contacts/contact.ts'

/** The account that an answer is about; an owner who has left is none. */
export type RespondentAccount = {
  id: string
  name: string
  segment: string | null
  owner_id: string | null
  owner: string | null
}

/**
 * The account that the caller may read for each of these respondents, by address in lower case: that of the survey,
 * else that of the respondent's company, of several the oldest. One statement for all.
 */
export async function respondentAccounts(
  ctx: Context,
  survey: { account_id?: unknown },
  emails: string[],
): Promise<(email: string | null | undefined) => RespondentAccount | undefined> {
  const columns = sql`a.id, a.account_name as name, a.segment, o.id as owner_id,
    o.full_name as owner`
  const owner = sql`left join users o on ${mine(ctx, 'o')} and o.id = a.account_owner
    and o.deleted_at is null and o.is_active`
  const readable = sql`${readableRows(ctx, 'accounts')} a`
  if (survey.account_id) {
    const own = await ctx.one<RespondentAccount>(sql`select ${columns} from ${readable} ${owner}
      where ${mine(ctx, 'a')} and a.deleted_at is null and a.id = ${survey.account_id}`)
    return () => own
  }
  if (!emails.length) return () => undefined
  const found = await ctx.all<RespondentAccount & { email: string }>(sql`
    select p.email, ${columns}
    from (
      select distinct on (t.primary_email_key) t.primary_email_key as email, t.company_id
      from contacts t
      where ${all(scope(ctx, Contact, 'read'), sql`t.primary_email_key = any(${emails})`)}
      order by t.primary_email_key, t.id
    ) p
    join lateral (
      select a.* from ${readable}
      where ${mine(ctx, 'a')} and a.deleted_at is null and a.company_id = p.company_id
      order by a.id limit 1
    ) a on true
    ${owner}`)
  const accounts = new Map(found.map((each) => [each.email, each]))
  return (email) => accounts.get(email?.toLowerCase() ?? '')
}
