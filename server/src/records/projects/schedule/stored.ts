import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import type { Action } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { rankOf } from '../../../kit/record/rank.ts'
import { rights } from '../../../kit/record/scope.ts'
import type { WorkCalendar } from '../../../model/holidays/calendar.ts'
import { workCalendar } from '../../../model/holidays/calendar.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import { today } from '../../../model/time/dates.ts'
import { externalKinds } from '../../../model/users/roles/permissions.ts'
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
  /** of a task: whether somebody says that it is blocked, and minutes */
  is_blocked: boolean
  estimate_minutes: number | null
  spent_minutes: number
  /** of a milestone */
  kind: 'go_live' | null
  template_ref: string | null
  owner_side: 'us' | 'customer' | 'nobody'
}

/** Everything of a project that its dates follow from, as far as it was asked for. */
export type StoredPlan = {
  project: {
    id: string
    start_date: string | null
    due_date: string | null
    version: number
    is_updatable: boolean
    completed_at: string | null
  }
  tasks: StoredRow[]
  milestones: StoredRow[]
  links: { task_id: string; predecessor_id: string; type: LinkType; lag_days: number }[]
  plan: Plan
  /** what the holidays of its calendar are called */
  holidays: WorkCalendar['names']
}

/** What of a plan is read: what the caller may read, or all of it, to be moved, or locked until the commit, too. */
type Part = 'readable' | 'whole' | 'locked'

/**
 * Reads the plan of a project that exists. Tasks that the caller may not read, or may not change, stay where they are;
 * of the readable part alone it is not asked who may change what.
 */
export async function storedPlan(ctx: Context, id: string, part: Part): Promise<StoredPlan> {
  const plans = await storedPlans(ctx, [id], part)
  const none = {
    project: {
      id,
      start_date: null,
      due_date: null,
      version: 0,
      is_updatable: false,
      completed_at: null,
    },
    tasks: [],
    milestones: [],
    links: [],
  }
  return plans.get(id) ?? planOf(ctx, none, await workCalendar(ctx))
}

/** The same of several projects at once, by their id. */
export async function storedPlans(
  ctx: Context,
  ids: string[],
  part: Part,
): Promise<Map<string, StoredPlan>> {
  const projects = await ctx.all<StoredPlan['project'] & { holidays_id: string | null }>(sql`
    select t.id, t.start_date::text, t.due_date::text, t.version, t.holidays_id, t.completed_at,
      ${part === 'readable' ? sql`false` : allowed(ctx, ProjectOrDeal, 'update')} as is_updatable
    from projects t where ${mine(ctx)} and t.id = any(${ids})
    ${part === 'locked' ? sql`for no key update` : sql``}`)
  const milestones = await rowsOf(ctx, ids, 'milestones', part)
  const tasks = await rowsOf(ctx, ids, 'tasks', part)
  type Link = StoredPlan['links'][number] & { project_id: string }
  const links = await ctx.reading('unknown', 'task_dependencies').all<Link>(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days, k.project_id from task_dependencies t
    join tasks k on k.organization_id = $organization and k.id = t.task_id
    where ${mine(ctx)} and k.project_id = any(${ids}) and k.deleted_at is null
    order by t.task_id, t.predecessor_id`)
  const tasksIn = Map.groupBy(tasks, ({ project_id }) => project_id)
  const milestonesIn = Map.groupBy(milestones, ({ project_id }) => project_id)
  const linksIn = Map.groupBy(links, ({ project_id }) => project_id)
  const found = new Map<string, StoredPlan>()
  for (const { holidays_id, ...project } of projects) {
    const calendar = await workCalendar(ctx, holidays_id)
    const { id } = project
    const parts = {
      project,
      tasks: tasksIn.get(id) ?? [],
      milestones: milestonesIn.get(id) ?? [],
      links: linksIn.get(id) ?? [],
    }
    found.set(id, planOf(ctx, parts, calendar))
  }
  return found
}

/** A stored plan as the engine takes it. */
function planOf(
  ctx: Context,
  parts: Omit<StoredPlan, 'plan' | 'holidays'>,
  { rules: calendar, names }: WorkCalendar,
): StoredPlan {
  const { project, tasks, milestones, links } = parts
  const isFixed = (row: StoredRow) => !(row.is_readable && row.is_updatable)
  const plan: Plan = {
    tasks: tasks.map((row) => ({
      id: row.id,
      parent: row.parent_id,
      milestone: row.milestone_id,
      state: row.is_done ? 'done' : row.is_started ? 'started' : 'open',
      isPinned: row.is_pinned,
      isFixed: isFixed(row),
      isHeld: row.is_blocked,
      side: row.owner_side,
      ...datesOf(row),
    })),
    milestones: milestones.map((row) => ({
      id: row.id,
      isDone: row.is_done,
      isFixed: isFixed(row),
      ...datesOf(row),
    })),
    links: links.map(({ task_id, predecessor_id, type, lag_days }) => ({
      task: task_id,
      predecessor: predecessor_id,
      type,
      lag: lag_days,
    })),
    calendar,
    today: dayNumber(today(ctx)),
    agreed: project.due_date ? dayNumber(project.due_date) : null,
    goLive: milestones.find(({ kind }) => kind === 'go_live')?.id ?? null,
  }
  return { ...parts, holidays: names, plan }
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
  tasks: sql`t.title, t.parent_id, t.milestone_id, t.is_completed as is_done, t.is_pinned,
    t.is_blocked, t.estimate_minutes, t.total_elapsed_time / 60 as spent_minutes, null as kind,
    null as template_ref`,
  milestones: sql`t.name as title, null as parent_id, null as milestone_id,
    t.completed_at is not null as is_done, false as is_pinned,
    false as is_blocked, null as estimate_minutes, 0 as spent_minutes, t.kind,
    t.template_ref`,
}

async function rowsOf(ctx: Context, projects: string[], table: 'tasks' | 'milestones', part: Part) {
  const record = table === 'tasks' ? Task : Milestone
  const within = sql`${mine(ctx)} and t.project_id = any(${projects}) and t.deleted_at is null`
  if (part === 'locked') {
    // in the order in which other writers of many lock
    await ctx.run(sql`select t.id from ${sql.table(table)} t
      where ${within} order by t.id for no key update`)
  }
  const isRead = part === 'readable'
  const readable = allowed(ctx, record, 'read')
  const rightsOn = isRead
    ? sql`true as is_readable, false as is_updatable`
    : sql`${readable} as is_readable, ${allowed(ctx, record, 'update')} as is_updatable`
  return ctx.reading('unknown', table).all<StoredRow & { project_id: string }>(sql`
    select t.id, t.project_id, ${columns[table]}, t.start_date::text, t.due_date::text,
      coalesce(s.category = 'in_progress', false) as is_started, t.version, t.last_update_time,
      t.owner, u.full_name as owner_name, ${rightsOn},
      case when u.id is null then 'nobody' when r.kind = any(${externalKinds}) then 'customer'
        else 'us' end as owner_side
    from ${sql.table(table)} t
    left join statuses s on s.organization_id = $organization and s.id = t.status_id
    left join users u on u.organization_id = $organization and u.id = t.owner
    left join roles r on r.organization_id = $organization and r.id = u.role_id
    where ${within} ${isRead ? sql`and ${readable}` : sql``}
    order by ${sql.raw(rankOf('t'))}, t.id`)
}

function allowed(ctx: Context, record: AnyRecord, action: Action): Query {
  return rights(ctx, record, action) ?? sql`true`
}
