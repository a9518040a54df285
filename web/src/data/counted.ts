import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

/** A report that is counted by more than groups of one list: rows and columns of numbers. */
export type Counted = components['schemas']['Report']
export type CountedName = components['schemas']['ReportName']
export type CountedSide = components['schemas']['ReportSide']

/** What a counted report is asked. */
export type CountedAsked = {
  by?: CountedSide
  time_filter?: string
  pipeline_id?: string
  currency_unit?: string
}

/** A counted report, within the person's rights. */
export function countedQuery(report: CountedName, query: CountedAsked) {
  return queryOptions({
    queryKey: keys.list('dashboards', { counted: report, ...query }),
    queryFn: async ({ signal }) =>
      (await api.get('/api/reports/{report}/', { path: { report }, query, signal })).data,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
