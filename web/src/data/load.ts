import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import { keys } from './keys.ts'
import type { ListParams } from './list.ts'
import { searchOf } from './list.ts'

export type Load = AnswerOf<'/api/load/', 'get'>
/** A person with their weeks. */
export type LoadPerson = Load['people'][number]
export type LoadWeek = LoadPerson['weeks'][number]
/** A task behind a figure of the load. */
export type LoadTask = AnswerOf<'/api/load/tasks/', 'get'>['tasks'][number]

/** Projects of a list of which people are looked for at most. */
const mostProjects = 200

/** The load of people with work in the projects of a list; of everybody where the list is not filtered. */
export function loadQuery(params: ListParams) {
  const { q, filter, filter_id } = searchOf(params)
  const id = filter_id ?? params.more?.filter_id
  const isFiltered = Boolean(q ?? filter ?? id)
  return queryOptions({
    // read again with the tasks that it is made of
    queryKey: keys.list('tasks', { load: { q, filter, id } }),
    queryFn: async () => {
      const project = isFiltered ? await projectsIn(params) : undefined
      const query = project === undefined ? {} : { project }
      return (await api.get('/api/load/', { query })).data
    },
    placeholderData: keepPreviousData,
  })
}

/** The ids of the projects of a list, as the load takes them; no id of a project where there is none. */
async function projectsIn(params: ListParams): Promise<string> {
  const { data } = await request<{ project_id: string }[]>('GET', '/api/project/info/', {
    query: { ...searchOf(params), page: 1, items_per_page: mostProjects, fields: 'project_id' },
  })
  return data.map(({ project_id }) => project_id).join(',') || 'none'
}

/** The tasks of a person in a week. */
export function loadTasksQuery(user: string, week: string) {
  return queryOptions({
    queryKey: keys.list('tasks', { loadOf: user, week }),
    queryFn: async () => (await api.get('/api/load/tasks/', { query: { user, week } })).data.tasks,
  })
}
