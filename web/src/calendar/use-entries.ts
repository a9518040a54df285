import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calendarQuery, dueTasksQuery, milestonesQuery } from '../data/calendar.ts'
import { levelOf, useSession } from '../data/session.ts'
import { addDays } from '../records/field/format.ts'
import { instantAt } from '../records/field/local-time.ts'
import { useFormat } from '../records/field/use-format.ts'
import { entriesOf, isThere } from './entries.ts'
import { useNow } from './use-now.ts'
import type { Place } from './use-place.ts'

/** What the calendar shows: meetings on the person's clock, and tasks on the days on which they are due. */
export function useEntries({ days, named, projects, people, isTeam, isHidden }: Place) {
  const session = useSession()
  const { timezone } = useFormat()
  const { user, organization } = session
  const [first = '', last = first] = [days[0], days.at(-1)]
  const isRead = named !== '' || projects.length > 0
  const meetings = useQuery({
    ...calendarQuery({
      // a day more on both sides: whole days are those of the organization's clock
      from: instantAt(`${addDays(first, -1)}T00:00`, timezone),
      to: instantAt(`${addDays(last, 2)}T00:00`, timezone),
      ...(named === undefined
        ? {}
        : {
            ...(named ? { people: named } : {}),
            ...(projects.length ? { projects: projects.join(',') } : {}),
          }),
    }),
    enabled: isRead,
  })
  const isMine = people.includes('me') && !isHidden('tasks')
  const tasks = useQuery({
    ...dueTasksQuery({ from: first, to: last }, user.user_id),
    enabled: isMine && levelOf(session, 'tasks', 'read') !== 'none',
  })
  const hasMilestones = !isHidden('milestones') && (people.includes('me') || projects.length > 0)
  const milestones = useQuery({
    ...milestonesQuery({ from: first, to: last }, { owner: user.user_id, projects }),
    enabled: hasMilestones && levelOf(session, 'projects', 'read') !== 'none',
  })
  const rows = isRead ? meetings.data?.rows : undefined
  const now = useNow()
  const others = people.filter((id) => id !== 'me' && id !== user.user_id).join()
  const chosen = projects.join()
  const entries = useMemo(
    () =>
      entriesOf(rows ?? [], {
        user: user.user_id,
        timezone,
        organization: organization.timezone,
        now,
      }).filter((entry) =>
        isThere(entry, { people: others.split(','), projects: chosen.split(','), isTeam }),
      ),
    [rows, user.user_id, timezone, organization.timezone, now, others, chosen, isTeam],
  )
  return {
    entries,
    work: isMine ? (tasks.data ?? []) : [],
    milestones: hasMilestones ? (milestones.data ?? []) : [],
    isLoading: meetings.isLoading,
    isStale: isRead && meetings.isPlaceholderData,
    error: meetings.error,
    refetch: meetings.refetch,
  }
}
