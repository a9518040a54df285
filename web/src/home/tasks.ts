import { queryOptions } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { keys } from '../data/keys.ts'
import type { AnyRecord } from '../data/record.ts'
import { addDays } from '../records/field/format.ts'

/** A task as Home shows it. */
export type Task = AnyRecord & {
  item_id: string
  title: string
  due_date: string | null
  project_id: string | null
  project_name: string | null
}

// only fields that a customer may see, too
const fields =
  'item_id,title,due_date,status,is_completed,priority,project_id,project_name,version,can'

/** The person's open tasks, those that are due first at the top. */
export function myTasksQuery(userId: string) {
  return queryOptions({
    queryKey: keys.list('tasks', { home: userId }),
    queryFn: async () => {
      const { data, headers } = await request<Task[]>('GET', '/api/tasks/', {
        query: {
          page: 1,
          items_per_page: 50,
          owner: userId,
          is_completed: false,
          sort: 'due_date',
          fields,
          include_count: true,
        },
      })
      return { rows: data, total: Number(headers.get('x-total-count')) }
    },
  })
}

export type Due = { label: string; tone: 'bad' | 'ink'; tasks: Task[] }

/** Tasks by when they are due: overdue, today, in the next seven days, later or without a day. */
export function byDue(tasks: Task[], today: string): Due[] {
  const last = addDays(today, 7)
  const of = (when: (due: string) => boolean) =>
    tasks.filter(({ due_date: due }) => due !== null && when(due.slice(0, 10)))
  const all: Due[] = [
    { label: 'Overdue', tone: 'bad', tasks: of((due) => due < today) },
    { label: 'Today', tone: 'ink', tasks: of((due) => due === today) },
    { label: 'Next 7 days', tone: 'ink', tasks: of((due) => due > today && due <= last) },
    {
      label: 'Later',
      tone: 'ink',
      tasks: tasks.filter(({ due_date: due }) => due === null || due.slice(0, 10) > last),
    },
  ]
  return all.filter((each) => each.tasks.length > 0)
}
