import type { Context } from '../../../kit/ground/context.ts'
import { badField, notFound } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { rankOf } from '../../../kit/record/rank.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import { workCalendar } from '../../../model/holidays/calendar.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import type { CalendarRules } from '../../../schedule/workdays.ts'
import { mostTasks } from '../../templates/check-plan.ts'

type Row = {
  id: string
  title: string
  description: string | null
  owner: string | null
  start_date: string | null
  due_date: string | null
  /** the day of its completion, in the organization's zone */
  done_on: string | null
  is_shared: boolean
}

export type SourceMilestone = Row
export type SourceTask = Row & {
  parent_id: string | null
  milestone_id: string | null
  priority: string | null
  tags: string[] | null
  item_type: number
  estimate_minutes: number | null
  asks_for_file: boolean
  form_id: string | null
}

export type SourceLink = {
  task_id: string
  predecessor_id: string
  type: 'FS' | 'SS' | 'FF' | 'SF'
  lag_days: number
}

/** A project as far as the caller may read it, from which a template is made. */
export type Source = {
  name: string
  start_date: string | null
  rules: CalendarRules
  milestones: SourceMilestone[]
  tasks: SourceTask[]
  links: SourceLink[]
  /** the names of its customer, as far as the caller may read it */
  names: string[]
  /** the role of each person in it */
  roles: Map<string, string>
}

type Found = {
  project_name: string
  start_date: string | null
  holidays_id: string | null
  project_owner: string | null
  project_manager: string | null
  names: (string | null)[]
}

/** Reads it; 404 where it is not visible, 400 where it has more tasks than a template may have. */
export async function sourceOf(ctx: Context, id: string): Promise<Source> {
  const project = await ctx.one<Found>(sql`
    select t.project_name, t.start_date::text, t.holidays_id, t.project_owner, t.project_manager,
      json_build_array(a.account_name, c.company_name, d.company_name) as names
    from projects t
    left join ${readableRows(ctx, 'accounts')} a on a.organization_id = $organization and a.id = t.account_id
    left join ${readableRows(ctx, 'companies')} c on c.organization_id = $organization and c.id = t.company_id
    left join ${readableRows(ctx, 'companies')} d on d.organization_id = $organization and d.id = a.company_id
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = ${id}`)
  if (!project) throw notFound('Project')
  const shared = sql`t.id, t.description, t.owner, t.start_date::text, t.due_date::text,
    (t.completed_at at time zone ${ctx.organization.timezone})::date::text as done_on, t.is_shared`
  const inOrder = sql`order by ${sql.raw(rankOf('t'))}, t.id`
  const milestones = await ctx.all<SourceMilestone>(sql`select t.name as title, ${shared}
    from milestones t where ${scope(ctx, Milestone, 'read')} and t.project_id = ${id} ${inOrder}`)
  const tasks = await ctx.all<SourceTask>(sql`
    select t.title, t.parent_id, t.milestone_id, t.priority, t.tags, t.item_type, t.estimate_minutes, t.asks_for_file,
      f.id as form_id, ${shared}
    from tasks t
    left join ${readableRows(ctx, 'surveys')} f on f.organization_id = $organization
      and f.id = t.form_id and f.deleted_at is null
    where ${scope(ctx, Task, 'read')} and t.project_id = ${id} ${inOrder}
    limit ${mostTasks + 1}`)
  if (tasks.length > mostTasks) throw badField('id', 'has more than 2,000 tasks')
  const links = await ctx.all<SourceLink>(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days from task_dependencies t
    where ${mine(ctx)} and t.task_id = any(${tasks.map((task) => task.id)}::varchar[])
    order by t.task_id, t.predecessor_id`)
  const { rules } = await workCalendar(ctx, project.holidays_id)
  return {
    name: project.project_name,
    start_date: project.start_date,
    rules,
    milestones,
    tasks,
    links,
    names: project.names.filter((name) => name !== null),
    roles: await rolesIn(ctx, id, project, [...milestones, ...tasks]),
  }
}

/** The role of everybody who has something to do in a project: leading it, on its team, or in the organization. */
async function rolesIn(
  ctx: Context,
  id: string,
  { project_owner, project_manager }: Found,
  rows: Row[],
): Promise<Map<string, string>> {
  const owners = [...new Set(rows.flatMap(({ owner }) => owner ?? []))]
  const people = await ctx.all<{ id: string; role: string }>(sql`
    select t.id, coalesce(m.role, r.role_name) as role from users t
    join roles r on r.organization_id = $organization and r.id = t.role_id
    left join project_members m on m.organization_id = $organization and m.project_id = ${id}
      and m.user_id = t.id
    where ${mine(ctx)} and t.id = any(${owners}::varchar[])`)
  const roles = new Map(people.map((each) => [each.id, each.role.slice(0, 100)]))
  if (project_manager) roles.set(project_manager, 'project_manager')
  if (project_owner) roles.set(project_owner, 'project_owner')
  return roles
}
