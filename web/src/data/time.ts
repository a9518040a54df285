import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { refreshModule, refreshRecord } from './cached.ts'
import { changeRecord, deleteRecord } from './change.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** Time that somebody spent on a task on a day. */
export type TimeEntry = components['schemas']['TimeEntry']
export type TimeReport = AnswerOf<'/api/time-entries/report/', 'get'>

/** What a report is of. */
export type ReportParams = {
  group: TimeReport['group']
  from: string
  to: string
  is_billable?: boolean
  user?: string
  project_id?: string
}

const entries: Place = {
  module: 'time_entries',
  path: '/api/time-entries/',
  key: 'time_entry_id',
  title_field: 'note',
  word: { one: t('time entry'), many: t('time entries') },
}

/** The newest entries of a task, and how many there are. */
export function taskTimeQuery(task_id: string, size: number) {
  return queryOptions({
    queryKey: keys.list(entries.module, { task_id, size }),
    queryFn: async ({ signal }) => {
      const query = { task_id, sort: 'date', reverse: true, page: 1, items_per_page: size }
      const { data, headers } = await api.get('/api/time-entries/', {
        query: { ...query, include_count: true },
        signal,
      })
      return { rows: data, total: Number(headers.get('x-total-count') ?? data.length) }
    },
  })
}

/** Time by person, project or week. */
export function timeReportQuery(params: ReportParams) {
  return queryOptions({
    queryKey: keys.list(entries.module, { report: params }),
    queryFn: async ({ signal }) =>
      (await api.get('/api/time-entries/report/', { query: params, signal })).data,
  })
}

/** What a person says of an entry. */
export type TimeDraft = { date: string; seconds: number; note: string | null; is_billable: boolean }

/** Adds time to a task; throws the `Problem`. */
export async function addTime(task_id: string, draft: TimeDraft): Promise<void> {
  await api.post('/api/time-entries/', { body: { task_id, ...draft } })
  await refreshTime(task_id)
}

/** Changes an entry, which others may have changed meanwhile; throws the `Problem`. */
export async function changeTime(
  { time_entry_id: id, task_id, version }: TimeEntry,
  values: Partial<TimeDraft>,
): Promise<void> {
  await changeRecord(entries, id, values, { version, message: t('Changed the time') })
  await refreshTime(task_id)
}

/** Deletes an entry, with a notice that brings it back; throws the `Problem`. */
export async function deleteTime(
  { time_entry_id: id, task_id }: TimeEntry,
  title: string,
): Promise<void> {
  await deleteRecord(entries, id, title)
  await refreshTime(task_id)
}

/** Reads what follows from the time of a task again: its total, its project's, and reports. */
export async function refreshTime(task_id: string): Promise<void> {
  await Promise.all([
    refreshModule(entries.module),
    refreshRecord('tasks', task_id),
    queryClient.invalidateQueries({ queryKey: ['timeline'] }),
  ])
}
