import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { arrayOf, enumeration, schema } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { scope } from '../../kit/record/scope.ts'
import { lock } from '../../kit/write/write.ts'
import { Task } from '../../model/tasks/task.ts'
import type { StoredLink } from './links.ts'
import { changesOf, checkCircles, lockDependencies, writeLinks } from './links.ts'
import { checkConfined } from './update.ts'
import { checkReadable } from '../../kit/read/one.ts'

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
      // this lock comes first, or its holder could wait for a task that is locked here
      await lockDependencies(ctx)
      await lock(ctx, Task, id, 'update', ifMatch)
      checkConfined(ctx, ['dependencies'])
      const known = await ctx.one(sql`select t.id from tasks t
        where ${scope(ctx, Task, 'read')} and t.id = ${predecessor_id}`)
      if (!known) throw badField('predecessor_id', 'no such record')
      const { type = 'FS', lag_days = 0 } = body
      const from = await stored(ctx, id, predecessor_id)
      const change = { task_id: id, predecessor_id, from, to: { type, lag_days } }
      await checkCircles(ctx, [change])
      if (changesOf(change).length) await writeLinks(ctx, [change])
      const saved = await read(ctx, id)
      const added = saved.find((each) => each.predecessor_id === predecessor_id)
      return new Answer(added, { created: !from })
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
      const from = await stored(ctx, id, predecessor_id)
      if (!from) throw notFound('Dependency')
      await writeLinks(ctx, [{ task_id: id, predecessor_id, from, to: null }])
      return undefined
    },
  }),
}

async function stored(ctx: Context, task_id: string, predecessor_id: string) {
  const found = await ctx.one<StoredLink>(sql`
    select t.type, t.lag_days from task_dependencies t
    where ${mine(ctx)} and t.task_id = ${task_id} and t.predecessor_id = ${predecessor_id}`)
  return found ?? null
}

function read(ctx: Context, task: string) {
  return ctx.all<Static<typeof shape>>(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days, p.title, p.is_completed
    from task_dependencies t
    join ${readableRows(ctx, 'tasks')} p on p.organization_id = $organization
      and p.id = t.predecessor_id
    where ${mine(ctx)} and t.task_id = ${task} and p.deleted_at is null order by t.predecessor_id`)
}
