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
}

/** The views of a module that the person may see. */
export function viewsQuery(module: string) {
  return queryOptions({
    queryKey: keys.views(module),
    queryFn: async () => (await api.get('/api/filters/filter/', { query: { module } })).data,
    staleTime: 60_000,
  })
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
  await queryClient.invalidateQueries({ queryKey: keys.views(module) })
  return data
}

/** Changes a view: what it shows, its name, or who sees it. */
export async function changeView(
  view: View,
  values: Partial<ViewContent & { name: string; visibility: Visibility }>,
): Promise<void> {
  await api.put('/api/filters/filter/{id}/', { path: { id: view.filter_id }, body: values })
  await queryClient.invalidateQueries({ queryKey: keys.views(view.module) })
}

/** Deletes a view. */
export async function deleteView(view: View): Promise<void> {
  await api.delete('/api/filters/filter/{id}/', { path: { id: view.filter_id } })
  await queryClient.invalidateQueries({ queryKey: keys.views(view.module) })
}

/** Restores a deleted view. */
export async function restoreView(view: View): Promise<void> {
  await api.post('/api/filters/filter/{id}/restore/', { path: { id: view.filter_id } })
  await queryClient.invalidateQueries({ queryKey: keys.views(view.module) })
}
