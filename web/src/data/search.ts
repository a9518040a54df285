import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

/** A record that was found by what was typed. */
export type Hit = components['schemas']['SearchResult']

/** The records that a text finds, best first, of these modules alone; the last ones stay meanwhile. */
export function searchQuery(q: string, modules: string[]) {
  return queryOptions({
    queryKey: ['search', modules.join(), q],
    queryFn: async ({ signal }): Promise<Hit[]> => {
      const query = { q: q.slice(0, 200), modules: modules.join(), items_per_page: 24 }
      return (await api.get('/api/search/', { query, signal })).data.results
    },
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  })
}
