import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'

const key = (survey: string) => [...keys.record('surveys', survey), 'automations']

/** The automations of a survey in their order. */
export function automationsQuery(id: string) {
  return queryOptions({
    queryKey: [...key(id), 'list'],
    queryFn: async () => (await api.get('/api/surveys/{id}/automations/', { path: { id } })).data,
  })
}

/** What they have done, newest first. */
export function runsQuery(id: string) {
  return queryOptions({
    queryKey: [...key(id), 'runs'],
    queryFn: async () =>
      (await api.get('/api/surveys/{id}/automations/runs/', { path: { id } })).data,
  })
}

/** What conditions can compare. */
export function optionsQuery(id: string) {
  return queryOptions({
    queryKey: [...key(id), 'options'],
    queryFn: async () =>
      (await api.get('/api/surveys/{id}/automation-options/', { path: { id } })).data,
  })
}

/** One answer to a survey; null if it is gone. */
export function responseQuery(id: string, response_id: string) {
  return queryOptions({
    queryKey: [...keys.record('surveys', id), 'response', response_id],
    queryFn: async () => {
      const query = { response: response_id, page: 1, items_per_page: 1 }
      const { data } = await api.get('/api/surveys/{id}/responses/', { path: { id }, query })
      return data[0] ?? null
    },
  })
}

export function refreshAutomations(survey: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: key(survey) })
}
