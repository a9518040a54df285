import { all, mine, sql } from '../../kit/ground/sql.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import { day, within } from '../dashboards/widgets/daily.ts'
import { dealsWithSteps } from '../dashboards/widgets/deals.ts'
import { percent } from '../dashboards/widgets/kind.ts'
import type { Lead } from '../dashboards/leads.ts'
import { computeWidget } from '../dashboards/widget.ts'
import { organizationCurrency, pricedDeals } from '../projects/priced.ts'
import type { ReportColumn, ReportKind } from './kind.ts'
import { between, columnsOf, leading, monthOf, monthsOf, tenths } from './kind.ts'

type Step = Lead & {
  stage_id: string
  stage_name: string
  pipeline_name: string
  pipeline_id: string
  count: number
  conversion: number
  step_conversion: number
  median_days: number | null
  p85_days: number | null
  lost: number
  standing: number
}

/** The deals made in the period by the stages that they reached, and how long they stayed: the widget `deal_funnel`. */
export const funnel: ReportKind = {
  module: 'deals',
  async count(ctx, { pipeline_id, time_filter }) {
    const { series, totals } = await computeWidget(ctx, {
      widget_type: 'deal_funnel',
      config: {},
      words: pipeline_id ? { pipeline_id } : {},
      time_filter,
      dashboard: undefined,
    })
    const steps = (series as unknown as Step[]).filter(
      ({ pipeline_id: its }) => !pipeline_id || its === pipeline_id,
    )
    const several = new Set(steps.map(({ pipeline_id: its }) => its)).size > 1
    const { count, lost } = totals as { count: number; lost: number }
    return {
      columns: columnsOf({
        deals: 'count',
        conversion: 'percent',
        step_conversion: 'percent',
        median_days: 'days',
        p85_days: 'days',
        standing: 'count',
        lost: 'count',
      }),
      rows: steps.map((step) => ({
        key: step.stage_id,
        label: several ? `${step.pipeline_name}: ${step.stage_name}` : step.stage_name,
        level: 0,
        values: [
          step.count,
          tenths(step.conversion),
          tenths(step.step_conversion),
          tenths(step.median_days),
          tenths(step.p85_days),
          step.standing,
          step.lost,
        ],
        module: step.module,
        filters: leading('deals', step.filter ?? undefined),
      })),
      total: [count, null, null, null, null, null, lost],
    }
  },
}

/** How far the deals made in each month have come: the share that reached each stage of a pipeline or one after it. */
export const cohorts: ReportKind = {
  module: 'deals',
  async count(ctx, { range, pipeline_id }) {
    const id = pipeline_id ?? (await pipelinesOf(ctx))[0]?.pipeline_id ?? ''
    const deals = pricedDeals(ctx, {
      currency: await organizationCurrency(ctx),
      where: all(within(sql`t.creation_time`, range), sql`t.pipeline_id = ${id}`),
      more: sql`, ${day(ctx, sql`t.creation_time`)} as made`,
    })
    const found = await ctx.all<{
      month: string
      stage_id: string
      count: number
      won: number
    }>(sql`
      with ${dealsWithSteps(ctx, deals)}
      select to_char(d.made, 'YYYY-MM-01') as month, s.id as stage_id, count(*)::int as count,
        (count(*) filter (where d.category = 'won'))::int as won
      from deals d join steps s on s.pipeline_id = d.pipeline_id and s.step = d.step
      group by 1, 2`)
    const way = await ctx.all<{ id: string; name: string }>(sql`
      select s.id, s.stage_name as name from stages s
      where ${mine(ctx, 's')} and s.pipeline_id = ${id} and s.category <> 'lost'
        and (not s.is_archived or s.id = any(${found.map(({ stage_id }) => stage_id)}::varchar[]))
      order by s.is_archived, s.position, s.id`)
    const row = (its: typeof found) => {
      const sum = (list: typeof found) => list.reduce((sum, { count }) => sum + count, 0)
      const count = sum(its)
      const reached = way.map((_, at) => {
        const from = new Set(way.slice(at).map((stage) => stage.id))
        return sum(its.filter(({ stage_id }) => from.has(stage_id)))
      })
      const won = its.reduce((sum, each) => sum + each.won, 0)
      return [
        count,
        ...reached.map((number) => (count ? percent(number, count) : null)),
        count ? percent(won, count) : null,
      ]
    }
    const stages = way.map((stage): ReportColumn => ({
      key: stage.id,
      label: stage.name,
      unit: 'percent',
    }))
    return {
      columns: [...columnsOf({ deals: 'count' }), ...stages, ...columnsOf({ won: 'percent' })],
      rows: monthsOf(range).map(({ from, to }) => {
        const values = row(found.filter(({ month }) => month === monthOf(from)))
        return {
          key: monthOf(from),
          label: null,
          level: 0,
          values,
          module: 'deals',
          filters: leading(
            'deals',
            values[0]
              ? [
                  between('creation_time', from, to),
                  { field: 'pipeline_id', operator: 'eq', value: id },
                ]
              : undefined,
          ),
        }
      }),
      total: row(found),
    }
  },
}
