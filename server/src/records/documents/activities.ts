import type { Context } from '../../kit/ground/context.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { PageRequest } from '../../kit/read/page.ts'
import { listPageOfEntries } from '../activity/page.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Document } from '../../model/documents/document.ts'
import { chainOf } from './versions.ts'
import { checkReadable } from '../../kit/read/one.ts'

/** A page of the log entries about documents, or about all versions of one; newest first. */
export async function documentActivities(
  ctx: Context,
  { document_id, ...page }: PageRequest & { document_id?: string },
): Promise<Answer> {
  if (document_id) await checkReadable(ctx, Document, document_id)
  const one = document_id
    ? sql`e.reference_id in (select t.id from documents t
        where ${mine(ctx)} and t.chain_id = ${chainOf(ctx, document_id)})`
    : undefined
  const condition = all(visibleEntries(ctx), sql`e.module_id = ${Document.number}`, one)
  return listPageOfEntries(ctx, condition, page)
}
