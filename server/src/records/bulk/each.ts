import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'

export type Failed = { id: string; error: string }

/**
 * Changes records one after another in this transaction, in the order of their ids, so that two writers that
 * change the same ones cannot deadlock. A refused record is not changed; the others are.
 */
export async function each(
  ctx: Context,
  ids: string[],
  change: (id: string) => Promise<void>,
): Promise<{ updated: number; failed: Failed[] }> {
  const failed: Failed[] = []
  const sorted = [...new Set(ids)].sort()
  for (const id of sorted) {
    try {
      await inSavepoint(ctx, () => change(id))
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      failed.push({ id, error: error.message })
    }
  }
  return { updated: sorted.length - failed.length, failed }
}
