import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { refreshModule } from './cached.ts'
import { keys } from './keys.ts'

/** The stages that a deal was in, by the version of the deal. */
export function stageHistoryQuery(id: string, version: unknown) {
  return queryOptions({
    queryKey: [...keys.record('deals', id), 'stages', version],
    queryFn: async () =>
      (await api.get('/api/project/info/{id}/stage-history/', { path: { id } })).data,
    placeholderData: keepPreviousData,
  })
}

/** Converts a won deal to a project, and returns its id, also if it already exists. */
export async function convertDeal(id: string): Promise<string> {
  const { data } = await api.post('/api/project/info/{id}/convert/', { path: { id }, body: {} })
  await refreshModule('projects')
  return data.project_id
}
