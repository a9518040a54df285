import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'
import type { ListParams } from './list.ts'
import { searchOf } from './list.ts'
import type { Place } from './modules.ts'
import type { AnyRecord } from './record.ts'

/** A lane: the records of one value, with their count and sums. */
export type Group = {
  value: string | boolean | null
  label: string | null
  color: string | null
  count: number
  sums: { field: string; currency_unit: string | null; value: number }[]
  records: AnyRecord[]
}

/** The next records of a lane, after those of the first answer. */
export async function readLane(
  module: Pick<Place, 'module' | 'path'>,
  params: GroupParams,
  value: Group['value'],
  page: number,
): Promise<AnyRecord[]> {
  const { data } = await request<AnyRecord[]>('GET', module.path, {
    query: {
      ...searchOf({
        ...params,
        filter: [
          ...(params.filter ?? []),
          value === null
            ? { field: params.by, operator: 'is_empty' }
            : { field: params.by, operator: 'eq', value },
        ],
      }),
      page,
      items_per_page: laneSize,
      ...(params.fields ? { fields: params.fields.join(',') } : {}),
    },
  })
  return data
}

/** The number of records that a lane shows at first, and loads at a time. */
export const laneSize = 50

export type Groups = { groups: Group[]; total: number }

export type GroupParams = ListParams & { by: string; sum?: string; items?: number }

/** A list in groups: counts and sums include all matching records, not only those in the answer. */
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
          items: params.items ?? laneSize,
          ...(params.fields ? { fields: params.fields.join(',') } : {}),
        },
      })
      return data
    },
    placeholderData: keepPreviousData,
  })
}
