import { request } from '../api/request.ts'
import { refreshModule } from './cached.ts'
import { notifyRefusal } from './change.ts'
import { keys } from './keys.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** Which record's values the merged record gets: see `MergeStrategy` of the API. */
export type MergeStrategy = 'fill_empty' | 'primary_wins' | 'newest_wins'

/** The modules whose records can be merged. */
export const mergeable: ReadonlySet<string> = new Set(['contacts', 'companies'])

/** Merges records into one, which takes over their links and activity; the notice can undo it. */
export async function mergeRecords(
  module: Pick<Place, 'module' | 'path' | 'word'>,
  primary: { id: string; title: string },
  others: string[],
  strategy: MergeStrategy,
): Promise<void> {
  const { data } = await request<{ merge_id: string }>('POST', `${module.path}merge/`, {
    body: { primary_id: primary.id, merge_ids: others, strategy },
    idempotencyKey: crypto.randomUUID(),
  })
  await readAgain(module.module)
  notify({
    message: t('Merged into {title}', { title: primary.title }),
    undo: () =>
      request('POST', `${module.path}merge/${encodeURIComponent(data.merge_id)}/undo/`, {
        idempotencyKey: crypto.randomUUID(),
      })
        .then(() => readAgain(module.module))
        .catch(notifyRefusal),
  })
}

async function readAgain(module: string): Promise<void> {
  await refreshModule(module)
  void queryClient.invalidateQueries({ queryKey: keys.records(module) })
}
