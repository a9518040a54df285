import { queryClient } from './query-client.ts'
import { keys } from './keys.ts'
import type { Page } from './list.ts'
import type { Place } from './modules.ts'
import type { AnyRecord } from './record.ts'
import { idOf } from './record.ts'

type Keyed = Pick<Place, 'module' | 'key'>
type Change = (record: AnyRecord) => AnyRecord
type Group = { records?: AnyRecord[] }
type Groups = { groups: Group[] }

/** Applies a change to every cached copy of a record; returns a function that reverts it. */
export function changeCached(module: Keyed, id: string, change: Change): () => void {
  const before: [readonly unknown[], unknown][] = [
    ...queryClient.getQueriesData({ queryKey: keys.lists(module.module) }),
    ...queryClient.getQueriesData({ queryKey: keys.groupings(module.module) }),
    ...queryClient.getQueriesData({ queryKey: keys.record(module.module, id) }),
  ]
  const mine = (record: AnyRecord) => (idOf(module, record) === id ? change(record) : record)
  queryClient.setQueriesData<Page>({ queryKey: keys.lists(module.module) }, (page) =>
    page?.rows ? { ...page, rows: page.rows.map(mine) } : page,
  )
  queryClient.setQueriesData<Groups>({ queryKey: keys.groupings(module.module) }, (found) =>
    found?.groups
      ? {
          ...found,
          groups: found.groups.map((group) =>
            group.records ? { ...group, records: group.records.map(mine) } : group,
          ),
        }
      : found,
  )
  queryClient.setQueryData<AnyRecord>(keys.record(module.module, id), (record) =>
    record ? change(record) : record,
  )
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data)
  }
}

/** A cached copy of a record; undefined if there is none. */
export function cachedRecord(module: Keyed, id: string): AnyRecord | undefined {
  const own = queryClient.getQueryData<AnyRecord>(keys.record(module.module, id))
  if (own) return own
  const pages = queryClient.getQueriesData<Page>({ queryKey: keys.lists(module.module) })
  const groups = queryClient.getQueriesData<Groups>({ queryKey: keys.groupings(module.module) })
  const rows = [
    ...pages.flatMap(([, page]) => page?.rows ?? []),
    ...groups.flatMap(([, found]) => found?.groups.flatMap((group) => group.records ?? []) ?? []),
  ]
  return rows.find((row) => idOf(module, row) === id)
}

/** Cancels reads whose answers would overwrite a change. */
export async function cancelReads(module: string): Promise<void> {
  await queryClient.cancelQueries({ queryKey: keys.all(module) })
}

/** Plans are lists of tasks that hold milestones too. */
const heldBy: { [module: string]: string } = { milestones: 'tasks' }

/** The modules whose records Home shows. */
const onHome = new Set(['tasks', 'projects', 'deals', 'accounts', 'calendar'])
/** The minimum time between two reads of Home, which is made of many lists, in milliseconds. */
const homePause = 1000
let homeSoon: ReturnType<typeof setTimeout> | undefined

/** Refetches Home soon if it is on screen, else marks it as stale; once for all changes until then. */
export function refreshHome(): void {
  homeSoon ??= setTimeout(() => {
    homeSoon = undefined
    void queryClient.invalidateQueries({ queryKey: keys.home })
  }, homePause)
}

/** Refetches a module's data if it is on screen, else marks it as stale. */
export async function refreshModule(module: string): Promise<void> {
  const holder = heldBy[module]
  if (onHome.has(module)) refreshHome()
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.lists(module) }),
    queryClient.invalidateQueries({ queryKey: keys.groupings(module) }),
    ...(holder ? [refreshModule(holder)] : []),
  ])
}

/** Reads a record again where it is shown, and the lists of its module. */
export async function refreshRecord(module: string, id: string): Promise<void> {
  await Promise.all([
    refreshModule(module),
    queryClient.invalidateQueries({ queryKey: keys.record(module, id) }),
  ])
}
