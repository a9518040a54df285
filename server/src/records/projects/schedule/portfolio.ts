import { Type } from 'typebox'
import { pageQuery } from '../../../kit/crud.ts'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { enumeration, extend, orNull, without } from '../../../kit/ground/json-schema.ts'
import type { Json } from '../../../kit/ground/operation.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { listPage } from '../../../kit/read/list.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { Project } from '../../../model/projects/project.ts'
import { today } from '../../../model/time/dates.ts'
import { lastDay } from '../../../schedule/move.ts'
import type { Plan } from '../../../schedule/plan.ts'
import { dayText } from '../../../schedule/workdays.ts'
import { forecastsOf } from './computed.ts'
import { healthSchema, totalsOf, troublesIn } from './health.ts'
import { storedPlans } from './stored.ts'

const day = orNull(Type.String({ format: 'date' }))
const optionalDay = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description }))
const named = (title: string, id: 'user_id' | 'account_id', name: 'full_name' | 'account_name') =>
  orNull(
    Type.Object(
      { [id]: Type.String(), [name]: Type.String() },
      { title, additionalProperties: false },
    ),
  )

const row = Type.Object(
  {
    project_id: Type.String(),
    project_name: Type.String(),
    owner: named('TimelineOwner', 'user_id', 'full_name'),
    account: named('TimelineAccount', 'account_id', 'account_name'),
    status: orNull(Type.String({ description: 'the name of its status' })),
    template_name: orNull(Type.String()),
    start: { ...day, description: 'the first day of the project or its tasks' },
    agreed: { ...day, description: 'the due date of the project' },
    due: { ...day, description: 'the last planned day of its go-live' },
    forecast: { ...day, description: 'the same as expected from today on; null for customers' },
    completed: Type.Integer(),
    tasks: Type.Integer(),
    health: orNull(healthSchema),
    milestones: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          due: day,
          forecast: day,
          status: enumeration(['done', 'open', 'late'], { title: 'TimelineMilestoneStatus' }),
          kind: orNull(enumeration(['go_live'], { title: 'MilestoneKind' })),
        },
        { title: 'TimelineMilestone', additionalProperties: false },
      ),
    ),
  },
  { title: 'TimelineProject', additionalProperties: false },
)

/** The tasks of one answer at most, whatever the number of projects; a project has as many as it has. */
const mostTasks = 20_000
const mostProjects = 200

/** Projects as a timeline: from when to when, with their milestones, health and expected go-live. */
export const projectTimeline = operation({
  name: 'list_project_timelines',
  summary: 'List projects with their milestones, health and expected go-live',
  description: `At most ${mostProjects} of the projects that the caller may read, as the list has them; fewer where they have many tasks.`,
  can: { module: 'projects', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: extend(
      without(pageQuery(), 'page', 'offset', 'items_per_page', 'fields', 'include_count'),
      {
        from: optionalDay('only what ends on this day or later'),
        to: optionalDay('only what begins on this day or earlier'),
        cursor: Type.Optional(
          Type.String({ pattern: '^\\d{1,9}$', description: 'next_cursor of the page before' }),
        ),
      },
    ),
  },
  output: Type.Object(
    {
      rows: Type.Array(row),
      total: Type.Integer(),
      next_cursor: orNull(Type.String({ description: 'for the next page; null at the end' })),
      today: Type.String({ format: 'date', description: 'by the organization' }),
    },
    { title: 'ProjectTimelines', additionalProperties: false },
  ),
  run: async (ctx, { query: { from, to, cursor, ...list } }) => {
    if (from !== undefined && to !== undefined && to < from) {
      throw badField('to', 'must not be before from')
    }
    const offset = Number(cursor ?? 0)
    const paged = {
      ...list,
      offset,
      items_per_page: mostProjects,
      include_count: true,
      fields: 'project_id,project_name,project_owner,account,status,template_name',
    }
    const answer = await listPage(ctx, Project, paged, within(ctx, from, to))
    const found = JSON.parse((answer.body as Json).text) as Listed[]
    const shown = await asMany(ctx, found)
    const next = offset + shown.length
    const total = answer.meta.page?.total ?? next
    return {
      rows: await rowsOf(ctx, shown),
      total,
      next_cursor: shown.length && next < total ? String(next) : null,
      today: today(ctx),
    }
  },
})

type Listed = {
  project_id: string
  project_name: string
  project_owner: { user_id: string; full_name: string } | null
  account: { account_id: string; account_name: string } | null
  status: { status_name: string } | null
  template_name: string | null
}

/** Projects with a day between two, of their own or of a task that the caller may read. */
function within(ctx: Context, from?: string, to?: string): Query {
  const kind = sql`t.project_type = 'project'`
  if (from === undefined && to === undefined) return kind
  const tasks = readableRows(ctx, 'tasks')
  const overlaps = (alias: string) => {
    const [start, due] = ['start_date', 'due_date'].map((name) => sql.ref(`${alias}.${name}`))
    return all(
      sql`coalesce(${start}, ${due}) is not null`,
      from === undefined ? undefined : sql`coalesce(${due}, ${start}) >= ${from}::date`,
      to === undefined ? undefined : sql`coalesce(${start}, ${due}) <= ${to}::date`,
    )
  }
  return sql`${kind} and (${overlaps('t')} or exists (select from ${tasks} k
    where k.organization_id = $organization and k.project_id = t.id and k.deleted_at is null
      and ${overlaps('k')}))`
}

/** The first of the projects whose tasks fit into one answer, at least one. */
async function asMany(ctx: Context, found: Listed[]): Promise<Listed[]> {
  const ids = found.map(({ project_id }) => project_id)
  const counts = await ctx.all<{ project_id: string; tasks: number }>(sql`
    select t.project_id, count(*)::int as tasks from tasks t
    where ${mine(ctx)} and t.project_id = any(${ids}) and t.deleted_at is null group by 1`)
  const tasksOf = new Map(counts.map(({ project_id, tasks }) => [project_id, tasks]))
  let sum = 0
  const end = found.findIndex(({ project_id }, at) => {
    sum += tasksOf.get(project_id) ?? 0
    return at > 0 && sum > mostTasks
  })
  return end < 0 ? found : found.slice(0, end)
}

async function rowsOf(ctx: Context, projects: Listed[]) {
  const ids = projects.map(({ project_id }) => project_id)
  const stored = await storedPlans(ctx, ids, 'readable')
  const isInternal = !ctx.actor.is_external
  const plans = ids.flatMap((id) => stored.get(id) ?? [])
  const forecasts = isInternal
    ? await forecastsOf(
        ctx,
        plans.map(({ plan }) => plan),
      )
    : []
  const computed = new Map(plans.map((of, at) => [of.project.id, { of, expected: forecasts[at] }]))
  return projects.flatMap(({ project_id, project_owner, account, status, ...project }) => {
    const { of, expected } = computed.get(project_id) ?? {}
    if (!of) return []
    const { completed, tasks } = totalsOf(of, undefined, isInternal).whole
    const { user_id, full_name } = project_owner ?? {}
    return {
      project_id,
      project_name: project.project_name,
      template_name: project.template_name,
      owner: user_id && full_name ? { user_id, full_name } : null,
      account,
      status: status?.status_name ?? null,
      start: firstDay(of.plan, of.project.start_date),
      agreed: of.project.due_date,
      due: text(lastDay(of.plan)),
      forecast: text(expected?.go_live),
      completed,
      tasks,
      health: expected ? troublesIn(of, of.plan, expected).health : null,
      milestones: of.milestones.map(({ id, title: name, due_date, is_done, kind }) => ({
        id,
        name,
        due: due_date,
        forecast: text(expected?.milestones.get(id)),
        status: is_done ? ('done' as const) : isLate(of.plan, id, due_date) ? 'late' : 'open',
        kind,
      })),
    }
  })
}

/** Whether the day of a milestone has passed, and something of it is open. */
function isLate({ tasks, today: now }: Plan, id: string, due: string | null): boolean {
  if (due === null || due >= (text(now) ?? '')) return false
  const inside = tasks.filter(({ milestone }) => milestone === id)
  return !inside.length || inside.some(({ state }) => state !== 'done')
}

function firstDay({ tasks }: Plan, own: string | null): string | null {
  const days = tasks.flatMap(({ start, due }) => start ?? due ?? [])
  const first = days.length ? text(days.reduce((a, b) => Math.min(a, b))) : null
  return own !== null && (first === null || own < first) ? own : first
}

function text(value: number | null | undefined): string | null {
  return dayText(value ?? NaN) ?? null
}
