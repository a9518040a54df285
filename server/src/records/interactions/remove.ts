import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { lock, remove, update } from '../../kit/write/write.ts'
import { Interaction } from './interaction.ts'

/** Deletes a comment; one with replies stays as an empty place above them. 404 for such a place. */
export async function removeInteraction(ctx: Context, id: string): Promise<Answer> {
  const { row } = await lock(ctx, Interaction, id, 'delete')
  if (row.is_deleted) throw notFound('Interaction')
  if (!row.reply_count) return remove(ctx, Interaction, id)
  await update(ctx, Interaction, id, {}, { content: '', is_deleted: true, mentions: '[]' })
  return new Answer(null, { id })
}
