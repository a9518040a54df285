import type { Context } from '../../kit/ground/context.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { remove, restore } from '../../kit/write/write.ts'
import { cascade } from '../projects/cascade.ts'
import { Milestone } from './milestone.ts'

/** Deletes a milestone with its tasks. */
export async function removeMilestone(
  ctx: Context,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  const answer = await remove(ctx, Milestone, id, ifMatch)
  await cascade(ctx, 'milestone_id', id, { from: null, to: ctx.now().toISOString() })
  return answer
}

/** Restores a milestone with the tasks that were deleted with it. */
export async function restoreMilestone(ctx: Context, id: string): Promise<Written> {
  const deleted = await ctx.one<{ deleted_at: string | null }>(sql`
    select deleted_at from milestones t where ${mine(ctx)} and t.id = ${id}`)
  // first, so that the counts of the announced milestone include them
  await cascade(ctx, 'milestone_id', id, { from: deleted?.deleted_at ?? null, to: null })
  return restore(ctx, Milestone, id)
}
