import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

/** The health of an account: its score, what lowers it, and its history. */
export type Health = components['schemas']['AccountHealth']

export function healthQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('accounts', id), 'health'],
    queryFn: async () => (await api.get('/api/account/info/{id}/health/', { path: { id } })).data,
    staleTime: 10_000,
  })
}
