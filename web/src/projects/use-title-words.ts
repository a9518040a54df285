import { useQuery } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { fieldOf } from '../data/modules.ts'
import { shortDay, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import type { Words } from './title-words.ts'
import type { Work } from './use-work.ts'

/** The people that `@name` finds; of more than these it finds nobody. */
async function readPeople(): Promise<Words['people']> {
  const query = { page: 1, items_per_page: 200, fields: 'user_id,full_name,profile_image' }
  return (await request<Words['people']>('GET', '/api/users/profile/', { query })).data
}

/** What words at the end of a title can set in this plan. */
export function useTitleWords({ rights, plan, mayCreate }: Work): Words {
  const format = useFormat()
  const { data: people = [] } = useQuery({
    queryKey: ['users', 'of plans'],
    queryFn: readPeople,
    enabled: mayCreate || rights.mayChange,
    staleTime: 300_000,
  })
  const options = fieldOf(rights.tasks, 'priority')?.options ?? []
  return {
    isTask: true,
    people,
    priorities: options.map(({ value, label, color }) => ({ value: String(value), label, color })),
    almanac: { today: today(format.timezone), calendar: plan.calendar, locale: format.locale },
    day: (day) => shortDay(day, format),
  }
}
