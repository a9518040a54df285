import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import { readOne } from '../../kit/read/one.ts'
import { withMembers } from '../../kit/read/members.ts'
import type { Written } from '../../kit/write/write.ts'
import type { InteractionRow } from '../../model/interactions/interaction.ts'
import { Interaction, readBy } from '../../model/interactions/interaction.ts'

/** A comment as its reader sees it; 404 also for a deleted one that still has replies. */
export async function readInteraction(ctx: Context, id: string): Promise<Answer> {
  const { body, meta } = await readOne(ctx, Interaction, id)
  const { text } = body as Json
  const row = JSON.parse(text) as InteractionRow
  if (row.is_deleted) throw notFound('Interaction')
  return new Answer(await withOwnState(ctx, id, text), meta)
}

/** The answer to a write: the comment as its reader sees it. */
export function writtenInteraction(ctx: Context, { id, version, json }: Written): Answer {
  return new Answer(async () => withOwnState(ctx, id, await json()), { id, version })
}

/** Sets whether the caller has read each. */
export async function withReadState(
  ctx: Context,
  rows: InteractionRow[],
): Promise<InteractionRow[]> {
  const read = await readBy(
    ctx,
    rows.map(({ interaction_id }) => interaction_id),
  )
  return rows.map((row) => ({ ...row, is_read: read.has(row.interaction_id) }))
}

async function withOwnState(ctx: Context, id: string, text: string): Promise<Json> {
  const read = await readBy(ctx, [id])
  return new Json(withMembers(text, new Map([['is_read', String(read.has(id))]])))
}
