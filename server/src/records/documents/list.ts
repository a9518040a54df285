import type { Static } from 'typebox'
import { Type } from 'typebox'
import { pageQuery } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { extend, schema } from '../../kit/ground/json-schema.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { Account } from '../../model/accounts/account.ts'
import { isKnown, subjectFrom } from '../activity/subject.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { Document } from '../../model/documents/document.ts'
import type { SignatureStatus } from '../../model/documents/requests/states.ts'
import type { DocumentStatus } from '../../model/documents/states.ts'
import { checkReadable } from '../../kit/read/one.ts'

const optionalText = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) }))

export const listQuery = extend(pageQuery(), {
  project_id: optionalText(25),
  account_id: optionalText(25),
  module_id: optionalText(40, 'number or name of the module'),
  module_name: optionalText(40, 'same as module_id'),
  reference_id: optionalText(25, 'the record of that module'),
  menu_type: optionalText(100, 'the folder'),
  document_status: Type.Optional(schema<DocumentStatus>(Document.fields.document_status.schema)),
  signature_status: Type.Optional(schema<SignatureStatus>(Document.fields.signature_status.schema)),
})

/** A page of documents, each as its latest version; 404 for a filter by a record that is not visible. */
export async function listDocuments(
  ctx: Context,
  { project_id, account_id, ...query }: Static<typeof listQuery>,
): Promise<Answer> {
  const { module_id, module_name, reference_id, ...others } = query
  const { menu_type, document_status, signature_status, ...page } = others
  if (project_id) await checkReadable(ctx, ProjectOrDeal, project_id)
  if (account_id) await checkReadable(ctx, Account, account_id)
  const is = (column: string, value: unknown) =>
    value === undefined ? undefined : sql`${sql.ref(`t.${column}`)} = ${value}`
  const condition = all(
    sql`t.latest_version`,
    is('project_id', project_id),
    is('account_id', account_id),
    is('module_id', await moduleOf(ctx, { module_id, module_name, reference_id })),
    is('reference_id', reference_id),
    is('menu_type', menu_type),
    is('document_status', document_status),
    is('signature_status', signature_status),
  )
  return listPage(ctx, Document, page, condition)
}

type SubjectQuery = { module_id?: string; module_name?: string; reference_id?: string }

/** The number of the requested module; 404 for a record of it that the caller cannot see. */
async function moduleOf(ctx: Context, query: SubjectQuery) {
  const subject = subjectFrom(query)
  if (!subject) return undefined
  if (subject.number === undefined) {
    const name = query.module_id === undefined ? 'module_name' : 'module_id'
    throw badField(name, 'must be a module, such as projects, or its number')
  }
  if (subject.id !== undefined && !(await isKnown(ctx, subject))) throw notFound('Record')
  return subject.number
}
