import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lock, remove, update } from '../../kit/write/write.ts'
import { Interaction } from '../../model/interactions/interaction.ts'

/**
 * Deletes a comment; one with replies remains as an empty placeholder above them until the last of these is
 * deleted. 404 for such a placeholder.
 */
export async function removeInteraction(
  ctx: Context,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  // so that two concurrent deletions of the last replies below a placeholder wait for each other
  await ctx.run(sql`select from interactions t where ${mine(ctx)} and t.is_deleted
    and t.id in (select r.parent_interaction_id from interactions r
      where r.organization_id = $organization and r.id = ${id}) for update`)
  const { row } = await lock(ctx, Interaction, id, 'delete', ifMatch)
  if (row.is_deleted) throw notFound('Interaction')
  // also those that the caller does not see
  const reply = await ctx.one(sql`select 1 from interactions t
    where ${mine(ctx)} and t.parent_interaction_id = ${id} and t.deleted_at is null limit 1`)
  if (!reply) {
    const removed = await remove(ctx, Interaction, id)
    await removePlacesAbove(ctx, row.parent_interaction_id)
    return removed
  }
  const set = { content: '', is_deleted: true, mentions: '[]' }
  await update(ctx, await lock(ctx, Interaction, id, 'update'), {}, { set })
  return new Answer(null, { id })
}

/** Removes the placeholders above a deleted reply if it was the last one below them. */
async function removePlacesAbove(ctx: Context, parent: string | null): Promise<void> {
  for (let id = parent; id;) {
    const place = await ctx.one<{ parent_interaction_id: string | null }>(sql`
      update interactions t set deleted_at = ${ctx.now().toISOString()}
      where ${mine(ctx)} and t.id = ${id} and t.is_deleted and t.deleted_at is null
        and not exists (select from interactions r where r.organization_id = $organization
          and r.parent_interaction_id = t.id and r.deleted_at is null)
      returning t.parent_interaction_id`)
    id = place?.parent_interaction_id ?? null
  }
}
