import { inPlace, rankOf } from '../../kit/record/rank.ts'
import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { DayWord } from '../../kit/ground/dates.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { envelopeOf, listEnvelope } from '../../kit/read/list.ts'
import { checkReadable, readOne } from '../../kit/read/one.ts'
import { nextCursorProperty, offsetProperty, pageProperties } from '../../kit/read/page.ts'
import type { Sort } from '../../kit/read/sort.ts'
import { createSchema, readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { addMilestone } from '../../records/milestones/create.ts'
import { typeOfId } from '../../records/projects/move.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import type { NewTask } from '../../records/tasks/body.ts'
import { extraProperties as taskProperties, updateBody } from '../../records/tasks/body.ts'
import { createTask } from '../../records/tasks/create.ts'
import { dueCondition } from '../../model/time/dates.ts'
import { Task } from '../../model/tasks/task.ts'
import { updateTask } from '../../records/tasks/update.ts'
import { answerTask, dueFilter, pageSize, taskAnswer, text } from './shapes.ts'

/** GET tasks: every task of a project's milestones in one list. */
export const listTasks = operation({
  name: 'get_tasks',
  summary: 'List the tasks of a project or deal',
  description: 'Milestone by milestone, in the order of the project, unless `sort` is set.',
  can: { module: 'tasks', action: 'read' },
  scope: null,
  scopes: ['project.read', 'deal.read'],
  writes: false,
  input: {
    query: Type.Object({
      project_id: idInQuery('the project or deal'),
      due_filter: dueFilter('show_all by default'),
      filter: text(20_000, 'JSON array of conditions'),
      sort: text(500, 'comma-separated fields, - sorts descending'),
      page: pageProperties.page,
      offset: offsetProperty,
      next_cursor: nextCursorProperty,
      items_per_page: pageSize('tasks per page (10)'),
      limit: pageSize('same as items_per_page'),
    }),
  },
  output: envelopeOf(readSchema(Task)),
  async run(ctx, input) {
    const { project_id, due_filter: due } = input.query
    await checkProject(ctx, project_id)
    const extra = all(sql`t.project_id = ${project_id}`, dueCondition(ctx, due))
    const words = [project_id, due].join()
    return listEnvelope(ctx, Task, input, { size: 10, extra, words, order: planOrder })
  },
})

/** The order of the plan: by milestone, and within it by task; tasks without a milestone last. */
const planOrder: Sort[] = [
  planKey(
    'milestone',
    `coalesce((select ${rankOf('m')} from milestones m
      where m.organization_id = $organization and m.id = t.milestone_id), '~')`,
  ),
  planKey('rank', rankOf('t')),
  planKey('id', 't.id'),
]

/** A sort key over the tasks of one project, which an index finds first. */
function planKey(name: string, column: string): Sort {
  return {
    name,
    sql: column,
    value: sql.raw(column),
    cast: 'text',
    descends: false,
    isIndexed: true,
  }
}

/** POST task: into its milestone, else the first open one, else a new one named General. */
export const createTaskOfProject = operation({
  name: 'integration_create_task',
  summary: 'Create a task in a project or deal',
  can: { module: 'tasks', action: 'create' },
  scope: null,
  scopes: ['project.write', 'deal.write'],
  writes: true,
  aliases: Task.aliases,
  input: {
    body: schema<TaskOfProject>({
      ...createSchema(Task),
      properties: { ...(createSchema(Task).properties as object), ...taskProperties },
      required: ['project_id', 'title'],
    }),
  },
  output: taskAnswer,
  async run(ctx, { body }) {
    const project = projectIn(body)
    const found = await ctx.one<{ project_type: string }>(sql`select t.project_type from projects t
      where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = ${project}`)
    if (!found) throw badField('project_id', 'no such record')
    requireScope(ctx.actor, `${found.project_type}.write`)
    const milestone_id = body.milestone_id ?? (await openMilestone(ctx, project, body))
    const place = milestone_id === undefined ? {} : { milestone_id }
    return answerTask(await createTask(ctx, { ...body, project_id: project, ...place }))
  },
})

type TaskOfProject = Omit<NewTask, 'project_id'> & {
  /** its id, alone or in an object as in reads of a task */
  project_id: string | { project_id?: string; id?: string } | null
}

function projectIn({ project_id }: TaskOfProject): string {
  if (typeof project_id === 'string') return project_id
  return project_id?.project_id ?? project_id?.id ?? ''
}

/** The milestone for a task without one; undefined for a subtask, which follows its parent. */
async function openMilestone(ctx: Context, project: string, { parent_id }: TaskOfProject) {
  if (parent_id) return undefined
  const find = () =>
    ctx.one<{ id: string }>(sql`
      select t.id from milestones t
      where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null
        and t.completed_at is null order by ${sql.raw(inPlace('t'))}, t.id limit 1`)
  const found = await find()
  if (found) return found.id
  // of two concurrent first tasks, one waits for the milestone of the other
  await ctx.run(sql`select from projects t where ${mine(ctx)} and t.id = ${project}
    for no key update`)
  const meanwhile = await find()
  return meanwhile?.id ?? (await addMilestone(ctx, project, { name: 'General' })).id
}

/** Properties of a create besides the fields of a task. */
export const taskExtras = {
  status: { type: 'text' },
  is_completed: { type: 'boolean' },
  priority: { type: 'text' },
}

/** Parameters of a list of tasks. */
export const taskParameters = {
  project_id: Type.Optional(idInQuery('of tasks: only of this project or deal')),
  is_completed: Type.Optional(Type.Boolean({ description: 'of tasks' })),
  due_filter: dueFilter('of tasks: by their due date, show_all by default'),
}

type OfTasks = { project_id?: string; is_completed?: boolean; due_filter?: DayWord }

/** Tasks of all projects and deals that the caller may see and the app's scopes allow, or of one of them. */
export async function tasksOf(
  ctx: Context,
  { project_id: project, is_completed, due_filter }: OfTasks,
): Promise<Query> {
  if (project) await checkProject(ctx, project)
  return all(
    sql`true`,
    ofKindsInScope(ctx),
    project ? sql`t.project_id = ${project}` : undefined,
    is_completed === undefined ? undefined : sql`t.is_completed = ${is_completed}`,
    dueCondition(ctx, due_filter),
  )
}

/** 404 for a project or deal that the caller cannot see, 403 if the app lacks the scope of its kind. */
export async function checkProject(ctx: Context, id: string): Promise<void> {
  requireScope(ctx.actor, `${await typeOfId(ctx, id)}.read`)
  await checkReadable(ctx, ProjectOrDeal, id)
}

const taskId = Type.Object({ task_id: Type.String() })

/** GET task/{task_id}. */
export const readTask = operation({
  name: 'integration_get_task',
  summary: 'Retrieve a task',
  can: { module: 'tasks', action: 'read' },
  scope: null,
  scopes: ['project.read', 'deal.read'],
  writes: false,
  input: { params: taskId },
  output: readSchema(Task),
  async run(ctx, { params: { task_id } }) {
    await requireScopeOfTask(ctx, task_id, 'read')
    return readOne(ctx, Task, task_id)
  },
})

/** PUT task/{task_id}: changes a task; `is_completed` completes it. */
export const updateOneTask = operation({
  name: 'integration_update_task',
  summary: 'Update a task',
  description: 'Only the fields in the body change; `is_completed: true` completes the task.',
  can: { module: 'tasks', action: 'update' },
  scope: null,
  scopes: ['project.write', 'deal.write'],
  writes: true,
  isVersioned: true,
  aliases: Task.aliases,
  input: { params: taskId, body: updateBody },
  output: taskAnswer,
  async run(ctx, { params: { task_id }, body, ifMatch }) {
    await requireScopeOfTask(ctx, task_id, 'write')
    return answerTask(await updateTask(ctx, task_id, body, ifMatch))
  },
})

const kinds = ['project', 'deal'] as const
type Kind = (typeof kinds)[number]

/** Projects, deals or both, as the scopes allow; 403 for an app with neither. */
export function kindsInScope({ actor }: Context): Kind[] {
  const open = kinds.filter((kind) => !actor.app || actor.app.scopes.includes(`${kind}.read`))
  if (!open.length) requireScope(actor, ...kinds.map((kind) => `${kind}.read`))
  return open
}

/** The condition over `t` for tasks of the kinds of projects that the scopes allow. */
export function ofKindsInScope(ctx: Context) {
  const open = kindsInScope(ctx)
  return open.length === kinds.length
    ? undefined
    : sql`exists (select from projects p where p.organization_id = $organization
        and p.id = t.project_id and p.project_type = ${open[0]})`
}

/** 404 for a task that the caller cannot see, 403 if the app lacks the scope of its project's kind. */
export async function requireScopeOfTask(
  ctx: Context,
  id: string,
  what: 'read' | 'write',
): Promise<void> {
  const found = await ctx.one<{ kind: Kind | null }>(sql`
    select (select p.project_type from projects p where p.organization_id = $organization
      and p.id = t.project_id) as kind
    from tasks t where ${scope(ctx, Task, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Task')
  requireScope(ctx.actor, `${found.kind ?? 'project'}.${what}`)
}
