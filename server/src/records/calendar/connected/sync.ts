import type { Context } from '../../../kit/ground/context.ts'
import type { Job, Work } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Connection } from './connection.ts'
import { keepSecret, LeaseLost, leaveConnection, remoteOf, takeConnection } from './connection.ts'
import type { Syncing } from './later.ts'
import { enqueueSync, syncJob } from './later.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'
import { RemoteError } from './remote.ts'

/** How often a job looks again because something has happened meanwhile, before it leaves that to the next one. */
const rounds = 5

/**
 * Makes a connected calendar and the meetings here the same. What is wrong with the server is stored for its person to
 * read, and tried again later: it holds up nobody else.
 */
export const syncCalendar: Job<Syncing> = {
  ...syncJob,
  atOnce: 4,
  async run(work, { connection_id }) {
    const connection = await work.write((ctx) => takeConnection(ctx, connection_id, work.id))
    if (!connection) return
    try {
      for (let round = 1; ; round++) {
        await synchronize(work, connection_id)
        if (await work.write((ctx) => leaveConnection(ctx, connection_id, work.id))) return
        if (round < rounds) continue
        return await work.write((ctx) => leaveToNext(ctx, connection, work.id))
      }
    } catch (error) {
      if (error instanceof LeaseLost) return
      if (!(error instanceof RemoteError)) throw error
      await work.write((ctx) => broken(ctx, connection, work.id, error))
    }
  },
  async refuse(ctx, { connection_id }) {
    await ctx.run(sql`update calendar_connections t set error = 'no_right',
        error_since = coalesce(t.error_since, ${ctx.now().toISOString()})
      where ${mine(ctx)} and t.id = ${connection_id}`)
  },
}

async function synchronize(work: Work, id: string): Promise<void> {
  const connection = await work.write((ctx) => takeConnection(ctx, id, work.id))
  if (!connection) throw new LeaseLost()
  const remote = await remoteOf(work.reads, connection, (secret) =>
    work.write((ctx) => keepSecret(ctx, id, work.id, secret)),
  )
  const chosen = await chosenCalendar(work, remote, connection)
  if (!chosen) return
  await pull(work, remote, chosen)
  await push(work, remote, chosen)
}

/** The connection with its calendar; the first time the main one is chosen. Undefined where its person has to choose. */
async function chosenCalendar(
  work: Work,
  remote: Awaited<ReturnType<typeof remoteOf>>,
  connection: Connection,
): Promise<Connection | undefined> {
  if (connection.calendar_ref !== null) return connection
  const calendars = await remote.calendars()
  const main = calendars.find(({ is_main }) => is_main)
  await work.write((ctx) =>
    ctx.run(sql`update calendar_connections t set calendars = ${JSON.stringify(calendars)}::jsonb,
        calendar_ref = ${main?.id ?? null}, calendar_name = ${main?.name ?? null}
      where ${mine(ctx)} and t.id = ${connection.id} and t.calendar_ref is null`),
  )
  return main && { ...connection, calendars, calendar_ref: main.id }
}

async function leaveToNext(ctx: Context, { id, user_id }: Connection, job: string): Promise<void> {
  await ctx.run(sql`update calendar_connections t set lease_job = null, lease_until = null
    where ${mine(ctx)} and t.id = ${id} and t.lease_job = ${job}`)
  enqueueSync(ctx, id, user_id)
}

/** Problems that pass by themselves. */
const passing = new Set(['unreachable', 'throttled', 'conflict'])

/** Stores what is wrong, and tries again: soon where it may pass, else every hour until its person does something. */
async function broken(
  ctx: Context,
  connection: Connection,
  job: string,
  { what, message, after }: RemoteError,
): Promise<void> {
  const { id, user_id, failures } = connection
  ctx.log.warn({ connection: id, what, message }, 'a connected calendar cannot be synchronized')
  const seconds = Math.max(after ?? 0, 30 * 2 ** failures)
  const next = new Date(+ctx.now() + seconds * 1000)
  const shown = what === 'token_lost' || what === 'conflict' ? 'unexpected' : what
  await ctx.run(sql`update calendar_connections t
    set error = ${shown}, error_since = coalesce(t.error_since, ${ctx.now().toISOString()}),
      wait_until = ${what === 'throttled' ? next.toISOString() : null},
      failures = t.failures + 1, lease_job = null, lease_until = null, again = false
    where ${mine(ctx)} and t.id = ${id} and t.lease_job = ${job}`)
  if (passing.has(what) && seconds < 3600) enqueueSync(ctx, id, user_id, next)
}

/** Connections of an organization whose hour is over; answers how many. */
export async function syncDue(ctx: Context): Promise<number> {
  const now = ctx.now()
  const due = await ctx.all<{ id: string; user_id: string }>(sql`
    update calendar_connections t set asked_at = ${now.toISOString()}
    where ${mine(ctx)} and t.id in (select t.id from calendar_connections t where ${mine(ctx)}
      and t.error is distinct from 'credentials'
      and t.asked_at < ${new Date(+now - 55 * 60_000).toISOString()} limit 200)
    returning t.id, t.user_id`)
  for (const { id, user_id } of due) enqueueSync(ctx, id, user_id)
  return due.length
}
