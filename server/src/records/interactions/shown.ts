import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { readOne } from '../../kit/write/write.ts'
import { Interaction } from './interaction.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** A comment as its reader sees it; 404 also for the place that a deleted one has left. */
export async function readShown(ctx: Context, key: string): Promise<Answer> {
  const { body, meta } = await readOne(ctx, Interaction, key)
  const [row] = await withReads(ctx, [JSON.parse((body as Json).text) as Body])
  if (row!.is_deleted) throw notFound('Interaction')
  return new Answer(row, meta)
}

/** The same of one that was just written. */
export function shown(ctx: Context, { id: key, version, json }: Written): Answer {
  const body = async () => {
    const [row] = await withReads(ctx, [JSON.parse(await json()) as Body])
    return row
  }
  return new Answer(body, { id: key, version })
}

/** Whether the caller has read each: its own always, others once it says so. */
export async function withReads(ctx: Context, rows: Body[]): Promise<Body[]> {
  if (!rows.length) return rows
  const ids = rows.map(({ interaction_id }) => interaction_id)
  const read = await ctx.all<{ id: string }>(sql`
    select t.interaction_id as id from interaction_reads t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}
      and t.interaction_id = any(${ids}::varchar[])`)
  const known = new Set(read.map((each) => each.id))
  return rows.map((row) => ({
    ...row,
    is_read: known.has(row.interaction_id) || row.user_details?.user_id === ctx.actor.user_id,
  }))
}
