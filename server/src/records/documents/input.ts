import { isObject } from '../../kit/ground/object.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { enumeration, extend, orNull, schema, requiring } from '../../kit/ground/json-schema.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Patch } from '../../kit/record/record.ts'
import { joined } from '../../kit/record/names.ts'
import { checkSent } from '../../kit/record/custom.ts'
import { updateSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { writableSubject } from '../activity/subject.ts'
import type { accountFor } from '../projects/customer.ts'
import { accountSchema, checkDates, dayOrBlank, money, ownerOf } from '../projects/input.ts'
import { peopleOf } from '../../model/people/people.ts'
import { Template } from '../../model/templates/template.ts'
import { Document } from '../../model/documents/document.ts'
import { sanitized } from './sanitized.ts'
import { documentStatuses } from '../../model/documents/states.ts'

const amount = Type.Optional(schema<number | string | null>(money))
const day = Type.Optional(schema<string | null>(dayOrBlank))
const fields = extend(updateSchema(Document), {
  revenue: amount,
  document_fee: amount,
  start_date: day,
  due_date: day,
  forecasted_date: day,
  module_id: Type.Optional(
    schema<number | string | null>({ type: ['integer', 'string', 'null'], maxLength: 40 }),
  ),
  module_name: Type.Optional(orNull(Type.String({ maxLength: 40 }))),
  reference_id: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 25 }))),
  document_status: Type.Optional(enumeration(documentStatuses, { title: 'DocumentStatus' })),
  document_template: Type.Optional(
    schema<{ [key: string]: unknown } | string | null>({
      type: ['object', 'string', 'null'],
      maxLength: 255,
      properties: { template_id: { type: ['string', 'null'], maxLength: 255 } },
    }),
  ),
})
const { properties } = fields as JSONSchema

type Fields = Static<typeof fields>
type WithAccount = { account?: Parameters<typeof accountFor>[1] }

/**
 * A body for a document: flat, or as the specification's `account` and `document` objects. `name` is
 * another word for `document_name`.
 */
export type DocumentInput = Fields & WithAccount & { document?: Fields | null; name?: unknown }

export const documentInput = schema<DocumentInput>({
  title: 'DocumentInput',
  type: 'object',
  properties: {
    ...(properties as object),
    account: accountSchema,
    document: { type: ['object', 'null'], properties },
  },
})

const known = documentInput.properties as object

/** The same for a new document: the name of its file is enough. */
export const documentCreate = schema<DocumentInput>({
  ...requiring(documentInput, 'document_name'),
  title: 'DocumentCreate',
})

/** The fields of a body as one flat object, in the stored form. */
export type FlatInput = Patch<typeof Document> &
  WithAccount &
  Pick<Fields, 'module_id' | 'module_name' | 'reference_id' | 'document_status'>

/** Makes the HTML of a body safe, ahead of the transaction: it may take long. 400 for too much beside the fields. */
export async function sanitizeInput(
  ctx: Context,
  { body }: { body: DocumentInput },
): Promise<void> {
  const unknown = Object.entries(body).filter(([name]) => !Object.hasOwn(known, name))
  if (unknown.length) checkSent(ctx, Object.fromEntries(unknown))
  const html = body.editor_html_content
  if (html) body.editor_html_content = await sanitized(ctx, html)
  const inner = body.document?.editor_html_content
  // the caller's objects must not change: retries are recognized by them
  if (inner) {
    body.document = { ...body.document, editor_html_content: await sanitized(ctx, inner) }
  }
}

/**
 * Flattens either form of a body: amounts become numbers, the owner a link. HTML is sanitized before:
 * see `sanitizeInput`.
 */
export function flatInput(ctx: Context, { document, ...outer }: DocumentInput): FlatInput {
  const joint: Fields & WithAccount & { name?: unknown } = document
    ? joined(outer, document, 'document')
    : outer
  const { name, ...body } = joint
  if (body.document_name === undefined && typeof name === 'string') body.document_name = name
  return convert(body, {
    revenue: numberOf,
    document_fee: numberOf,
    start_date: dayOf,
    due_date: dayOf,
    forecasted_date: dayOf,
    document_template: templateOf,
    document_owner: (owner) => (isObject(owner) ? ownerIn(ctx, owner) : owner),
  })
}

type Columns = {
  module_id?: number | null
  reference_id?: string | null
  project_id?: string | null
  account_id?: string | null
  [column: string]: unknown
}

/**
 * Splits a body into the record's own fields and the columns that only the service sets. 400 names
 * an unknown template, person or record. `before` is the document before a change.
 */
export async function splitInput(
  ctx: Context,
  body: FlatInput,
  before: { start_date?: string | null; due_date?: string | null; private_users?: string[] } = {},
): Promise<{ fields: Patch<typeof Document>; set: Columns }> {
  const { account: _, document_status: __, ...others } = body
  const { module_id, module_name, reference_id, ...rest } = others
  const fields: Patch<typeof Document> = rest
  checkDates({ ...before, ...fields })
  if (fields.private_users) {
    const { private_users } = before
    fields.private_users = await peopleOf(ctx, fields.private_users, 'private_users', private_users)
  }
  if (fields.document_template) await checkTemplate(ctx, fields.document_template)
  if (module_id === undefined && module_name === undefined && reference_id === undefined) {
    return { fields, set: {} }
  }
  const subject = await writableSubject(ctx, { module_id, module_name, reference_id })
  if (subject && !subject.id) throw badField('reference_id', 'is required with the module')
  return {
    fields,
    set: { module_id: subject?.number ?? null, reference_id: subject?.id ?? null },
  }
}

type Conversions<B> = { [K in keyof B]?: (value: Exclude<B[K], undefined>) => unknown }
type Converted<B, C> = {
  [K in keyof B]: K extends keyof C ? (C[K] extends (value: never) => infer T ? T : B[K]) : B[K]
}

/** The body with some values converted, in the same order; undefined values are omitted. */
function convert<B extends object, const C extends Conversions<B>>(
  body: B,
  conversions: C,
): Converted<B, C> {
  const byName = new Map<string, (value: never) => unknown>(Object.entries(conversions))
  const values: [string, unknown][] = Object.entries(body)
  const entries = values.flatMap(([name, value]) => {
    const conversion = byName.get(name)
    const converted = conversion && value !== undefined ? conversion(value as never) : value
    return converted === undefined ? [] : [[name, converted]]
  })
  return Object.fromEntries(entries) as Converted<B, C>
}

/** An amount that may be written as text; an empty one is null. */
function numberOf(value: number | string | null): number | null {
  if (typeof value !== 'string') return value
  return value.trim() ? Number(value) : null
}

/** A day; an empty form field is null. */
function dayOf(value: string | null): string | null {
  return value?.trim() ? value : null
}

/** A template given by its name alone becomes an object. */
function templateOf(template: { [key: string]: unknown } | string | null) {
  if (typeof template !== 'string') return template
  return template.trim() ? { template_name: template.trim() } : null
}

/** The owner that an object names; undefined for the specification's form without a person. */
function ownerIn(ctx: Context, owner: { [key: string]: unknown }) {
  const named = ownerOf(ctx, owner)
  if (typeof named === 'string' || isObject(named)) return named
  return 'is_owner' in owner ? undefined : owner
}

async function checkTemplate(ctx: Context, template: { [key: string]: unknown }) {
  const { template_id, template_config } = template
  // a client may send its own template object
  if (!template_id || template_config) return
  const found = await ctx.one(sql`select t.id from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${String(template_id)}`)
  if (!found) throw badField('document_template.template_id', 'no such template')
}
