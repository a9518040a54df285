import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { restore } from '../../kit/write/write.ts'
import { cascade } from './cascade.ts'
import { heldStage } from './pipelines/place.ts'
import { recordOfType } from '../../model/projects/project.ts'

type Deleted = {
  project_type: string
  deleted_at: string | null
  pipeline_id: string | null
  stage_id: string | null
  converted_from: string | null
}

/**
 * Restores a project or deal with the milestones and tasks that were deleted with it. 409 if its
 * pipeline is deleted, or if its deal has been converted to another project since.
 */
export async function restoreProject(ctx: Context, id: string): Promise<Written> {
  const found = await ctx.one<Deleted>(sql`
    select project_type, deleted_at, pipeline_id, stage_id, converted_from
    from projects t where ${mine(ctx)} and t.id = ${id}`)
  const { deleted_at = null, stage_id, pipeline_id, converted_from } = found ?? {}
  const stage =
    stage_id && pipeline_id ? await heldStage(ctx, { stage_id, pipeline_id }) : undefined
  if (stage) await closeBy(ctx, id, stage.category)
  // first, so that the project's event counts them
  if (deleted_at) await cascade(ctx, 'project_id', id, { from: deleted_at, to: null })
  const restored = await restore(ctx, recordOfType(found?.project_type ?? ''), id)
  if (stage_id && !stage) {
    throw conflict('The pipeline of this deal is deleted: restore that first', 'parent_deleted')
  }
  if (converted_from) await checkOnlyProject(ctx, id, converted_from)
  return restored
}

/** Updates what follows from the stage, whose category may have changed while the deal was deleted. */
async function closeBy(ctx: Context, id: string, category: string) {
  const now = ctx.now().toISOString()
  await ctx.run(sql`update projects t
    set closed_at = case when ${category}::text <> 'open' then coalesce(t.closed_at, ${now}) end,
      lost_reason = case when ${category}::text = 'lost' then t.lost_reason end
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at is not null`)
}

/** A deal can only be converted once; this takes the same lock as the conversion. */
async function checkOnlyProject(ctx: Context, id: string, deal: string) {
  await ctx.run(sql`select from projects t where ${mine(ctx)} and t.id = ${deal} for update`)
  const other = await ctx.one<{ id: string }>(sql`select t.id from projects t
    where ${mine(ctx)} and t.converted_from = ${deal} and t.id <> ${id} and t.deleted_at is null`)
  if (!other) return
  throw conflict('The deal of this project has another project by now', 'duplicate', {
    project_id: other.id,
  })
}
