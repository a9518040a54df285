import type { Context } from '../../../kit/ground/context.ts'
import { badFields } from '../../../kit/ground/errors.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { insert } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import type { AnsweredFile } from '../../../model/surveys/responses/answers.ts'
import type { Answers, Page } from '../../../model/forms/form-parts.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { deleteDocument } from '../../documents/delete.ts'
import { uploadColumns } from '../../documents/file.ts'

/** The largest file of an answer, in bytes. */
export const answerFileLimit = 10 * 1024 * 1024

/** What the files of answers are attached to. */
type Place = { module_id: number | null; reference_id: string }

/**
 * Answers with the names and sizes of their files as they are stored; 400 for a document that is not attached to this
 * place, or that the caller may not read.
 */
export async function withFiles(
  ctx: Context,
  { module_id, reference_id }: Place,
  pages: Page[],
  answers: Answers,
): Promise<Answers> {
  const ids = questionsOf(pages).flatMap(({ id, type }) => (type === 'file' ? [id] : []))
  const asked = ids.filter((id) => Array.isArray(answers[id]))
  if (!asked.length) return answers
  const filesOf = (id: string) => answers[id] as AnsweredFile[]
  const named = asked.flatMap((id) => filesOf(id).map(({ document_id }) => document_id))
  const found = await ctx.all<Required<AnsweredFile>>(sql`
    select t.id as document_id, t.document_name as name, t.file_size::float8 as size
    from documents t where ${scope(ctx, Document, 'read')} and t.module_id = ${module_id}
      and t.reference_id = ${reference_id} and t.id = any(${named}::text[])
      and t.storage_key is not null`)
  const byId = new Map(found.map((each) => [each.document_id, each]))
  const lost = asked.filter((id) => filesOf(id).some((each) => !byId.has(each.document_id)))
  if (lost.length) {
    const message = 'must name documents with a file that are attached to what is answered'
    throw badFields(lost.map((id) => ({ field: `answers.${id}`, message })))
  }
  const whole = asked.map((id) => [id, filesOf(id).map((each) => byId.get(each.document_id))])
  return { ...answers, ...Object.fromEntries(whole) }
}

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
