import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'

/** An account, as the page of its company names it. */
export type AccountOf = { account_id: string; account_name: string; health_score?: number | null }

/** The accounts of a company, the first one first: it has the deals for which none was chosen. */
export function accountsOfQuery(company: string) {
  return queryOptions({
    queryKey: keys.list('accounts', { of: company }),
    queryFn: async (): Promise<AccountOf[]> => {
      const query = {
        filter: JSON.stringify([{ field: 'company_id', operator: 'eq', value: company }]),
        sort: 'creation_time',
        page: 1,
        items_per_page: 5,
        fields: 'account_id,account_name,health_score',
      }
      return (await request<AccountOf[]>('GET', '/api/account/info/', { query })).data
    },
    staleTime: 10_000,
  })
}

/** The phases of an account, from lead to renewal, with the days in each. */
export function phasesQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('accounts', id), 'phases'],
    queryFn: async () =>
      (await api.get('/api/account/info/{id}/phases/', { path: { id } })).data.phases,
    staleTime: 10_000,
  })
}
