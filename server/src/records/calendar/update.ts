import type { Context } from '../../kit/ground/context.ts'
import { announce } from '../../kit/write/announce.ts'
import { equal } from '../../kit/ground/object.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { recordMeeting } from './activity.ts'
import { attendeeNotices, attendeesOf, storeContacts } from './attendees.ts'
import type { MeetingChanges } from './input.ts'
import { timesOf, withZone } from './input.ts'
import { mailChanged } from './invitations.ts'
import type { Attendee, MeetingRow } from './meeting.ts'
import { Meeting } from './meeting.ts'
import { placeColumns } from './place.ts'
import { repeatOf, zoneOf } from './repeat.ts'

/**
 * Changes a meeting. A new time and a cancellation are events of their own, and attendees are
 * notified of them, new ones of their invitation; they are mailed when the place, link or recurrence
 * changes too.
 */
export async function updateMeeting(
  ctx: Context,
  id: string,
  body: MeetingChanges,
  ifMatch?: number[],
): Promise<Written> {
  const { users, optional_users, attendees, repeat, ...fields } = withZone(body)
  const { row } = await lock(ctx, Meeting, id, 'update', ifMatch)
  // a list sent back as it was read does not bring back who was taken out of another
  const invited = withoutRepeated(row, { users, optional_users, attendees })
  const zone = fields.timezone === undefined ? row.timezone : fields.timezone
  const times = timesOf(ctx, { start: row.start, end: row.end, ...fields }, zone)
  if (fields.start !== undefined) fields.start = times.start
  if (fields.end !== undefined) fields.end = times.end
  const set: { [column: string]: string | null } = await placeColumns(ctx, fields, row)
  let people = row.attendees
  if (invited.users ?? invited.optional_users ?? invited.attendees) {
    people = await attendeesOf(ctx, invited, row.attendees)
    if (!equal(people, row.attendees)) {
      set.attendees = JSON.stringify(people)
      await storeContacts(ctx, id, people)
    }
  }
  if (repeat !== undefined) {
    // objects merge one level deep, as everywhere
    const merged = typeof repeat === 'object' && repeat ? { ...row.repeat, ...repeat } : repeat
    const rule = repeatOf(merged, times.start, zoneOf(ctx, zone))
    if (!equal(rule, row.repeat)) set.repeat = rule && JSON.stringify(rule)
  } else if (row.repeat && times.start !== row.start) {
    repeatOf(row.repeat, times.start, zoneOf(ctx, zone))
  }
  const isCancelled = fields.is_meeting_cancelled === true && !row.is_meeting_cancelled
  const isMoved = times.start !== row.start || times.end !== row.end
  const isRevived = fields.is_meeting_cancelled === false && row.is_meeting_cancelled
  const word = isCancelled ? 'Cancelled' : isMoved ? 'Moved' : undefined
  const title = fields.title ?? row.title
  const isInvited = ({ id: person }: Attendee) =>
    isRevived || !row.attendees.some((each) => each.id === person)
  const notify = [
    ...(isCancelled ? [] : attendeeNotices(people.filter(isInvited), `Invited: ${title}`)),
    ...(word
      ? attendeeNotices(
          people.filter((each) => !isInvited(each)),
          `${word}: ${title}`,
        )
      : []),
  ]
  const after = await update(ctx, Meeting, id, fields, { set, notify })
  if (word) {
    await announce(ctx, Meeting, isCancelled ? 'meeting_cancelled' : 'meeting_rescheduled', {
      id,
      version: after.version,
      whole: after.whole,
      name: row.title,
      project_id: row.project?.project_id ?? null,
      changes: isCancelled
        ? [{ field: 'is_meeting_cancelled', from: false, to: true }]
        : (['start', 'end'] as const).flatMap((field) =>
            times[field] === row[field] ? [] : [{ field, from: row[field], to: times[field] }],
          ),
    })
  }
  const meeting = JSON.parse(await after.json()) as MeetingRow
  recordMeeting(ctx, meeting, false)
  await mailChanged(ctx, { before: row, after: meeting, version: after.version, isMoved })
  return after
}
