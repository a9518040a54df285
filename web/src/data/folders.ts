import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { changeCached } from './cached.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'

/** The documents that one sees, counted by account, folder and project. */
export function foldersQuery(params: { q?: string; limit?: number }) {
  return queryOptions({
    queryKey: keys.list('documents', { folders: params }),
    queryFn: async ({ signal }) =>
      (await api.get('/api/documents/folders/', { query: params, signal })).data,
    placeholderData: keepPreviousData,
  })
}

/** Makes a document a favourite of one's own, or no longer one; shown at once. */
export async function setFavourite(id: string, isFavourite: boolean): Promise<void> {
  const key = { module: 'documents', key: 'attach_id' }
  const revert = changeCached(key, id, (record) => ({ ...record, is_favourite: isFavourite }))
  try {
    await api.put('/api/documents/{id}/favourite/', {
      path: { id },
      body: { is_favourite: isFavourite },
    })
    void queryClient.invalidateQueries({ queryKey: keys.lists('documents') })
  } catch (error) {
    revert()
    notifyRefusal(error)
  }
}
