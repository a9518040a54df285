import sanitizeHtml from 'sanitize-html'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { updateSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { writableSubject } from '../activity/subject.ts'
import {
  accountSchema,
  checkDates,
  dayOrBlank,
  money,
  ownerOf,
  readForms,
} from '../projects/input.ts'
import { peopleOf } from '../tasks/input.ts'
import { Template } from '../templates/template.ts'
import { Document } from './document.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { Account } from '../accounts/account.ts'
import { Deal, Project } from '../projects/project.ts'

export type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const id = { type: ['string', 'null'], minLength: 1, maxLength: 25 }
const own: { [name: string]: JSONSchema } = {
  ...(updateSchema(Document).properties as { [name: string]: JSONSchema }),
  revenue: money,
  document_fee: money,
  start_date: dayOrBlank,
  due_date: dayOrBlank,
  forecasted_date: dayOrBlank,
  module_id: { type: ['integer', 'string', 'null'], maxLength: 40 },
  module_name: { type: ['string', 'null'], maxLength: 40 },
  reference_id: id,
  document_status: { type: 'string', enum: ['draft', 'published'] },
  document_template: {
    type: ['object', 'string', 'null'],
    maxLength: 255,
    properties: { template_id: { type: ['string', 'null'], maxLength: 255 } },
  },
}

/** What a document may be given as: flat, or as the specification's account and document objects. */
export const bodySchema: JSONSchema = {
  title: 'DocumentGiven',
  type: 'object',
  properties: {
    ...own,
    account: accountSchema,
    document: { type: ['object', 'null'], properties: own },
  },
}

/** One flat body out of either form, money as numbers, the owner as who it is. */
export function flat(ctx: Context, given: Body): Body {
  const { document, ...outer } = given
  const body: Body = { ...outer, ...document }
  const { name } = body
  if (body.document_name === undefined && typeof name === 'string') body.document_name = name
  delete body.name
  readForms(body, ['revenue', 'document_fee'], ['start_date', 'due_date', 'forecasted_date'])
  // the template by its name alone
  const { document_template: template } = body
  if (typeof template === 'string') {
    body.document_template = template.trim() ? { template_name: template.trim() } : null
  }
  if (isObject(body.document_owner)) {
    const owner = ownerOf(ctx, body.document_owner)
    if (owner) body.document_owner = owner
    // the specification's form with nobody in it
    else if ('is_owner' in body.document_owner) delete body.document_owner
  }
  if (typeof body.editor_html_content === 'string') {
    body.editor_html_content = safePage(body.editor_html_content)
  }
  return body
}

/** Checks what a flat body says beside its fields; gives the columns of it and the fields. */
export async function sorted(
  ctx: Context,
  body: Body,
  before: Body = {},
): Promise<{ fields: Body; set: Body }> {
  const { account: _, module_id, module_name, reference_id, document_status: __, ...fields } = body
  checkDates({ ...before, ...fields })
  if (fields.private_users) {
    fields.private_users = await peopleOf(ctx, fields.private_users, 'private_users')
  }
  if (fields.document_template) await checkTemplate(ctx, fields.document_template)
  const set: Body = {}
  if (module_id !== undefined || module_name !== undefined || reference_id !== undefined) {
    Object.assign(set, await hangsOn(ctx, { module_id, module_name, reference_id }))
    if (set.module_id === Project.number || set.module_id === Deal.number) {
      fields.project_id ??= set.reference_id
    }
    if (set.module_id === Account.number) fields.account_id ??= set.reference_id
  }
  return { fields, set }
}

/** The account of a project, for a document that names the project alone. */
export async function accountOfProject(ctx: Context, project: unknown): Promise<string | null> {
  if (typeof project !== 'string') return null
  const found = await ctx.one<{ account_id: string | null }>(
    sql`select t.account_id from projects t where ${mine(ctx)} and t.id = ${project}`,
  )
  return found?.account_id ?? null
}

/** HTML that somebody wrote, without what could run, load or leave the page. */
export function safePage(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'del', 'ins'],
    allowedAttributes: { a: ['href'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    disallowedTagsMode: 'discard',
    nestingLimit: 50,
  })
}

async function hangsOn(ctx: Context, given: Body): Promise<Body> {
  const subject = await writableSubject(ctx, given)
  if (subject && !subject.id) throw badField('reference_id', 'is required beside the module')
  return { module_id: subject?.number ?? null, reference_id: subject?.id ?? null }
}

async function checkTemplate(ctx: Context, { template_id, template_config }: Body) {
  // a client may send what it made up itself
  if (!template_id || template_config) return
  const found = await ctx.one(sql`select t.id from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${String(template_id)}`)
  if (!found) throw badField('document_template.template_id', 'no such template')
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
