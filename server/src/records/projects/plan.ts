import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { arrayOf, schema } from '../../kit/ground/json-schema.ts'
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

/** The maximum number of milestones and tasks in one answer. */
const most = { milestones: 500, tasks: 2000, dependencies: 5000 }

const shownOf = {
  milestones: (
    'milestone_id,name,status,owner,start_date,due_date,completed_at,position,rank,is_shared,' +
    'tasks_count,completed_tasks_count,version,can'
  ).split(','),
  tasks: (
    'item_id,title,item_type,milestone_id,parent_id,status,is_completed,completed_at,priority,owner,' +
    'start_date,due_date,position,rank,is_blocked,is_private,is_shared,version,can'
  ).split(','),
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
    milestones: arrayOf(partOf(Milestone, 'PlanMilestone', shownOf.milestones)),
    tasks: arrayOf(partOf(Task, 'PlanTask', shownOf.tasks)),
    dependencies: Type.Array(dependency),
    is_complete: Type.Boolean({
      description: `false where it holds the first ${most.milestones} milestones, ${most.tasks} tasks or ${most.dependencies} dependencies of more`,
    }),
  },
  { title: 'ProjectPlan', additionalProperties: false },
)

function partOf(record: AnyRecord, title: string, names: string[]) {
  const known = readSchema(record).properties as { [name: string]: JSONSchema }
  const properties = Object.fromEntries(names.map((name) => [name, known[name] ?? {}]))
  return schema<unknown>({
    title,
    type: 'object',
    properties,
    required: names,
    additionalProperties: false,
  })
}

/**
 * Milestones, tasks with their subtasks, and the dependencies between them, as far as the caller may
 * read them, each in its order. 404 for a project that is not visible.
 */
export async function readPlan(ctx: Context, id: string): Promise<Answer> {
  await checkReadable(ctx, ProjectOrDeal, id)
  const [milestones, tasks, links] = await Promise.all([
    partsOf(ctx, Milestone, 'milestones', id),
    partsOf(ctx, Task, 'tasks', id),
    dependenciesOf(ctx, id),
  ])
  const isComplete = !milestones.more && !tasks.more && links.length <= most.dependencies
  return new Answer(
    new Json(
      `{"milestones":${milestones.text},"tasks":${tasks.text},` +
        `"dependencies":${JSON.stringify(links.slice(0, most.dependencies))},` +
        `"is_complete":${isComplete}}`,
    ),
  )
}

async function partsOf(
  ctx: Context,
  record: AnyRecord,
  of: keyof typeof shownOf,
  project: string,
): Promise<{ text: string; more: boolean }> {
  const query = { fields: shownOf[of].join(), items_per_page: most[of], sort: 'rank' }
  const answer = await listPage(ctx, record, query, sql`t.project_id = ${project}`)
  return { text: (answer.body as Json).text, more: answer.meta.page?.more ?? false }
}

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
