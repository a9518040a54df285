import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { remindSigners } from './remind.ts'
import { voidSignatures } from './withdraw.ts'

/** Days between automatic reminders, and how many of them a request sends at most. */
const pause = 3
const most = 3
const day = 86_400_000
const batch = 20

/**
 * Withdraws expired requests and reminds those who have not signed: every three days, three times.
 * Returns how many requests it handled; each batch is one transaction.
 */
export async function notifyOverdue(ctx: Context): Promise<number> {
  const now = ctx.now().toISOString()
  const since = new Date(+ctx.now() - pause * day).toISOString()
  const due = await ctx.all<{ document_id: string; is_expired: boolean }>(sql`
    select t.document_id, coalesce(t.expires_at <= ${now}, false) as is_expired
    from signature_requests t
    join documents d on d.organization_id = $organization and d.id = t.document_id
      and d.signature_request = t.id and d.deleted_at is null
    where ${mine(ctx)} and t.status = 'open' and (t.expires_at <= ${now}
      or (not t.is_external and t.reminders < ${most}
        and coalesce(t.reminded_at, t.creation_time) <= ${since}))
    order by t.id limit ${batch} for update of d skip locked`)
  for (const { document_id, is_expired } of due) {
    if (is_expired) await voidSignatures(ctx, document_id, 'The time to sign was over', 'expired')
    else await remindSigners(ctx, document_id)
  }
  return due.length
}
