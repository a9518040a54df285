import { infiniteQueryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { keys } from './keys.ts'
import type { ListParams } from './list.ts'
import { searchOf } from './list.ts'

type Portfolio = AnswerOf<'/api/projects/timeline/', 'get'>
/** A project with its milestones, health and expected go-live. */
export type PortfolioRow = Portfolio['rows'][number]

/** The projects of a list on their days, 200 at a time. */
export function portfolioQuery(params: ListParams) {
  // the projects that match, in the order of the screen: neither pages nor columns
  const { q, sort, filter, filter_id } = searchOf(params)
  const id = filter_id ?? params.more?.filter_id
  const query = {
    ...(q ? { q } : {}),
    ...(sort ? { sort } : {}),
    ...(filter ? { filter } : {}),
    ...(id ? { filter_id: id } : {}),
  }
  return infiniteQueryOptions({
    queryKey: keys.list('projects', { portfolio: query }),
    queryFn: async ({ pageParam }) => {
      const more = pageParam === null ? {} : { cursor: pageParam }
      return (await api.get('/api/projects/timeline/', { query: { ...query, ...more } })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}
