import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

export type PersonInPart = components['schemas']['PersonInPart']
export type Part = components['schemas']['PersonPart']

/** Who at the customer has which part, for a deal or an account. */
export function peopleQuery(module: 'deals' | 'accounts', id: string) {
  const path = { id }
  return queryOptions({
    // a contact that changes may have another part then
    queryKey: keys.list('contacts', { peopleOf: module, id }),
    queryFn: async () =>
      module === 'deals'
        ? (await api.get('/api/project/info/{id}/people/', { path })).data
        : (await api.get('/api/account/info/{id}/people/', { path })).data,
    staleTime: 10_000,
  })
}
