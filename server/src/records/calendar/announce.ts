import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'

/** Whether a meeting takes place, and when. */
type Plan = Pick<MeetingRow, 'start' | 'end' | 'is_meeting_cancelled'>

/**
 * What a change means for attendees: the meeting is cancelled, takes place after all, or is moved.
 * Undefined for any other change, and for changes of a cancelled meeting.
 */
export function happeningOf(before: Plan, after: Plan) {
  if (after.is_meeting_cancelled) {
    return before.is_meeting_cancelled ? undefined : 'meeting_cancelled'
  }
  if (before.is_meeting_cancelled) return 'meeting_scheduled'
  const isMoved = before.start !== after.start || before.end !== after.end
  return isMoved ? 'meeting_rescheduled' : undefined
}

/** Emits an event about a meeting that has just been written, with what has changed of its schedule. */
export async function announceHappening(
  ctx: Context,
  event: NonNullable<ReturnType<typeof happeningOf>>,
  { id, version, whole }: Written,
  before: Partial<Plan>,
  after: MeetingRow,
): Promise<void> {
  const changes = (['start', 'end', 'is_meeting_cancelled'] as const).flatMap((field): Change[] =>
    field in before && before[field] !== after[field]
      ? [{ field, from: before[field], to: after[field] }]
      : [],
  )
  const project_id = (after.project?.project_id as string | undefined) ?? null
  const name = after.title
  await announce(ctx, Meeting, event, { id, version, whole, changes, name, project_id })
}
