import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { undoBulk } from './bulk.ts'
import { refreshModule } from './cached.ts'
import { notifyRefusal, rememberOwnChange } from './change.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

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

/** A template. */
export function templateQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('templates', { template: id }),
    queryFn: async () => (await api.get('/api/templates/template/{id}/', { path: { id } })).data,
  })
}

/** What a use of a template would create: as the write does it; of a draft that changes, `version` says which. */
export function templateUseQuery(id: string, body: TemplateUseBody, version = 0) {
  return queryOptions({
    queryKey: keys.list('templates', { use: id, body, version }),
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
  words: (made: TemplateUse) => { message: string; detail?: string },
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
    ...words(data),
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

const tasks = { word: { one: t('task'), many: t('tasks') } }

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
    message: t('Saved as template {template_name}', { template_name: data.template_name }),
    action: { label: t('Show'), run: () => open(template) },
    undo: () => removeTemplate(template),
  })
}

export type Suggestion = AnswerOf<'/api/templates/template/ai-template/', 'get'>

/** A template from what past projects took, about what is said, or else about what is usual. */
export function suggestionQuery(prompt: string) {
  return queryOptions({
    queryKey: keys.list('templates', { suggested: prompt }),
    queryFn: async () =>
      (await api.get('/api/templates/template/ai-template/', prompt ? { query: { prompt } } : {}))
        .data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

type CreateBody = BodyOf<'/api/templates/template/', 'post'>

/** Creates a template of one's own; the notice deletes it again, after `leave` has left its page. Returns its id. */
export async function createTemplate(
  body: CreateBody,
  leave: () => Promise<void>,
): Promise<string> {
  const { headers } = await api.post('/api/templates/template/', {
    path: {},
    body,
    idempotencyKey: crypto.randomUUID(),
  })
  const id = headers.get('x-record-id') ?? ''
  await refreshModule('templates')
  notify({
    message: t('{template_name} created', { template_name: body?.template_name }),
    undo: () => leave().then(() => removeTemplate(id)),
  })
  return id
}

async function removeTemplate(id: string): Promise<void> {
  await api.delete('/api/templates/template/{id}/', { path: { id } }).catch(notifyRefusal)
  await refreshModule('templates')
}

export type TemplateDraft = AnswerOf<'/api/templates/template/{id}/draft/', 'get'>
export type TemplateStatistics = AnswerOf<'/api/templates/template/{id}/statistics/', 'get'>

/** The draft of a template, or what is published where it has none. */
export function draftQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('templates', { draft: id }),
    queryFn: async () =>
      (await api.get('/api/templates/template/{id}/draft/', { path: { id } })).data,
    staleTime: 0,
  })
}

/** Stores a draft; 412 where somebody else has changed it since. */
export async function storeDraft(
  id: string,
  body: Pick<TemplateDraft, 'template_config' | 'roles'>,
  version: number,
  keepalive: boolean,
): Promise<TemplateDraft> {
  const { data } = await api.put('/api/templates/template/{id}/draft/', {
    path: { id },
    body,
    headers: { 'if-match': `"${version}"` },
    keepalive,
  })
  rememberOwnChange('templates', id, data.version)
  queryClient.setQueryData(draftQuery(id).queryKey, data)
  return data
}

/** Publishes the draft of a template, or discards it, and reads again what follows from that. */
export async function endDraft(id: string, note: string | null): Promise<void> {
  if (note === null) await api.delete('/api/templates/template/{id}/draft/', { path: { id } })
  else {
    await api.post('/api/templates/template/{id}/publish/', { path: { id }, body: { note } })
  }
  await refreshModule('templates')
}

/** The versions of a template, the newest first. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('templates', { versions: id }),
    queryFn: async () =>
      (await api.get('/api/templates/template/{id}/versions/', { path: { id } })).data,
  })
}

/** The plan of a version. */
export function versionQuery(id: string, number: number) {
  return queryOptions({
    queryKey: keys.list('templates', { versions: id, number }),
    queryFn: async () =>
      (
        await api.get('/api/templates/template/{id}/versions/{number}/', {
          path: { id, number: String(number) },
        })
      ).data,
  })
}

/** What a template's finished projects really took. */
export function statisticsQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('projects', { statistics: id }),
    queryFn: async () =>
      (await api.get('/api/templates/template/{id}/statistics/', { path: { id } })).data,
    staleTime: 60_000,
  })
}

export type TemplateUsage = AnswerOf<'/api/templates/template/statistics/', 'get'>[number]

/** The same of all templates, without their lines. */
export const usageQuery = queryOptions({
  queryKey: keys.list('projects', { statistics: 'all' }),
  queryFn: async () => (await api.get('/api/templates/template/statistics/')).data,
  staleTime: 60_000,
})

/** A person by the id; null without one, and for somebody whom one may not see. */
export function personQuery(id: string | null) {
  return queryOptions({
    queryKey: keys.list('users', { person: id }),
    queryFn: async () => {
      const path = `/api/users/profile/${encodeURIComponent(id ?? '')}/`
      const { data } = await request<{ full_name: string; profile_image: string | null }>(
        'GET',
        path,
      )
      return { id: id ?? '', name: data.full_name, image: data.profile_image }
    },
    enabled: id !== null,
    retry: false,
    staleTime: 300_000,
  })
}
