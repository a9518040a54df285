import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { arrayOf, orNull } from '../../../kit/ground/json-schema.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import { pricedDeals } from '../../projects/priced.ts'
import type { Range } from '../../../model/dashboards/range.ts'
import { daysOf } from '../../../model/dashboards/range.ts'
import { combined, eachCurrency, inCurrency, ofCurrencies } from './currencies.ts'
import { date, day, everyDay, within } from './daily.ts'
import { changedBy } from './deals.ts'
import { byProject } from './filtered-by.ts'
import type { Rounding, Widget } from './kind.ts'
import { amount, amountsIn, count, percent, sums, widget } from './kind.ts'

const due = {
  count: count('The number of open deals expected in the period.'),
  value: amount('The value of the open deals expected in the period.'),
  weighted: amount('The value of these deals, each times the probability of its stage.'),
  won: count('The number of deals that were won in the period.'),
  won_value: amount('The value of the deals that were won in the period.'),
}
const sumsDue = {
  ...due,
  forecast: amount('The weighted value of what is expected and the value of what was won.'),
}

/** Open or won deals by the month in which they are expected, or `late`, `later` or `undated`. */
type Bucket = {
  bucket: string
  won: boolean
  currency_unit: string
  count: number
  value: number
  weighted: number
}

/**
 * The value of open deals by the month in which they are expected (`forecasted_date`, else
 * `due_date`), weighted by their stage's probability, and the value won in the period.
 */
export const revenueForecast: Widget = widget({
  module: 'deals',
  changedBy,
  by: byProject,
  ahead: true,
  series: { month: Type.String({ description: 'YYYY-MM' }), ...due },
  totals: {
    ...sumsDue,
    late: count('The number of open deals that were expected before the period.'),
    late_value: amount('The value of the open deals that were expected before the period.'),
    later: count('The number of open deals that are expected after the period.'),
    later_value: amount('The value of the open deals that are expected after the period.'),
    undated: count('The number of open deals without a date.'),
    undated_value: amount('The value of the open deals without a date.'),
    ...ofCurrencies(sumsDue),
  },
  query: (ctx, range, { where, organizationCurrency: currency }) => sql`
    select b.bucket, b.won, b.currency_unit, count(*)::int as count, sum(b.value)::float8 as value,
      sum(b.value * b.chance)::float8 as weighted
    from (
      select d.category = 'won' as won, d.chance, d.value, d.currency_unit,
        case when d.category = 'won' then to_char(${day(ctx, sql`d.closed_at`)}, 'YYYY-MM')
          when d.expected is null then 'undated'
          when d.expected < ${range.from}::date then 'late'
          when d.expected > ${range.to}::date then 'later'
          else to_char(d.expected, 'YYYY-MM') end as bucket
      from (${pricedDeals(ctx, { currency, where })}) d
      where d.category = 'open' or (d.category = 'won' and ${within(sql`d.closed_at`, range)})
    ) b group by 1, 2, 3`,
  show(rows: Bucket[], range, { currency }) {
    const rounded = amountsIn(currency)
    const by_currency = eachCurrency(rows, (its, own) => expectedIn(its, range, own).totals)
    const { series, totals, late, later, undated } = expectedIn(
      combined(
        inCurrency(rows, currency, ['value', 'weighted']),
        ({ bucket, won }) => `${bucket} ${won}`,
        ['count', 'value', 'weighted'],
        // sums of rounded amounts would be others: each is rounded where it is shown
        (value) => value,
      ),
      range,
      rounded,
    )
    return {
      series,
      totals: {
        ...totals,
        late: late.count,
        late_value: rounded(late.value),
        later: later.count,
        later_value: rounded(later.value),
        undated: undated.count,
        undated_value: rounded(undated.value),
        currency_unit: currency,
        by_currency,
      },
    }
  },
})

type Sums = Pick<Bucket, 'count' | 'value' | 'weighted'>

/** One row for each bucket: the months of the period, their total, and what is outside. */
function expectedIn(
  rows: (Sums & Pick<Bucket, 'bucket' | 'won'>)[],
  range: Range,
  rounded: Rounding,
) {
  const of = (bucket: string, won: boolean): Sums =>
    rows.find((row) => row.bucket === bucket && row.won === won) ?? nothing
  const months = [...new Set(daysOf(range).map((each) => each.slice(0, 7)))]
  const exact = months.map((month) => {
    const [open, won] = [of(month, false), of(month, true)]
    const { count: number, value, weighted } = open
    return { month, count: number, value, weighted, won: won.count, won_value: won.value }
  })
  const series = exact.map((row) => ({
    ...row,
    value: rounded(row.value),
    weighted: rounded(row.weighted),
    won_value: rounded(row.won_value),
  }))
  const totals = sums(exact, ['count', 'value', 'weighted', 'won', 'won_value'], rounded)
  return {
    series,
    totals: { ...totals, forecast: rounded(totals.weighted + totals.won_value) },
    // expected before the period and still open, after it, or without any date
    late: of('late', false),
    later: of('later', false),
    undated: of('undated', false),
  }
}

const nothing = { count: 0, value: 0, weighted: 0 }

const closed = {
  won: count('The number of deals that were won.'),
  lost: count('The number of deals that were lost.'),
  won_value: amount('The value of the deals that were won.'),
  lost_value: amount('The value of the deals that were lost.'),
}
const lostReason = Type.Object(
  {
    lost_reason: orNull(Type.String()),
    count: count('The number of deals that were lost for the reason.'),
    value: amount('The value of the deals that were lost for the reason.'),
  },
  { title: 'LostReason' },
)
type LostReason = Static<typeof lostReason>
type ClosedRow = { date: string; won: boolean; currency_unit: string } & LostReason

/** The deals that were closed, by day, and the reasons why deals were lost. */
export const dealsWonLost: Widget = widget({
  module: 'deals',
  changedBy,
  by: byProject,
  daily: true,
  series: { date, ...closed },
  totals: {
    ...closed,
    win_rate: orNull(
      amount('The share of the closed deals that were won, in per cent; null if none was closed.'),
    ),
    lost_reasons: arrayOf(lostReason),
    ...ofCurrencies(closed),
  },
  query: (ctx, range, { where, organizationCurrency: currency }) => sql`
    select ${day(ctx, sql`d.closed_at`)} as date, d.category = 'won' as won, d.lost_reason,
      d.currency_unit, count(*)::int as count, sum(d.value)::float8 as value
    from (${pricedDeals(ctx, { currency, where: all(within(sql`t.closed_at`, range), where) })}) d
    where d.category <> 'open'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  show(found: ClosedRow[], range, { currency }) {
    const inside = found.filter((each) => each.date >= range.from && each.date <= range.to)
    const rounded = amountsIn(currency)
    const by_currency = eachCurrency(inside, (its, own) => {
      const sums = { ...noneClosed }
      for (const row of its) add(sums, row, own)
      return sums
    })
    const rows = inCurrency(inside, currency, ['value'])
    const byDay = new Map<string, Closed & { date: string }>()
    const reasons = new Map<string | null, LostReason>()
    const totals = { ...noneClosed }
    for (const row of rows) {
      const each = byDay.get(row.date) ?? { date: row.date, ...noneClosed }
      byDay.set(row.date, each)
      add(each, row, rounded)
      add(totals, row, rounded)
      if (row.won) continue
      const { lost_reason } = row
      const same = reasons.get(lost_reason) ?? { lost_reason, count: 0, value: 0 }
      reasons.set(lost_reason, {
        lost_reason,
        count: same.count + row.count,
        value: rounded(same.value + row.value),
      })
    }
    return {
      series: everyDay([...byDay.values()], range, noneClosed),
      totals: {
        ...totals,
        win_rate: rows.length ? percent(totals.won, totals.won + totals.lost) : null,
        lost_reasons: [...reasons.values()].toSorted((a, b) => b.count - a.count),
        currency_unit: currency,
        by_currency,
      },
    }
  },
})

type Closed = Static<TObject<typeof closed>>

const noneClosed: Closed = { won: 0, lost: 0, won_value: 0, lost_value: 0 }

function add(to: Closed, row: ClosedRow, rounded: Rounding) {
  const word = row.won ? 'won' : 'lost'
  to[word] += row.count
  to[`${word}_value`] = rounded(to[`${word}_value`] + row.value)
}
