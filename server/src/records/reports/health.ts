import { endOfDay } from '../../kit/ground/dates.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Account } from '../../model/accounts/account.ts'
import { bands } from '../../model/health/schema.ts'
import { storedScore } from '../health/stored.ts'
import type { ReportKind } from './kind.ts'
import { columnsOf, monthOf, monthsOf, tenths } from './kind.ts'

type Row = {
  first: string
  accounts: number
  average: number | null
  healthy: number
  at_risk: number
  critical: number
}

/** The health of the accounts that there were at the end of each month, by the last score that was stored until then. */
export const health: ReportKind = {
  module: 'accounts',
  async count(ctx, { range }) {
    const { timezone } = ctx.organization
    const months = monthsOf(range)
    const values = months.map(
      ({ from, to }) => sql`(${from}::date, ${to}::date, ${endOfDay(to, timezone)}::timestamptz)`,
    )
    const of = (band: string) => {
      const { minimum = 0, maximum = 0 } = bands.find((each) => each.band === band) ?? {}
      return sql`(count(*) filter (where d.score between ${minimum} and ${maximum}))::int`
    }
    const rows = await ctx.all<Row>(sql`
      with months (first, last, until) as (values ${sql.join(values)}),
      scores as (
        select m.first, ${storedScore(ctx)} as score
        from months m join accounts t on ${scope(ctx, Account, 'read')} and t.creation_time < m.until
        left join lateral (select h.* from account_health_days h
          where h.organization_id = $organization and h.account_id = t.id and h.day <= m.last
          order by h.day desc limit 1) d on true)
      select d.first::text, count(*)::int as accounts, avg(d.score)::float8 as average,
        ${of('healthy')} as healthy, ${of('at_risk')} as at_risk, ${of('critical')} as critical
      from scores d group by 1 order by 1`)
    const byMonth = new Map(rows.map((row) => [row.first, row]))
    return {
      columns: columnsOf({
        average: 'points',
        healthy: 'count',
        at_risk: 'count',
        critical: 'count',
        accounts: 'count',
      }),
      rows: months.map(({ from }) => {
        const {
          average = null,
          healthy = 0,
          at_risk = 0,
          critical = 0,
          accounts = 0,
        } = byMonth.get(from) ?? {}
        return {
          key: monthOf(from),
          label: null,
          level: 0,
          values: [tenths(average), healthy, at_risk, critical, accounts],
          module: null,
          filters: {},
        }
      }),
      total: null,
    }
  },
}
