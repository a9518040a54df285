import type { Groups } from './groups.ts'
import type { ListParams, Page } from './list.ts'
import type { Place } from './modules.ts'
import { queryClient } from './query-client.ts'
import { idOf } from './record.ts'

/** The list of each module that was shown last, by its key in the cache. */
const shown = new Map<string, readonly unknown[]>()

/** Remembers the list that is shown, through which the pages of its records go. */
export function rememberList(module: string, queryKey: readonly unknown[]): void {
  shown.set(module, queryKey)
}

/** The place of a record in a list, from 1, with the ids before and after it. */
export type ListPlace = {
  at: number
  total: number
  previous: string | undefined
  next: string | undefined
}

/** The place of a record in the list that one came from; undefined without one. */
export function placeInList(module: Place, id: string): ListPlace | undefined {
  const key = shown.get(module.module)
  const data = key && queryClient.getQueryData<Page | Groups>(key)
  if (!data) return undefined
  const rows = 'rows' in data ? data.rows : data.groups.flatMap(({ records }) => records)
  const ids = rows.map((row) => idOf(module, row))
  const index = ids.indexOf(id)
  if (index < 0) return undefined
  const { page = 1, size = 50 } = (key[2] ?? {}) as ListParams
  const before = 'rows' in data ? (page - 1) * size : 0
  return {
    at: before + index + 1,
    total: data.total ?? before + ids.length,
    previous: ids[index - 1],
    next: ids[index + 1],
  }
}
