import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { cursorQuery } from '../../kit/crud.ts'
import { forbidden, notFound } from '../../kit/ground/errors.ts'
import { enumeration, extend, orNull } from '../../kit/ground/json-schema.ts'
import { Answer, Json, operation } from '../../kit/ground/operation.ts'
import { dayWords } from '../../kit/ground/dates.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listCursor } from '../../kit/read/cursor.ts'
import { checkReadable, readOne } from '../../kit/read/one.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { typeOfId } from '../../records/projects/move.ts'
import { projects } from '../../records/projects/operations.ts'
import { Project, ProjectOrDeal } from '../../records/projects/project.ts'
import { updateProject } from '../../records/projects/update.ts'
import { updateBody } from '../../records/tasks/body.ts'
import { dueCondition } from '../../records/tasks/dates.ts'
import { Task } from '../../records/tasks/task.ts'
import { updateTask } from '../../records/tasks/update.ts'

// what an app has created it can read, find and change: the scopes follow the kind of project

/** PUT project/{project_id}: changes a project or deal, its stage too. */
export const updateOne = operation({
  name: 'integration_update_project',
  summary: 'Update a project or deal',
  description: 'Only what the body holds is changed; `stage_id` moves a deal.',
  can: { module: 'projects', action: 'update', or: 'deals' },
  scope: null,
  writes: true,
  aliases: ProjectOrDeal.aliases,
  input: {
    params: Type.Object({ project_id: Type.String() }),
    body: projects.update.input.body,
  },
  output: Type.Object({ project_id: Type.String(), data: readSchema(Project) }),
  async run(ctx, { params: { project_id }, body, ifMatch }) {
    const type = await typeOfId(ctx, project_id)
    requireScope(ctx.actor, `${type}.write`)
    const { version, json } = await updateProject(ctx, project_id, body, ifMatch)
    const text = async () => new Json(`{"project_id":"${project_id}","data":${await json()}}`)
    return new Answer(text, { id: project_id, version })
  },
})

const query = extend(cursorQuery(), {
  project_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 25, description: 'only of this project or deal' }),
  ),
  due_filter: Type.Optional(
    enumeration(dayWords.slice(0, 10), { title: 'DueFilter', description: 'show_all by default' }),
  ),
})

/** GET task: the tasks of all projects and deals by cursor. */
export const listEveryTask = operation({
  name: 'page_tasks',
  summary: 'List tasks by cursor',
  description: 'Of all projects and deals that the caller and the scopes of the app reach.',
  can: { module: 'tasks', action: 'read' },
  scope: null,
  writes: false,
  input: { query },
  output: Type.Object({
    results: Type.Array(readSchema(Task)),
    next_cursor: orNull(Type.String()),
    count: Type.Optional(Type.Integer()),
  }),
  async run(ctx, { query: { project_id, due_filter, ...sent } }) {
    if (project_id) {
      requireScope(ctx.actor, `${await typeOfId(ctx, project_id)}.read`)
      await checkReadable(ctx, ProjectOrDeal, project_id)
    }
    const condition = all(
      ofKindsInScope(ctx),
      project_id ? sql`t.project_id = ${project_id}` : undefined,
      dueCondition(ctx, due_filter),
    )
    return listCursor(ctx, Task, sent, { condition, words: `${project_id} ${due_filter}` })
  },
})

const taskId = Type.Object({ task_id: Type.String() })

/** GET task/{task_id}. */
export const readTask = operation({
  name: 'integration_get_task',
  summary: 'Retrieve a task',
  can: { module: 'tasks', action: 'read' },
  scope: null,
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
  description: 'Only what the body holds is changed; `is_completed: true` completes it.',
  can: { module: 'tasks', action: 'update' },
  scope: null,
  writes: true,
  aliases: Task.aliases,
  input: { params: taskId, body: updateBody },
  output: Type.Object({ item_id: Type.String(), task_id: Type.String(), data: readSchema(Task) }),
  async run(ctx, { params: { task_id }, body, ifMatch }) {
    await requireScopeOfTask(ctx, task_id, 'write')
    const { version, json } = await updateTask(ctx, task_id, body, ifMatch)
    const text = async () =>
      new Json(`{"item_id":"${task_id}","task_id":"${task_id}","data":${await json()}}`)
    return new Answer(text, { id: task_id, version })
  },
})

const kinds = ['project', 'deal'] as const

/** Tasks of projects, of deals or of both; 403 for an app with neither scope. */
function ofKindsInScope({ actor }: Context) {
  const open = kinds.filter((kind) => !actor.app || actor.app.scopes.includes(`${kind}.read`))
  if (!open.length) {
    throw forbidden('This needs the scope project.read or deal.read', 'missing_scope')
  }
  return open.length === kinds.length
    ? undefined
    : sql`exists (select from projects p where p.organization_id = t.organization_id
        and p.id = t.project_id and p.project_type = ${open[0]})`
}

/** 404 for a task that the caller cannot see, 403 where the app lacks the scope of its project's kind. */
async function requireScopeOfTask(ctx: Context, id: string, what: 'read' | 'write') {
  const found = await ctx.one<{ kind: (typeof kinds)[number] | null }>(sql`
    select (select p.project_type from projects p where p.organization_id = t.organization_id
      and p.id = t.project_id) as kind
    from tasks t where ${scope(ctx, Task, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Task')
  requireScope(ctx.actor, `${found.kind ?? 'project'}.${what}`)
}
