import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import type { components } from '../api/schema.d.ts'
import { upload } from '../api/upload.ts'
import { keys } from './keys.ts'
import { versionIn } from './record.ts'

type Document = components['schemas']['Document']

/** A written document, as it is stored. */
export type Written = {
  id: string
  /** grows with each change, also where it becomes another version of the document */
  version: number
  record: Document
}

/** Numbers of versions of a document lie so far apart: each is changed less often. */
const apart = 1_000_000

function writtenOf({ data, headers }: { data: Document; headers: Headers }): Written {
  return {
    id: data.attach_id,
    version: data.version * apart + (versionIn(headers) ?? 0),
    record: data,
  }
}

/** A document to write in; what is in the cache is not taken for it. */
export function writtenQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'written'],
    queryFn: async ({ signal }) =>
      writtenOf(await api.get('/api/documents/{id}/', { path: { id }, signal })),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Stores what is written; 412 where somebody else has changed it since, or has made another version of it. */
export async function storeWritten(
  { id, version, isPublished }: { id: string; version: number; isPublished: boolean },
  text: { document_name: string; editor_html_content: string },
  keepalive: boolean,
): Promise<Written> {
  // what is published stays as it is: the first change makes the next version
  const body = { ...text, ...(isPublished ? { document_status: 'draft' as const } : {}) }
  const headers = { 'if-match': `"${version % apart}"` }
  const path = { id }
  return writtenOf(await api.put('/api/documents/{id}/', { path, body, headers, keepalive }))
}

/** The id of the version that has come after, where a change was refused for that. */
export function newerIn(error: unknown): string | undefined {
  if (!(error instanceof Problem) || error.code !== 'old_version') return undefined
  const { id } = (error.data ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}

export type DocumentVersion = Document & {
  created_by: { full_name: string } | null
}

/** All versions of a document, the latest first. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'versions'],
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/api/documents/{id}/versions/', { path: { id }, signal })
      return data as unknown as DocumentVersion[]
    },
  })
}

/** Keeps the text as it is as a version of its own, and goes on in the next. The id of that. */
export async function keepVersion(id: string): Promise<string> {
  const { data } = await api.post('/api/documents/{id}/versions/', { path: { id } })
  return data.attach_id
}

/** Stores a picture for the text of a document: its address. */
export async function uploadPicture(id: string, file: File): Promise<string> {
  const form = new FormData()
  form.append('file', file, file.name)
  const { signal } = new AbortController()
  const path = `/api/documents/${encodeURIComponent(id)}/images/`
  return (await upload<{ src: string }>(path, form, { onProgress: () => {}, signal })).src
}

/** What placeholders of a document stand for now. */
export function valuesQuery(id: string, placeholders: string[]) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'values', placeholders],
    queryFn: async ({ signal }) => {
      const body = { placeholders: placeholders.slice(0, 200) }
      const path = { id }
      return (await api.post('/api/documents/{id}/values/', { path, body, signal })).data.values
    },
    enabled: placeholders.length > 0,
    placeholderData: (before) => before,
    staleTime: 10_000,
  })
}
