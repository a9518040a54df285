import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lock, remove, update } from '../../kit/write/write.ts'
import { Interaction } from './interaction.ts'

/** Deletes a comment; one with replies stays as an empty place above them. 404 for such a place. */
export async function removeInteraction(
  ctx: Context,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  const { row } = await lock(ctx, Interaction, id, 'delete', ifMatch)
  if (row.is_deleted) throw notFound('Interaction')
  // also those that whoever deletes it does not see
  const reply = await ctx.one(sql`select 1 from interactions t
    where ${mine(ctx)} and t.parent_interaction_id = ${id} and t.deleted_at is null limit 1`)
  if (!reply) return remove(ctx, Interaction, id)
  const set = { content: '', is_deleted: true, mentions: '[]' }
  await update(ctx, Interaction, id, {}, { set })
  return new Answer(null, { id })
}
