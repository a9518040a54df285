import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Document } from '../documents/document.ts'

/** 400 for a document that the author does not see, and so may not attach. */
export async function checkAttachments(ctx: Context, ids: string[]): Promise<void> {
  if (!ids.length) return
  const known = await ctx.all<{ id: string }>(sql`select t.id from documents t
    where ${scope(ctx, Document, 'read')} and t.id = any(${ids})`)
  const missing = ids.findIndex((id) => !known.some((each) => each.id === id))
  if (missing >= 0) throw badField(`attachment_ids.${missing}`, 'no such document')
}

/** Attaches documents to a comment, in this order. */
export async function attach(ctx: Context, interaction_id: string, ids: string[]): Promise<void> {
  const rows = [...new Set(ids)].map(
    (id, i) => sql`(${ctx.organization.id}, ${interaction_id}, ${id}, ${i})`,
  )
  if (!rows.length) return
  await ctx.run(sql`insert into interaction_attachments
    (organization_id, interaction_id, document_id, position) values ${sql.join(rows)}`)
}
