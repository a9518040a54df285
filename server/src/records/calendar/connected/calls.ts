import type { Context } from '../../../kit/ground/context.ts'
import type { Job } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import { mailInvited } from '../invitations.ts'
import { updateMeeting } from '../update.ts'
import { roomAt } from '../video-call.ts'
import type { Awaiting } from './later.ts'
import { callJob } from './later.ts'
import { quiet } from './ours.ts'

/**
 * Takes the link of a call that was made for a meeting: who is invited hears of both at once, where they were not invited
 * yet. Undefined where there is none, or the meeting has one of its own.
 */
export async function takeCall(
  ctx: Context,
  calendar_id: string,
  link: string,
): Promise<{ version: number } | undefined> {
  const found = await ctx.one<{
    awaited: Awaiting | null
    link: string | null
    wants: boolean
  }>(sql`
    select t.call_awaited as awaited, t.link, t.is_video_conference as wants from meetings t
    where ${scope(ctx, Meeting, 'update')} and t.id = ${calendar_id} for update`)
  if (!found?.wants || found.link) return undefined
  return settle(ctx, calendar_id, found.awaited, link)
}

async function settle(
  ctx: Context,
  calendar_id: string,
  awaited: Awaiting | null,
  link: string | null,
): Promise<{ version: number } | undefined> {
  await ctx.run(sql`update meetings t set call_awaited = null
    where ${mine(ctx)} and t.id = ${calendar_id}`)
  const isFirst = awaited === 'invite'
  const written = await updateMeeting(isFirst ? quiet(ctx) : ctx, calendar_id, link ? { link } : {})
  const meeting = JSON.parse(await written.json()) as MeetingRow
  if (isFirst && !meeting.is_meeting_cancelled) {
    await mailInvited(ctx, 'invited', { meeting, version: written.version })
  }
  return written
}

/** After a while without a link: a room at the operator's server, if there is one, and the invitations. */
export const noLongerAwaited: Job<{ calendar_id: string }> = {
  ...callJob,
  run: (work, { calendar_id }) =>
    work.write(async (ctx) => {
      const found = await ctx.one<{ awaited: Awaiting | null; link: string | null }>(sql`
        select t.call_awaited as awaited, t.link from meetings t
        where ${scope(ctx, Meeting, 'update')} and t.id = ${calendar_id} for update`)
      if (!found?.awaited) return
      await settle(ctx, calendar_id, found.awaited, found.link ? null : roomAt(ctx))
    }),
}
