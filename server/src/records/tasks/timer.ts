import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { conflict, forbidden } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { Task } from '../../model/tasks/task.ts'
import { checkReadable, readOne } from '../../kit/read/one.ts'
import { lockName } from '../../kit/write/lock-name.ts'

/** The timer of a task: each user has at most one running, so starting one stops the other. */
export const timer = {
  start: operation({
    name: 'start_timer',
    summary: 'Start the timer of a task',
    description: 'Your timer on another task stops.',
    can: { module: 'tasks', action: 'read' },
    writes: true,
    input: { params: byId },
    output: readSchema(Task),
    async run(ctx, { params: { id } }) {
      await checkMayTime(ctx, id)
      const running = await runningTimer(ctx)
      if (running?.task_id === id) throw conflict('Your timer already runs on this task')
      if (running) await stop(ctx, running)
      const now = ctx.now().toISOString()
      await ctx.run(sql`
        insert into time_entries (organization_id, id, task_id, user_id, started_at)
        values (${ctx.organization.id}, ${newId()}, ${id}, ${ctx.actor.user_id}, ${now})`)
      await ctx.run(sql`
        update tasks t set version = version + 1, last_update_time = ${now}
        where ${mine(ctx)} and t.id = ${id}`)
      await announceTimer(ctx, id, true)
      return readOne(ctx, Task, id)
    },
  }),
  stop: operation({
    name: 'stop_timer',
    summary: 'Stop the timer of a task',
    can: { module: 'tasks', action: 'read' },
    writes: true,
    input: { params: byId },
    output: readSchema(Task),
    async run(ctx, { params: { id } }) {
      await checkMayTime(ctx, id)
      const running = await runningTimer(ctx)
      if (!running || running.task_id !== id) throw conflict('Your timer does not run on this task')
      await stop(ctx, running)
      return readOne(ctx, Task, id)
    },
  }),
}

type Running = { id: string; task_id: string }

/** 404 for a task that the caller cannot see; the second of two concurrent starts waits here. */
async function checkMayTime(ctx: Context, id: string) {
  await checkReadable(ctx, Task, id)
  if (ctx.actor.is_confined) throw forbidden('Your role may not track time on tasks')
  await lockName(ctx, `timer ${ctx.actor.user_id}`)
}

function runningTimer(ctx: Context): Promise<Running | undefined> {
  return ctx.one<Running>(sql`select t.id, t.task_id from time_entries t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and t.stopped_at is null for update`)
}

async function stop(ctx: Context, { id, task_id }: Running) {
  const now = ctx.now().toISOString()
  await ctx.run(
    sql`update time_entries t set stopped_at = ${now} where ${mine(ctx)} and t.id = ${id}`,
  )
  await ctx.run(sql`
    update tasks t set version = version + 1, last_update_time = ${now},
      total_elapsed_time = total_elapsed_time + (select greatest(0,
        extract(epoch from e.stopped_at - e.started_at))::integer from time_entries e
        where e.organization_id = $organization and e.id = ${id})
    where ${mine(ctx)} and t.id = ${task_id}`)
  await announceTimer(ctx, task_id, false)
}

async function announceTimer(ctx: Context, id: string, to: boolean) {
  await announceAll(ctx, Task, 'updated', [id], [{ field: 'is_timer_running', from: !to, to }])
}
