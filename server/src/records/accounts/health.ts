import type { Context, Query } from '../../kit/ground/context.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { todayHere } from '../../model/time/today.ts'
import { daysSince, lastingDays, said, score, weights } from '../../model/health/inputs.ts'

/**
 * The `health_score` of each account that meets a condition over `t`, as a read of the account shows it. What
 * belongs to the accounts is collected once, instead of with a few look-ups for each of thousands.
 */
export function healthScores(ctx: Context, condition: Query): Query {
  const projects = sql`${readableRows(ctx, 'projects')} p`
  const activity = readableRows(ctx, 'record_activity')
  const quiet = sql.raw(
    daysSince(`coalesce(greatest((select e.occurred_at from events e
      where e.organization_id = $organization and e.module_id = 8 and e.reference_id = t.id
      order by e.id desc limit 1), m.time, l.time), t.creation_time)`),
  )
  return sql`
    with overdue as materialized (
      select p.account_id, count(*)::int as count from (${overdueTasks(ctx)}) k
      join ${projects} on ${mine(ctx, 'p')} and p.id = k.project_id and p.deleted_at is null
      group by 1
    ), risks as materialized (
      select p.account_id, count(*)::int as count from ${readableRows(ctx, 'tasks')} k
      join ${projects} on ${mine(ctx, 'p')} and p.id = k.project_id and p.deleted_at is null
      where ${mine(ctx, 'k')} and k.is_risk and not k.is_completed and k.deleted_at is null
      group by 1
    ), moved as materialized (
      select p.account_id, max(p.last_update_time) as time from ${projects}
      where ${mine(ctx, 'p')} and p.deleted_at is null group by 1
    ), last as materialized (
      select a.subject_id as account_id, max(a.at) as time from ${activity} a
      where ${mine(ctx, 'a')} and a.subject_module = 8 and not a.is_private and a.at <= now() group by 1
    ), unsigned as materialized (
      select account_id, count(distinct id)::int as count from (
        select d.account_id, d.id from ${waitingDocuments(ctx)}
        union all
        select p.account_id, d.id from ${waitingDocuments(ctx)}
        join ${projects} on ${mine(ctx, 'p')} and p.id = d.project_id and p.deleted_at is null
      ) d where account_id is not null group by 1
    ), nps as materialized (${latest(ctx, 'nps')}),
    csat as materialized (${latest(ctx, 'is_satisfied')})
    select coalesce(t.health_score, (select ${sql.raw(score)}
      from (select coalesce(o.count, 0) as overdue, coalesce(r.count, 0) as risks,
        ${quiet} as quiet, coalesce(u.count, 0) as unsigned, nps.value as nps,
        csat.value as csat, null::numeric as sentiment) h, ${sql.raw(weights)} w
    )) as score
    from accounts t
    left join overdue o on o.account_id = t.id
    left join risks r on r.account_id = t.id
    left join moved m on m.account_id = t.id
    left join last l on l.account_id = t.id
    left join unsigned u on u.account_id = t.id
    left join nps on nps.account_id = t.id
    left join csat on csat.account_id = t.id
    where ${condition}`
}

/** Open tasks that are overdue. Private ones are queried separately, so that an index-only scan suffices for the others. */
function overdueTasks(ctx: Context): Query {
  const branches = [sql`not k.is_private`, sql`k.is_private`].map(
    (privacy) => sql`select k.project_id from ${readableRows(ctx, 'tasks')} k
      where ${mine(ctx, 'k')} and k.deleted_at is null and k.completed_at is null
        and k.due_date < ${sql.raw(todayHere)} and ${privacy}`,
  )
  return sql.join(branches, sql` union all `)
}

function waitingDocuments(ctx: Context): Query {
  return sql`(select d.* from ${readableRows(ctx, 'documents')} d where ${mine(ctx, 'd')}
    and d.signature_status in ('pending', 'partial') and d.latest_version and d.deleted_at is null) d`
}

/** The latest answers of each person, by account. */
function latest(ctx: Context, column: keyof typeof said): Query {
  const [value, its] = [sql.raw(said[column]), sql.ref(`a.${column}`)]
  return sql`select x.subject_id as account_id, ${value} as value from (
      select distinct on (a.subject_id, coalesce(a.contact_id, a.id)) a.*
      from ${readableRows(ctx, 'record_activity')} a
      where ${mine(ctx, 'a')} and a.subject_module = 8 and not a.is_private and ${its} is not null
        and a.at > now() - ${`${lastingDays} days`}::interval
      order by a.subject_id, coalesce(a.contact_id, a.id), a.at desc
    ) x
    left join ${readableRows(ctx, 'surveys')} s on ${mine(ctx, 's')} and s.id = x.reference_id
      and x.module_id = 7
    where x.kind <> 'answer' or (s.id is not null and s.deleted_at is null)
    group by 1`
}
