import { queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'

/** A meeting, as far as the pages of customers show it. */
export type NextMeeting = {
  calendar_id: string
  title: string
  start: string
  end: string
  all_day: boolean
  link: string | null
}

const named = { accounts: 'account_id', companies: 'company_id', contacts: 'contact_id' } as const

/** The next meeting with a customer, or the one that goes on; null where there is none within a year. */
export function nextMeetingQuery(module: keyof typeof named, id: string) {
  return queryOptions({
    queryKey: keys.list('calendar', { next: module, id }),
    queryFn: async (): Promise<NextMeeting | null> => {
      const query = {
        [named[module]]: id,
        start: new Date().toISOString(),
        filter: JSON.stringify([{ field: 'is_meeting_cancelled', operator: 'eq', value: false }]),
        page: 1,
        items_per_page: 1,
        fields: 'calendar_id,title,start,end,all_day,link',
      }
      const { data } = await request<NextMeeting[]>('GET', '/api/calendar/info/', { query })
      return data[0] ?? null
    },
    staleTime: 10_000,
  })
}
