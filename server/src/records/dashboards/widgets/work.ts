import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { readsInternal } from '../../../kit/record/audience.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import { all, mine, plannedAnew, sql } from '../../../kit/ground/sql.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { Deal, Project } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import type { Range } from '../../../model/dashboards/range.ts'
import { daysOf } from '../../../model/dashboards/range.ts'
import { date } from './daily.ts'
import type { FilteredBy } from './filtered-by.ts'
import { byMilestone, byProject, byTask } from './filtered-by.ts'
import type { Widget } from './kind.ts'
import { amount, count, percent, sum, widget } from './kind.ts'

/** A status, null if a row has none or it no longer exists. */
const statusOrNull = {
  status_id: orNull(Type.String()),
  status_key: orNull(Type.String()),
  status_name: orNull(Type.String()),
  category: orNull(
    enumeration(['not_started', 'in_progress', 'on_hold', 'completed', 'cancelled'], {
      title: 'StatusCategory',
    }),
  ),
  color: orNull(Type.String()),
  icon: orNull(Type.String()),
  position: orNull(Type.Integer()),
}
type StatusRow = Static<TObject<typeof statusOrNull>> & { count: number; completed: number }

/** Projects that existed in the period, by the status they have now. */
export const projectsByStatus: Widget = byStatus(Project, [Project, Deal], byProject)

/**
 * Tasks that existed in the period, by their current status. For a million, 380,000 of which are
 * open or were completed lately, this takes 0.2 s for an admin: index-only scans count them, in parallel,
 * once for each period. For a member it takes 0.3 s, because tasks of hidden projects are excluded by a hash.
 */
export const tasksByStatus: Widget = byStatus(Task, [Task, Milestone, Project, Deal], byTask)

function byStatus(record: AnyRecord, changedBy: AnyRecord[], by: FilteredBy): Widget {
  const things = record.module
  return widget({
    module: record.module,
    changedBy,
    by,
    series: { ...statusOrNull, count: count(`The number of ${things} that have the status now.`) },
    totals: {
      count: count(`The number of ${things} that existed in the period.`),
      open: count(`The number of ${things} that were not completed by its end.`),
      completed: count(`The number of ${things} that were completed by its end.`),
    },
    query: (ctx, range, { where }) => sql`${sql.raw(plannedAnew)}
      select s.id as status_id, s.status_key, s.status_name, s.category, s.color, s.icon,
        s.position, coalesce(c.count, 0) as count, coalesce(c.completed, 0) as completed
      from (
        select w.status_id, count(*)::int as count,
          (count(*) filter (where w.completed_at < ${range.until}))::int as completed
        from (${alive(ctx, { record, where }, range, sql`t.status_id, t.completed_at`)}) w
        group by 1
      ) c
      full join (
        select * from statuses s where ${mine(ctx, 's')} and s.module = ${record.module}
      ) s on s.id = c.status_id
      where c.count > 0 or not s.is_archived
      order by s.position, s.id`,
    show(rows: StatusRow[]) {
      const [total, completed] = [sum(rows, 'count'), sum(rows, 'completed')]
      return {
        series: rows.map(({ completed: _completed, ...row }) => row),
        totals: { count: total, open: total - completed, completed },
      }
    },
  })
}

/**
 * Rows that existed in a period: created or completed before its end, and not completed before its beginning, nor at an
 * unknown time. The open and completed ones, private and other ones are queried separately: there is an index for
 * each, and for those that are not private an index-only scan is enough for the rights of most callers.
 */
function alive(
  ctx: Context,
  { record, where }: { record: AnyRecord; where: Query | undefined },
  { since, until }: Range,
  columns: Query,
): Query {
  // those that came here completed at an unknown time
  const undated = sql`select s.id from statuses s where ${mine(ctx, 's')} and s.category = 'completed'`
  const states = [
    sql`t.completed_at is null and t.status_id <> all(array(${undated}))`,
    sql`t.completed_at >= ${since}`,
  ]
  const branches = states.flatMap((state) =>
    [sql`not t.is_private`, sql`t.is_private`].map(
      (privacy) => sql`select ${columns} from ${sql.table(record.table)} t
        where ${all(scope(ctx, record, 'read'), state, privacy, where)} and least(t.creation_time, t.completed_at) < ${until}`,
    ),
  )
  return sql.join(branches, sql` union all `)
}

/**
 * How many tasks were overdue at the end of each day that has begun: due before it, created by then
 * and not completed by then. The totals are those of the last day.
 */
export const overdueTasks: Widget = widget({
  module: 'tasks',
  changedBy: [Task, Milestone, Project, Deal],
  by: byTask,
  daily: true,
  series: { date, count: count('The number of tasks that were overdue at the end of the day.') },
  totals: {
    count: count(
      'The number of tasks that were overdue at the end of the last day that has begun.',
    ),
  },
  query(ctx, range, { where }) {
    const { timezone } = ctx.organization
    const late = sql`t.due_date, t.creation_time, t.completed_at`
    const first = sql`greatest(w.due_date + 1, (w.creation_time at time zone ${timezone})::date,
      ${range.from}::date)`
    // each task is overdue from one day to another: it counts +1 on the first day
    // and -1 on the day after the last
    return sql`
      select to_char(change.date, 'YYYY-MM-DD') as date, sum(change.by)::int as change
      from (
        select ${first} as first, (w.completed_at at time zone ${timezone})::date as done,
          count(*) as count
        from (${alive(ctx, { record: Task, where }, range, late)}) w where w.due_date < ${range.last}::date
        group by 1, 2
      ) l
      cross join lateral (values (l.first, l.count), (l.done, -l.count)) change (date, by)
      where change.date <= ${range.last}::date and (l.done is null or l.done > l.first)
      group by 1 order by 1`
  },
  show(rows: { date: string; change: number }[], range) {
    const changes = new Map(rows.map((row) => [row.date, row.change]))
    // the query begins with the previous period
    let overdue = sum(
      rows.filter((row) => row.date < range.from),
      'change',
    )
    const series = daysOf(range)
      .filter((each) => each <= range.last)
      .map((each) => {
        overdue += changes.get(each) ?? 0
        return { date: each, count: overdue }
      })
    return { series, totals: { count: overdue } }
  },
})

const mostProjects = 100

const ofMilestones = {
  count: count('The number of milestones created by the end of the period.'),
  completed: count('The number of these milestones that were completed by its end.'),
  overdue: count('The number of these milestones that were overdue at its end.'),
  progress: amount('The share of these milestones that were completed, in per cent.'),
}

type ProjectRow = {
  project_id: string
  project_name: string
  project_type: 'project' | 'deal'
  count: number
  completed: number
  overdue: number
  projects: number
  all_count: number
  all_completed: number
  all_overdue: number
}

/**
 * The progress of the milestones of each project and deal that existed in the period, at its
 * end or now; those with the most to do first, at most 100 of them. The totals include all.
 */
export const milestoneProgress: Widget = widget({
  module: 'projects',
  changedBy: [Milestone, Project, Deal],
  by: byMilestone,
  series: {
    project_id: Type.String(),
    project_name: Type.String(),
    project_type: enumeration(['project', 'deal'], { title: 'ProjectType' }),
    ...ofMilestones,
  },
  totals: {
    projects: count('The number of projects and deals that have milestones.'),
    ...ofMilestones,
  },
  query: (ctx, range, { where }) => sql`
    select p.id as project_id, p.project_name, p.project_type, c.count, c.completed, c.overdue,
      (count(*) over ())::int as projects, (sum(c.count) over ())::int as all_count,
      (sum(c.completed) over ())::int as all_completed,
      (sum(c.overdue) over ())::int as all_overdue
    from (
      select t.project_id, count(*)::int as count,
        (count(*) filter (where t.completed_at < ${range.until}))::int as completed,
        (count(*) filter (where t.due_date < ${range.last}::date
          and (t.completed_at is null or t.completed_at >= ${range.until})))::int as overdue
      from milestones t
      where ${all(scope(ctx, Milestone, 'read'), where)} and t.creation_time < ${range.until}
      group by 1
    ) c
    join ${readableRows(ctx, 'projects')} p on ${mine(ctx, 'p')} and p.id = c.project_id
      and coalesce(p.completed_at, ${closedAt(ctx)}, ${range.until}) >= ${range.since}
    order by c.count - c.completed desc, p.id limit ${mostProjects}`,
  show(rows: ProjectRow[]) {
    const { projects = 0, all_count = 0, all_completed = 0, all_overdue = 0 } = rows[0] ?? {}
    return {
      series: rows.map((row) => ({
        project_id: row.project_id,
        project_name: row.project_name,
        project_type: row.project_type,
        count: row.count,
        completed: row.completed,
        overdue: row.overdue,
        progress: percent(row.completed, row.count),
      })),
      totals: {
        projects,
        count: all_count,
        completed: all_completed,
        overdue: all_overdue,
        progress: percent(all_completed, all_count),
      },
    }
  },
})

/** When the project left the open stages of its pipeline, which is internal. */
function closedAt({ actor }: Context): Query {
  return readsInternal(actor) ? sql`p.closed_at` : sql`null::timestamptz`
}
