import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, notFound } from '../../kit/ground/errors.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable, lock } from '../../kit/write/write.ts'
import { Task } from './task.ts'

const id = { type: 'string', minLength: 1, maxLength: 25 }
const path = { type: 'string' }
const ofTask = { type: 'object', properties: { id: path }, required: ['id'] }
const dependency = {
  type: 'object',
  properties: {
    task_id: { type: 'string' },
    predecessor_id: { type: 'string' },
    type: { type: 'string' },
    lag_days: { type: 'integer' },
    title: { type: 'string', description: 'of the predecessor' },
    is_completed: { type: 'boolean', description: 'whether the predecessor is' },
  },
  required: ['task_id', 'predecessor_id', 'type', 'lag_days', 'title', 'is_completed'],
}

/** What a task waits for. */
export const dependencies = {
  list: {
    name: 'list_task_dependencies',
    summary: 'List what a task waits for',
    can: { module: 'tasks', action: 'read' },
    writes: false,
    input: { params: ofTask },
    output: arrayOf(dependency),
    async run(ctx: Context, { params }: Input) {
      await checkReadable(ctx, Task, params.id)
      return read(ctx, params.id)
    },
  } satisfies Operation,
  add: {
    name: 'add_task_dependency',
    summary: 'Let a task wait for another one; a circle is 409 with its path',
    can: { module: 'tasks', action: 'update' },
    writes: true,
    input: {
      params: ofTask,
      body: {
        type: 'object',
        properties: {
          predecessor_id: id,
          type: { type: 'string', enum: ['FS', 'SS', 'FF', 'SF'] },
          lag_days: { type: 'integer', minimum: -3660, maximum: 3660 },
        },
        required: ['predecessor_id'],
      },
    },
    output: dependency,
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { predecessor_id, type = 'FS', lag_days = 0 } = body
      // one at a time in the organization: two edges at once could close a circle together. First of
      // all, or it would be waited for with a task in hand that its holder needs
      await ctx.one(sql`select pg_advisory_xact_lock(
        hashtextextended(${`dependencies ${ctx.organization.id}`}, 0))`)
      await lock(ctx, Task, params.id, 'update', ifMatch)
      const known = await ctx.one(sql`select t.id from tasks t
        where ${scope(ctx, Task, 'read')} and t.id = ${predecessor_id}`)
      if (!known) throw badField('predecessor_id', 'no such record')
      const circle = await pathBetween(ctx, predecessor_id, params.id)
      if (circle) {
        const path = [...circle, predecessor_id]
        throw conflict(`This would be a circle: ${path.join(' → ')}`, 'circle', { path })
      }
      await ctx.run(sql`
        insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
        values (${ctx.organization.id}, ${params.id}, ${predecessor_id}, ${type}, ${lag_days})
        on conflict (organization_id, task_id, predecessor_id)
          do update set type = excluded.type, lag_days = excluded.lag_days`)
      await tell(ctx, params.id, null, predecessor_id)
      const all = await read(ctx, params.id)
      return all.find((each) => each.predecessor_id === predecessor_id)
    },
  } satisfies Operation,
  remove: {
    name: 'remove_task_dependency',
    summary: 'Let a task wait no longer',
    can: { module: 'tasks', action: 'update' },
    writes: true,
    input: {
      params: {
        type: 'object',
        properties: { id: path, predecessor_id: path },
        required: ['id', 'predecessor_id'],
      },
    },
    output: null,
    async run(ctx: Context, { params, ifMatch }: Input) {
      await lock(ctx, Task, params.id, 'update', ifMatch)
      const gone = await ctx.run(sql`delete from task_dependencies t
        where ${mine(ctx)} and t.task_id = ${params.id} and t.predecessor_id = ${params.predecessor_id}`)
      if (!gone) throw notFound('Dependency')
      await tell(ctx, params.id, params.predecessor_id, null)
      return undefined
    },
  } satisfies Operation,
}

function read(ctx: Context, task: string) {
  return ctx.all<{ predecessor_id: string }>(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days, p.title, p.is_completed
    from task_dependencies t
    join tasks p on p.organization_id = t.organization_id and p.id = t.predecessor_id
    where ${mine(ctx)} and t.task_id = ${task} and p.deleted_at is null order by t.predecessor_id`)
}

/** The way along what `from` waits for to `to`, both included; undefined when there is none. */
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

/** The task waits for others now, which its `is_blocked` shows. */
async function tell(ctx: Context, id: string, from: string | null, to: string | null) {
  await ctx.run(sql`update tasks t
    set version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  await announceAll(ctx, Task, 'updated', [id], [{ field: 'predecessor_id', from, to }])
}
