import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { refreshModule } from './cached.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'

/** An import of a spreadsheet: the targets of its columns, its progress, and the results of its rows. */
export type Import = components['schemas']['Import']
export type ImportColumn = components['schemas']['ImportColumn']
export type ImportModule = components['schemas']['ImportModule']
export type ImportValues = components['schemas']['ImportValues']
export type ImportCurrency = components['schemas']['ImportCurrency']
type Plan = components['schemas']['ImportUpdate']

/** The modules by the names of imports: an import of meetings belongs to the module `calendar`. */
export function describedAs(module: ImportModule): string {
  return module === 'meetings' ? 'calendar' : module
}

/** An import; refetched twice a second while it runs. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: keys.import(id),
    queryFn: async () => (await api.get('/api/imports/{id}/', { path: { id } })).data,
    refetchInterval: ({ state }) => (isAtWork(state.data) ? 500 : false),
  })
}

/** The latest imports. */
export const importsQuery = queryOptions({
  queryKey: keys.imports,
  queryFn: async () => {
    const query = { page: 1, items_per_page: 10, sort: 'creation_time', reverse: true } as const
    return (await api.get('/api/imports/', { query })).data
  },
})

/** The rows and cells that were not imported. */
export function importErrorsQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.import(id), 'errors'],
    queryFn: async () => {
      const query = { page: 1, items_per_page: 100 }
      return (await api.get('/api/imports/{id}/errors/', { path: { id }, query })).data
    },
  })
}

export function isAtWork(found: Import | undefined): boolean {
  return found?.status === 'running' || found?.status === 'undoing'
}

/** Uploads a spreadsheet; nothing is written yet. */
export async function uploadImport(module: ImportModule, file: File): Promise<Import> {
  const body = new FormData()
  body.set('module', module)
  body.set('file', file)
  const { data } = await api.post('/api/imports/', { body })
  queryClient.setQueryData(keys.import(data.import_id), data)
  void queryClient.invalidateQueries({ queryKey: keys.imports, exact: true })
  return data
}

/** Changes what an import will do, and reads the expected results of its rows. */
export async function planImport(id: string, plan: Plan): Promise<Import> {
  await api.put('/api/imports/{id}/', { path: { id }, body: plan })
  const { data } = await api.get('/api/imports/{id}/', { path: { id } })
  queryClient.setQueryData(keys.import(id), data)
  return data
}

/** Starts, stops or undoes an import. */
export async function moveImport(id: string, to: 'start' | 'cancel' | 'undo'): Promise<void> {
  const path = { id }
  const { data } =
    to === 'start'
      ? await api.post('/api/imports/{id}/start/', { path, body: {} })
      : to === 'cancel'
        ? await api.post('/api/imports/{id}/cancel/', { path })
        : await api.post('/api/imports/{id}/undo/', { path })
  queryClient.setQueryData(keys.import(id), data)
  await readRecordsAgain(data)
}

/** Reads the module's lists again once an import has written to them. */
export async function readRecordsAgain({ import_id, module }: Import): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.home }),
    refreshModule(describedAs(module)),
    queryClient.invalidateQueries({ queryKey: [...keys.import(import_id), 'errors'] }),
  ])
}
