import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { keys } from '../data/keys.ts'

/** A request of a person about their data. */
export type DataRequest = AnswerOf<'/api/organization/personal-data/', 'get'>[number]

/** Such requests, newest first; refetched every 2 s while one runs, because jobs do not announce their end. */
export const dataRequestsQuery = queryOptions({
  queryKey: keys.setting('/api/organization/personal-data/'),
  queryFn: async () => (await api.get('/api/organization/personal-data/')).data,
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === 'waiting' || status === 'running') ? 2000 : false,
})
