import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { insertMany } from '../../kit/write/many.ts'
import { workCalendar } from '../../model/holidays/calendar.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { statusFor } from '../../model/statuses/status.ts'
import { announceNewTasks } from '../tasks/announce.ts'
import { today } from '../../model/time/dates.ts'
import { Task } from '../../model/tasks/task.ts'
import { WorkDays, dayNumber, dayText } from '../../schedule/workdays.ts'
import { assigneesOf } from './assignees.ts'
import type { TemplateConfig } from '../../model/templates/config.ts'
import type { PlannedMilestone } from './plan.ts'
import { planOf } from './plan.ts'

/** The project to which a template is applied; links are ids, days `YYYY-MM-DD`. */
export type LaidOutProject = {
  id: string
  project_owner: string | null
  project_manager: string | null
  account_id?: string | null
  start_date: string | null
  due_date: string | null
  holidays_id: string | null
}

/**
 * Creates a project's milestones and tasks from a template, in a fixed number of statements. Days are
 * working days: forward from the start, else back from the due date, else from today. Required
 * fields that a template cannot hold may be missing.
 */
export async function layOut(
  ctx: Context,
  project: LaidOutProject,
  config: TemplateConfig,
): Promise<{ milestones: number; tasks: number }> {
  const plan = planOf(config)
  if (!plan.length) return { milestones: 0, tasks: 0 }
  const day = await daysOf(ctx, project, plan)
  const personFor = await assigneesOf(ctx, project)
  const [milestoneStatus, taskStatus] = await Promise.all([
    statusFor(ctx, 'milestones', 'not_started'),
    statusFor(ctx, 'tasks', 'not_started'),
  ])
  const milestones = plan.map(({ name, description, start, end, owner, is_shared }, position) => ({
    body: {
      name,
      description,
      is_shared,
      position,
      start_date: day(start),
      due_date: day(Math.max(start, end - 1)),
    },
    links: present({ project_id: project.id, owner: personFor(owner) }),
    set: { status_id: milestoneStatus.id },
  }))
  const tasks = plan.flatMap(({ tasks: planned, start }, m) =>
    planned.map((task, position) => {
      const from = start + (task.start_offset_days ?? 0)
      return {
        milestone: m,
        task,
        body: {
          title: task.title,
          description: task.description ?? null,
          item_type: task.item_type ?? 1,
          tags: task.tags ?? null,
          is_shared: task.is_shared ?? false,
          position,
          start_date: day(from),
          due_date: day(from + Math.max(0, (task.duration_days ?? 1) - 1)),
        },
        owner: personFor(task.assignee_role),
        set: {
          status_id: taskStatus.id,
          priority: task.priority ?? null,
          template_ref: task.id ?? null,
        },
      }
    }),
  )
  const milestoneIds = await insertAll(ctx, Milestone, milestones)
  const taskIds = await insertAll(
    ctx,
    Task,
    tasks.map(({ milestone, owner, body, set }) => {
      const { id: project_id, account_id } = project
      const links = present({
        project_id,
        milestone_id: milestoneIds[milestone],
        account_id,
        owner,
      })
      return { body, links, set }
    }),
  )
  await insertDependencies(
    ctx,
    tasks.map(({ task }, at) => ({ ...task, id: taskIds[at], ref: task.id })),
  )
  // last, so that events show milestones with their tasks, and tasks with their predecessors
  await announceAll(ctx, Milestone, 'created', milestoneIds)
  await announceNewTasks(ctx, taskIds)
  return { milestones: milestones.length, tasks: tasks.length }
}

type NewRows = Parameters<typeof insertMany>[2]

/** The ids of the rows inserted; throws the first refusal. */
async function insertAll(ctx: Context, record: AnyRecord, rows: NewRows): Promise<string[]> {
  const options = { allowMissing: true, announcesLater: true }
  const outcomes = await insertMany(ctx, record, rows, options)
  return outcomes.map((outcome) => {
    if (outcome instanceof Failure) throw outcome
    return outcome.id
  })
}

/** The n-th working day of the project; 400 if it is out of range. */
async function daysOf(ctx: Context, project: LaidOutProject, plan: PlannedMilestone[]) {
  const { rules } = await workCalendar(ctx, project.holidays_id)
  const { start_date, due_date } = project
  const length = Math.max(...plan.map(({ end }) => end), 1)
  const workdays = new WorkDays(rules, dayNumber(start_date ?? due_date ?? today(ctx)))
  // number 0 is the first working day from there on
  const first = start_date || !due_date ? 0 : workdays.until(dayNumber(due_date)) - length + 1
  return (n: number): string => {
    const day = dayText(workdays.day(first + n))
    if (day !== undefined) return day
    const field = start_date ? 'start_date' : 'due_date'
    throw badField(field, 'moves days of the template beyond the calendar')
  }
}

type Linked = { id: string | undefined; ref?: string; title: string; depends_on?: string[] }

/** The dependencies of tasks: on earlier tasks of the plan, by their reference or title. */
async function insertDependencies(ctx: Context, tasks: Linked[]) {
  const known = new Map<string, string>()
  const links: { task_id: string; predecessor_id: string }[] = []
  for (const { id, ref, title, depends_on = [] } of tasks) {
    if (!id) continue
    // templates are checked when they are saved; a task never waits for a later one
    for (const name of depends_on) {
      const predecessor_id = known.get(name)
      if (predecessor_id) links.push({ task_id: id, predecessor_id })
    }
    for (const name of [ref, title]) if (name && !known.has(name)) known.set(name, id)
  }
  if (!links.length) return
  await ctx.run(sql`
    insert into task_dependencies (organization_id, task_id, predecessor_id)
    select ${ctx.organization.id}, d.task_id, d.predecessor_id
    from json_to_recordset(${JSON.stringify(links)}) as d (task_id text, predecessor_id text)
    on conflict do nothing`)
}

/** The links that are not null. */
function present(links: { [field: string]: string | null | undefined }) {
  const entries = Object.entries(links)
  return Object.fromEntries(entries.filter((each): each is [string, string] => Boolean(each[1])))
}
