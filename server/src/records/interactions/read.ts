import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import type { InteractionRow } from './interaction.ts'
import { Interaction } from './interaction.ts'
import { readOne } from '../../kit/read/one.ts'

/** A comment as its reader sees it; 404 also for a deleted one whose replies remain. */
export async function readInteraction(ctx: Context, id: string): Promise<Answer> {
  const { body, meta } = await readOne(ctx, Interaction, id)
  const row = JSON.parse((body as Json).text) as InteractionRow
  if (row.is_deleted) throw notFound('Interaction')
  const [interaction] = await withReadState(ctx, [row])
  return new Answer(interaction, meta)
}

/** The answer to a write: the comment as its reader sees it. */
export function writtenInteraction(ctx: Context, { id, version, json }: Written): Answer {
  const body = async () => {
    const row = JSON.parse(await json()) as InteractionRow
    const [interaction] = await withReadState(ctx, [row])
    return interaction
  }
  return new Answer(body, { id, version })
}

/** Sets whether the caller has read each: their own always, others once marked as read. */
export async function withReadState(
  ctx: Context,
  rows: InteractionRow[],
): Promise<InteractionRow[]> {
  if (!rows.length) return rows
  const ids = rows.map(({ interaction_id }) => interaction_id)
  const read = await ctx.all<{ id: string }>(sql`
    select t.interaction_id as id from interaction_reads t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}
      and t.interaction_id = any(${ids}::varchar[])`)
  const known = new Set(read.map(({ id }) => id))
  return rows.map((row) => ({
    ...row,
    is_read: known.has(row.interaction_id) || row.user_details?.user_id === ctx.actor.user_id,
  }))
}
