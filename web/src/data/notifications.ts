import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { keys } from './keys.ts'

/** How many notifications the person has not read. */
export const unreadQuery = queryOptions({
  queryKey: [...keys.notifications, 'unread'],
  queryFn: async () => (await api.get('/api/notifyhub/notify-info/unread-count/')).data,
  select: (data: unknown) => countIn(data),
  staleTime: 60_000,
})

function countIn(data: unknown): number {
  if (typeof data === 'number') return data
  const { count = 0 } = (data ?? {}) as { count?: number }
  return count
}
