import type { Context } from '../../kit/ground/context.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, remove, restore } from '../../kit/write/write.ts'
import { removeActivity } from '../health/activity.ts'
import { recordMeeting } from './activity.ts'
import { announceHappening } from './announce.ts'
import { copyLater } from './connected/later.ts'
import { isAhead } from './consent.ts'
import { mailInvited } from './invitations.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'

// already announced when it was cancelled
const Cancelled = { ...Meeting, events: { ...Meeting.events, on: {} } }

/** Deletes a meeting without mails. If it was not cancelled, this also counts as its cancellation. */
export async function removeMeeting(ctx: Context, id: string, ifMatch?: number[]): Promise<Answer> {
  const { row } = await lock(ctx, Meeting, id, 'delete', ifMatch)
  removeActivity(ctx, 'meeting', id)
  await copyLater(ctx, id)
  return remove(ctx, row.is_meeting_cancelled ? Cancelled : Meeting, id)
}

/** Deletes a meeting; if it is in the future, the attendees get a mail that it is cancelled. */
export async function cancelByRemoval(
  ctx: Context,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  const { row: meeting, version } = await lock(ctx, Meeting, id, 'delete', ifMatch)
  const answer = await removeMeeting(ctx, id)
  const mailed = { meeting, version: version + 1 }
  if (isAhead(ctx, meeting)) await mailInvited(ctx, 'cancelled', mailed)
  return answer
}

/** Restores a deleted meeting: if the deletion cancelled it, it takes place after all. */
export async function restoreMeeting(ctx: Context, id: string): Promise<Written> {
  const restored = await restore(ctx, Meeting, id)
  const meeting = JSON.parse(await restored.json()) as MeetingRow
  recordMeeting(ctx, meeting, false)
  await copyLater(ctx, id)
  if (meeting.is_meeting_cancelled) return restored
  await announceHappening(ctx, 'meeting_scheduled', restored, {}, meeting)
  const { version } = restored
  if (isAhead(ctx, meeting)) await mailInvited(ctx, 'invited', { meeting, version })
  return restored
}
