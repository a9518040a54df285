import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { queryClient } from './query-client.ts'

/** Something that somebody did, as a sentence with what changed. */
export type ActivityEntry = AnswerOf<'/api/activity/feed/', 'get'>['results'][number]

/** What of the log is shown. */
export type ActivityFilters = {
  from?: string
  to?: string
  created_by?: string
  module?: string
  action?: 'created' | 'updated' | 'deleted' | 'restored'
  reference_id?: string
  field?: string
  q?: string
  source?: 'application' | 'integration' | 'mcp' | 'import' | 'job'
}

/** The log in words, newest first, page by page. */
export function activityQuery(filters: ActivityFilters) {
  return infiniteQueryOptions({
    queryKey: ['activity', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam ? { cursor: pageParam } : {}) }
      return (await api.get('/api/activity/feed/', { query, signal })).data
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** Which customers are active and which are silent. */
export type CustomerActivity = AnswerOf<'/api/activity/customers/', 'get'>

/** The activity of customers in a period, by whom. */
export function customerActivityQuery(
  time_range: '7_days' | '30_days' | '90_days' | '12_months',
  who: 'all' | 'us' | 'customer',
) {
  return queryOptions({
    queryKey: ['activity', 'customers', time_range, who],
    queryFn: async ({ signal }) =>
      (await api.get('/api/activity/customers/', { query: { time_range, who }, signal })).data,
    placeholderData: keepPreviousData,
  })
}

/** Takes back a change of a record, or says what would return. Throws the `Problem`. */
export async function takeBack(log_id: string, preview: boolean) {
  const { data } = await api.post('/api/activity/log/{id}/take-back/', {
    path: { id: log_id },
    body: { preview },
    idempotencyKey: crypto.randomUUID(),
    isRead: preview,
  })
  if (!preview) await queryClient.invalidateQueries({ queryKey: ['activity'] })
  return data
}
