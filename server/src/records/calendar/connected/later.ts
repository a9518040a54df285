import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'

/** The job that synchronizes a connection; it runs as the user whose connection it is. */
export const syncJob = { name: 'sync-calendar' }

export type Syncing = { connection_id: string }

/**
 * After a write of a meeting: the connected calendars in which it is, or belongs, are synchronized. One statement, which
 * finds nothing where nobody has connected a calendar.
 */
export async function copyLater(ctx: Context, calendar_id: string): Promise<void> {
  const connections = await ctx.all<{ id: string; user_id: string }>(sql`
    select t.id, t.user_id from calendar_connections t
    where ${mine(ctx)} and (
      exists (select from calendar_copies c where c.organization_id = $organization
        and c.calendar_id = ${calendar_id} and c.connection_id = t.id)
      or exists (select from meetings m where m.organization_id = $organization
        and m.id = ${calendar_id}
        and case t.slot when 'a' then m.push_to_calendar_a else m.push_to_calendar_b end
        and (m.created_by = t.user_id or m.attendees @>
          jsonb_build_array(jsonb_build_object('type', 'user', 'id', t.user_id)))))`)
  for (const { id, user_id } of connections) enqueueSync(ctx, id, user_id)
}

/** The job that no longer waits for a call that a connected calendar is to make. */
export const callJob = { name: 'await-video-call' }

/** What waits for the link: the invitations, or a meeting to which people are invited already. */
export type Awaiting = 'invite' | 'change'

/** For how long, in seconds. */
const callPatience = 60

/** Waits for the link of a call, and goes on without it after a minute. */
export function awaitCall(ctx: Context, calendar_id: string): void {
  ctx.enqueue(callJob, { calendar_id }, { at: new Date(+ctx.now() + callPatience * 1000) })
}

/** Synchronizes a connection soon, or at a time. */
export function enqueueSync(ctx: Context, connection_id: string, user_id: string, at?: Date): void {
  ctx.enqueue<Syncing>(syncJob, { connection_id }, { as: { user_id }, ...(at ? { at } : {}) })
}
