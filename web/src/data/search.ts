import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

/** A search result. */
export type Hit = components['schemas']['SearchResult']

/** The records of these modules that a text finds, best first; the previous results stay while it is loading. */
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
