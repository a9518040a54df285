import type { Context, Query } from '../../../kit/ground/context.ts'
import { scope } from '../../../kit/record/scope.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { Deal, Project } from '../../projects/project.ts'
import type { Range } from '../range.ts'
import { daysOf } from '../range.ts'
import { day, everyDay, within } from './daily.ts'
import type { Row, Shown, Widget } from './kind.ts'
import { cents, percent, sum, without } from './kind.ts'

const changedBy = [Deal, Project]

/** What a deal is worth; amounts are summed as they stand, whatever their currency. */
const value = sql`coalesce(t.expected_deal_value, t.revenue, 0)`

const stageColumns = sql`s.id as stage_id, s.stage_key, s.stage_name, s.category, s.color,
  s.position, s.probability, p.id as pipeline_id, p.pipeline_name`

/**
 * The pipeline as it stood when the period ended, or stands: open deals by their stage, and those
 * that were won or lost within the period. Two thirds of the time go into the period before, as it has
 * ended: deals and their stays are read once and joined by hash. Of 100,000 deals with three stays
 * each that is 0.2 s for an admin, and 0.36 s for a member, whose rights are not looked at in parallel.
 */
export const dealsByStage: Widget = {
  module: 'deals',
  changedBy,
  ask: (ctx, range) => sql`
    with standing as (
      select d.stage_id, count(*)::int as count, sum(d.value)::float8 as value
      from (${standing(ctx, range)}) d
      left join stages s on ${mine(ctx, 's')} and s.id = d.stage_id
      where coalesce(s.category, 'open') = 'open' or d.entered_at >= ${range.since}
      group by 1
    )
    select ${stageColumns}, coalesce(d.count, 0) as count, coalesce(d.value, 0) as value
    from (select * from stages s where ${mine(ctx, 's')}) s
    join pipelines p on ${mine(ctx, 'p')} and p.id = s.pipeline_id
    full join standing d on d.stage_id = s.id
    where d.count > 0 or (not s.is_archived and p.deleted_at is null)
    order by p.is_default desc, p.position, p.id, s.position, s.id`,
  show(rows) {
    const series = rows.map((row) => ({
      ...row,
      value: cents(row.value),
      weighted: cents((row.value * (row.probability ?? 0)) / 100),
    }))
    const of = (category: string) => series.filter((row: Row) => row.category === category)
    const open = series.filter((row: Row) => (row.category ?? 'open') === 'open')
    return {
      series,
      totals: {
        count: sum(series, 'count'),
        value: sum(series, 'value'),
        open: sum(open, 'count'),
        open_value: sum(open, 'value'),
        weighted: sum(open, 'weighted'),
        won: sum(of('won'), 'count'),
        won_value: sum(of('won'), 'value'),
        lost: sum(of('lost'), 'count'),
        lost_value: sum(of('lost'), 'value'),
      },
    }
  },
}

/** Each deal's stage at the end of a period; from its history where that end has passed. */
function standing(ctx: Context, range: Range): Query {
  const deals = sql`${scope(ctx, Deal, 'read')} and t.creation_time < ${range.until}`
  const entered = sql`coalesce(t.stage_entered_at, t.closed_at, t.creation_time)`
  if (Date.parse(range.until) > +ctx.now()) {
    return sql`select t.stage_id, ${value} as value, ${entered} as entered_at
      from projects t where ${deals}`
  }
  return sql`select coalesce(h.stage_id, t.stage_id) as stage_id, ${value} as value,
      coalesce(h.entered_at, ${entered}) as entered_at
    from projects t
    left join stage_changes h on ${mine(ctx, 'h')} and h.project_id = t.id
      and h.entered_at < ${range.until} and (h.left_at is null or h.left_at >= ${range.until})
    where ${deals}`
}

/**
 * How far the deals made in the period have come: how many reached each stage or one after it. A
 * lost deal counts as far as it came, and one that is nowhere has reached the first stage.
 */
export const dealFunnel: Widget = {
  module: 'deals',
  changedBy,
  ask: (ctx, range) => sql`
    with steps as (
      select s.*, row_number() over (partition by s.pipeline_id
        order by s.category = 'lost', s.is_archived, s.position, s.id) as step
      from stages s where ${mine(ctx, 's')}
    ), deals as (
      select t.id, t.pipeline_id, t.stage_id, ${value} as value from projects t
      where ${scope(ctx, Deal, 'read')} and ${within(sql`t.creation_time`, range)}
    ), stays as (
      select d.id, h.stage_id from deals d
      join stage_changes h on ${mine(ctx, 'h')} and h.project_id = d.id
      union all select id, stage_id from deals
    ), furthest as (
      select i.id, max(s.step) as step from stays i join steps s on s.id = i.stage_id
      join deals d on d.id = i.id and d.pipeline_id = s.pipeline_id
      where s.category <> 'lost' group by 1
    ), reached as (
      select d.pipeline_id, coalesce(f.step, 1) as step, count(*)::int as count,
        sum(d.value)::float8 as value
      from deals d left join furthest f on f.id = d.id group by 1, 2
    ), now as (
      select d.stage_id, count(*)::int as count from deals d group by 1
    )
    select ${stageColumns}, coalesce(r.count, 0) as count, coalesce(r.value, 0) as value,
      coalesce(n.count, 0) as standing
    from steps s join pipelines p on ${mine(ctx, 'p')} and p.id = s.pipeline_id
    left join reached r on r.pipeline_id = s.pipeline_id and r.step = s.step
    left join now n on n.stage_id = s.id
    where r.count > 0 or n.count > 0 or (not s.is_archived and p.deleted_at is null)
    order by p.is_default desc, p.position, p.id, s.step`,
  show(rows) {
    const series: Row[] = []
    for (const row of rows.filter(({ category }) => category !== 'lost').toReversed()) {
      const next = series.at(-1)
      const isNext = next?.pipeline_id === row.pipeline_id
      series.push({
        ...without(row, 'standing'),
        count: row.count + (isNext ? next!.count : 0),
        value: cents(row.value + (isNext ? next!.value : 0)),
      })
    }
    series.reverse()
    const first = new Map<string, Row>()
    for (const [i, row] of series.entries()) {
      const top = first.get(row.pipeline_id) ?? row
      first.set(row.pipeline_id, top)
      row.conversion = percent(row.count, top.count)
      row.step_conversion = percent(row.count, top === row ? row.count : series[i - 1]!.count)
    }
    const count = sum(rows, 'count')
    const standing = (category: string) =>
      sum(
        rows.filter((row) => row.category === category),
        'standing',
      )
    const won = standing('won')
    const totals = { count, value: sum(rows, 'value'), won, lost: standing('lost') }
    return { series, totals: { ...totals, conversion: percent(won, count) } }
  },
}

/**
 * What open deals promise by the month in which they are expected (`forecasted_date`, else
 * `due_date`), weighted by their stage's probability, beside what was won in the period.
 */
export const revenueForecast: Widget = {
  module: 'deals',
  changedBy,
  ahead: true,
  ask: (ctx, range) => sql`
    select d.bucket, d.won, count(*)::int as count, sum(d.value)::float8 as value,
      sum(d.value * d.probability / 100)::float8 as weighted
    from (
      select s.category = 'won' as won, s.probability, ${value} as value,
        case when s.category = 'won' then to_char(${day(ctx, sql`t.closed_at`)}, 'YYYY-MM')
          when e.expected is null then 'undated'
          when e.expected < ${range.from}::date then 'late'
          when e.expected > ${range.to}::date then 'later'
          else to_char(e.expected, 'YYYY-MM') end as bucket
      from projects t
      join stages s on ${mine(ctx, 's')} and s.id = t.stage_id
      cross join lateral (select coalesce(t.forecasted_date, t.due_date) as expected) e
      where ${scope(ctx, Deal, 'read')} and (s.category = 'open'
        or (s.category = 'won' and ${within(sql`t.closed_at`, range)}))
    ) d group by 1, 2`,
  show(rows, range) {
    const of = (bucket: string, won: boolean) =>
      rows.find((row) => row.bucket === bucket && row.won === won) ?? nothing
    const months = [...new Set(daysOf(range).map((date) => date.slice(0, 7)))]
    const series = months.map((month) => {
      const [open, won] = [of(month, false), of(month, true)]
      return {
        month,
        count: open.count,
        value: cents(open.value),
        weighted: cents(open.weighted),
        won: won.count,
        won_value: cents(won.value),
      }
    })
    const columns = ['count', 'value', 'weighted', 'won', 'won_value']
    const totals = Object.fromEntries(columns.map((column) => [column, sum(series, column)]))
    // expected before the period and still open, after it, or without any date
    const outside = Object.fromEntries(
      ['late', 'later', 'undated'].flatMap((bucket) => {
        const { count, value: worth } = of(bucket, false)
        return [
          [bucket, count],
          [`${bucket}_value`, cents(worth)],
        ]
      }),
    )
    const forecast = cents(totals.weighted! + totals.won_value!)
    return { series, totals: { ...totals, forecast, ...outside } }
  },
}

const nothing = { count: 0, value: 0, weighted: 0 }

/** The deals that were closed, by day, and why they were lost. */
export const dealsWonLost: Widget = {
  module: 'deals',
  changedBy,
  daily: true,
  ask: (ctx, range) => sql`
    select ${day(ctx, sql`t.closed_at`)} as date, s.category = 'won' as won, t.lost_reason,
      count(*)::int as count, sum(${value})::float8 as value
    from projects t join stages s on ${mine(ctx, 's')} and s.id = t.stage_id
    where ${scope(ctx, Deal, 'read')} and ${within(sql`t.closed_at`, range)}
      and s.category <> 'open'
    group by 1, 2, 3 order by 1, 2, 3`,
  show(rows, range): Shown {
    const byDay = new Map<string, Row>()
    const reasons = new Map<string | null, Row>()
    const totals = { won: 0, lost: 0, won_value: 0, lost_value: 0 }
    for (const row of rows.filter(({ date }) => date >= range.from && date <= range.to)) {
      const each = byDay.get(row.date) ?? { date: row.date, ...noneClosed }
      byDay.set(row.date, each)
      for (const sums of [each, totals] as (typeof totals)[]) {
        const word = row.won ? 'won' : 'lost'
        sums[word] += row.count
        sums[`${word}_value`] = cents(sums[`${word}_value`] + row.value)
      }
      if (row.won) continue
      const { lost_reason, count } = row
      const same = reasons.get(lost_reason) ?? { lost_reason, count: 0, value: 0 }
      reasons.set(lost_reason, {
        lost_reason,
        count: same.count + count,
        value: cents(same.value + row.value),
      })
    }
    return {
      series: everyDay([...byDay.values()], range, noneClosed),
      totals: {
        ...totals,
        win_rate: percent(totals.won, totals.won + totals.lost),
        lost_reasons: [...reasons.values()].toSorted((a, b) => b.count - a.count),
      },
    }
  },
}

const noneClosed = { won: 0, lost: 0, won_value: 0, lost_value: 0 }
