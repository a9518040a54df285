import type { Context, Query } from '../../kit/ground/context.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { computed, quietSince } from './totals.ts'

/**
 * The `health_score` of each account under a condition over `t`, as every one of them reads it: what
 * belongs to them is gathered once, instead of a few look-ups for each of thousands of accounts.
 */
export function healthScores(ctx: Context, condition: Query): Query {
  return sql`
    with overdue as materialized (
      select p.account_id, count(*)::int as count from (${overdueTasks(ctx)}) k
      join ${readableRows(ctx, 'projects')} p on ${mine(ctx, 'p')} and p.id = k.project_id and p.deleted_at is null
      group by 1
    ), moved as materialized (
      select p.account_id, max(p.last_update_time) as time from ${readableRows(ctx, 'projects')} p
      where ${mine(ctx, 'p')} and p.deleted_at is null group by 1
    )
    select coalesce(t.health_score, (select ${sql.raw(computed)}
      from (select coalesce(o.count, 0) as overdue, ${sql.raw(quietSince('m.time'))} as quiet) h
    )) as score
    from accounts t
    left join overdue o on o.account_id = t.id
    left join moved m on m.account_id = t.id
    where ${condition}`
}

/** Open tasks that are overdue, the private ones apart: an index alone answers for the others. */
function overdueTasks(ctx: Context): Query {
  const branches = [sql`not k.is_private`, sql`k.is_private`].map(
    (privacy) => sql`select k.project_id from ${readableRows(ctx, 'tasks')} k
      where ${mine(ctx, 'k')} and k.deleted_at is null and k.completed_at is null
        and k.due_date < current_date and ${privacy}`,
  )
  return sql.join(branches, sql` union all `)
}
