import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { remove, restore } from '../../kit/write/write.ts'
import { Document } from '../../model/documents/document.ts'
import { chainOf } from './versions.ts'

/** Deletes a document with all its versions. */
export async function deleteDocument(ctx: Context, id: string, ifMatch?: number[]) {
  const answer = await remove(ctx, Document, id, ifMatch)
  await ctx.run(sql`update documents t set deleted_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.deleted_at is null and t.chain_id = ${chainOf(ctx, id)}`)
  return answer
}

/** Restores a document with the versions that were deleted with it. */
export async function restoreDocument(ctx: Context, id: string): Promise<Written> {
  const deleted = await ctx.one<{ deleted_at: string | null }>(
    sql`select t.deleted_at from documents t where ${mine(ctx)} and t.id = ${id}`,
  )
  const restored = await restore(ctx, Document, id)
  await ctx.run(sql`update documents t set deleted_at = null where ${mine(ctx)}
    and t.deleted_at = ${deleted?.deleted_at ?? null} and t.chain_id = ${chainOf(ctx, id)}`)
  return restored
}
