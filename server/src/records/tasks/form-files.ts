import type { Context } from '../../kit/ground/context.ts'
import { badFields } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Document } from '../../model/documents/document.ts'
import type { Answers, Page } from '../../model/forms/form-parts.ts'
import type { AnsweredFile } from '../../model/surveys/responses/answers.ts'
import { questionsOf } from '../../model/surveys/structure.ts'

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
