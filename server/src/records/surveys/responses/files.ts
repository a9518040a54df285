import type { Context } from '../../../kit/ground/context.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { insert } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import type { AnsweredFile } from '../../../model/surveys/responses/answers.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { deleteDocument } from '../../documents/delete.ts'
import { uploadColumns } from '../../documents/file.ts'

/** Makes a stored upload a document of a survey that its team sees; returns it as an answer names it. */
export async function addFile(
  ctx: Context,
  survey: StoredSurvey,
  file: Upload,
): Promise<AnsweredFile> {
  const id = newId()
  await insert(
    ctx,
    Document,
    { document_name: file.name, is_shared: false },
    {
      id,
      // whoever answers has no field to fill in
      allowMissing: true,
      set: {
        chain_id: id,
        document_status: 'draft',
        module_id: Survey.number,
        reference_id: survey.id,
        account_id: survey.account_id,
        ...(await uploadColumns(ctx, file)),
      },
    },
  )
  return { document_id: id, name: file.name, size: file.size }
}

/** Deletes files that an unfinished answer no longer has. */
export async function removeFiles(ctx: Context, survey: string, ids: string[]): Promise<void> {
  const own = await ctx.all<{ id: string }>(sql`select t.id from documents t
    where ${mine(ctx)} and t.id = any(${ids}::text[]) and t.module_id = ${Survey.number}
      and t.reference_id = ${survey} and t.deleted_at is null`)
  for (const { id } of own) await deleteDocument(ctx, id)
}
