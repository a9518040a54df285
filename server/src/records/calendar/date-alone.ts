import type { MeetingRow } from '../../model/calendar/meeting.ts'

/** What a date of a series has in common with it when it becomes a meeting of its own; without times and attendees. */
export function dateAlone({ title, location, description, link, project, ...row }: MeetingRow) {
  const { milestone_id, timezone, is_private, is_shared } = row
  const { is_video_conference, video_conference_type } = row
  const { push_to_calendar_a, push_to_calendar_b } = row
  return {
    title,
    location,
    description,
    link,
    timezone,
    is_private,
    is_shared,
    is_video_conference,
    video_conference_type,
    push_to_calendar_a,
    push_to_calendar_b,
    ...(project ? { project: String(project.project_id) } : {}),
    ...(milestone_id ? { milestone_id } : {}),
  }
}
