import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { arrayOf, enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { readableRows } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { dependencyType } from '../tasks/dependencies.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { Task } from '../../model/tasks/task.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { today } from '../../model/time/dates.ts'
import { lastDay } from '../../schedule/move.ts'
import { WorkDays, dayText } from '../../schedule/workdays.ts'
import { baselineDates, baselineSchema, baselinesOf } from './schedule/baseline.ts'
import { calendarSchema } from './schedule/calendar.ts'
import { forecastOf } from './schedule/computed.ts'
import { healthSchema, lateSchema, none, totalsOf, troublesIn } from './schedule/health.ts'
import { numbersOf } from './schedule/numbers.ts'
import type { StoredPlan } from './schedule/stored.ts'
import { readablePart, storedPlan, versionOf } from './schedule/stored.ts'

/** The maximum number of milestones and tasks in one answer. */
const most = { milestones: 500, tasks: 2000, dependencies: 5000 }

const shownOf = {
  milestones: (
    'milestone_id,name,kind,status,owner,start_date,due_date,completed_at,position,rank,is_shared,' +
    'tasks_count,completed_tasks_count,version,can'
  ).split(','),
  tasks: (
    'item_id,title,item_type,milestone_id,parent_id,status,is_completed,completed_at,priority,owner,' +
    'start_date,due_date,is_pinned,position,rank,is_blocked,is_private,is_shared,is_timer_running,' +
    'version,can'
  ).split(','),
}

const day = orNull(Type.String({ format: 'date' }))

const totals = Type.Object(
  {
    tasks: Type.Integer(),
    completed: Type.Integer(),
    late: Type.Integer({ description: 'open tasks whose due date has passed' }),
    blocked: Type.Integer({ description: 'tasks that should have begun, and cannot' }),
    estimate_minutes: Type.Integer(),
    spent_minutes: Type.Integer({ description: 'on the timers of its tasks' }),
  },
  { title: 'PlanTotals', additionalProperties: false },
)

const baseline = {
  ...orNull(
    Type.Object(
      { start: day, due: day },
      { title: 'PlanBaselineDates', additionalProperties: false },
    ),
  ),
  description: 'its dates in the baseline of the request; null where it has none there',
}

const computedOf = {
  milestones: {
    number: Type.String({ description: 'its place in the plan, such as 3' }),
    agreed_date: { ...day, description: 'of the go-live the due date of the project, else null' },
    forecast_date: { ...day, description: 'the last expected day of its tasks' },
    totals,
    rating: {
      ...orNull(
        Type.Object(
          {
            average: Type.Number({ description: 'from 1 to 5' }),
            count: Type.Integer({ description: 'how many people rated it' }),
          },
          { title: 'PlanRating', additionalProperties: false },
        ),
      ),
      description: 'what customers and partners said of it; null before that, and for them',
    },
    baseline,
  },
  tasks: {
    number: Type.String({ description: 'its place in the plan, such as 3.2' }),
    duration_days: orNull(Type.Integer({ description: 'working days from start to due' })),
    forecast: orNull(
      Type.Object(
        { start: day, due: day },
        {
          title: 'PlanForecast',
          additionalProperties: false,
          description:
            'what is expected from today on; null without dates, of completed tasks, and for customers and partners',
        },
      ),
    ),
    slack: orNull(
      Type.Object(
        { milestone: Type.Integer(), go_live: Type.Integer() },
        {
          title: 'PlanSlack',
          additionalProperties: false,
          description:
            'working days by which it may end later until its milestone ends later, or the plan',
        },
      ),
    ),
    is_critical: Type.Boolean({ description: 'whether the go-live is later if it is' }),
    estimate_minutes: orNull(Type.Integer({ description: 'null for customers and partners' })),
    spent_minutes: Type.Integer({ description: 'on its timers' }),
    late: { ...orNull(lateSchema), description: 'by how much it is late; null where it is not' },
    owner_side: enumeration(['us', 'customer', 'nobody'], {
      title: 'PlanSide',
      description: 'who has it: a customer or partner, nobody, or us',
    }),
    baseline,
  },
}

const dependency = Type.Object(
  {
    task_id: Type.String(),
    predecessor_id: Type.String(),
    type: dependencyType,
    lag_days: Type.Integer(),
  },
  { title: 'PlanDependency', additionalProperties: false },
)

/** The plan of a project or deal, as one answer. */
export const planSchema = Type.Object(
  {
    milestones: arrayOf(
      partOf(Milestone, 'PlanMilestone', shownOf.milestones, computedOf.milestones),
    ),
    tasks: arrayOf(partOf(Task, 'PlanTask', shownOf.tasks, computedOf.tasks)),
    dependencies: Type.Array(dependency),
    plan_version: Type.String({ description: 'changes with whatever the caller may read of it' }),
    calendar: calendarSchema,
    holiday_names: Type.Record(Type.String(), Type.String(), {
      description: 'what the holidays of the calendar are called',
    }),
    today: Type.String({ format: 'date', description: 'by the organization' }),
    go_live: Type.Object(
      {
        agreed: { ...day, description: 'the due date of the project' },
        planned: { ...day, description: 'the last day of the plan' },
        forecast: { ...day, description: 'the same as expected from today on' },
      },
      {
        title: 'PlanGoLiveDates',
        additionalProperties: false,
        description: 'of the milestone that is the go-live, or else of the whole plan',
      },
    ),
    health: orNull(healthSchema),
    baselines: Type.Array(baselineSchema, {
      description:
        'what it can be compared to: what its template says, and what was kept, the latest first; none for customers and partners',
    }),
    totals: { ...totals, description: 'of all its tasks' },
    is_complete: Type.Boolean({
      description: `false where it holds the first ${most.milestones} milestones, ${most.tasks} tasks or ${most.dependencies} dependencies of more`,
    }),
  },
  { title: 'ProjectPlan', additionalProperties: false },
)

function partOf(record: AnyRecord, title: string, names: string[], computed: object) {
  const known = readSchema(record).properties as { [name: string]: JSONSchema }
  const properties = {
    ...Object.fromEntries(names.map((name) => [name, known[name] ?? {}])),
    ...(computed as { [name: string]: JSONSchema }),
  }
  return schema<unknown>({
    title,
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
}

/**
 * Milestones, tasks with their subtasks, and the dependencies between them, as far as the caller may
 * read them, each in its order, with its dates in a baseline. 404 for a project that is not visible, 400 for a baseline
 * that it does not have.
 */
export async function readPlan(ctx: Context, id: string, of?: string): Promise<Answer> {
  await checkReadable(ctx, ProjectOrDeal, id)
  const [milestones, tasks, links, stored, baselines, dates] = await Promise.all([
    partsOf(ctx, Milestone, 'milestones', id),
    partsOf(ctx, Task, 'tasks', id),
    dependenciesOf(ctx, id),
    storedPlan(ctx, id, 'readable'),
    baselinesOf(ctx, id),
    baselineDates(ctx, id, of),
  ])
  const isComplete = !milestones.more && !tasks.more && links.length <= most.dependencies
  const [computed, ratings] = await Promise.all([
    computedRows(ctx, stored),
    ratingsOf(ctx, milestones.rows),
  ])
  return new Answer({
    milestones: milestones.rows.map((row) => ({
      ...row,
      ...computed.milestone(row.milestone_id),
      rating: ratings.get(row.milestone_id ?? '') ?? null,
      baseline: dates.get(row.milestone_id ?? '') ?? null,
    })),
    tasks: tasks.rows.map((row) => ({
      ...row,
      ...computed.task(row.item_id),
      baseline: dates.get(row.item_id ?? '') ?? null,
    })),
    dependencies: links.slice(0, most.dependencies),
    plan_version: versionOf(stored),
    calendar: stored.plan.calendar,
    holiday_names: stored.holidays,
    today: today(ctx),
    go_live: computed.goLive,
    health: computed.health,
    baselines,
    totals: computed.totals,
    is_complete: isComplete,
  })
}

/** The answer with an `ETag` of all that it says: it changes at midnight and with a person's name, too. */
export function tagged({ body }: Answer): Answer {
  const text = JSON.stringify(body)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return new Answer(new Json(text), { headers: { etag: `"${hash}"` } })
}

/** What follows from the readable part of a plan. Customers and partners see no forecast. */
async function computedRows(ctx: Context, stored: StoredPlan) {
  const numbers = numbersOf(stored)
  const readable = readablePart(stored, stored.plan)
  const found = ctx.actor.is_external ? undefined : await forecastOf(ctx, readable)
  const described = found && troublesIn(stored, readable, found)
  const isInternal = !ctx.actor.is_external
  const { whole, ofMilestone } = totalsOf(stored, described, isInternal)
  const workdays = new WorkDays(readable.calendar, readable.today)
  const plannedTasks = new Map(readable.tasks.map((task) => [task.id, task]))
  const rows = new Map([...stored.tasks, ...stored.milestones].map((row) => [row.id, row]))
  const text = (day: number | null | undefined) => dayText(day ?? NaN) ?? null
  return {
    milestone: (id = '') => ({
      number: numbers.get(id) ?? '',
      agreed_date: readable.goLive === id ? stored.project.due_date : null,
      forecast_date: text(found?.milestones.get(id)),
      totals: ofMilestone.get(id) ?? none,
    }),
    task(id = '') {
      const { start = null, due = null } = plannedTasks.get(id) ?? {}
      const expected = found?.tasks.get(id)
      const row = rows.get(id)
      return {
        number: numbers.get(id) ?? '',
        duration_days: start === null || due === null ? null : workdays.length(start, due),
        forecast: expected ? { start: text(expected.start), due: text(expected.due) } : null,
        slack: expected?.slack ?? null,
        is_critical: expected?.is_critical ?? false,
        estimate_minutes: isInternal ? (row?.estimate_minutes ?? null) : null,
        spent_minutes: row?.spent_minutes ?? 0,
        late: described?.late(id) ?? null,
        owner_side: row?.owner_side ?? 'nobody',
      }
    },
    goLive: {
      agreed: stored.project.due_date,
      planned: text(lastDay(readable)),
      forecast: text(found?.go_live),
    },
    health: described?.health ?? null,
    totals: whole,
  }
}

async function partsOf(
  ctx: Context,
  record: AnyRecord,
  of: keyof typeof shownOf,
  project: string,
): Promise<{ rows: { [field: string]: string }[]; more: boolean }> {
  const query = { fields: shownOf[of].join(), items_per_page: most[of], sort: 'rank' }
  const answer = await listPage(ctx, record, query, sql`t.project_id = ${project}`)
  const rows = JSON.parse((answer.body as Json).text) as { [field: string]: string }[]
  return { rows, more: answer.meta.page?.more ?? false }
}

/** What customers and partners said of the completed ones of these milestones, as far as the team may read it. */
async function ratingsOf(ctx: Context, milestones: { [field: string]: string | null }[]) {
  const ids = milestones.flatMap(({ milestone_id, completed_at }) =>
    milestone_id && completed_at ? [milestone_id] : [],
  )
  if (ctx.actor.is_external || !ids.length) return new Map<string, PlanRating>()
  const found = await ctx.reading('unknown').all<PlanRating & { id: string }>(sql`
    select i.reference_id as id, round(avg(i.rating), 1)::float as average, count(*)::int as count
    from ${readableRows(ctx, 'interactions')} i
    where ${mine(ctx, 'i')} and i.module_id = ${Milestone.number}
      and i.reference_id = any(${ids}::varchar[]) and i.rating is not null and i.deleted_at is null
    group by i.reference_id`)
  return new Map(found.map(({ id, ...rating }) => [id, rating]))
}

type PlanRating = { average: number; count: number }

function dependenciesOf(ctx: Context, project: string) {
  const tasks = readableRows(ctx, 'tasks')
  return ctx.reading('unknown').all(sql`
    select d.task_id, d.predecessor_id, d.type, d.lag_days from task_dependencies d
    join ${tasks} t on t.organization_id = $organization and t.id = d.task_id
      and t.deleted_at is null
    join ${tasks} p on p.organization_id = $organization and p.id = d.predecessor_id
      and p.deleted_at is null
    where ${mine(ctx, 'd')} and t.project_id = ${project}
    order by d.task_id, d.predecessor_id limit ${most.dependencies + 1}`)
}
