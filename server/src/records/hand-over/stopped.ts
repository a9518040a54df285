import type { Context } from '../../kit/ground/context.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { stillMails } from '../../model/surveys/tables.ts'

/**
 * Notifies those who manage apps about what stops because somebody leaves: connected apps, subscriptions,
 * automations and mailings that act in their name. Called before their access ends.
 */
export async function announceStopped(ctx: Context, user_id: string): Promise<void> {
  const found = await ctx.one<{ [kind: string]: number }>(sql`
    select
      (select count(*)::int from grants t where ${mine(ctx)} and t.user_id = ${user_id}
        and t.revoked_at is null) as connections,
      (select count(*)::int from subscriptions t where ${mine(ctx)} and t.user_id = ${user_id}
        and t.status = 'active') as subscriptions,
      (select count(*)::int from survey_automations t where ${mine(ctx)}
        and t.created_by = ${user_id} and t.is_active and t.deleted_at is null) as automations,
      (select count(*)::int from survey_schedules t where ${mine(ctx)}
        and t.created_by = ${user_id} and t.deleted_at is null and ${stillMails})
        as scheduled_mailings`)
  const stopped = Object.entries(found ?? {}).filter(([, count]) => count)
  if (!stopped.length) return
  const user = await ctx.one<{ full_name: string }>(sql`select t.full_name from users t
    where ${mine(ctx)} and t.id = ${user_id}`)
  const name = user?.full_name ?? ''
  const what = stopped.map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`).join(', ')
  const title = `${what} of ${name} stopped`.slice(0, 255)
  const notify: NewNotification[] = (await keepersOfApps(ctx, user_id)).map((id) => ({
    user_id: id,
    notification_type: 9,
    title,
    description: 'They left or were deactivated. Hand over what should go on, or set it up again.',
    notification_obj: { user_id },
  }))
  await announce(ctx, { module: 'apps', word: 'app' }, 'stopped', {
    id: null,
    name,
    title,
    changes: stopped.map(([field, count]) => ({ field, from: count, to: 0 })),
    more: { user_id },
    notify,
  })
}

/** The active users whose roles may connect apps, except the one who leaves. */
async function keepersOfApps(ctx: Context, leaving: string): Promise<string[]> {
  const rows = await ctx.all<{ id: string }>(sql`
    select t.id from users t join roles r on r.organization_id = $organization and r.id = t.role_id
    where ${mine(ctx)} and t.is_active and t.deleted_at is null and t.id <> ${leaving}
      and (r.kind = 'admin' or coalesce(r.permission -> 'apps' ->> 'create', 'none') <> 'none')
    order by t.id limit 100`)
  return rows.map(({ id }) => id)
}
