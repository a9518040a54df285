import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { Problem, problemOf } from '../api/problem.ts'
import type { components } from '../api/schema.d.ts'
import { upload } from '../api/upload.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** A document of a record, with the fields that its list shows. */
export type DocumentRow = Pick<
  components['schemas']['Document'],
  | 'attach_id'
  | 'document_name'
  | 'file_name'
  | 'file_type'
  | 'file_size'
  | 'version'
  | 'signature_status'
  | 'signatures_required'
  | 'signatures_completed'
  | 'document_status'
  | 'is_shared'
  | 'creation_time'
> & {
  created_by: { user_id: string; full_name: string; profile_image?: string | null } | null
  can?: { update: boolean; delete: boolean }
}

/** The record that documents and comments belong to. */
export type Subject = { module: string; id: string }

/** The maximum size of a file, in bytes. */
export const fileLimit = 50 * 1024 * 1024

const fields = [
  'attach_id',
  'document_name',
  'file_name',
  'file_type',
  'file_size',
  'version',
  'signature_status',
  'signatures_required',
  'signatures_completed',
  'document_status',
  'is_shared',
  'creation_time',
  'created_by',
  'can',
].join(',')

/** The documents of a record, the latest first. */
export function documentsQuery({ module, id }: Subject) {
  return queryOptions({
    queryKey: keys.list('documents', { of: module, id }),
    queryFn: async ({ signal }): Promise<DocumentRow[]> => {
      const query = { page: 1, items_per_page: 100, sort: 'creation_time', reverse: true, fields }
      const { data } = await api.get('/api/documents/', {
        query: { ...query, ...belongingTo({ module, id }) },
        signal,
      })
      return data as unknown as DocumentRow[]
    },
  })
}

/** Stores a file as a document of a record, or of none; throws a `Problem` with a readable message if it is refused. */
export async function uploadDocument(
  subject: Subject | null,
  file: File,
  options: {
    onProgress: (share: number) => void
    signal: AbortSignal
    isShared?: boolean
    /** its account and folder, where it belongs to no record yet */
    place?: { account_id?: string; menu_type?: string }
  },
): Promise<DocumentRow> {
  if (file.size > fileLimit) {
    throw new Problem(
      413,
      'file_too_large',
      t('{name} is over 50 MB, the most a file may have', { name: file.name }),
    )
  }
  const form = new FormData()
  form.append('document_name', file.name.slice(0, 255))
  for (const [name, value] of Object.entries(
    subject ? belongingTo(subject) : (options.place ?? {}),
  ))
    form.append(name, value)
  if (options.isShared !== undefined) form.append('is_shared', String(options.isShared))
  form.append('file', file, file.name)
  const document = await upload<DocumentRow>('/api/documents/', form, options)
  void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
  return document
}

/** Shares a document with the customer, or stops sharing it. */
export async function shareDocument(id: string, isShared: boolean): Promise<void> {
  await api.put('/api/documents/{id}/', { path: { id }, body: { is_shared: isShared } })
  void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
}

/** Saves a copy of a document that can be used again, with roles in place of people. Its id. */
export async function saveReusable(id: string): Promise<string> {
  const made = await api.post('/api/documents/{id}/reusable/', { path: { id }, body: {} })
  void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
  return made.data.attach_id
}

/** Makes a document of a reusable one. Its id; what is refused is named as `roles.…` and `values.…`. */
export async function makeFromReusable(
  id: string,
  body: BodyOf<'/api/documents/{id}/use/', 'post'>,
): Promise<string> {
  const made = await api.post('/api/documents/{id}/use/', { path: { id }, body })
  void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
  return made.data.attach_id
}

/** Deletes a document, gone at once; the notice restores it. */
export async function deleteDocument(subject: Subject, document: DocumentRow): Promise<void> {
  const { queryKey } = documentsQuery(subject)
  const { attach_id: id, document_name: name } = document
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, (all) => all?.filter((each) => each.attach_id !== id))
  try {
    await api.delete('/api/documents/{id}/', { path: { id } })
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  }
  notify({
    message: t('Deleted {name}', { name }),
    undo: () =>
      api
        .post('/api/documents/{id}/restore/', { path: { id } })
        .then(() => queryClient.invalidateQueries({ queryKey: keys.lists('documents') }))
        .catch(notifyRefusal),
  })
}

/** The address of a document's file, to show or to download. */
export function fileAddress(id: string, isDownload: boolean): string {
  return `/api/documents/${encodeURIComponent(id)}/file/${isDownload ? '' : '?disposition=inline'}`
}

/** The address of a document's pages as PDF: its file if it is one, or those of its text. */
export function pdfAddress(id: string, isDownload: boolean): string {
  return `/api/documents/${encodeURIComponent(id)}/pdf/${isDownload ? '' : '?disposition=inline'}`
}

/** The most of a text file that is shown, in bytes. */
export const mostText = 1_000_000

/** The beginning of a document's text file. */
export function fileTextQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'text'],
    queryFn: async ({ signal }) => {
      const headers = { range: `bytes=0-${mostText - 1}` }
      const reply = await fetch(fileAddress(id, false), { headers, signal })
      // there is no range of an empty file
      if (reply.status === 416) return ''
      if (!reply.ok) throw await problemOf(reply)
      return reply.text()
    },
    staleTime: Infinity,
  })
}

/** The fields of a document that link it to its record. */
function belongingTo({ module, id }: Subject): { [name: string]: string } {
  if (module === 'projects' || module === 'deals') return { project_id: id }
  if (module === 'accounts') return { account_id: id }
  return { module_name: module, reference_id: id }
}

/** Makes a written document, with a name and nothing else yet. Its id. */
export async function makeWritten(document_name: string): Promise<string> {
  const { data } = await api.post('/api/documents/', { body: { document_name } })
  void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
  return data.attach_id
}

/** Documents whose name or text has these words, as choices. */
export async function searchDocuments(q: string, signal: AbortSignal) {
  const query = {
    page: 1,
    items_per_page: 20,
    ...(q ? { q } : {}),
    fields: 'attach_id,document_name',
  }
  const { data } = await api.get('/api/documents/', { query, signal })
  return data.map(({ attach_id: value, document_name: label }) => ({ value, label }))
}

/** Makes one document of several, in their order. Its id; what cannot be joined is named as `documents.…`. */
export async function joinDocuments(documents: string[], document_name: string): Promise<string> {
  const body = { documents, ...(document_name ? { document_name } : {}) }
  const { data } = await api.post('/api/documents/join/', { body })
  void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
  return data.attach_id
}
