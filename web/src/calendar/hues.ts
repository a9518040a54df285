import type { CalendarMeeting } from '../data/calendar.ts'
import { hueOf, hues } from '../ui/hue.ts'

/** The hue of a meeting: that of a chosen project, one's own, or that of who organizes it. */
export function hueOfMeeting(
  { project, created_by: by, attendees }: CalendarMeeting,
  user: string,
  projects: string[],
): string {
  if (project?.project_id && projects.includes(project.project_id))
    return hueOf(project.project_name ?? '')
  const isMine = by?.user_id === user || attendees.some(({ id }) => id === user)
  return isMine ? hues[0] : hueOf(by?.full_name ?? '')
}
