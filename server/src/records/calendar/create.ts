import type { Context } from '../../kit/ground/context.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { recordMeeting } from './activity.ts'
import { announceHappening } from './announce.ts'
import { attendeeNotices, attendeesOf, storeContacts } from './attendees.ts'
import { awaitCall, copyLater } from './connected/later.ts'
import { readElsewhere } from './consent.ts'
import type { NewMeeting } from './input.ts'
import { timesOf, withZone } from './input.ts'
import { mailInvited } from './invitations.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { sharedByDefault } from '../../model/organizations/settings.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { placeColumns } from './place.ts'
import { repeatOf, zoneOf } from './repeat.ts'
import { videoCall } from './video-call.ts'

/**
 * Schedules a meeting; attendees are notified and mailed. A meeting that is created as cancelled is
 * announced as both, and nobody is invited to it. 400 for wrong times or attendees, who may be those `before` even if they
 * have left.
 */
export async function createMeeting(
  ctx: Context,
  body: NewMeeting,
  before: Attendee[] = [],
): Promise<Written> {
  const input = withZone(body)
  const { calendar_id: id, users, optional_users, attendees, repeat, ...given } = input
  const call = await videoCall(ctx, given, ctx.actor.user_id)
  const fields = { ...given, ...call.fields }
  const times = timesOf(ctx, fields, fields.timezone)
  const people = await attendeesOf(ctx, { users, optional_users, attendees }, before)
  const set: { [column: string]: string | null } = {
    ...(await placeColumns(ctx, fields)),
    attendees: JSON.stringify(people),
    call_awaited: call.isAwaited ? 'invite' : null,
  }
  if (repeat !== undefined) {
    const rule = repeatOf(repeat, times.start, zoneOf(ctx, fields.timezone))
    set.repeat = rule && JSON.stringify(rule)
  }
  const draft = { ...(await sharedByDefault(ctx, 'meetings', fields)), ...times }
  const created = await insert(ctx, Meeting, draft, {
    id,
    set,
    along: (key) => storeContacts(ctx, key, people),
    notify:
      fields.is_meeting_cancelled || ctx.source === readElsewhere
        ? []
        : attendeeNotices(people, `Invited: ${fields.title}`),
  })
  const meeting = JSON.parse(await created.json()) as MeetingRow
  recordMeeting(ctx, meeting, true)
  await copyLater(ctx, meeting.calendar_id)
  if (meeting.is_meeting_cancelled) {
    const before = { is_meeting_cancelled: false }
    await announceHappening(ctx, 'meeting_cancelled', created, before, meeting)
  } else if (call.isAwaited) awaitCall(ctx, meeting.calendar_id)
  else if (people.length) await mailInvited(ctx, 'invited', { meeting, version: 1 })
  return created
}
