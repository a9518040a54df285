import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, notFound } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { arrayOf, enumeration, schema } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { scope, seenAmong } from '../../kit/record/scope.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { lock } from '../../kit/write/write.ts'
import { Task } from '../../model/tasks/task.ts'
import { checkConfined } from './update.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { lockName } from '../../kit/write/lock-name.ts'

/** The type of a dependency on a predecessor. */
export const dependencyType = enumeration(['FS', 'SS', 'FF', 'SF'], {
  title: 'DependencyType',
  description: 'finish or start of the predecessor to start or finish of the task',
})
const shape = Type.Object(
  {
    task_id: Type.String(),
    predecessor_id: Type.String(),
    type: dependencyType,
    lag_days: Type.Integer(),
    title: Type.String({ description: 'the title of the predecessor' }),
    is_completed: Type.Boolean({ description: 'whether the predecessor is completed' }),
  },
  { title: 'TaskDependency' },
)
const dependency = schema<Static<typeof shape>>({ ...shape })

/** The predecessors that a task waits for. */
export const dependencies = {
  list: operation({
    name: 'list_task_dependencies',
    summary: 'List task dependencies',
    can: { module: 'tasks', action: 'read' },
    writes: false,
    input: { params: byId },
    output: arrayOf(dependency),
    async run(ctx, { params }) {
      await checkReadable(ctx, Task, params.id)
      return read(ctx, params.id)
    },
  }),
  add: operation({
    name: 'add_task_dependency',
    summary: 'Add a task dependency',
    description:
      'A dependency that would close a cycle is refused with 409; `data.path` is the cycle.',
    existing: 'The dependency existed and was updated.',
    can: { module: 'tasks', action: 'update' },
    writes: true,
    isVersioned: true,
    input: {
      params: byId,
      body: Type.Object({
        predecessor_id: Type.String({ minLength: 1, maxLength: 25 }),
        type: Type.Optional(dependencyType),
        lag_days: Type.Optional(Type.Integer({ minimum: -3660, maximum: 3660 })),
      }),
    },
    output: dependency,
    async run(ctx, { params: { id }, body, ifMatch }) {
      const { predecessor_id } = body
      // one at a time in the organization: two edges at once could close a cycle together. This lock
      // comes first, or its holder could wait for a task that is locked here
      await lockName(ctx, `dependencies ${ctx.organization.id}`)
      await lock(ctx, Task, id, 'update', ifMatch)
      checkConfined(ctx, ['dependencies'])
      const known = await ctx.one(sql`select t.id from tasks t
        where ${scope(ctx, Task, 'read')} and t.id = ${predecessor_id}`)
      if (!known) throw badField('predecessor_id', 'no such record')
      const way = await pathBetween(ctx, predecessor_id, id)
      if (way) {
        const seen = await seenAmong(ctx, Task, way)
        // tasks on the path are named if the caller may read them
        const path = [...way.filter((each) => seen.has(each)), predecessor_id]
        throw conflict(`This would be a cycle: ${path.join(' → ')}`, 'circle', { path })
      }
      const { isNew, changes } = await save(ctx, id, body)
      if (changes.length) await announceChange(ctx, id, changes)
      const saved = await read(ctx, id)
      const added = saved.find((each) => each.predecessor_id === predecessor_id)
      return new Answer(added, { created: isNew })
    },
  }),
  remove: operation({
    name: 'remove_task_dependency',
    summary: 'Remove a task dependency',
    can: { module: 'tasks', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: Type.Object({ id: Type.String(), predecessor_id: Type.String() }) },
    output: null,
    async run(ctx, { params: { id, predecessor_id }, ifMatch }) {
      await lock(ctx, Task, id, 'update', ifMatch)
      checkConfined(ctx, ['dependencies'])
      const removed = await ctx.run(sql`delete from task_dependencies t
        where ${mine(ctx)} and t.task_id = ${id} and t.predecessor_id = ${predecessor_id}`)
      if (!removed) throw notFound('Dependency')
      await announceChange(ctx, id, [{ field: 'predecessor_id', from: predecessor_id, to: null }])
      return undefined
    },
  }),
}

type NewDependency = { predecessor_id: string; type?: string; lag_days?: number }

/** Stores a dependency of a locked task; returns what changed, which may be nothing. */
async function save(
  ctx: Context,
  task_id: string,
  dependency: NewDependency,
): Promise<{ isNew: boolean; changes: Change[] }> {
  const { predecessor_id, type = 'FS', lag_days = 0 } = dependency
  const before = await ctx.one<{ type: string; lag_days: number }>(sql`
    select t.type, t.lag_days from task_dependencies t
    where ${mine(ctx)} and t.task_id = ${task_id} and t.predecessor_id = ${predecessor_id}`)
  if (!before) {
    await ctx.run(sql`
      insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
      values (${ctx.organization.id}, ${task_id}, ${predecessor_id}, ${type}, ${lag_days})`)
    return { isNew: true, changes: [{ field: 'predecessor_id', from: null, to: predecessor_id }] }
  }
  await ctx.run(sql`update task_dependencies t set type = ${type}, lag_days = ${lag_days}
    where ${mine(ctx)} and t.task_id = ${task_id} and t.predecessor_id = ${predecessor_id}`)
  const changes: Change[] = [
    { field: 'dependency_type', from: before.type, to: type },
    { field: 'lag_days', from: before.lag_days, to: lag_days },
  ]
  return { isNew: false, changes: changes.filter(({ from, to }) => from !== to) }
}

function read(ctx: Context, task: string) {
  return ctx.all<Static<typeof shape>>(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days, p.title, p.is_completed
    from task_dependencies t
    join ${readableRows(ctx, 'tasks')} p on p.organization_id = $organization
      and p.id = t.predecessor_id
    where ${mine(ctx)} and t.task_id = ${task} and p.deleted_at is null order by t.predecessor_id`)
}

/** The path along predecessors between two tasks, including both; undefined if there is none. */
async function pathBetween(ctx: Context, from: string, to: string): Promise<string[] | undefined> {
  const found = await ctx.one<{ path: string[] }>(sql`
    with recursive walk (id, path) as (
      select ${from}::varchar collate "C", array[${from}::text collate "C"]
      union all
      select t.predecessor_id, walk.path || t.predecessor_id::text
      from task_dependencies t join walk on t.task_id = walk.id
      where ${mine(ctx)} and walk.id <> ${to} and not t.predecessor_id::text = any(walk.path)
    )
    select to_json(path) as path from walk where id = ${to} limit 1`)
  return found?.path
}

/** Raises the version of a task, because a dependency changes its `is_blocked`. */
async function announceChange(ctx: Context, id: string, changes: Change[]) {
  await ctx.run(sql`update tasks t
    set version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  await announceAll(ctx, Task, 'updated', [id], changes)
}
