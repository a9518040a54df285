import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'

/** Something that somebody did, as a sentence with what changed. */
export type ActivityEntry = AnswerOf<'/api/activity/feed/', 'get'>['results'][number]

/** What of the log is shown. */
export type ActivityFilters = {
  from?: string
  to?: string
  created_by?: string
  module?: string
  action?: 'created' | 'updated' | 'deleted' | 'restored'
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
