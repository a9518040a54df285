import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { Account } from '../../../model/accounts/account.ts'
import { sumOf } from '../../../model/money/money.ts'
import { pricedDeals } from '../../projects/priced.ts'
import { Deal, Project } from '../../../model/projects/project.ts'
import type { Range } from '../../../model/dashboards/range.ts'
import { within } from './daily.ts'
import { combined, eachCurrency, inCurrency, ofCurrencies } from './currencies.ts'
import { byProject } from './filtered-by.ts'
import type { Chosen, Rounding, Widget } from './kind.ts'
import { amount, amountsIn, cents, count, percent, sum, sums, widget } from './kind.ts'

/** Amounts are in the currency of the account. */
export const changedBy = [Deal, Project, Account]

const category = enumeration(['open', 'won', 'lost'], { title: 'StageCategory' })

const stage = {
  stage_id: Type.String(),
  stage_key: Type.String(),
  stage_name: Type.String(),
  category,
  color: orNull(Type.String()),
  position: Type.Integer(),
  probability: Type.Integer({ description: 'per cent' }),
  pipeline_id: Type.String(),
  pipeline_name: Type.String(),
}

/** Null for deals whose stage no longer exists. */
const stageOrNull = {
  stage_id: orNull(stage.stage_id),
  stage_key: orNull(stage.stage_key),
  stage_name: orNull(stage.stage_name),
  category: orNull(category),
  color: stage.color,
  position: orNull(stage.position),
  probability: orNull(stage.probability),
  pipeline_id: orNull(stage.pipeline_id),
  pipeline_name: orNull(stage.pipeline_name),
}

const stageColumns = sql`s.id as stage_id, s.stage_key, s.stage_name, s.category, s.color,
  s.position, s.probability, p.id as pipeline_id, p.pipeline_name`

type StageCount = Static<TObject<typeof stageOrNull>> & {
  count: number
  value: number
  currency_unit: string | null
}

const pipelineSums = {
  count: count('The number of deals that were open at the end of the period or closed within it.'),
  value: amount('The value of these deals.'),
  open: count('The number of deals that were open at the end of the period.'),
  open_value: amount('The value of the deals that were open.'),
  weighted: amount('The value of the open deals, each times the probability of its stage.'),
  won: count('The number of deals that were won within the period.'),
  won_value: amount('The value of the deals that were won.'),
  lost: count('The number of deals that were lost within the period.'),
  lost_value: amount('The value of the deals that were lost.'),
}

/**
 * The pipeline at the end of the period, or now: open deals by their stage, and those
 * that were won or lost within the period. Two thirds of the time are for the previous period, because it has
 * ended: deals and their stage history are read once and joined by hash. For 100,000 deals with three stages
 * each this takes 0.2 s for an admin, and 0.36 s for a member, whose rights are not evaluated in parallel.
 */
export const dealsByStage: Widget = widget({
  module: 'deals',
  changedBy,
  by: byProject,
  series: {
    ...stageOrNull,
    count: count('The number of deals in the stage.'),
    value: amount('The value of the deals in the stage.'),
    weighted: amount('The value of the deals in the stage times its probability.'),
  },
  totals: { ...pipelineSums, ...ofCurrencies(pipelineSums) },
  query: (ctx, range, chosen) => sql`
    with standing as (
      select d.stage_id, d.currency_unit, count(*)::int as count, sum(d.value)::float8 as value
      from (${standing(ctx, range, chosen)}) d
      where d.category = 'open' or d.entered_at >= ${range.since}
      group by 1, 2
    )
    select ${stageColumns}, d.currency_unit, coalesce(d.count, 0) as count,
      coalesce(d.value, 0) as value
    from (select * from stages s where ${mine(ctx, 's')}) s
    join pipelines p on ${mine(ctx, 'p')} and p.id = s.pipeline_id
    full join standing d on d.stage_id = s.id
    where d.count > 0 or (not s.is_archived and p.deleted_at is null)
    order by p.is_default desc, p.position, p.id, s.position, s.id`,
  show(rows: StageCount[], _range, { currency }) {
    const rounded = amountsIn(currency)
    const inOne = inCurrency(rows, currency, ['value'])
    const stages = combined(inOne, ({ stage_id }) => stage_id, ['count', 'value'], rounded)
    const by_currency = eachCurrency(rows, pipelineTotals)
    const series = stages.map(({ currency_unit: _unit, ...row }) => ({
      ...row,
      value: rounded(row.value),
      weighted: rounded(row.value * chanceOf(row)),
    }))
    return {
      series,
      totals: { ...pipelineTotals(stages, rounded), currency_unit: currency, by_currency },
    }
  },
})

const chanceOf = ({ probability }: Pick<StageCount, 'probability'>) => (probability ?? 0) / 100

type Standing = Pick<StageCount, 'category' | 'count' | 'value' | 'probability'>

/** Sums are rounded once: of rounded ones that of a whole would be another. */
function pipelineTotals(rows: Standing[], rounded: Rounding) {
  const sumsOf = (word: 'open' | 'won' | 'lost') =>
    sums(
      rows
        .filter((row) => (row.category ?? 'open') === word)
        .map((row) => ({ ...row, weighted: row.value * chanceOf(row) })),
      ['count', 'value', 'weighted'],
      rounded,
    )
  const [open, won, lost] = [sumsOf('open'), sumsOf('won'), sumsOf('lost')]
  return {
    ...sums(rows, ['count', 'value'], rounded),
    open: open.count,
    open_value: open.value,
    weighted: open.weighted,
    won: won.count,
    won_value: won.value,
    lost: lost.count,
    lost_value: lost.value,
  }
}

/** Each deal's stage at the end of a period, from its history if that end has passed. */
function standing(ctx: Context, range: Range, { where, organizationCurrency }: Chosen): Query {
  const there = all(sql`t.creation_time < ${range.until}`, where)
  // a deal may have been closed before it was written here
  const entered = sql`coalesce(t.closed_at, t.stage_entered_at, t.creation_time)`
  const deals = { currency: organizationCurrency, where: there }
  if (Date.parse(range.until) > +ctx.now()) {
    return pricedDeals(ctx, { ...deals, more: sql`, ${entered} as entered_at` })
  }
  return pricedDeals(ctx, {
    ...deals,
    join: sql`left join stage_changes h on ${mine(ctx, 'h')} and h.project_id = t.id
      and h.entered_at < ${range.until} and (h.left_at is null or h.left_at >= ${range.until})`,
    stage_id: sql`coalesce(h.stage_id, t.stage_id)`,
    more: sql`, coalesce(h.entered_at, ${entered}) as entered_at`,
  })
}

const funnelSums = {
  count: count('The number of deals created in the period.'),
  value: amount('The value of the deals created in the period.'),
}

/**
 * The funnel of the deals created in the period: how many reached each stage or a later one. A
 * lost deal counts up to its last stage, and a deal without a stage as having reached the first.
 */
export const dealFunnel: Widget = widget({
  module: 'deals',
  changedBy,
  by: byProject,
  series: {
    ...stage,
    count: count('The number of deals that reached the stage or one after it.'),
    value: amount('The value of these deals.'),
    conversion: amount(
      'The share of the deals of the first stage that reached this stage, in per cent.',
    ),
    step_conversion: amount(
      'The share of the deals of the previous stage that reached this stage, in per cent.',
    ),
    median_days: orNull(
      amount('The days that these deals stayed in the stage, the median of those that left it.'),
    ),
    p85_days: orNull(
      amount('The days within which 85 per cent of those that left the stage had left it.'),
    ),
    lost: count('The number of these deals that are lost now and came no further than this stage.'),
    standing: count('The number of these deals that are in the stage now.'),
  },
  totals: {
    ...funnelSums,
    won: count('The number of these deals that are won now.'),
    lost: count('The number of these deals that are lost now.'),
    conversion: amount('The share of these deals that are won now, in per cent.'),
    ...ofCurrencies(funnelSums),
  },
  query: (ctx, range, { where, currency, organizationCurrency }) => sql`
    with ${dealsWithSteps(
      ctx,
      pricedDeals(ctx, {
        currency: organizationCurrency,
        where: all(within(sql`t.creation_time`, range), where),
      }),
    )}, reached as (
      select d.pipeline_id, d.step, count(*)::int as count,
        (count(*) filter (where d.category = 'lost'))::int as lost,
        (array_agg(d.id order by d.id))[1:${sql.raw(String(mostIds + 1))}] as ids,
        ${sql.raw(sumOf('d.value', 'd.currency_unit = main.currency', 'main.currency'))} as value
      from deals d cross join (values (${currency}::text)) main (currency)
      group by 1, 2, main.currency
    ), now as (
      select d.stage_id, count(*)::int as count from deals d group by 1
    ), lengths as (
      select l.stage_id, percentile_cont(0.5) within group (order by l.days) as days,
        percentile_disc(0.85) within group (order by l.days) as p85
      from (select h.stage_id, extract(epoch from h.left_at - h.entered_at) / 86400 as days
        from deals d join stage_changes h on ${mine(ctx, 'h')} and h.project_id = d.id
          and h.left_at is not null) l
      group by 1
    )
    select ${stageColumns}, coalesce(r.count, 0) as count, coalesce(r.value, 0) as value,
      coalesce(r.lost, 0) as lost, coalesce(r.ids, '{}') as ids, l.days::float8 as median_days,
      l.p85::float8 as p85_days, coalesce(n.count, 0) as standing, (select jsonb_agg(to_jsonb(c) order by c.currency_unit) from (
        select d.currency_unit, count(*) as count, ${sql.raw(sumOf('d.value'))} as value
        from deals d group by 1) c) as by_currency
    from steps s join pipelines p on ${mine(ctx, 'p')} and p.id = s.pipeline_id
    left join reached r on r.pipeline_id = s.pipeline_id and r.step = s.step
    left join now n on n.stage_id = s.id
    left join lengths l on l.stage_id = s.id
    where r.count > 0 or n.count > 0 or (not s.is_archived and p.deleted_at is null)
    order by p.is_default desc, p.position, p.id, s.step`,
  show(rows: Reached[], _range, { currency }) {
    const rounded = amountsIn(currency)
    const stages: Omit<Reached, 'by_currency'>[] = []
    for (const row of rows.filter((each) => each.category !== 'lost').toReversed()) {
      const { by_currency: _currencies, ...each } = row
      const last = stages.at(-1)
      const next = last?.pipeline_id === row.pipeline_id ? last : undefined
      stages.push({
        ...each,
        count: row.count + (next?.count ?? 0),
        value: rounded(row.value + (next?.value ?? 0)),
        median_days: row.median_days === null ? null : cents(row.median_days),
        p85_days: row.p85_days === null ? null : cents(row.p85_days),
        ids: [...row.ids, ...(next?.ids ?? [])].slice(0, mostIds + 1),
      })
    }
    stages.reverse()
    const first = new Map<string, (typeof stages)[number]>()
    const series = stages.map((row, i) => {
      const top = first.get(row.pipeline_id) ?? row
      first.set(row.pipeline_id, top)
      const before = (top === row ? undefined : stages[i - 1]) ?? row
      return {
        ...row,
        conversion: percent(row.count, top.count),
        step_conversion: percent(row.count, before.count),
      }
    })
    const { count: total, value: worth } = sums(rows, ['count', 'value'], rounded)
    const standing = (word: 'won' | 'lost') =>
      sum(
        rows.filter((row) => row.category === word),
        'standing',
      )
    const won = standing('won')
    const by_currency = rows[0]?.by_currency ?? []
    const totals = { count: total, value: worth, won, lost: standing('lost'), by_currency }
    return {
      series,
      totals: { ...totals, currency_unit: currency, conversion: percent(won, total) },
    }
  },
})

/**
 * The stages of each pipeline in the order of its way as `steps`, and the deals of a query as `deals`, each with the
 * `step` that it came to, 1 where no stage says: parts of a `with`. Deals are joined with no list of deals, of which the
 * planner expects few: it would compare each with each.
 */
export function dealsWithSteps(ctx: Context, deals: Query): Query {
  return sql`steps as (
      select s.*, row_number() over (partition by s.pipeline_id
        order by s.category = 'lost', s.is_archived, s.position, s.id) as step
      from stages s where ${mine(ctx, 's')}
    ), deals as (
      select d.*, coalesce((select max(s.step) from (
            select d.stage_id union all select h.stage_id from stage_changes h
            where ${mine(ctx, 'h')} and h.project_id = d.id) i
          join steps s on s.id = i.stage_id and s.pipeline_id = d.pipeline_id
            and s.category <> 'lost'), 1) as step
      from (${deals}) d
    )`
}

/** So many deals of a stage are named, so that a list has them; of more none are. */
const mostIds = 100

type Reached = Static<TObject<typeof stage>> & {
  count: number
  ids: string[]
  median_days: number | null
  p85_days: number | null
  lost: number
  value: number
  standing: number
  /** of all deals, the same in each row; null if there are none */
  by_currency: { currency_unit: string; count: number; value: number }[] | null
}
