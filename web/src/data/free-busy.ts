import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

export type FreeBusy = components['schemas']['FreeBusy']
export type PersonBusy = FreeBusy['people'][number]
export type WorkingSpan = components['schemas']['WorkingSpan']

type Asked = {
  people: string[]
  from: string
  to: string
  duration?: number
  /** the meeting that is moved, which keeps nobody busy */
  calendar_id?: string
}

/** When people work and are busy within a range, and when all of them are free next. */
export function freeBusyQuery(asked: Asked) {
  return queryOptions({
    queryKey: keys.list('calendar', { freeBusy: asked }),
    queryFn: async ({ signal }): Promise<FreeBusy> =>
      (await api.post('/api/calendar/free-busy/', { body: asked, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
