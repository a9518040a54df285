import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { firstIdAt } from '../../kit/ground/ids.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { readsInternal } from '../../kit/record/audience.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { periodsOf } from '../../model/dashboards/range.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import { manyVisibleEntries } from '../activity/visible.ts'

/** More accounts than a screen shows. */
const most = 200

const spans = ['7_days', '30_days', '90_days', '12_months'] as const
const whose = ['all', 'us', 'customer'] as const

const day = Type.String({ format: 'date' })
const count = Type.Integer({ description: 'log entries' })

/** Who of the customers is active and who is silent: entries of the log by account and day, and by weekday and hour. */
export const customerActivity = operation({
  name: 'read_customer_activity',
  summary: 'Retrieve the activity of customers',
  description:
    'Accounts with open projects or deals, at most 200, those that are silent longest first. Counted are the entries ' +
    'of the log that the caller sees: about the account, its projects and deals.',
  can: { module: 'activity', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      time_range: Type.Optional(
        enumeration(spans, { title: 'HeatmapRange', description: '30_days when absent' }),
      ),
      who: Type.Optional(
        enumeration(whose, {
          title: 'ActivityBy',
          description: 'by whom: people of the organization and the service, or of customers (all)',
        }),
      ),
    }),
  },
  output: Type.Object(
    {
      from: day,
      to: day,
      max: Type.Integer({ description: 'the highest count of an account and day' }),
      accounts: Type.Array(
        Type.Object(
          {
            account_id: Type.String(),
            account_name: Type.String(),
            count,
            last: orNull(
              Type.String({ format: 'date', description: 'the last day with an entry' }),
            ),
            silent_days: orNull(
              Type.Integer({ description: 'since that day; null where the period has no entry' }),
            ),
            days: Type.Array(Type.Object({ date: day, count }, { title: 'ActivityDay' }), {
              description: 'those with entries',
            }),
          },
          { title: 'AccountActivity' },
        ),
        { description: 'those that are silent longest first' },
      ),
      hours: Type.Array(
        Type.Object(
          {
            weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday' }),
            hour: Type.Integer({ minimum: 0, maximum: 23, description: 'of the clock' }),
            count,
          },
          { title: 'ActivityHour' },
        ),
        { description: 'of all these accounts, by the clock of the organization' },
      ),
    },
    { title: 'CustomerActivity' },
  ),
  async run(ctx, { query: { time_range = '30_days', who = 'all' } }) {
    const { range } = periodsOf(ctx, time_range, { field: 'time_range' })
    const since = firstIdAt(new Date(Date.parse(range.since) - 86_400_000))
    const within = sql`e.id >= ${since}
      and e.occurred_at >= ${range.since} and e.occurred_at < ${range.until}`
    const counted = all(within, byWhom(who))
    // first those that are shown, so that the days of many accounts are not read for the few
    const accounts = await ctx.all<{ id: string; account_name: string }>(sql`
      select t.id, t.account_name from accounts t
      left join (select a.account_id, max(a.at)::date as last from (${ofAccounts(ctx, counted)}) a group by 1) l
        on l.account_id = t.id
      where ${scope(ctx, Account, 'read')} and t.id in (${withOpenWork(ctx)})
      order by l.last nulls first, lower(t.account_name), t.id limit ${most}`)
    const entries = await ctx.all<Entry>(sql`
      select a.account_id, to_char(a.at, 'YYYY-MM-DD') as date,
        extract(isodow from a.at)::int as weekday, extract(hour from a.at)::int as hour,
        count(*)::int as count
      from (${ofAccounts(ctx, counted)}) a
      where a.account_id = any(${accounts.map(({ id }) => id)}::varchar[])
      group by 1, 2, 3, 4 order by 2`)
    const its = Map.groupBy(entries, ({ account_id }) => account_id)
    const rows = accounts.map(({ id, account_name }) => {
      const days = byDay(its.get(id) ?? [])
      const last = days.at(-1)?.date ?? null
      return {
        account_id: id,
        account_name,
        count: days.reduce((sum, each) => sum + each.count, 0),
        last,
        silent_days: last === null ? null : daysBetween(last, range.last),
        days,
      }
    })
    return {
      from: range.from,
      to: range.to,
      max: Math.max(0, ...rows.flatMap(({ days }) => days.map((each) => each.count))),
      accounts: rows,
      hours: byHour(entries),
    }
  },
})

type Entry = { account_id: string; date: string; weekday: number; hour: number; count: number }

/** The entries that the caller sees as rows of an account and the local time. */
function ofAccounts(ctx: Context, among: Query): Query {
  return sql`
    select e.occurred_at at time zone ${ctx.organization.timezone} as at,
      case when e.module_id = ${Account.number} then e.reference_id else p.account_id end as account_id
    from (${manyVisibleEntries(ctx, among)}) e
    left join projects p on ${mine(ctx, 'p')} and p.id = e.project_id`
}

/** The accounts of open projects and deals that the caller may read. */
function withOpenWork(ctx: Context): Query {
  // customers are not told when a deal was closed
  const open = readsInternal(ctx.actor) ? sql`t.closed_at is null` : undefined
  return sql`select t.account_id from projects t
    where ${all(scope(ctx, ProjectOrDeal, 'read'), open)} and t.account_id is not null
      and t.completed_at is null`
}

function byWhom(who: (typeof whose)[number]): Query | undefined {
  if (who === 'all') return undefined
  const outside = sql`exists (select from users u
    join roles r on r.organization_id = $organization and r.id = u.role_id
      and r.kind = any(${externalKinds})
    where u.organization_id = $organization and u.id = e.actor_id)`
  return who === 'customer' ? outside : sql`not ${outside}`
}

function byDay(entries: Entry[]): { date: string; count: number }[] {
  const days = new Map<string, number>()
  for (const { date, count: number } of entries) days.set(date, (days.get(date) ?? 0) + number)
  return [...days].map(([date, number]) => ({ date, count: number }))
}

function byHour(entries: Entry[]): { weekday: number; hour: number; count: number }[] {
  const hours = new Map<string, { weekday: number; hour: number; count: number }>()
  for (const { weekday, hour, count: number } of entries) {
    const key = `${weekday} ${hour}`
    const found = hours.get(key) ?? { weekday, hour, count: 0 }
    hours.set(key, { ...found, count: found.count + number })
  }
  return [...hours.values()].toSorted((a, b) => a.weekday - b.weekday || a.hour - b.hour)
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
