import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { rankOf } from '../../../kit/record/rank.ts'
import { rights } from '../../../kit/record/scope.ts'
import { workCalendar } from '../../../model/holidays/calendar.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { Task } from '../../../model/tasks/task.ts'
import { today } from '../../../model/time/dates.ts'
import type { LinkType, Plan, PlanDates } from '../../../schedule/plan.ts'
import { dayNumber } from '../../../schedule/workdays.ts'

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

/** Everything of a project that its dates follow from, whether the caller may read it or not. */
export type StoredPlan = {
  project: { id: string; start_date: string | null; due_date: string | null; version: number }
  tasks: StoredRow[]
  milestones: StoredRow[]
  links: { task_id: string; predecessor_id: string; type: LinkType; lag_days: number }[]
  plan: Plan
}

/**
 * Reads the plan of a project that exists; `isLocked` keeps others from changing its dates until the commit. Tasks that
 * the caller may not change stay where they are.
 */
export async function storedPlan(
  ctx: Context,
  id: string,
  { isLocked = false } = {},
): Promise<StoredPlan> {
  const project = await ctx.one<StoredPlan['project'] & { holidays_id: string | null }>(sql`
    select t.id, t.start_date::text, t.due_date::text, t.version, t.holidays_id
    from projects t where ${mine(ctx)} and t.id = ${id} ${isLocked ? sql`for no key update` : sql``}`)
  const milestones = await rowsOf(ctx, id, 'milestones', isLocked)
  const tasks = await rowsOf(ctx, id, 'tasks', isLocked)
  const links = await ctx.all<StoredPlan['links'][number]>(sql`
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
      isFixed: !row.is_updatable,
      ...datesOf(row),
    })),
    milestones: milestones.map((row) => ({
      id: row.id,
      isDone: row.is_done,
      isFixed: !row.is_updatable,
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
  const of = project ?? { id, start_date: null, due_date: null, version: 0 }
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

/** The part of a plan that the caller may read. */
export function readablePart({ plan, tasks, milestones }: StoredPlan): Plan {
  const ids = new Set(
    [...tasks, ...milestones].filter((row) => row.is_readable).map(({ id }) => id),
  )
  return {
    ...plan,
    tasks: plan.tasks.filter(({ id }) => ids.has(id)),
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

async function rowsOf(
  ctx: Context,
  project: string,
  table: 'tasks' | 'milestones',
  isLocked: boolean,
) {
  const record = table === 'tasks' ? Task : Milestone
  if (isLocked) {
    // in the order in which other writers of many lock
    await ctx.run(sql`select t.id from ${sql.table(table)} t
      where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null order by t.id for no key update`)
  }
  return ctx.all<StoredRow>(sql`
    select t.id, ${columns[table]}, t.owner, u.full_name as owner_name, t.start_date::text,
      t.due_date::text, coalesce(s.category = 'in_progress', false) as is_started, t.version,
      t.last_update_time, ${rights(ctx, record, 'read') ?? sql`true`} as is_readable,
      ${rights(ctx, record, 'update') ?? sql`true`} as is_updatable
    from ${sql.table(table)} t
    left join statuses s on s.organization_id = $organization and s.id = t.status_id
    left join users u on u.organization_id = $organization and u.id = t.owner
    where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null
    order by ${sql.raw(rankOf('t'))}, t.id`)
}
