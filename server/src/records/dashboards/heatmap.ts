import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { firstIdAt, idsListed } from '../../kit/ground/ids.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { manyVisibleEntries } from '../activity/visible.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { periodsOf } from '../../model/dashboards/range.ts'

/** More projects than a screen shows; all of a large organization would be a million cells. */
const most = 200

const spans = ['7_days', '30_days', '90_days', '12_months'] as const

const day = Type.String({ format: 'date' })

/** The number of log entries for each project and day. */
export const heatmap = operation({
  name: 'read_heatmap',
  summary: 'Retrieve customer activity by project and day',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      project_ids: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 5200,
          description: 'comma-separated, at most 200; the 200 most active visible ones by default',
        }),
      ),
      time_range: Type.Optional(
        enumeration(spans, { title: 'HeatmapRange', description: '30_days when absent' }),
      ),
    }),
  },
  output: Type.Object(
    {
      from: day,
      to: day,
      max: Type.Integer({ description: 'the highest count of a cell' }),
      cells: Type.Array(
        Type.Object(
          { date: day, project_id: Type.String(), count: Type.Integer() },
          { title: 'HeatmapCell' },
        ),
      ),
    },
    { title: 'Heatmap' },
  ),
  async run(ctx, { query }) {
    const { project_ids, time_range = '30_days' } = query
    const { range } = periodsOf(ctx, time_range, { field: 'time_range' })
    const since = firstIdAt(new Date(Date.parse(range.since) - 86_400_000))
    const within = sql`e.id >= ${since}
      and e.occurred_at >= ${range.since} and e.occurred_at < ${range.until}`
    const ids = await (project_ids === undefined
      ? busiest(ctx, within)
      : projectsOf(ctx, project_ids))
    const among = sql`e.project_id = any(${ids}::varchar[]) and ${within}`
    const cells = await ctx.all<{ date: string; project_id: string; count: number }>(sql`
      select to_char(e.occurred_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as date,
        e.project_id, count(*)::int as count
      from (${manyVisibleEntries(ctx, among)}) e
      group by 1, 2 order by 1, 2`)
    const max = cells.reduce((highest, { count }) => Math.max(highest, count), 0)
    return { from: range.from, to: range.to, max, cells }
  },
})

/** The visible projects with the most entries. */
async function busiest(ctx: Context, within: Query): Promise<string[]> {
  const found = await ctx.cells(sql`
    select b.project_id from (
      select e.project_id, count(*) as count
      from (${manyVisibleEntries(ctx, sql`e.project_id is not null and ${within}`)}) e group by 1
    ) b join projects t on t.id = b.project_id and ${scope(ctx, ProjectOrDeal, 'read')}
    order by b.count desc, 1 limit ${most}`)
  return found.flatMap(([id]) => id ?? [])
}

/** The requested ids; 404 when the caller cannot see one of them. */
async function projectsOf(ctx: Context, text: string): Promise<string[]> {
  const ids = idsListed(text, 'project_ids', { least: 1, most })
  const found = await ctx.all(sql`select t.id from projects t
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = any(${ids}::varchar[])`)
  if (found.length < ids.length) throw notFound('Project')
  return ids
}
