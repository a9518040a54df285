import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { equal } from '../../kit/ground/object.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Document } from '../../model/documents/document.ts'

/** 400 for a document that the author cannot see and therefore may not attach. */
export async function checkAttachments(ctx: Context, ids: string[]): Promise<void> {
  const known = await visibleAmong(ctx, ids)
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing >= 0) throw badField(`attachment_ids.${missing}`, 'no such document')
}

async function visibleAmong(ctx: Context, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const rows = await ctx.all<{ id: string }>(sql`select t.id from documents t
    where ${scope(ctx, Document, 'read')} and t.id = any(${ids})`)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Replaces the documents attached to a comment, of those that the caller sees, and returns what changed: how many
 * there are, since not everybody who reads the log sees which.
 */
export async function replaceAttachments(
  ctx: Context,
  interaction_id: string,
  ids: string[],
): Promise<Change[]> {
  const rows = await ctx.all<{ document_id: string }>(sql`
    select t.document_id from interaction_attachments t
    where ${mine(ctx)} and t.interaction_id = ${interaction_id} order by t.position`)
  const attached = rows.map(({ document_id }) => document_id)
  const known = await visibleAmong(ctx, attached)
  const [visible, hidden] = [
    attached.filter((id) => known.has(id)),
    attached.filter((id) => !known.has(id)),
  ]
  const wanted = [...new Set(ids)].filter((id) => !hidden.includes(id))
  if (equal(wanted, visible)) return []
  await checkAttachments(ctx, wanted)
  await ctx.run(sql`delete from interaction_attachments t
    where ${mine(ctx)} and t.interaction_id = ${interaction_id} and t.document_id = any(${visible})`)
  await attach(ctx, interaction_id, wanted)
  const [from, to] = [attached.length, wanted.length + hidden.length]
  return [{ field: 'attachment_files', from, to }]
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
