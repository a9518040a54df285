import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/**
 * Gives copies of documents the pictures of what they were copied from, and their texts the new addresses. `copies` are
 * the ids of new documents with those of their sources, in any version.
 */
export async function copyImages(
  ctx: Context,
  copies: { id: string; from: string }[],
): Promise<void> {
  const pairs = sql`json_to_recordset(${JSON.stringify(copies)}::json) as c (id text, "from" text)
    join documents s on ${mine(ctx, 's')} and s.id = c."from"`
  await ctx.run(sql`insert into document_images (organization_id, chain_id, id, storage_key, media_type,
      file_size, width, height, hash, created_by, creation_time)
    select t.organization_id, c.id, t.id, t.storage_key, t.media_type, t.file_size, t.width, t.height,
      t.hash, ${ctx.actor.user_id ?? null}::varchar, ${ctx.now().toISOString()}::timestamptz
    from ${pairs} join document_images t on ${mine(ctx)} and t.chain_id = s.chain_id`)
  await ctx.run(sql`update documents t set editor_html_content = replace(t.editor_html_content,
      '/api/documents/' || s.chain_id || '/images/', '/api/documents/' || c.id || '/images/')
    from ${pairs} where ${mine(ctx)} and t.id = c.id
      and position('/images/' in coalesce(t.editor_html_content, '')) > 0`)
}
