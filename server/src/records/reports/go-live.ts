import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { Project } from '../../model/projects/project.ts'
import { day, within } from '../dashboards/widgets/daily.ts'
import type { Asked, ReportKind } from './kind.ts'
import { between, columnsOf, is, leading, monthOf, monthsOf, tenths } from './kind.ts'

type Row = {
  key: string | null
  label: string | null
  is_total: boolean
  count: number
  average: number
  median: number
  p85: number
}

/**
 * How many days projects took that went live in the period: from their first day, or the one they were made on, to the
 * one they were completed on. The 85th percentile is the least number of days that 85 % of them did not exceed.
 */
export const goLive: ReportKind = {
  module: 'projects',
  async count(ctx, asked) {
    const { by, range } = asked
    const done = day(ctx, sql`t.completed_at`)
    const { key, label, join } = sideOf(ctx, by, done)
    const rows = await ctx.all<Row>(sql`
      with own as (
        select ${key} as key, ${label} as label,
          greatest(0, ${done} - coalesce(t.start_date, ${day(ctx, sql`t.creation_time`)})) as days
        from projects t ${join}
        where ${all(scope(ctx, Project, 'read'), within(sql`t.completed_at`, range))}
          and t.project_type = 'project')
      select key, min(label) as label, grouping(key) = 1 as is_total, count(*)::int as count,
        avg(days)::float8 as average,
        (percentile_cont(0.5) within group (order by days))::float8 as median,
        (percentile_disc(0.85) within group (order by days))::float8 as p85
      from own group by grouping sets ((key), ())
      order by is_total desc, ${by === 'month' ? sql`key` : sql`count(*) desc, min(label) nulls last`}
      limit 201`)
    const values = ({ count, average, median, p85 }: Row) =>
      count ? [count, tenths(median), tenths(average), tenths(p85)] : [0, null, null, null]
    const whole = rows.find(({ is_total }) => is_total)
    return {
      columns: columnsOf({ projects: 'count', median: 'days', average: 'days', p85: 'days' }),
      rows: rows
        .filter(({ is_total }) => !is_total)
        .map((row) => ({
          key: row.key,
          label: row.label,
          level: 0,
          values: values(row),
          module: 'projects',
          filters: filtersOf(ctx, asked, row.key),
        })),
      total: whole ? values(whole) : null,
    }
  },
}

function sideOf(
  ctx: Context,
  by: Asked['by'],
  done: Query,
): { [part in 'key' | 'label' | 'join']: Query } {
  const none = sql``
  if (by === 'template') {
    const templates = sql`left join ${readableRows(ctx, 'templates')} x on ${mine(ctx, 'x')} and x.id = t.template_id`
    return { key: sql`t.template_id`, label: sql`x.template_name`, join: templates }
  }
  if (by === 'owner') {
    const people = sql`left join people x on ${mine(ctx, 'x')} and x.id = t.project_owner`
    return { key: sql`t.project_owner`, label: sql`x.full_name`, join: people }
  }
  if (by === 'segment') {
    const accounts = sql`left join ${readableRows(ctx, 'accounts')} x on ${mine(ctx, 'x')}
      and x.id = t.account_id and x.deleted_at is null`
    const segment = sql`nullif(x.segment, '')`
    return { key: segment, label: segment, join: accounts }
  }
  return { key: sql`to_char(${done}, 'YYYY-MM-01')`, label: sql`null::text`, join: none }
}

/** Segments are of accounts, whose fields are no conditions for those who do not see all of them. */
function filtersOf({ actor }: Context, { by, range }: Asked, key: string | null) {
  const { from, last } = range
  if (by === 'month') {
    const month = monthsOf({ from, last }).find((each) => monthOf(each.from) === key)
    return leading('projects', month && [between('completed_at', month.from, month.to)])
  }
  const field = { template: 'template_id', owner: 'project_owner', segment: 'account_id.segment' }[
    by as 'template'
  ]
  if (by === 'segment' && levelOf(actor, 'accounts', 'read') !== 'all') return {}
  return leading('projects', [between('completed_at', from, last), is(field, key)])
}
