import type { Context } from '../../kit/ground/context.ts'
import { recordActivity, removeActivity } from '../health/activity.ts'
import type { MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'

/** Counts a meeting as activity of its accounts from its start on, unless it is cancelled. */
export function recordMeeting(ctx: Context, meeting: MeetingRow, isNew: boolean) {
  const { calendar_id: id, start, project, attendees, extended_props } = meeting
  if (!isNew) removeActivity(ctx, 'meeting', id)
  if (meeting.is_meeting_cancelled) return
  const { company_id } = extended_props
  recordActivity(ctx, {
    kind: 'meeting',
    source_id: id,
    module_id: Meeting.number,
    reference_id: id,
    at: start,
    is_private: meeting.is_private,
    projects: [(project?.project_id as string | undefined) ?? null],
    companies: [typeof company_id === 'string' ? company_id : null],
    contacts: attendees.filter(({ type }) => type === 'contact').map((each) => each.id),
    emails: attendees.filter(({ type }) => type === 'external').map(({ email }) => email),
  })
}
