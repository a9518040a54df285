import type { Context } from '../../kit/ground/context.ts'
import { equal } from '../../kit/ground/object.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { recordMeeting } from './activity.ts'
import { announceHappening, happeningOf } from './announce.ts'
import { attendeeNotices, attendeesOf, invitedLate, storeContacts } from './attendees.ts'
import { awaitCall, copyLater } from './connected/later.ts'
import { askedAgain, readElsewhere } from './consent.ts'
import type { MeetingChanges } from './input.ts'
import { timesOf, withZone } from './input.ts'
import { mailChanged } from './invitations.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { placeColumns } from './place.ts'
import { repeatOf, zoneOf } from './repeat.ts'
import { videoCall } from './video-call.ts'

const words = {
  meeting_scheduled: 'Invited',
  meeting_rescheduled: 'Moved',
  meeting_cancelled: 'Cancelled',
}

/**
 * Changes a meeting. A new time, a cancellation and its withdrawal have their own events, and attendees are
 * notified of them, new attendees of their invitation; they are also mailed when the place, link or recurrence
 * changes. What people agreed to ends with it: they are asked again.
 */
export async function updateMeeting(
  ctx: Context,
  id: string,
  body: MeetingChanges,
  ifMatch?: number[],
): Promise<Written> {
  const { users, optional_users, attendees, repeat, ...fields } = withZone(body)
  const locked = await lock(ctx, Meeting, id, 'update', ifMatch)
  const { row } = locked
  let isAwaited = false
  // one that becomes a video conference
  if (fields.is_video_conference && !row.is_video_conference) {
    const organizer = row.created_by?.user_id ?? null
    const call = await videoCall(ctx, { link: row.link, ...fields }, organizer, row)
    Object.assign(fields, call.fields)
    isAwaited = call.isAwaited
  }
  // a list sent back as it was read must not restore attendees that were removed from the other list
  const invited = withoutRepeated(row, { users, optional_users, attendees })
  const zone = fields.timezone === undefined ? row.timezone : fields.timezone
  const times = timesOf(ctx, { start: row.start, end: row.end, ...fields }, zone)
  if (fields.start !== undefined) fields.start = times.start
  if (fields.end !== undefined) fields.end = times.end
  const set: { [column: string]: string | null } = await placeColumns(ctx, fields, row)
  if (isAwaited) set.call_awaited = 'change'
  let people = row.attendees
  if (invited.users ?? invited.optional_users ?? invited.attendees) {
    people = await attendeesOf(ctx, invited, row.attendees)
    if (!equal(people, row.attendees)) {
      await storeContacts(ctx, id, people)
      const late = await invitedLate(ctx, id, { before: row.attendees, after: people })
      if (late) set.invited_late = JSON.stringify(late)
    }
  }
  let rule = row.repeat
  if (repeat !== undefined) {
    // objects merge one level deep, as everywhere
    const merged = typeof repeat === 'object' && repeat ? { ...row.repeat, ...repeat } : repeat
    rule = repeatOf(merged, times.start, zoneOf(ctx, zone))
    if (!equal(rule, row.repeat)) set.repeat = rule && JSON.stringify(rule)
  } else if (row.repeat && times.start !== row.start) {
    repeatOf(row.repeat, times.start, zoneOf(ctx, zone))
  }
  const planned = { ...row, ...agreedIn(fields), ...times, timezone: zone, repeat: rule }
  people = askedAgain(ctx, row, planned, people)
  if (!equal(people, row.attendees)) set.attendees = JSON.stringify(people)
  const is_meeting_cancelled = fields.is_meeting_cancelled ?? row.is_meeting_cancelled
  const happening = happeningOf(row, { ...times, is_meeting_cancelled })
  const word = happening && words[happening]
  const title = fields.title ?? row.title
  const isInvited = ({ id: person }: Attendee) =>
    happening === 'meeting_scheduled' || !row.attendees.some((each) => each.id === person)
  const notify = [
    ...(is_meeting_cancelled ? [] : attendeeNotices(people.filter(isInvited), `Invited: ${title}`)),
    ...(word
      ? attendeeNotices(
          people.filter((each) => !isInvited(each)),
          `${word}: ${title}`,
        )
      : []),
  ]
  const isSilent = ctx.source === readElsewhere
  const after = await update(ctx, locked, fields, { set, notify: isSilent ? [] : notify })
  const meeting = JSON.parse(await after.json()) as MeetingRow
  if (happening) await announceHappening(ctx, happening, after, row, meeting)
  recordMeeting(ctx, meeting, false)
  await copyLater(ctx, id)
  if (isAwaited) awaitCall(ctx, id)
  await mailChanged(ctx, { before: row, after: meeting, version: after.version })
  return after
}

/** What of a body is part of what people agree to, besides its times and its rule. */
function agreedIn({ all_day, location, link, is_meeting_cancelled }: MeetingChanges) {
  const set = Object.entries({ all_day, location, link, is_meeting_cancelled })
  return Object.fromEntries(set.filter(([, value]) => value !== undefined)) as Partial<MeetingRow>
}
