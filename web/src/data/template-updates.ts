import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { undoBulk } from './bulk.ts'
import { refreshModule } from './cached.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

export type TemplateUpdates = AnswerOf<'/api/templates/template/{id}/update-projects/', 'post'>
export type ProjectUpdate = TemplateUpdates['projects'][number]

/** What the published version of a template would make of the running projects of older ones. */
export function updatesQuery(id: string, version: number) {
  return queryOptions({
    queryKey: keys.list('projects', { updates: id, version }),
    queryFn: async () =>
      (
        await api.post('/api/templates/template/{id}/update-projects/', {
          path: { id },
          body: { dry_run: true },
        })
      ).data,
    retry: false,
    staleTime: 0,
  })
}

/** Updates projects as it was previewed; the notice undoes all of it. Throws the `Problem`. */
export async function updateProjects(
  id: string,
  project_ids: string[],
  message: string,
): Promise<void> {
  const { data } = await api.post('/api/templates/template/{id}/update-projects/', {
    path: { id },
    body: { project_ids },
    idempotencyKey: crypto.randomUUID(),
  })
  const { bulk_id } = data
  await readAgain()
  notify({
    message,
    ...(bulk_id ? { undo: async () => void (await undoBulk(rows, bulk_id, readAgain)) } : {}),
  })
}

const rows = { word: { one: t('line'), many: t('lines') } }

async function readAgain(): Promise<void> {
  await Promise.all([refreshModule('projects'), refreshModule('tasks')])
  void queryClient.invalidateQueries({ queryKey: keys.records('projects') })
}
