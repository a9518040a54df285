import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { BodyOf } from '../api/client.ts'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import type { ModuleSummary } from './modules.ts'
import { queryClient } from './query-client.ts'
import type { AnyRecord } from './record.ts'

/** A notification of the person. */
export type Notification = components['schemas']['Notification']
export type Preferences = components['schemas']['NotificationPreferences']

/** Which notifications are shown. */
export type InboxFilter = 'all' | 'unread' | 'mentions'

type Pages = InfiniteData<Notification[], number>

const size = 40
const inboxKey = [...keys.notifications, 'inbox'] as const

/** The person's notifications, newest first. */
export function inboxQuery(filter: InboxFilter) {
  return infiniteQueryOptions({
    queryKey: [...inboxKey, filter],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await api.get('/api/notifyhub/notify-info/', {
        query: {
          page: pageParam,
          items_per_page: size,
          ...(filter === 'unread' ? { read: false } : {}),
          ...(filter === 'mentions' ? { category: 'mention' } : {}),
        },
        signal,
      })
      return data
    },
    getNextPageParam: (last, _, page) => (last.length === size ? page + 1 : undefined),
  })
}

/** Marks a notification as read or unread, at once; a refusal is shown as a notice. */
export function setRead(id: string, read: boolean): Promise<void> {
  return markRead(id, read).catch(notifyRefusal)
}

/** Marks a notification as read or unread, at once. Throws the `Problem`. */
export async function markRead(id: string, read: boolean): Promise<void> {
  const by = show((each) => (each.notification_id === id ? { ...each, read } : each))
  count((before) => Math.max(0, before + by * (read ? -1 : 1)))
  try {
    await api.put('/api/notifyhub/notify-info/{id}/', { path: { id }, body: { read } })
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: keys.notifications })
    throw error
  }
}

/** Marks all notifications as read, at once. */
export async function setAllRead(): Promise<void> {
  show((each) => ({ ...each, read: true }))
  count(() => 0)
  try {
    await api.post('/api/notifyhub/notify-info/mark-all-read/')
  } catch (error) {
    notifyRefusal(error)
  }
  void queryClient.invalidateQueries({ queryKey: keys.notifications })
}

/** Applies a change to what is shown; returns how many became read or unread. */
function show(how: (notification: Notification) => Notification): number {
  const changed = new Set<string>()
  queryClient.setQueriesData<Pages>({ queryKey: inboxKey }, (all) =>
    all?.pages
      ? {
          ...all,
          pages: all.pages.map((page) =>
            page.map((each) => {
              const next = how(each)
              if (next.read !== each.read) changed.add(each.notification_id)
              return next
            }),
          ),
        }
      : all,
  )
  return changed.size
}

/** The count in the sidebar. */
function count(how: (before: number) => number) {
  queryClient.setQueryData<{ count: number }>([...keys.notifications, 'unread'], (before) => ({
    count: how(before?.count ?? 0),
  }))
}

type Titled = Pick<ModuleSummary, 'module' | 'path' | 'key' | 'title_field'>

/** The names of some records of a module, by their ids. */
export function titlesQuery(module: Titled, ids: string[]) {
  const key = module.key ?? ''
  const title = module.title_field ?? ''
  return queryOptions({
    queryKey: keys.list(module.module, { titles: ids }),
    queryFn: async ({ signal }): Promise<{ [id: string]: string }> => {
      const { data } = await request<AnyRecord[]>('GET', module.path ?? '', {
        query: {
          page: 1,
          items_per_page: 100,
          fields: `${key},${title}`,
          filter: JSON.stringify([{ field: key, operator: 'in', value: ids }]),
        },
        signal,
      })
      return Object.fromEntries(data.map((each) => [String(each[key]), String(each[title] ?? '')]))
    },
    staleTime: 60_000,
  })
}

/** The person's notification preferences. */
export const preferencesQuery = queryOptions({
  queryKey: ['notification preferences'],
  queryFn: async () => (await api.get('/api/notifyhub/preferences/')).data,
})

/** Changes one notification preference, at once. */
export async function changeNotifying(
  values: NonNullable<BodyOf<'/api/notifyhub/preferences/', 'put'>>,
): Promise<void> {
  const { queryKey } = preferencesQuery
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, (all) =>
    all
      ? (Object.fromEntries(
          Object.entries(all).map(([name, each]) => [
            name,
            { ...each, ...values[name as keyof typeof values] },
          ]),
        ) as Preferences)
      : all,
  )
  try {
    await api.put('/api/notifyhub/preferences/', { body: values })
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    notifyRefusal(error)
  }
}
