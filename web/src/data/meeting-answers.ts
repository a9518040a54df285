import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { refreshModule, refreshRecord } from './cached.ts'
import { keys } from './keys.ts'

/** What the calendar program of somebody invited has mailed. */
export type MailedAnswer = components['schemas']['MailedAnswer']

/** What calendar programs have answered to a meeting, newest first. */
export function mailedAnswersQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('calendar', id), 'answers'],
    queryFn: async ({ signal }) => {
      const path = { id }
      return (await api.get('/api/calendar/info/{id}/answers/', { path, signal })).data
    },
  })
}

/** Takes the time that somebody proposes, or keeps the meeting as it is. */
export async function settleProposal(
  id: string,
  answer_id: string,
  decision: 'accept' | 'keep',
): Promise<void> {
  const path = { id, answer_id }
  await api.post('/api/calendar/info/{id}/answers/{answer_id}/', { path, body: { decision } })
  await refreshRecord('calendar', id)
  await refreshModule('calendar')
}
