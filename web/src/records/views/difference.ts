import type { Clause } from '../../data/list.ts'
import type { View } from '../../data/views.ts'
import type { ListSearch } from '../search.ts'

/** The address of a view: what it stores, and its id. */
export function searchOf(view: View): Partial<ListSearch> {
  const { conditions, sort, columns } = view
  return {
    view: view.filter_id,
    ...(conditions.length ? { f: conditions as Clause[] } : {}),
    ...(sort ? { sort } : {}),
    ...(columns.length ? { cols: columns.join(',') } : {}),
  }
}

/** Whether the address differs from the stored view. */
export function isChanged(view: View, search: ListSearch): boolean {
  const stored = searchOf(view)
  return (
    inOrder(stored.f ?? []) !== inOrder(search.f ?? []) ||
    (stored.sort ?? '') !== (search.sort ?? '') ||
    (stored.cols ?? '') !== (search.cols ?? '')
  )
}

/** As text, independent of the order of members. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
