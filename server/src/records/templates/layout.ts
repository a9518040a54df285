import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { isDay } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { sql } from '../../kit/ground/sql.ts'
import { workCalendar, workingDays } from '../holidays/calendar.ts'
import { Milestone } from '../milestones/milestone.ts'
import { statusFor } from '../statuses/status.ts'
import { Task } from '../tasks/task.ts'
import type { TemplateConfig, TemplateTask } from './config.ts'

type Laid = {
  id: string
  project_owner: string | null
  project_manager: string | null
  account_id?: string | null
  start_date: string | null
  due_date: string | null
  holidays_id: string | null
}

/**
 * Makes a project's milestones and tasks from a template, in a fixed number of statements. Days are
 * working days: forward from the start, else back from the due date, else from today.
 */
export async function layOut(
  ctx: Context,
  project: Laid,
  config: TemplateConfig,
): Promise<{ milestones: number; tasks: number }> {
  const plan = planOf(config)
  if (!plan.length) return { milestones: 0, tasks: 0 }
  const calendar = await workCalendar(ctx, project.holidays_id)
  const length = Math.max(...plan.map(({ end }) => end), 1)
  const today = Temporal.Instant.fromEpochMilliseconds(+ctx.now())
    .toZonedDateTimeISO(ctx.organization.timezone)
    .toPlainDate()
  const first =
    project.start_date ??
    (project.due_date ? workingDays(calendar, project.due_date, -1)(length - 1) : `${today}`)
  const day = workingDays(calendar, first)
  const people = await assignees(ctx, project)
  const [milestoneStatus, taskStatus] = await Promise.all([
    statusFor(ctx, 'milestones', 'not_started'),
    statusFor(ctx, 'tasks', 'not_started'),
  ])
  const milestones = plan.map(({ name, description, start, end, owner }, position) => ({
    id: newId(),
    name,
    description,
    position,
    owner: people(owner),
    start_date: day(start),
    due_date: day(Math.max(start, end - 1)),
  }))
  const refs = new Map<string, string>()
  const waiting: { task_id: string; on: string[] }[] = []
  const tasks = plan.flatMap(({ tasks: its, start }, m) =>
    its.map((task, position) => {
      const id = newId()
      const from = start + (task.start_offset_days ?? 0)
      for (const ref of [task.id, task.title]) if (ref && !refs.has(ref)) refs.set(ref, id)
      if (task.depends_on?.length) waiting.push({ task_id: id, on: task.depends_on })
      return {
        id,
        title: task.title,
        description: task.description ?? null,
        item_type: task.item_type ?? 1,
        milestone_id: milestones[m]!.id,
        position,
        priority: task.priority ?? null,
        tags: task.tags ?? null,
        owner: people(task.assignee_role),
        template_ref: task.id ?? null,
        start_date: day(from),
        due_date: day(from + Math.max(0, (task.duration_days ?? 1) - 1)),
      }
    }),
  )
  if (![...milestones, ...tasks].every((each) => isDay(each.start_date) && isDay(each.due_date))) {
    const field = project.start_date ? 'start_date' : 'due_date'
    throw badField(field, 'moves days of the template beyond the calendar')
  }
  const now = ctx.now().toISOString()
  const { id: organization } = ctx.organization
  await ctx.run(sql`
    insert into milestones (organization_id, id, project_id, name, description, status_id, owner,
      start_date, due_date, position, created_by, creation_time, last_update_time)
    select ${organization}, m.id, ${project.id}, m.name, m.description, ${milestoneStatus.id},
      m.owner, m.start_date, m.due_date, m.position, ${ctx.actor.user_id}, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(milestones)}) as m (id text, name text, description text,
      owner text, start_date date, due_date date, position integer)`)
  await ctx.run(sql`
    insert into tasks (organization_id, id, title, description, item_type, project_id, milestone_id,
      account_id, status_id, priority, owner, tags, start_date, due_date, position, template_ref,
      created_by, creation_time, last_update_time)
    select ${organization}, k.id, k.title, k.description, k.item_type, ${project.id}, k.milestone_id,
      ${project.account_id ?? null}, ${taskStatus.id}, k.priority, k.owner, k.tags, k.start_date,
      k.due_date, k.position, k.template_ref, ${ctx.actor.user_id}, ${now}, ${now}
    from json_to_recordset(${JSON.stringify(tasks)}) as k (id text, title text, description text,
      item_type smallint, milestone_id text, priority text, owner text, tags jsonb, start_date date,
      due_date date, position integer, template_ref text)`)
  const links = waiting.flatMap(({ task_id, on }) =>
    on.flatMap((ref) => {
      const predecessor_id = refs.get(ref)
      // templates are checked when they are saved; a task never waits for a later one
      return predecessor_id && predecessor_id < task_id ? [{ task_id, predecessor_id }] : []
    }),
  )
  if (links.length) {
    await ctx.run(sql`
      insert into task_dependencies (organization_id, task_id, predecessor_id)
      select ${organization}, d.task_id, d.predecessor_id
      from json_to_recordset(${JSON.stringify(links)}) as d (task_id text, predecessor_id text)
      on conflict do nothing`)
  }
  await announceAll(ctx, Milestone, 'created', idsOf(milestones))
  await announceAll(ctx, Task, 'created', idsOf(tasks))
  return { milestones: milestones.length, tasks: tasks.length }
}

function idsOf(made: { id: string }[]): string[] {
  return made.map(({ id }) => id)
}

type Planned = {
  name: string
  description: string | null
  owner: string | undefined
  /** working days from the project's start; `end` is the first one after it */
  start: number
  end: number
  tasks: TemplateTask[]
}

/** Milestones in their order; a stage without any is one itself. */
function planOf({ stages = [] }: TemplateConfig): Planned[] {
  return stages.flatMap((stage) => {
    const its = stage.milestones?.length ? stage.milestones : [{ ...stage, milestones: undefined }]
    return its.map((milestone) => {
      const start = milestone.start_offset_days ?? 0
      const tasks = (milestone.tasks ?? []).map(titled)
      const ends = tasks.map(
        ({ start_offset_days = 0, duration_days = 1 }) =>
          start + start_offset_days + Math.max(1, duration_days),
      )
      return {
        name: milestone.name,
        description: milestone.description ?? null,
        owner: milestone.assignee_role,
        start,
        end: Math.max(start + Math.max(1, milestone.duration_days ?? 1), ...ends),
        tasks,
      }
    })
  })
}

/** Plans may call a task's title its name. */
function titled(task: TemplateTask & { name?: string }): TemplateTask {
  return { ...task, title: task.title ?? task.name ?? 'Task' }
}

/** Who stands for a role of the template: the owner, the manager, or the first member with it. */
async function assignees(ctx: Context, project: Laid) {
  const members = await ctx.all<{ user_id: string; role: string }>(sql`
    select m.user_id, lower(coalesce(m.role, r.role_name)) as role from project_members m
    join users u on u.organization_id = m.organization_id and u.id = m.user_id
    join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    where m.organization_id = ${ctx.organization.id} and m.project_id = ${project.id}
    order by m.creation_time, m.user_id`)
  return (role: string | undefined): string | null => {
    const word = role?.trim().toLowerCase().replaceAll(' ', '_')
    if (!word) return null
    if (word === 'project_owner' || word === 'owner') return project.project_owner
    if (word === 'project_manager' || word === 'manager') {
      return project.project_manager ?? project.project_owner
    }
    if (word === 'creator') return ctx.actor.user_id
    return members.find((each) => each.role.replaceAll(' ', '_') === word)?.user_id ?? null
  }
}
