import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import { refreshModule } from './cached.ts'
import { keys } from './keys.ts'

/** How long a deal is in its stage and how its expected day has slipped, by the version of the deal. */
export function dealFiguresQuery(id: string, version: unknown) {
  return queryOptions({
    queryKey: [...keys.record('deals', id), 'figures', version],
    queryFn: async () => (await api.get('/api/project/info/{id}/figures/', { path: { id } })).data,
    staleTime: 60_000,
    // those of the version before, but not of another deal
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  })
}

/** The pipelines of deals, with what their stages need. */
export const pipelinesQuery = queryOptions({
  queryKey: keys.setting('pipelines'),
  queryFn: async () => (await api.get('/api/pipelines/')).data,
  staleTime: 300_000,
})

/** The stages that a deal has been in, with how long. */
export function stageHistoryQuery(id: string, version: unknown) {
  return queryOptions({
    queryKey: [...keys.record('deals', id), 'stages', version],
    queryFn: async () =>
      (await api.get('/api/project/info/{id}/stage-history/', { path: { id } })).data,
    placeholderData: keepPreviousData,
  })
}

/** The id of the project that a deal became; null where there is none that the person may see. */
export function projectOfDealQuery(id: string) {
  const filter = JSON.stringify([{ field: 'converted_from', operator: 'eq', value: id }])
  return queryOptions({
    queryKey: keys.list('projects', { converted_from: id }),
    queryFn: async () => {
      const query = { page: 1, items_per_page: 1, fields: 'project_id', filter }
      const { data } = await request<{ project_id: string }[]>('GET', '/api/project/info/', {
        query,
      })
      return data[0]?.project_id ?? null
    },
  })
}

/** Converts a won deal to a project, and returns its id, also if it already exists. */
export async function convertDeal(id: string): Promise<string> {
  const { data } = await api.post('/api/project/info/{id}/convert/', { path: { id }, body: {} })
  await refreshModule('projects')
  return data.project_id
}
