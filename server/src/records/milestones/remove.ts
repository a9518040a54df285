import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { remove, restore } from '../../kit/write/write.ts'
import { cascade } from '../projects/cascade.ts'
import { heldPlace } from '../tasks/place.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

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

/** Restores a milestone with the tasks that were deleted with it. 404 where its project is deleted. */
export async function restoreMilestone(ctx: Context, id: string): Promise<Written> {
  const deleted = await ctx.one<{ deleted_at: string | null; project_id: string }>(sql`
    select deleted_at, project_id from milestones t where ${mine(ctx)} and t.id = ${id}`)
  const { project_id } = await heldPlace(ctx, { project_id: deleted?.project_id })
  if (!project_id) throw notFound('Project')
  // first, so that the counts of the announced milestone include them
  const { deleted_at = null } = deleted ?? {}
  if (deleted_at) await cascade(ctx, 'milestone_id', id, { from: deleted_at, to: null })
  return restore(ctx, Milestone, id)
}
