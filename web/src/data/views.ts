import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'
import type { Clause } from './list.ts'
import { queryClient } from './query-client.ts'

/** A saved view of a list: its conditions, columns, order and layout. */
export type View = components['schemas']['Filter']

/** Who sees a view. */
export type Visibility = components['schemas']['FilterVisibility']

/** What a view stores of a list. */
export type ViewContent = {
  conditions: Clause[]
  columns: string[]
  sort: string | null
  /** a view that is a report has both */
  layout?: 'report'
  report?: NonNullable<View['report']>
}

/** The views of a module that the person may see, without reports. */
export function viewsQuery(module: string) {
  return queryOptions({
    queryKey: keys.views(module),
    queryFn: async () => {
      const { data } = await api.get('/api/filters/filter/', { query: { module } })
      return data.filter(({ layout }) => layout !== 'report')
    },
    staleTime: 60_000,
  })
}

/** The reports of all modules that the person may see, by their names. */
export const reportsQuery = queryOptions({
  queryKey: keys.reports,
  queryFn: async () => {
    const filter = JSON.stringify([{ field: 'layout', operator: 'eq', value: 'report' }])
    const query = { page: 1, items_per_page: 100, sort: 'name', filter }
    return (await api.get('/api/filters/filter/', { query })).data
  },
  staleTime: 60_000,
})

/** A saved report by its id. */
export function reportQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.reports, id],
    queryFn: async () => (await api.get('/api/filters/filter/{id}/', { path: { id } })).data,
    staleTime: 60_000,
    retry: false,
  })
}

/** Whether the person gets a saved report by mail every Monday. */
export function reportMailQuery(id: string) {
  return queryOptions({
    queryKey: ['report-mail', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/filters/filter/{id}/mail/', { path: { id }, signal })).data.is_on,
  })
}

/** Switches the weekly mail of a saved report on or off, for the person alone. Throws the `Problem`. */
export async function setReportMail(id: string, is_on: boolean): Promise<void> {
  await api.put('/api/filters/filter/{id}/mail/', { path: { id }, body: { is_on } })
  queryClient.setQueryData(reportMailQuery(id).queryKey, is_on)
}

/** Reads again what shows a view. */
async function readAgain(module: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.views(module) }),
    queryClient.invalidateQueries({ queryKey: keys.reports }),
  ])
}

/** Saves what a list shows as a view, and returns it. */
export async function createView(
  module: string,
  name: string,
  visibility: Visibility,
  content: ViewContent,
): Promise<View> {
  const { data } = await api.post('/api/filters/filter/', {
    body: { module, name, visibility, ...content },
    idempotencyKey: crypto.randomUUID(),
  })
  await readAgain(module)
  return data
}

/** Changes a view: what it shows, its name, or who sees it. */
export async function changeView(
  view: View,
  values: Partial<ViewContent & { name: string; visibility: Visibility }>,
): Promise<void> {
  await api.put('/api/filters/filter/{id}/', { path: { id: view.filter_id }, body: values })
  await readAgain(view.module)
}

/** Deletes a view. */
export async function deleteView(view: View): Promise<void> {
  await api.delete('/api/filters/filter/{id}/', { path: { id: view.filter_id } })
  await readAgain(view.module)
}

/** Restores a deleted view. */
export async function restoreView(view: View): Promise<void> {
  await api.post('/api/filters/filter/{id}/restore/', { path: { id: view.filter_id } })
  await readAgain(view.module)
}
