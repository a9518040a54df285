import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { undoBulk } from './bulk.ts'
import { refreshModule } from './cached.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'

/** A template of a project's plan. */
export type Template = components['schemas']['Template']
export type TemplateUse = AnswerOf<'/api/templates/template/{id}/use/', 'post'>
export type TemplateUseBody = BodyOf<'/api/templates/template/{id}/use/', 'post'>
export type SaveBody = BodyOf<'/api/project/info/{id}/save-as-template/', 'post'>

/** The templates of projects, by name. */
export const templatesQuery = queryOptions({
  queryKey: keys.list('templates', { template_type: 'project' }),
  queryFn: async () =>
    (
      await request<Template[]>('GET', '/api/templates/template/', {
        query: { page: 1, items_per_page: 500, sort: 'template_name', template_type: 'project' },
      })
    ).data,
})

/** What a use of a template would create: as the write does it. */
export function templateUseQuery(id: string, body: TemplateUseBody) {
  return queryOptions({
    queryKey: keys.list('templates', { use: id, body }),
    queryFn: async () =>
      (
        await api.post('/api/templates/template/{id}/use/', {
          path: { id },
          body: { ...body, dry_run: true },
        })
      ).data,
    placeholderData: keepPreviousData,
    retry: false,
    // the calendar, the people and the plan may change meanwhile
    staleTime: 0,
  })
}

/**
 * Uses a template as it was previewed; the notice undoes all of it. `leave` leaves the page of what is about to be gone,
 * and returns how to come back if it stays.
 */
export async function applyTemplate(
  id: string,
  body: TemplateUseBody,
  message: (made: TemplateUse) => string,
  leave?: (projectId: string) => Promise<() => void>,
): Promise<string> {
  const { data } = await api.post('/api/templates/template/{id}/use/', {
    path: { id },
    body,
    idempotencyKey: crypto.randomUUID(),
  })
  const { bulk_id, project_id } = data
  const projectId = project_id ?? ''
  await refresh(projectId)
  notify({
    message: message(data),
    ...(bulk_id
      ? {
          undo: async () => {
            const comeBack = await leave?.(projectId)
            const isUndone = await undoBulk(tasks, bulk_id, () => refresh(projectId))
            if (!isUndone) comeBack?.()
          },
        }
      : {}),
  })
  return projectId
}

const tasks = { word: { one: 'task', many: 'tasks' } }

async function refresh(projectId: string): Promise<void> {
  await Promise.all([refreshModule('projects'), refreshModule('tasks')])
  void queryClient.invalidateQueries({ queryKey: keys.record('projects', projectId) })
}

/** What saving a project as a template would keep and replace. */
export function saveAsTemplateQuery(id: string, body: SaveBody) {
  return queryOptions({
    queryKey: keys.list('templates', { save: id, body }),
    queryFn: async () => (await save(id, { ...body, dry_run: true })).data,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  })
}

function save(id: string, body: SaveBody) {
  return api.post('/api/project/info/{id}/save-as-template/', {
    path: { id },
    body,
    ...(body?.dry_run ? {} : { idempotencyKey: crypto.randomUUID() }),
  })
}

/** Saves a project as a template; the notice can undo it. */
export async function saveAsTemplate(
  id: string,
  body: SaveBody,
  open: (templateId: string) => void,
): Promise<void> {
  const { data } = await save(id, body)
  const template = data.template_id ?? ''
  await refreshModule('templates')
  notify({
    message: `Saved as template ${data.template_name}`,
    action: { label: 'Show', run: () => open(template) },
    undo: async () => {
      await api
        .delete('/api/templates/template/{id}/', { path: { id: template } })
        .catch(notifyRefusal)
      await refreshModule('templates')
    },
  })
}
