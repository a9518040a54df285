import type { Context } from '../../kit/context.ts'
import { badField, notFound } from '../../kit/errors.ts'
import { firstIdAt } from '../../kit/ids.ts'
import type { Input, Operation } from '../../kit/operation.ts'
import { scope } from '../../kit/scope.ts'
import { sql } from '../../kit/sql.ts'
import { manyVisibleEntries } from '../activity/visible.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { periodsOf } from './range.ts'

const spans = ['7_days', '30_days', '90_days', '12_months'] as const

/** How much happened on each project on each day: what the customers' teams are busy with. */
export const heatmap: Operation = {
  name: 'read_heatmap',
  summary: 'Customer activity by project and day',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        project_ids: {
          type: 'string',
          maxLength: 5200,
          description: 'comma-separated, at most 200; every visible project when absent',
        },
        time_range: { type: 'string', enum: [...spans], description: '30_days when absent' },
      },
    },
  },
  output: {
    title: 'Heatmap',
    type: 'object',
    properties: {
      from: { type: 'string', format: 'date' },
      to: { type: 'string', format: 'date' },
      max: { type: 'integer' },
      cells: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            date: { type: 'string', format: 'date' },
            project_id: { type: 'string' },
            count: { type: 'integer' },
          },
          required: ['date', 'project_id', 'count'],
        },
      },
    },
    required: ['from', 'to', 'max', 'cells'],
  },
  async run(ctx: Context, { query }: Input) {
    const { project_ids, time_range = '30_days' } = query
    const { range } = periodsOf(ctx, time_range, { field: 'time_range' })
    const ids = project_ids === undefined ? undefined : await projectsOf(ctx, project_ids)
    const only = ids
      ? sql`e.project_id = any(${ids}::varchar[])`
      : sql`e.project_id in (select t.id from projects t where ${scope(ctx, ProjectOrDeal, 'read')})`
    const since = firstIdAt(new Date(Date.parse(range.since) - 86_400_000))
    const among = sql`${only} and e.id >= ${since}
      and e.occurred_at >= ${range.since} and e.occurred_at < ${range.until}`
    const cells = await ctx.all<{ date: string; project_id: string; count: number }>(sql`
      select to_char(e.occurred_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as date,
        e.project_id, count(*)::int as count
      from (${manyVisibleEntries(ctx, among)}) e
      group by 1, 2 order by 1, 2`)
    const max = Math.max(0, ...cells.map(({ count }) => count))
    return { from: range.from, to: range.to, max, cells }
  },
}

/** The ids asked for; 404 when the caller cannot see one of them. */
async function projectsOf(ctx: Context, text: string): Promise<string[]> {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter(Boolean)
  if (!ids.length || ids.length > 200) {
    throw badField('project_ids', 'must be 1 to 200 ids, separated by commas')
  }
  const found = await ctx.all(sql`select t.id from projects t
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = any(${ids}::varchar[])`)
  if (found.length < ids.length) throw notFound('Project')
  return ids
}
