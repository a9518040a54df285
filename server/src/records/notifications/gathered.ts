import type { Context } from '../../kit/ground/context.ts'
import { notificationMailJob } from '../../kit/ground/event.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** How long mails wait for an undo. */
const minutes = 10

/** When a mail is sent that waits for an undo. */
export function afterUndo(ctx: Context): Date {
  return new Date(+ctx.now() + minutes * 60_000)
}

/** From when on the mails of a write still wait now, ISO 8601. */
export function undoneFrom(ctx: Context): string {
  return new Date(+ctx.now() - minutes * 60_000).toISOString()
}

/**
 * Lets the mails about records that this write creates wait for ten minutes, in which an undo takes back what they tell
 * of, and makes one of those to each person. Returns when they are due; null where nobody is mailed.
 */
export async function gatherMails(ctx: Context, ids: string[]): Promise<string | null> {
  const waiting = await ctx.all<{ at: string }>(sql`
    with told as (
      select a.id, a.run_at + make_interval(mins => ${minutes}) as due, row_number() over person as nth,
        json_build_object('notification_id', a.id, 'gathered', json_agg(a.id) over person) as data
      from asked_jobs a
      join notifications n on ${mine(ctx, 'n')} and n.id = a.id
        and n.notification_obj ->> 'reference_id' = any(${ids}::varchar[])
      where ${mine(ctx, 'a')} and a.name = ${notificationMailJob.name}
      window person as (partition by n.user_id order by a.id
        rows between unbounded preceding and unbounded following)),
    held as (update notifications n set mail_from = told.due
      from told where ${mine(ctx, 'n')} and n.id = told.id),
    gone as (delete from asked_jobs a using told
      where ${mine(ctx, 'a')} and a.id = told.id and told.nth > 1)
    update asked_jobs a set run_at = told.due, data = told.data
    from told where ${mine(ctx, 'a')} and a.id = told.id and told.nth = 1
    returning a.run_at as at`)
  return waiting[0]?.at ?? null
}
