import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

const totals = { views: 'view_count', downloads: 'download_count', shares: 'share_count' }

/** Counts a use of a document, in total and by day (UTC); the record's version stays the same. */
export async function countUse(
  ctx: Context,
  id: string,
  what: keyof typeof totals,
  times = 1,
): Promise<void> {
  const total = sql.ref(totals[what])
  await ctx.run(sql`update documents t set ${total} = ${total} + ${times}
    where ${mine(ctx)} and t.id = ${id}`)
  await ctx.run(sql`insert into document_days as t (organization_id, document_id, day, ${sql.ref(what)})
    values (${ctx.organization.id}, ${id}, ${ctx.now().toISOString().slice(0, 10)}, ${times})
    on conflict (organization_id, document_id, day)
    do update set ${sql.ref(what)} = t.${sql.ref(what)} + ${times}`)
}
