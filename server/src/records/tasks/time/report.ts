import type { Static } from 'typebox'
import { Type } from 'typebox'
import { addDays, daysBetween } from '../../../kit/ground/dates.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import { TimeEntry } from '../../../model/tasks/time-entry.ts'
import { today } from '../../../model/time/dates.ts'
import { entryCondition, entryFilters } from './filters.ts'

const groups = ['person', 'project', 'week'] as const
type Group = (typeof groups)[number]

const query = Type.Object({
  ...entryFilters,
  group: Type.Optional(
    enumeration(groups, {
      title: 'TimeReportGroup',
      description: 'what the rows are: people if absent',
    }),
  ),
})

const sums = {
  seconds: Type.Integer(),
  billable_seconds: Type.Integer({ description: 'how many of them the customer pays for' }),
}

const week = Type.Object(
  { week: Type.String({ format: 'date', description: 'its first day' }), ...sums },
  { title: 'TimeReportWeek', additionalProperties: false },
)

const answer = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    group: enumeration(groups, { title: 'TimeReportGroup' }),
    ...sums,
    weeks: Type.Array(week, { description: 'all that begin or end in the range, in their order' }),
    rows: Type.Array(
      Type.Object(
        {
          key: orNull(
            Type.String({ description: 'the user, project or week; null without a project' }),
          ),
          label: orNull(Type.String({ description: 'the name of the person or project' })),
          ...sums,
          weeks: Type.Array(week, { description: 'those with time' }),
        },
        { title: 'TimeReportRow', additionalProperties: false },
      ),
      { description: 'the largest first, weeks in their order' },
    ),
    is_complete: Type.Boolean({ description: 'false where there are more rows' }),
  },
  { title: 'TimeReport', additionalProperties: false },
)

/** The most days of a report. */
const mostDays = 371
const mostRows = 500

/** The time of tasks that the caller may read, by person, project or week, for each week. */
export const timeReport = operation({
  name: 'report_time',
  summary: 'Report time by person, project or week',
  description: `Of the last four weeks, the running one included, if neither \`from\` nor \`to\` is set; of ${mostDays} days at most.`,
  can: { module: 'tasks', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { query },
  output: answer,
  run: (ctx, { query }) => reportTime(ctx, query),
})

async function reportTime(ctx: Context, query: Query): Promise<Static<typeof answer>> {
  const { group = 'person' } = query
  const { from, to } = rangeOf(ctx, query)
  const condition = await entryCondition(ctx, { ...query, from, to })
  const cells = await cellsOf(ctx, group, all(scope(ctx, TimeEntry, 'read'), condition))
  const found = new Map(
    cells.flatMap(({ is_total, week, ...cell }) => (is_total ? [[week, sumsOf(cell)]] : [])),
  )
  const weeks = weeksOf(ctx, from, to).map((week) => ({
    week,
    ...(found.get(week) ?? { seconds: 0, billable_seconds: 0 }),
  }))
  const rows = rowsOf(
    cells.filter(({ is_total }) => !is_total),
    group === 'week',
  )
  return {
    from,
    to,
    group,
    ...total(weeks),
    weeks,
    rows: rows.slice(0, mostRows),
    is_complete: rows.length <= mostRows,
  }
}

type Query = Static<typeof query>
type Sums = { seconds: number; billable_seconds: number }
type Cell = Sums & { key: string | null; label: string | null; week: string; is_total: boolean }

/** The days of the report; 400 for a range that is too long, or the wrong way round. */
function rangeOf(ctx: Context, query: Query): { from: string; to: string } {
  const { week_start = 1 } = ctx.organization
  const now = today(ctx)
  const to = query.to ?? (query.from ? addDays(query.from, 27) : lastDay(now, week_start))
  const from = query.from ?? addDays(to, -27)
  if (to < from) throw badField('to', 'must not be before from')
  if (daysBetween(from, to) >= mostDays)
    throw badField('to', `must be ${mostDays - 1} days after from at most`)
  return { from, to }
}

/** Sums of each row and week, and of each week, in one statement: they are of the same entries. */
function cellsOf(ctx: Context, group: Group, which: ReturnType<typeof all>): Promise<Cell[]> {
  const { week_start = 1 } = ctx.organization
  const start = sql`(t.date - (extract(isodow from t.date)::integer - ${week_start}::integer + 7) % 7)`
  const { key, label, joins } = {
    person: {
      key: sql`t.user_id`,
      label: sql`u.full_name`,
      joins: sql`left join users u on u.organization_id = $organization and u.id = t.user_id`,
    },
    project: {
      key: sql`p.id`,
      label: sql`p.project_name`,
      joins: sql`join tasks k on k.organization_id = $organization and k.id = t.task_id
        left join ${readableRows(ctx, 'projects')} p
          on p.organization_id = $organization and p.id = k.project_id`,
    },
    week: { key: sql`null::varchar`, label: sql`null::text`, joins: sql`` },
  }[group]
  return ctx.reading('heavy').all<Cell>(sql`
    select x.key, x.label, x.week::text as week, sum(x.seconds)::double precision as seconds,
      coalesce(sum(x.seconds) filter (where x.is_billable), 0)::double precision as billable_seconds,
      grouping(x.key) = 1 as is_total
    from (select ${key} as key, ${label} as label, ${start} as week, t.seconds, t.is_billable
      from time_entries t ${joins} where ${which}) x
    group by grouping sets ((x.key, x.label, x.week), (x.week))
    order by is_total desc, x.week, x.label, x.key limit 100000`)
}

function rowsOf(cells: Cell[], isByWeek: boolean) {
  const groupsOf = Map.groupBy(cells, ({ key, week }) => (isByWeek ? week : key))
  const rows = [...groupsOf].map(([key, its]) => ({
    key,
    label: its[0]?.label ?? null,
    ...total(its),
    weeks: its.map(({ week, ...cell }) => ({ week, ...sumsOf(cell) })),
  }))
  return isByWeek ? rows : rows.toSorted((a, b) => b.seconds - a.seconds)
}

function sumsOf({ seconds, billable_seconds }: Sums): Sums {
  return { seconds, billable_seconds }
}

function total(each: Sums[]): Sums {
  return {
    seconds: each.reduce((sum, { seconds }) => sum + seconds, 0),
    billable_seconds: each.reduce((sum, { billable_seconds }) => sum + billable_seconds, 0),
  }
}

/** The first days of the weeks from one day to another. */
function weeksOf(ctx: Context, from: string, to: string): string[] {
  const { week_start = 1 } = ctx.organization
  const weeks: string[] = []
  for (let day = addDays(lastDay(from, week_start), -6); day <= to; day = addDays(day, 7)) {
    weeks.push(day)
  }
  return weeks
}

/** The last day of the week of a day. */
function lastDay(day: string, weekStart: number): string {
  const weekday = new Date(day).getUTCDay() || 7
  return addDays(day, 6 - ((weekday - weekStart + 7) % 7))
}
