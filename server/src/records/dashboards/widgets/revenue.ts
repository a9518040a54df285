import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { arrayOf, orNull } from '../../../kit/ground/json-schema.ts'
import { scope } from '../../../kit/record/scope.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { Deal } from '../../projects/project.ts'
import { daysOf } from '../range.ts'
import { date, day, everyDay, within } from './daily.ts'
import { amount, changedBy, count, perCent, value } from './deals.ts'
import type { Widget } from './kind.ts'
import { cents, percent, sums, widget } from './kind.ts'

const expected = {
  count,
  value: amount,
  weighted: amount,
  won: count,
  won_value: amount,
}

/** Open or won deals by the month in which they are expected, or `late`, `later` or `undated`. */
type Bucket = { bucket: string; won: boolean; count: number; value: number; weighted: number }

/**
 * What open deals promise by the month in which they are expected (`forecasted_date`, else
 * `due_date`), weighted by their stage's probability, beside what was won in the period.
 */
export const revenueForecast: Widget = widget({
  module: 'deals',
  changedBy,
  ahead: true,
  series: { month: Type.String({ description: 'YYYY-MM' }), ...expected },
  totals: {
    ...expected,
    forecast: amount,
    late: count,
    late_value: amount,
    later: count,
    later_value: amount,
    undated: count,
    undated_value: amount,
  },
  query: (ctx, range) => sql`
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
  show(rows: Bucket[], range) {
    const of = (bucket: string, won: boolean) =>
      rows.find((row) => row.bucket === bucket && row.won === won) ?? nothing
    const months = [...new Set(daysOf(range).map((each) => each.slice(0, 7)))]
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
    const totals = sums(series, ['count', 'value', 'weighted', 'won', 'won_value'])
    // expected before the period and still open, after it, or without any date
    const [late, later, undated] = [of('late', false), of('later', false), of('undated', false)]
    return {
      series,
      totals: {
        ...totals,
        forecast: cents(totals.weighted + totals.won_value),
        late: late.count,
        late_value: cents(late.value),
        later: later.count,
        later_value: cents(later.value),
        undated: undated.count,
        undated_value: cents(undated.value),
      },
    }
  },
})

const nothing = { count: 0, value: 0, weighted: 0 }

const closed = { won: count, lost: count, won_value: amount, lost_value: amount }
const lostReason = Type.Object(
  { lost_reason: orNull(Type.String()), count, value: amount },
  { title: 'LostReason' },
)
type LostReason = Static<typeof lostReason>
type ClosedRow = { date: string; won: boolean } & LostReason

/** The deals that were closed, by day, and why they were lost. */
export const dealsWonLost: Widget = widget({
  module: 'deals',
  changedBy,
  daily: true,
  series: { date, ...closed },
  totals: { ...closed, win_rate: perCent, lost_reasons: arrayOf(lostReason) },
  query: (ctx, range) => sql`
    select ${day(ctx, sql`t.closed_at`)} as date, s.category = 'won' as won, t.lost_reason,
      count(*)::int as count, sum(${value})::float8 as value
    from projects t join stages s on ${mine(ctx, 's')} and s.id = t.stage_id
    where ${scope(ctx, Deal, 'read')} and ${within(sql`t.closed_at`, range)}
      and s.category <> 'open'
    group by 1, 2, 3 order by 1, 2, 3`,
  show(rows: ClosedRow[], range) {
    const byDay = new Map<string, Closed & { date: string }>()
    const reasons = new Map<string | null, LostReason>()
    const totals = { ...noneClosed }
    for (const row of rows.filter((each) => each.date >= range.from && each.date <= range.to)) {
      const each = byDay.get(row.date) ?? { date: row.date, ...noneClosed }
      byDay.set(row.date, each)
      add(each, row)
      add(totals, row)
      if (row.won) continue
      const { lost_reason } = row
      const same = reasons.get(lost_reason) ?? { lost_reason, count: 0, value: 0 }
      reasons.set(lost_reason, {
        lost_reason,
        count: same.count + row.count,
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
})

type Closed = Static<TObject<typeof closed>>

const noneClosed: Closed = { won: 0, lost: 0, won_value: 0, lost_value: 0 }

function add(to: Closed, row: ClosedRow) {
  const word = row.won ? 'won' : 'lost'
  to[word] += row.count
  to[`${word}_value`] = cents(to[`${word}_value`] + row.value)
}
