import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import { keys } from './keys.ts'

const path = '/api/documents/{id}/signature/preparation/'

/** What is prepared for signature of a document and not sent yet; what is in the cache is not taken for it. */
export function preparationQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.record('documents', id), 'preparation'],
    queryFn: async ({ signal }) => (await api.get(path, { path: { id }, signal })).data,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Stores what is prepared; 412 where somebody else has changed it since. */
export async function storePreparation(
  id: string,
  body: BodyOf<typeof path, 'put'>,
  version: number,
  keepalive: boolean,
) {
  const headers = { 'if-match': `"${version}"` }
  return (await api.put(path, { path: { id }, body, headers, keepalive })).data
}

/** Where a text stands in the PDF of a document, in the order of reading; 400 `text` where it does not. */
export async function placesOfText(id: string, text: string) {
  const locate = '/api/documents/{id}/signature/locate/'
  return (await api.post(locate, { path: { id }, body: { text } })).data.places
}
