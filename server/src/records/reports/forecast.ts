import type { Context } from '../../kit/ground/context.ts'
import { endOfDay, startOfDay } from '../../kit/ground/dates.ts'
import { firstIdAt } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Deal } from '../../model/projects/project.ts'
import { amountsIn } from '../dashboards/widgets/kind.ts'
import { organizationCurrency, pricedDeals } from '../projects/priced.ts'
import type { ReportKind } from './kind.ts'
import { between, columnsOf, leading, monthOf, monthsOf } from './kind.ts'

type Row = {
  first: string
  expected: number
  expected_value: number
  forecast: number
  won: number
  won_value: number
  others: number
  currencies: string[]
}

/**
 * What was expected of each month when it began, beside what was won in it: the deals that were open then and expected
 * within it, by the day and in the stage that they had at that moment, at their value of today.
 */
export const forecast: ReportKind = {
  module: 'deals',
  hasMoney: true,
  async count(ctx, { range, currency, pipeline_id }) {
    const rounded = amountsIn(currency)
    const months = monthsOf(range)
    const rows = await ctx.all<Row>(await statement(ctx, months, currency, pipeline_id))
    const won = await wonStages(ctx)
    const shown = rows.map((row) => {
      const forecasted = rounded(row.forecast)
      const won_value = rounded(row.won_value)
      return {
        row,
        values: [
          row.expected,
          rounded(row.expected_value),
          forecasted,
          row.won,
          won_value,
          rounded(won_value - forecasted),
        ],
      }
    })
    const sum = (at: number) => shown.reduce((all, { values }) => all + (values[at] ?? 0), 0)
    const sums = [0, 1, 2, 3, 4, 5].map((at) => rounded(sum(at)))
    return {
      columns: columnsOf({
        expected: 'count',
        expected_value: 'amount',
        forecast: 'amount',
        won: 'count',
        won_value: 'amount',
        difference: 'amount',
      }),
      rows: shown.map(({ row, values }) => {
        const month = months.find(({ from }) => from === row.first)
        const found = month
          ? [
              between('closed_at', month.from, month.to),
              { field: 'stage_id', operator: 'in', value: won },
              ...(pipeline_id
                ? [{ field: 'pipeline_id', operator: 'eq', value: pipeline_id }]
                : []),
            ]
          : undefined
        return {
          key: monthOf(row.first),
          label: null,
          level: 0,
          values,
          module: 'deals',
          filters: leading('won', won.length ? found : undefined),
        }
      }),
      // a deal that slipped is expected of several months
      total: sums,
      currencies: [...new Set(rows.flatMap(({ currencies }) => currencies))].toSorted(),
      left_out: rows.reduce((all, { others }) => all + others, 0),
    }
  },
}

async function wonStages(ctx: Context): Promise<string[]> {
  const found = await ctx.all<{ id: string }>(sql`
    select s.id from stages s where ${mine(ctx, 's')} and s.category = 'won' order by s.id`)
  return found.map(({ id }) => id)
}

async function statement(
  ctx: Context,
  months: { from: string; to: string }[],
  currency: string,
  pipeline_id: string | undefined,
) {
  const { timezone } = ctx.organization
  const values = months.map(
    ({ from, to }) =>
      sql`(${from}::date, ${to}::date, ${startOfDay(from, timezone)}::timestamptz, ${endOfDay(to, timezone)}::timestamptz)`,
  )
  const first = months[0]?.from ?? ''
  const eldest = firstIdAt(new Date(Date.parse(startOfDay(first, timezone)) - 86_400_000))
  const deals = pricedDeals(ctx, {
    currency: await organizationCurrency(ctx),
    ...(pipeline_id ? { where: sql`t.pipeline_id = ${pipeline_id}` } : {}),
    more: sql`, t.creation_time, t.forecasted_date, t.due_date,
      coalesce(t.expected_deal_value, t.revenue, 0) as expected_value`,
  })
  // an event that moved the day says what it was until then
  return sql`
    with months (first, last, since, until) as (values ${sql.join(values)}),
    deals as materialized (${deals}),
    moved as materialized (
      select e.reference_id as id, e.id as at, e.occurred_at, c.value ->> 'field' as field,
        (left(c.value ->> 'from', 10))::date as was
      from events e cross join json_array_elements(e.changes) c
      where ${mine(ctx, 'e')} and e.module_id = ${Deal.number} and e.id >= ${eldest}
        and json_typeof(e.changes) = 'array' and c.value ->> 'field' in ('forecasted_date', 'due_date')),
    before as materialized (
      select distinct on (v.id, m.first, v.field) v.id, m.first, v.field, v.was
      from moved v join months m on v.occurred_at >= m.since
      order by v.id, m.first, v.field, v.at),
    standing as (
      select m.first, m.last, d.id, d.currency_unit, d.expected_value, coalesce(s.probability, 0) / 100.0 as chance,
        coalesce(case when f.id is null then d.forecasted_date else f.was end,
          case when u.id is null then d.due_date else u.was end) as expected
      from months m
      join deals d on d.creation_time < m.since and (d.closed_at is null or d.closed_at >= m.since)
      left join before f on f.id = d.id and f.first = m.first and f.field = 'forecasted_date'
      left join before u on u.id = d.id and u.first = m.first and u.field = 'due_date'
      left join stage_changes h on ${mine(ctx, 'h')} and h.project_id = d.id
        and h.entered_at < m.since and (h.left_at is null or h.left_at >= m.since)
      left join stages s on ${mine(ctx, 's')} and s.id = coalesce(h.stage_id, d.stage_id)),
    expected as (
      select first, count(*)::int as expected,
        sum(expected_value) filter (where currency_unit = ${currency}) as expected_value,
        sum(expected_value * chance) filter (where currency_unit = ${currency}) as forecast,
        count(*) filter (where currency_unit <> ${currency}) as others,
        array_agg(distinct currency_unit) as currencies
      from standing where expected between first and last group by 1),
    won as (
      select m.first, count(*)::int as won,
        sum(d.value) filter (where d.currency_unit = ${currency}) as won_value,
        count(*) filter (where d.currency_unit <> ${currency}) as others,
        array_agg(distinct d.currency_unit) as currencies
      from months m join deals d on d.category = 'won' and d.closed_at >= m.since and d.closed_at < m.until
      group by 1)
    select m.first::text, coalesce(e.expected, 0) as expected, coalesce(e.expected_value, 0)::float8 as expected_value,
      coalesce(e.forecast, 0)::float8 as forecast, coalesce(w.won, 0) as won, coalesce(w.won_value, 0)::float8 as won_value,
      (coalesce(e.others, 0) + coalesce(w.others, 0))::int as others,
      coalesce(e.currencies, '{}') || coalesce(w.currencies, '{}') as currencies
    from months m left join expected e on e.first = m.first left join won w on w.first = m.first
    order by m.first`
}
