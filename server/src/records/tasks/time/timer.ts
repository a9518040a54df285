import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { today } from '../../../kit/ground/dates.ts'
import { conflict, forbidden } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { checkReadable, readOne } from '../../../kit/read/one.ts'
import { readSchema } from '../../../kit/record/schema.ts'
import { announceAll } from '../../../kit/write/announce-many.ts'
import { lockName } from '../../../kit/write/lock-name.ts'
import { insert } from '../../../kit/write/write.ts'
import { Task } from '../../../model/tasks/task.ts'
import { TimeEntry, longestEntry } from '../../../model/tasks/time-entry.ts'
import { sumTime } from './totals.ts'

/** The timer of each person: one at most, so starting it stops the one before. A stopped timer becomes an entry. */
export const timer = {
  start: operation({
    name: 'start_timer',
    summary: 'Start your timer on a task',
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
        insert into timers (organization_id, user_id, id, task_id, started_at)
        values (${ctx.organization.id}, ${ctx.actor.user_id}, ${newId()}, ${id}, ${now})`)
      await ctx.run(sql`
        update tasks t set version = version + 1, last_update_time = ${now}
        where ${mine(ctx)} and t.id = ${id}`)
      await announceAll(ctx, Task, 'updated', [id], [isRunning(true)])
      return readOne(ctx, Task, id)
    },
  }),
  stop: operation({
    name: 'stop_timer',
    summary: 'Stop your timer on a task',
    description: 'Its time becomes an entry of the day on which it started, of 31 days at most.',
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

type Running = { task_id: string; started_at: string }

/** 404 for a task that the caller cannot see; the second of two concurrent starts waits here. */
async function checkMayTime(ctx: Context, id: string) {
  await checkReadable(ctx, Task, id)
  if (ctx.actor.is_confined) throw forbidden('Your role may not track time on tasks')
  await lockName(ctx, `timer ${ctx.actor.user_id}`)
}

function runningTimer(ctx: Context): Promise<Running | undefined> {
  return ctx.one<Running>(sql`select t.task_id, t.started_at from timers t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} for update`)
}

async function stop(ctx: Context, { task_id, started_at }: Running) {
  const started = new Date(started_at)
  const ran = Math.round((+ctx.now() - +started) / 1000)
  const seconds = Math.min(longestEntry, Math.max(1, ran))
  const date = today({ ...ctx.organization, now: started })
  await ctx.run(sql`delete from timers t where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}`)
  // the caller may no longer read the task
  const links = { task_id }
  const set = { user_id: ctx.actor.user_id }
  await insert(ctx, TimeEntry, { task_id, date, seconds }, { set, links })
  await sumTime(ctx, [task_id], [isRunning(false)])
}

function isRunning(to: boolean) {
  return { field: 'is_timer_running', from: !to, to }
}
