import type { Context, Query } from '../../kit/ground/context.ts'
import { foldedText } from '../../kit/ground/fold.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { turns } from '../../kit/ground/turns.ts'
import { rankOf } from '../../kit/record/rank.ts'
import { scope } from '../../kit/record/scope.ts'
import { workCalendar } from '../../model/holidays/calendar.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { Task } from '../../model/tasks/task.ts'
import { WorkDays } from '../../schedule/workdays.ts'
import type { Dated, Span } from './spans.ts'
import { actualSpans } from './spans.ts'

/** A task of a past project; days count from the first one that was worked on, and only of what was finished. */
export type PastTask = {
  title: string
  /** the title as it is compared */
  key: string
  /** the line of the template, as `template/line` */
  ref: string | null
  milestone: string
  start: number | null
  days: number | null
  position: number
}

/** A past project as it really went, in working days. */
export type PastProject = {
  id: string
  template_id: string | null
  template_version: number | null
  /** working days from the first to the last one; null where nothing was finished */
  days: number | null
  milestones: { name: string; key: string; ref: string | null }[]
  tasks: PastTask[]
}

type Row = {
  id: string
  template_id: string | null
  template_version: number | null
  holidays_id: string | null
}
type MilestoneRow = { id: string; project_id: string; name: string; ref: string | null }
type TaskRow = Dated & {
  id: string
  project_id: string
  milestone_id: string | null
  title: string
  ref: string | null
}
type LinkRow = { task_id: string; predecessor_id: string; type: string }

/** The tasks that are read of all projects together. */
const mostTasks = 50_000

/**
 * Projects that `which` selects, with what of them the caller may read: `which` is a query of their id, template_id,
 * template_version and holidays_id.
 */
export async function pastProjects(ctx: Context, which: Query): Promise<PastProject[]> {
  const projects = await ctx.all<Row>(which)
  const ids = projects.map(({ id }) => id)
  if (!ids.length) return []
  const inOrder = sql`order by ${sql.raw(rankOf('t'))}, t.id`
  const [milestones, tasks] = await Promise.all([
    ctx.all<MilestoneRow>(sql`
      select t.id, t.project_id, t.name, t.template_ref as ref from milestones t
      where ${scope(ctx, Milestone, 'read')} and t.project_id = any(${ids}::varchar[])
        and not t.is_private ${inOrder}`),
    ctx.all<TaskRow>(sql`
      select t.id, t.project_id, t.milestone_id, t.title, t.template_ref as ref,
        t.start_date::text, t.due_date::text,
        (t.completed_at at time zone ${ctx.organization.timezone})::date::text as done_on
      from tasks t
      where ${scope(ctx, Task, 'read')} and t.project_id = any(${ids}::varchar[])
        and not t.is_private ${inOrder} limit ${mostTasks}`),
  ])
  const links = await ctx.all<LinkRow>(sql`
    select t.task_id, t.predecessor_id, t.type from task_dependencies t
    where ${mine(ctx)} and t.task_id = any(${tasks.map(({ id }) => id)}::varchar[])
    order by t.task_id, t.predecessor_id`)
  const parts = {
    milestones: Map.groupBy(milestones, ({ project_id }) => project_id),
    tasks: Map.groupBy(tasks, ({ project_id }) => project_id),
    links: Map.groupBy(links, ({ task_id }) => task_id),
  }
  const worked = turns()
  const past: PastProject[] = []
  for (const project of projects) {
    const its = parts.tasks.get(project.id) ?? []
    await worked(300 * its.length)
    const { rules } = await workCalendar(ctx, project.holidays_id)
    const own = its.flatMap(({ id }) => parts.links.get(id) ?? [])
    past.push(asItWent(project, parts.milestones.get(project.id) ?? [], its, own, rules))
  }
  return past
}

function asItWent(
  { id, template_id, template_version }: Row,
  milestones: MilestoneRow[],
  tasks: TaskRow[],
  links: LinkRow[],
  rules: ConstructorParameters<typeof WorkDays>[0],
): PastProject {
  const spans = actualSpans({ tasks, links })
  const done = tasks.flatMap((task): [string, Span][] => {
    const span = task.done_on === null ? undefined : spans.get(task.id)
    return span ? [[task.id, span]] : []
  })
  const first = Math.min(...done.map(([, { start }]) => start))
  const last = Math.max(...done.map(([, { due }]) => due))
  const workdays = new WorkDays(rules, done.length ? first : 0)
  const finished = new Map(done)
  const names = new Map(milestones.map((milestone) => [milestone.id, milestone.name]))
  return {
    id,
    template_id,
    template_version,
    days: done.length ? workdays.length(first, last) : null,
    milestones: milestones.map(({ name, ref }) => ({ name, ref, key: foldedText(name) })),
    tasks: tasks.map(({ id: task, title, ref, milestone_id }, position) => {
      const span = finished.get(task)
      return {
        title,
        ref,
        position,
        key: foldedText(title),
        milestone: names.get(milestone_id ?? '') ?? '',
        start: span ? workdays.from(span.start) : null,
        days: span ? workdays.length(span.start, span.due) : null,
      }
    }),
  }
}

/** The middle one of some numbers, rounded to a whole one; null without any. */
export function median(numbers: number[]): number | null {
  if (!numbers.length) return null
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return Math.round(((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2)
}

/** The least number that at least 85 % of some do not exceed; null without any. */
export function percentile85(numbers: number[]): number | null {
  return numbers.toSorted((a, b) => a - b)[Math.ceil(0.85 * numbers.length) - 1] ?? null
}
