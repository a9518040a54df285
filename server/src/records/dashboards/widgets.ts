import { Temporal } from 'temporal-polyfill'
import type { Context, Query } from '../../kit/context.ts'
import { firstIdAt } from '../../kit/ids.ts'
import { modules } from '../../kit/modules.ts'
import type { AnyRecord } from '../../kit/record.ts'
import { scope } from '../../kit/scope.ts'
import { all, sql } from '../../kit/sql.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import type { Range } from './range.ts'

type Numbers = { [name: string]: unknown }

/** What a widget shows of a period: rows to draw and the sums of them. */
export type Shown = { series: Numbers[]; totals: Numbers }

/** A kind of widget: the permission it needs, the modules whose events change it, its numbers. */
export type Widget = {
  module: string
  /** undefined: any event at all */
  changedBy?: readonly number[]
  show(ctx: Context, range: Range): Promise<Shown>
}

/** Every kind of widget, by its word. */
export const widgets: { [widget_type: string]: Widget } = {
  activities: {
    module: 'activity',
    show: (ctx, range) =>
      daily(
        ctx,
        range,
        sql`events e where ${visibleEntries(ctx)}
        and e.id >= ${lowest(range)} and ${within(sql`e.occurred_at`, range)}`,
        sql`e.occurred_at`,
      ),
  },
  new_companies: { module: 'companies', changedBy: [modules.companies], show: made(Company) },
  new_contacts: { module: 'contacts', changedBy: [modules.contacts], show: made(Contact) },
}

/** How many records of a kind were made, by day. */
function made(record: AnyRecord): Widget['show'] {
  return (ctx, range) =>
    daily(
      ctx,
      range,
      sql`${sql.table(record.table)} t
      where ${all(
        scope(ctx, record, 'read'),
        sql`t.id >= ${lowest(range)}`,
        within(sql`t.creation_time`, range),
      )}`,
      sql`t.creation_time`,
    )
}

/** Counts by day of the organization's zone, days without any included. */
async function daily(ctx: Context, range: Range, rows: Query, time: Query): Promise<Shown> {
  const counted = await ctx.all<{ date: string; count: number }>(sql`
    select to_char(${time} at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as date,
      count(*)::int as count
    from ${rows} group by 1`)
  const counts = new Map(counted.map(({ date, count }) => [date, count]))
  const series = daysOf(range).map((date) => ({ date, count: counts.get(date) ?? 0 }))
  return { series, totals: { count: counted.reduce((sum, { count }) => sum + count, 0) } }
}

function daysOf({ from, days }: Range): string[] {
  const first = Temporal.PlainDate.from(from)
  return Array.from({ length: days }, (_, i) => `${first.add({ days: i })}`)
}

function within(time: Query, { since, until }: Range): Query {
  return sql`${time} >= ${since} and ${time} < ${until}`
}

/** Ids rise with time, so the primary key finds what is new; a day of room for clocks that differ. */
function lowest({ since }: Range): string {
  return firstIdAt(new Date(Date.parse(since) - 86_400_000))
}
