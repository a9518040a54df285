import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { refreshRecord } from './cached.ts'
import { createRecord, deleteRecord, notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import type { AnyRecord } from './record.ts'
import { pathOf } from './record.ts'
import { t } from '../locales/text.ts'

type Occurrence = components['schemas']['MeetingOccurrence']
const shown = [
  'calendar_id',
  'title',
  'start',
  'end',
  'all_day',
  'location',
  'link',
  'project',
  'attendees',
  'repeat',
  'timezone',
  'is_meeting_cancelled',
  'is_private',
  'created_by',
] as const

/** A meeting in the calendar; each occurrence of a series is one of its own, with the start of the series. */
export type CalendarMeeting = Pick<Occurrence, (typeof shown)[number] | 'series_start'> & {
  version?: number
  can?: { update?: boolean; delete?: boolean }
}

/** An open task on the day on which it is due. */
export type DueTask = { id: string; title: string; day: string }

/** Where meetings are in the API. */
export const meetingsPlace: Place = {
  module: 'calendar',
  path: '/api/calendar/info/',
  key: 'calendar_id',
  title_field: 'title',
  word: { one: t('meeting'), many: t('meetings') },
}

/** What part of the calendar is read: instants, and whose; all that the person may read where nobody is named. */
export type CalendarRange = { from: string; to: string; people?: string; projects?: string }

/** The meetings of a range, each occurrence of a series for itself. */
export function calendarQuery({ from, to, people, projects }: CalendarRange) {
  return queryOptions({
    queryKey: keys.list('calendar', { from, to, people, projects }),
    queryFn: async ({ signal }) => {
      const rows: CalendarMeeting[] = []
      for (;;) {
        const { data, headers } = await request<CalendarMeeting[]>('GET', meetingsPlace.path, {
          signal,
          query: {
            start: from,
            end: to,
            people,
            projects,
            offset: rows.length,
            items_per_page: 500,
            fields: [...shown, 'version', 'can'].join(','),
          },
        })
        rows.push(...data)
        if (!data.length || !headers.get('link')?.includes('rel="next"')) return { rows }
      }
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

type Days = { from: string; to: string }

/** What a list has that is due within days, the first 200 of it. */
async function dueWithin(
  path: string,
  days: Days,
  { where, fields, signal }: { where: object[]; fields: string; signal: AbortSignal },
): Promise<AnyRecord[]> {
  const filter = [{ field: 'due_date', operator: 'between', value: [days.from, days.to] }, ...where]
  const query = {
    page: 1,
    items_per_page: 200,
    sort: 'due_date',
    filter: JSON.stringify(filter),
    fields,
  }
  return (await request<AnyRecord[]>('GET', path, { signal, query })).data
}

/** Open tasks of somebody that are due within days. */
export function dueTasksQuery(days: Days, owner: string) {
  const where = [
    { field: 'owner', operator: 'eq', value: owner },
    { field: 'is_completed', operator: 'eq', value: false },
  ]
  return queryOptions({
    queryKey: keys.list('tasks', { calendar: days, owner }),
    queryFn: async ({ signal }): Promise<DueTask[]> => {
      const asked = { where, fields: 'item_id,title,due_date', signal }
      const rows = await dueWithin('/api/tasks/', days, asked)
      return rows.map((row) => ({
        id: String(row.item_id),
        title: String(row.title),
        day: String(row.due_date).slice(0, 10),
      }))
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

/** A milestone on the day on which it is due. */
export type ShownMilestone = {
  id: string
  name: string
  day: string
  project: string
  isDone: boolean
}

/** Milestones that are due within days: of these projects, or else of all that somebody owns or manages. */
export function milestonesQuery(
  days: Days,
  { owner, projects }: { owner: string; projects: string[] },
) {
  const whose = projects.length
    ? { field: 'project_id', operator: 'in', value: projects }
    : { field: 'owner', operator: 'eq', value: owner }
  return queryOptions({
    queryKey: keys.list('milestones', { calendar: days, owner, projects }),
    queryFn: async ({ signal }): Promise<ShownMilestone[]> => {
      const fields = 'milestone_id,name,due_date,project_id,completed_at'
      const rows = await dueWithin('/api/milestones/', days, { where: [whose], fields, signal })
      return rows.map((row) => ({
        id: String(row.milestone_id),
        name: String(row.name),
        day: String(row.due_date).slice(0, 10),
        project: String(row.project_id),
        isDone: row.completed_at !== null,
      }))
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

/** What a person says of a new meeting. */
export type MeetingDraft = {
  title: string
  start: string
  end: string
  attendees: { type: 'user' | 'contact' | 'external'; id?: string; email?: string }[]
  project?: string
  location?: string
}

/** Schedules a meeting, with a notice that takes it back; throws the `Problem`. */
export async function createMeeting(draft: MeetingDraft, key: string): Promise<void> {
  const { attendees, ...fields } = draft
  const id = await createRecord(meetingsPlace, { ...fields, attendees }, key)
  const invited = attendees.length
  notify({
    message: invited
      ? t(
          '“{title}” is in the calendar, {count} person is invited | “{title}” is in the calendar, {count} people are invited',
          { title: draft.title, count: invited },
        )
      : t('“{title}” is in the calendar', { title: draft.title }),
    undo: () => deleteRecord(meetingsPlace, id, `“${draft.title}”`).catch(notifyRefusal),
  })
}

/** The answers that an invitation takes. */
export type MeetingAnswer = 'accepted' | 'tentative' | 'declined'
const answered: { [answer in MeetingAnswer]: (title: string) => string } = {
  accepted: (title) => t('Yes to “{title}”', { title }),
  tentative: (title) => t('Maybe to “{title}”', { title }),
  declined: (title) => t('No to “{title}”', { title }),
}

/** Answers an invitation; the notice gives the answer before, where there was one. */
export async function answerMeeting(
  { calendar_id: id, title }: Pick<CalendarMeeting, 'calendar_id' | 'title'>,
  response: MeetingAnswer,
  before: string | undefined,
): Promise<void> {
  const send = async (next: MeetingAnswer) => {
    await request('POST', `${pathOf(meetingsPlace, id)}respond/`, { body: { response: next } })
    await refreshRecord('calendar', id)
  }
  const was =
    before === undefined || before === 'needs_action' ? undefined : (before as MeetingAnswer)
  try {
    await send(response)
    notify({
      message: answered[response](title),
      ...(was && was !== response ? { undo: () => send(was).catch(notifyRefusal) } : {}),
    })
  } catch (error) {
    notifyRefusal(error)
  }
}
