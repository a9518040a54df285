import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import type { AnyRecord } from './record.ts'

/** A condition of the filter grammar. */
export type Condition = { field: string; operator: string; value?: unknown }

/** A condition, or several of which all (`and`) or one (`or`) must hold, or one that must not (`not`). */
export type Clause = Condition | { and: Clause[] } | { or: Clause[] } | { not: Clause }

/** The parameters of a list; the same in the address, in a saved view and in the request. */
export type ListParams = {
  q?: string
  /** a field, with `-` before it for the other direction */
  sort?: string
  filter?: Clause[]
  filter_id?: string
  page?: number
  size?: number
  fields?: string[]
  /** the list's own parameters, such as `project_type` */
  more?: { [name: string]: string }
}

export type Page = { rows: AnyRecord[]; total: number | null }

/** A page of a module's records, with the count of all that match. */
export function listQuery(module: Pick<Place, 'module' | 'path'>, params: ListParams) {
  return queryOptions({
    queryKey: keys.list(module.module, params),
    queryFn: async ({ signal }): Promise<Page> => {
      const { data, headers } = await request<AnyRecord[]>('GET', module.path, {
        signal,
        query: {
          page: params.page ?? 1,
          items_per_page: params.size ?? 50,
          include_count: true,
          ...searchOf(params),
          ...(params.fields ? { fields: params.fields.join(',') } : {}),
        },
      })
      const total = headers.get('x-total-count')
      return { rows: data, total: total === null ? null : Number(total) }
    },
    placeholderData: keepPreviousData,
  })
}

/** The part of the query that selects the records: the same for lists, groups and exports. */
export function searchOf({ q, sort, filter, filter_id, more }: ListParams) {
  const descending = sort?.startsWith('-')
  return {
    q,
    ...(sort ? { sort: sort.replace(/^-/, ''), ...(descending ? { reverse: true } : {}) } : {}),
    filter: filter?.length ? JSON.stringify(filter) : undefined,
    filter_id,
    ...more,
  }
}
