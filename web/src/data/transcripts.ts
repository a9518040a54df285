import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { undoBulk } from './bulk.ts'
import { refreshModule, refreshRecord } from './cached.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** What was said in a meeting, and what was read out of it. */
export type Transcript = components['schemas']['MeetingTranscript']
export type SuggestedItem = components['schemas']['SuggestedItem']
export type FollowUp = components['schemas']['FollowUpDraft']
type Language = FollowUp['language']

const keyOf = (id: string) => [...keys.record('calendar', id), 'transcript']

/** The transcript of a meeting; null where there is none. It is read again while a language model reads it. */
export function transcriptQuery(id: string) {
  return queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }): Promise<Transcript | null> =>
      (await api.get('/api/calendar/{id}/transcript/', { path: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.is_model_asked ? 2000 : false),
    staleTime: 30_000,
  })
}

/** Adds what was said, in place of an earlier transcript; throws the `Problem`. */
export async function addTranscript(id: string, text: string, keep_days: number): Promise<void> {
  const body = { text, keep_days }
  const { data } = await api.post('/api/calendar/{id}/transcript/', { path: { id }, body })
  queryClient.setQueryData(keyOf(id), data)
  await refreshRecord('calendar', id)
}

/** Removes it, with what was read out of it. */
export async function removeTranscript(id: string): Promise<void> {
  await api.delete('/api/calendar/{id}/transcript/', { path: { id } })
  queryClient.setQueryData(keyOf(id), null)
  await refreshRecord('calendar', id)
}

/** Stores the summary as a person has written it; throws the `Problem`. */
export async function changeSummary(
  { calendar_id: id, meeting_insight_id }: Transcript,
  summary: string,
): Promise<void> {
  const path = { id: meeting_insight_id }
  await api.patch('/api/calendar/insight/{id}/', { path, body: { summary: summary || null } })
  await queryClient.invalidateQueries({ queryKey: keyOf(id) })
}

/** What differs from a suggestion where it becomes a task. */
export type Accepted = {
  item_id: string
  title: string
  owner: string | null
  due_date: string | null
  is_shared: boolean
}

/** Makes tasks of suggestions, with a notice that takes all of them back; throws the `Problem`. */
export async function acceptItems(
  { calendar_id: id, meeting_insight_id }: Transcript,
  items: Accepted[],
): Promise<void> {
  const { data } = await api.post('/api/calendar/insight/{id}/accept/', {
    path: { id: meeting_insight_id },
    body: { items },
    idempotencyKey: crypto.randomUUID(),
  })
  const readAgain = async () => {
    await queryClient.invalidateQueries({ queryKey: keyOf(id) })
    await refreshModule('tasks')
  }
  await readAgain()
  const word = { one: t('task'), many: t('tasks') }
  notify({
    message: t('{count} task was added | {count} tasks were added', { count: items.length }),
    undo: async () => {
      await undoBulk({ word }, data.act_id, readAgain)
    },
  })
}

/** A mail about what came out of a meeting, with these suggestions; in the recipients' language if none is chosen. */
export function followUpQuery(
  { calendar_id, meeting_insight_id }: Transcript,
  items: string[],
  language: Language | undefined,
) {
  return queryOptions({
    queryKey: [...keyOf(calendar_id), 'follow-up', items, language],
    queryFn: async ({ signal }): Promise<FollowUp> => {
      const query = { meeting_insight_id, items: items.join(','), ...(language && { language }) }
      return (await api.get('/api/calendar/insight/email/draft/', { query, signal })).data
    },
    placeholderData: keepPreviousData,
  })
}

/** Mails it to everybody who was invited. */
export async function sendFollowUp(
  { calendar_id, meeting_insight_id }: Transcript,
  { subject, text, language }: Pick<FollowUp, 'subject' | 'text' | 'language'>,
): Promise<void> {
  try {
    const { data } = await api.post('/api/calendar/insight/email/', {
      body: { calendar_id, meeting_insight_id, subject, text, language },
      idempotencyKey: crypto.randomUUID(),
    })
    notify({
      message: t('Sent to {count} person | Sent to {count} people', { count: data.sent }),
    })
    await refreshRecord('calendar', calendar_id)
  } catch (error) {
    notifyRefusal(error)
  }
}
