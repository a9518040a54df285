import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'
import type { ListParams } from './list.ts'
import { searchOf } from './list.ts'
import type { Place } from './modules.ts'
import type { Record } from './record.ts'

/** A lane: the records of one value, with how many there are and what they come to. */
export type Group = {
  value: string | boolean | null
  label: string | null
  color: string | null
  count: number
  sums: { field: string; currency_unit: string | null; value: number }[]
  records: Record[]
}

export type Groups = { groups: Group[]; total: number }

export type GroupParams = ListParams & { by: string; sum?: string; items?: number }

/** A list in groups: counts and sums are of all that match, not only of the records that came along. */
export function groupsQuery(module: Pick<Place, 'module' | 'path'>, params: GroupParams) {
  return queryOptions({
    queryKey: keys.groups(module.module, params),
    queryFn: async ({ signal }) => {
      const { data } = await request<Groups>('GET', `${module.path}groups/`, {
        signal,
        query: {
          ...searchOf(params),
          by: params.by,
          sum: params.sum,
          items: params.items ?? 50,
          ...(params.fields ? { fields: params.fields.join(',') } : {}),
        },
      })
      return data
    },
    placeholderData: keepPreviousData,
  })
}
