import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { netPromoter, npsAnswers, scoreCounts } from '../dashboards/widgets/customers.ts'
import { day } from '../dashboards/widgets/daily.ts'
import type { Asked, ReportKind } from './kind.ts'
import { columnsOf } from './kind.ts'

type Row = {
  key: string | null
  label: string | null
  is_total: boolean
  count: number
  promoters: number
  passives: number
  detractors: number
}

/**
 * The net promoter score of the period by the accounts that the answers are about, as the timelines show them. An answer
 * about several accounts counts in the row of each, and once in all.
 */
export const nps: ReportKind = {
  module: 'surveys',
  async count(ctx, { by, range }) {
    const { key, label, join } = sideOf(ctx, by)
    const rows = await ctx.all<Row>(sql`
      with scores as (${npsAnswers(ctx, range)}),
      own as (
        select distinct s.id, s.question, s.score, ${key} as key, ${label} as label
        from scores s ${join}),
      counted as (
        select key, min(label) as label, false as is_total, ${scoreCounts} from own s group by 1
        union all select null, null, true, ${scoreCounts} from scores s)
      select * from counted
      order by is_total desc, ${by === 'month' ? sql`key` : sql`count desc, label nulls last`} limit 201`)
    const values = (row: Row) => [
      netPromoter(row),
      row.promoters,
      row.passives,
      row.detractors,
      row.count,
    ]
    const whole = rows.find(({ is_total }) => is_total)
    return {
      columns: columnsOf({
        nps: 'points',
        promoters: 'count',
        passives: 'count',
        detractors: 'count',
        answers: 'count',
      }),
      rows: rows
        .filter(({ is_total }) => !is_total)
        .map((row) => ({
          key: row.key,
          label: row.label,
          level: 0,
          values: values(row),
          module: null,
          filters: {},
        })),
      total: whole ? values(whole) : null,
    }
  },
}

function sideOf(ctx: Context, by: Asked['by']): { [part in 'key' | 'label' | 'join']: Query } {
  if (by === 'month') {
    const month = sql`to_char(${day(ctx, sql`s.finished_at`)}, 'YYYY-MM-01')`
    return { key: month, label: sql`null::text`, join: sql`` }
  }
  if (by === 'survey') {
    const surveys = sql`join surveys x on ${mine(ctx, 'x')} and x.id = s.survey_id`
    return { key: sql`x.id`, label: sql`x.name`, join: surveys }
  }
  const accounts = sql`left join (select a.source_id, x.id, x.account_name, x.segment, x.account_owner
      from record_activity a
      join ${readableRows(ctx, 'accounts')} x on ${mine(ctx, 'x')} and x.id = a.subject_id and x.deleted_at is null
      where ${mine(ctx, 'a')} and a.kind = 'answer' and a.module_id = ${Survey.number} and a.subject_module = 8) x
    on x.source_id = s.id`
  if (by === 'account') return { key: sql`x.id`, label: sql`x.account_name`, join: accounts }
  if (by === 'owner') {
    const people = sql`left join people o on ${mine(ctx, 'o')} and o.id = x.account_owner`
    return { key: sql`x.account_owner`, label: sql`o.full_name`, join: sql`${accounts} ${people}` }
  }
  const segment = sql`nullif(x.segment, '')`
  return { key: segment, label: segment, join: accounts }
}
