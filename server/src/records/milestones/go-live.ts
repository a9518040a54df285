import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lock, update } from '../../kit/write/write.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

/**
 * Before a milestone (`id`) becomes the go-live of its project, and before it is locked: the one that was it no longer is.
 */
export async function clearGoLive(ctx: Context, project: string, id = ''): Promise<void> {
  // concurrent choices wait for each other, so that there is one
  await ctx.run(
    sql`select from projects t where ${mine(ctx)} and t.id = ${project} for no key update`,
  )
  const rows = await ctx.all<{ id: string }>(sql`select t.id from milestones t
    where ${mine(ctx)} and t.project_id = ${project} and t.id <> ${id}
      and t.kind = 'go_live' and t.deleted_at is null`)
  for (const other of rows)
    await update(ctx, await lock(ctx, Milestone, other.id, 'update'), { kind: null })
}

/** The project of a milestone. */
export async function projectOf(ctx: Context, id: string): Promise<string> {
  const row = await ctx.one<{ project_id: string }>(sql`
    select t.project_id from milestones t where ${mine(ctx)} and t.id = ${id}`)
  return row?.project_id ?? ''
}
