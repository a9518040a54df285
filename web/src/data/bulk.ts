import { api } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { request } from '../api/request.ts'
import { refreshModule } from './cached.ts'
import { bodyOf, notifyRefusal } from './change.ts'
import type { Values } from './change.ts'
import { keys } from './keys.ts'
import type { Clause, ListParams } from './list.ts'
import type { Place } from './modules.ts'
import { notify } from './notices.ts'
import { countWords } from './session.ts'
import { queryClient } from './query-client.ts'
import { t } from '../locales/text.ts'

/** The maximum number of records in one bulk write. */
export const mostAtOnce = 500

/** The records of a bulk write: by their ids, or all that a list's search matches, as many as were shown. */
export type BulkTarget = { ids: string[] } | { params: ListParams; count: number }

export type BulkChange =
  | { action: 'update'; fields: Values }
  | { action: 'add_tags' | 'remove_tags'; tags: string[] }
  | { action: 'delete' | 'restore' }

/** A record that was not changed, and why. */
export type BulkFailure = { id: string; error: string }

type Outcome = { updated: number; failed: BulkFailure[]; bulk_id: string }

/**
 * Changes many records in one write; the notice shows `message` with their number and can undo it.
 * Returns those that could not be changed.
 */
export async function changeMany(
  module: Pick<Place, 'module' | 'path' | 'word'>,
  target: BulkTarget,
  change: BulkChange,
  message: (count: string) => string,
): Promise<BulkFailure[]> {
  const data = await writeMany(module, target, change)
  if (data.updated) {
    notify({
      message: message(countOf(module, data.updated)),
      undo: async () => {
        await undoBulk(module, data.bulk_id, () => readAgain(module.module))
      },
    })
  }
  return data.failed
}

/** Changes many records in one write, and reads them again. Throws the `Problem`. */
export async function writeMany(
  module: Pick<Place, 'module' | 'path'>,
  target: BulkTarget,
  change: BulkChange,
): Promise<Outcome> {
  const { data } = await request<Outcome>('POST', `${module.path}bulk/`, {
    body: {
      ...selectionOf(target),
      action: change.action,
      ...(change.action === 'update' ? { fields: bodyOf(change.fields) } : {}),
      ...('tags' in change ? { fields: { tags: change.tags } } : {}),
    },
    idempotencyKey: crypto.randomUUID(),
  })
  await readAgain(module.module)
  return data
}

/** "1 contact", "3 contacts". */
export function countOf({ word }: Pick<Place, 'word'>, count: number): string {
  return `${countWords(count)} ${count === 1 ? word.one : word.many}`
}

/**
 * Undoes a bulk write on records of this word; whether it could be. A notice says what stayed, and why, or who has
 * worked in it since.
 */
export async function undoBulk(
  module: Pick<Place, 'word'>,
  bulk_id: string,
  readAgain: () => Promise<void>,
): Promise<boolean> {
  const outcome = await api
    .post('/api/bulk/{bulk_id}/undo/', { path: { bulk_id }, idempotencyKey: crypto.randomUUID() })
    .catch(notifyNotUndone)
  await readAgain()
  if (!outcome) return false
  const { failed, kept = [] } = outcome.data
  const people = new Set(kept.flatMap(({ by }) => by ?? []))
  const stayed = [
    failed.length
      ? t('{records} stayed as changed', { records: countOf(module, failed.length) })
      : [],
    kept.length
      ? t(
          '{count} field stayed, because {people} changed it since | {count} fields stayed, because {people} changed them since',
          { count: kept.length, people: [...people].join(', ') || t('others') },
        )
      : [],
  ].flat()
  if (stayed.length) notify({ message: stayed.join('. '), detail: failed[0]?.error ?? '' })
  return true
}

function notifyNotUndone(error: unknown): void {
  const problem = asProblem(error)
  const { records = [] } = (problem.data ?? {}) as { records?: { what: string; by: string }[] }
  if (!records.length) return notifyRefusal(error)
  const named = records.slice(0, 3).map(({ what, by }) => `${what} (${by})`)
  const more = records.length > 3 ? [t('{count} more', { count: records.length - 3 })] : []
  notify({ message: t('It was not undone'), detail: [...named, ...more].join(', '), problem })
}

async function readAgain(module: string): Promise<void> {
  await refreshModule(module)
  void queryClient.invalidateQueries({ queryKey: keys.records(module) })
}

/** A list's own parameters, such as `project_type`, become conditions, because a bulk write only has conditions. */
function selectionOf(target: BulkTarget): object {
  if ('ids' in target) return { ids: target.ids }
  const { filter = [], filter_id, q, more = {} } = target.params
  const own = Object.entries(more).map(([field, value]): Clause => ({
    field,
    operator: 'eq',
    value,
  }))
  return {
    filter: [...own, ...filter],
    ...(filter_id ? { filter_id } : {}),
    ...(q ? { q } : {}),
    expected_count: target.count,
  }
}
