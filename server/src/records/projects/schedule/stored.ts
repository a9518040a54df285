import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import type { Action } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { rankOf } from '../../../kit/record/rank.ts'
import { rights } from '../../../kit/record/scope.ts'
import { workCalendar } from '../../../model/holidays/calendar.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import { today } from '../../../model/time/dates.ts'
import type { LinkType, Plan, PlanDates } from '../../../schedule/plan.ts'
import { dayNumber, dayText } from '../../../schedule/workdays.ts'

/** A row of a plan: a task, or a milestone. */
export type StoredRow = {
  id: string
  title: string
  owner: string | null
  owner_name: string | null
  parent_id: string | null
  milestone_id: string | null
  start_date: string | null
  due_date: string | null
  is_done: boolean
  is_started: boolean
  is_pinned: boolean
  version: number
  last_update_time: string
  is_readable: boolean
  is_updatable: boolean
}

/** Everything of a project that its dates follow from, as far as it was asked for. */
export type StoredPlan = {
  project: {
    id: string
    start_date: string | null
    due_date: string | null
    version: number
    is_updatable: boolean
  }
  tasks: StoredRow[]
  milestones: StoredRow[]
  links: { task_id: string; predecessor_id: string; type: LinkType; lag_days: number }[]
  plan: Plan
}

/** What of a plan is read: what the caller may read, or all of it, to be moved, or locked until the commit, too. */
type Part = 'readable' | 'whole' | 'locked'

/**
 * Reads the plan of a project that exists. Tasks that the caller may not read, or may not change, stay where they are;
 * of the readable part alone it is not asked who may change what, nor whose it is.
 */
export async function storedPlan(ctx: Context, id: string, part: Part): Promise<StoredPlan> {
  const project = await ctx.one<StoredPlan['project'] & { holidays_id: string | null }>(sql`
    select t.id, t.start_date::text, t.due_date::text, t.version, t.holidays_id,
      ${part === 'readable' ? sql`false` : allowed(ctx, ProjectOrDeal, 'update')} as is_updatable
    from projects t where ${mine(ctx)} and t.id = ${id}
    ${part === 'locked' ? sql`for no key update` : sql``}`)
  const milestones = await rowsOf(ctx, id, 'milestones', part)
  const tasks = await rowsOf(ctx, id, 'tasks', part)
  const links = await ctx.reading('unknown', 'task_dependencies').all<
    StoredPlan['links'][number]
  >(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days from task_dependencies t
    join tasks k on k.organization_id = $organization and k.id = t.task_id
    where ${mine(ctx)} and k.project_id = ${id} and k.deleted_at is null
    order by t.task_id, t.predecessor_id`)
  const { rules } = await workCalendar(ctx, project?.holidays_id)
  const plan: Plan = {
    tasks: tasks.map((row) => ({
      id: row.id,
      parent: row.parent_id,
      milestone: row.milestone_id,
      state: row.is_done ? 'done' : row.is_started ? 'started' : 'open',
      isPinned: row.is_pinned,
      isFixed: !(row.is_readable && row.is_updatable),
      ...datesOf(row),
    })),
    milestones: milestones.map((row) => ({
      id: row.id,
      isDone: row.is_done,
      isFixed: !(row.is_readable && row.is_updatable),
      ...datesOf(row),
    })),
    links: links.map(({ task_id, predecessor_id, type, lag_days }) => ({
      task: task_id,
      predecessor: predecessor_id,
      type,
      lag: lag_days,
    })),
    calendar: rules,
    today: dayNumber(today(ctx)),
    agreed: project?.due_date ? dayNumber(project.due_date) : null,
  }
  const none = { id, start_date: null, due_date: null, version: 0, is_updatable: false }
  const of = project ?? none
  return { project: of, tasks, milestones, links, plan }
}

/** Dates as the engine counts them. */
export function datesOf({
  start_date,
  due_date,
}: Pick<StoredRow, 'start_date' | 'due_date'>): PlanDates {
  return {
    start: start_date ? dayNumber(start_date) : null,
    due: due_date ? dayNumber(due_date) : null,
  }
}

/** A day as it is stored; 400 outside the calendar. */
export function textOf(day: number | null): string | null {
  if (day === null) return null
  const text = dayText(day)
  if (text === undefined) throw badField('ops', 'moves dates beyond the calendar')
  return text
}

/**
 * The part of a plan that the caller may read, as it is stored or after a move: of tasks within something hidden not
 * even which of them are within the same.
 */
export function readablePart({ tasks, milestones }: StoredPlan, plan: Plan): Plan {
  const ids = new Set(
    [...tasks, ...milestones].filter((row) => row.is_readable).map(({ id }) => id),
  )
  const shown = (id: string | null) => (id !== null && ids.has(id) ? id : null)
  return {
    ...plan,
    tasks: plan.tasks.flatMap((task) => {
      const within = { parent: shown(task.parent), milestone: shown(task.milestone) }
      return ids.has(task.id) ? [{ ...task, ...within }] : []
    }),
    milestones: plan.milestones.filter(({ id }) => ids.has(id)),
    links: plan.links.filter(({ task, predecessor }) => ids.has(task) && ids.has(predecessor)),
  }
}

/** Changes with whatever the caller may read of a plan. */
export function versionOf({ project, tasks, milestones }: StoredPlan): string {
  const rows = [...tasks, ...milestones].filter(({ is_readable }) => is_readable)
  const sum = rows.reduce((total, { version }) => total + version, project.version)
  const last = rows.reduce((most, row) => Math.max(most, Date.parse(row.last_update_time)), 0)
  return `${rows.length}.${sum}.${last}`
}

const columns = {
  tasks: sql`t.title, t.parent_id, t.milestone_id, t.is_completed as is_done, t.is_pinned`,
  milestones: sql`t.name as title, null as parent_id, null as milestone_id,
    t.completed_at is not null as is_done, false as is_pinned`,
}

async function rowsOf(ctx: Context, project: string, table: 'tasks' | 'milestones', part: Part) {
  const record = table === 'tasks' ? Task : Milestone
  if (part === 'locked') {
    // in the order in which other writers of many lock
    await ctx.run(sql`select t.id from ${sql.table(table)} t
      where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null order by t.id for no key update`)
  }
  const isRead = part === 'readable'
  const readable = allowed(ctx, record, 'read')
  const more = isRead
    ? sql`null as owner, null as owner_name, true as is_readable, false as is_updatable`
    : sql`t.owner, u.full_name as owner_name, ${readable} as is_readable,
        ${allowed(ctx, record, 'update')} as is_updatable`
  const owners = sql`left join users u on u.organization_id = $organization and u.id = t.owner`
  return ctx.reading('unknown', table).all<StoredRow>(sql`
    select t.id, ${columns[table]}, t.start_date::text, t.due_date::text,
      coalesce(s.category = 'in_progress', false) as is_started, t.version, t.last_update_time,
      ${more}
    from ${sql.table(table)} t
    left join statuses s on s.organization_id = $organization and s.id = t.status_id
    ${isRead ? sql`` : owners}
    where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null
      ${isRead ? sql`and ${readable}` : sql``}
    order by ${sql.raw(rankOf('t'))}, t.id`)
}

function allowed(ctx: Context, record: AnyRecord, action: Action): Query {
  return rights(ctx, record, action) ?? sql`true`
}
