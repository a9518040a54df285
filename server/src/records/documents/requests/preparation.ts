import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badFields, forbidden, notFound, stale } from '../../../kit/ground/errors.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../../kit/ground/nearest.ts'
import { equal } from '../../../kit/ground/object.ts'
import { Answer } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { lock } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import {
  fieldErrors,
  mostFields,
  mostRecipients,
  placedField,
} from '../../../model/documents/requests/placed-fields.ts'
import type { SignatureStatus } from '../../../model/documents/requests/states.ts'
import {
  signatureCheck,
  signatureMoves,
  signatureRole,
} from '../../../model/documents/requests/states.ts'
import type { Recipient, SignatureRequest } from './request.ts'
import { checkMove } from '../../../model/documents/states.ts'

const key = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'its own in the preparation, by whoever makes it',
})

const recipient = Type.Object(
  {
    key,
    name: Type.String({ maxLength: 255 }),
    email: Type.String({ maxLength: 320, description: 'may still be incomplete' }),
    role: signatureRole,
    order: Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'the turn; equal ones are asked at once',
    }),
    role_name: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'whose part it is in a reusable document, such as Customer; each once',
      }),
    ),
  },
  { title: 'PreparedRecipient', additionalProperties: false },
)

const { kind, page, x, y, options, show_if, prefill } = placedField.properties
const part = Type.Number({ minimum: 0, maximum: 1 })
const field = Type.Object(
  {
    key,
    recipient: Type.String({ maxLength: 40, description: 'the key of who fills it in' }),
    kind,
    page,
    x,
    y,
    width: part,
    height: part,
    label: Type.String({ maxLength: 200, description: 'empty for the usual one of its kind' }),
    required: Type.Boolean(),
    options,
    show_if,
    prefill,
  },
  { title: 'PreparedField', additionalProperties: false },
)

const content = {
  recipients: Type.Array(recipient, { maxItems: mostRecipients, description: 'who will be asked' }),
  fields: Type.Array(field, {
    maxItems: mostRecipients * mostFields,
    description: 'on the pages of the document',
  }),
  message: Type.String({ maxLength: 2000, description: 'what the mail and the page will say' }),
  allow_delegation: Type.Optional(
    Type.Boolean({ description: 'whether each recipient may hand over to somebody else (false)' }),
  ),
  check: Type.Optional(orNull(signatureCheck)),
  expires: orNull(
    Type.String({ format: 'date', description: 'the last day on which it may be signed' }),
  ),
}

/** What is prepared, as it is sent. */
export const preparationBody = Type.Object(content)
export type Preparation = Static<typeof preparationBody>

/** What is prepared, as it is read; version 0 if nothing ever was. */
export const preparation = Type.Object(
  {
    ...content,
    version: Type.Integer({ description: 'for `If-Match`; 0: nothing was prepared' }),
    updated_by: orNull(Type.String({ description: 'the full name of who changed it last' })),
  },
  { title: 'SignaturePreparation', additionalProperties: false },
)

const nothing: Preparation = {
  recipients: [],
  fields: [],
  message: '',
  expires: null,
  allow_delegation: false,
  check: null,
}

/** The name of a role to compare it by. */
export function roleKey(name: string): string {
  return name.trim().toLowerCase()
}

/** What is prepared for a document, whoever may read it; empty if nothing is. */
export async function preparedFor(ctx: Context, id: string): Promise<Preparation> {
  const stored = await ctx.one<{ content: Preparation }>(sql`
    select t.content from signature_preparations t where ${mine(ctx)} and t.document_id = ${id}`)
  return { ...nothing, ...stored?.content }
}

/** What is prepared for a document that the caller may change, or use. */
export async function shownPreparation(ctx: Context, id: string): Promise<Answer> {
  const found = await ctx.one<{ may: boolean }>(sql`
    select (t.is_reusable or ${scope(ctx, Document, 'update')}) as may from documents t
    where ${scope(ctx, Document, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Document')
  if (!found.may) throw forbidden('Your role may not update this document')
  return readPreparation(ctx, id)
}

async function readPreparation(ctx: Context, id: string): Promise<Answer> {
  const stored = await ctx.one<{
    content: Preparation
    version: number
    updated_by: string | null
  }>(sql`
    select t.content, t.version, u.full_name as updated_by from signature_preparations t
    left join users u on u.organization_id = $organization and u.id = t.updated_by
    where ${mine(ctx)} and t.document_id = ${id}`)
  const version = stored?.version ?? 0
  const body = { ...nothing, ...stored?.content, version, updated_by: stored?.updated_by ?? null }
  return new Answer(body, { id, version })
}

/** Stores what is prepared; 409 once it is sent, 412 if somebody else has changed it since. */
export async function storePreparation(
  ctx: Context,
  id: string,
  body: Preparation,
  ifMatch?: number[],
): Promise<Answer> {
  // what was read may be sent back
  const errors = unknownKeys(body, Object.keys(preparation.properties), '')
  if (errors.length) throw badFields(errors)
  const next = contentOf(body)
  const before = await lockUnsent(ctx, id, ifMatch)
  checkKeys(next)
  if (equal(next, contentOf(before.body as Preparation))) return before
  await store(ctx, id, next)
  return readPreparation(ctx, id)
}

function contentOf({
  recipients,
  fields,
  message,
  expires,
  allow_delegation = false,
  check = null,
}: Preparation): Preparation {
  return { recipients, fields, message, expires, allow_delegation, check }
}

/** Discards what is prepared. */
export async function removePreparation(
  ctx: Context,
  id: string,
  ifMatch?: number[],
): Promise<Answer> {
  await lockUnsent(ctx, id, ifMatch)
  await dropPreparation(ctx, id)
  return readPreparation(ctx, id)
}

/**
 * Empties what was prepared, once it is sent. Its version goes on, so that nobody who has read what was there writes
 * over what is prepared later.
 */
export async function dropPreparation(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`update signature_preparations t set content = '{}', version = t.version + 1,
      updated_by = ${ctx.actor.user_id ?? null}, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.document_id = ${id}`)
}

/** Prepares again what a request that has ended asked for, so that it can be corrected and sent again. */
export async function prepareAgain(
  ctx: Context,
  id: string,
  { message, allow_delegation, is_sequential, check_by }: SignatureRequest,
  recipients: Recipient[],
): Promise<void> {
  const fields = recipients.flatMap((each) => {
    const keyAt = (at: number) => `${each.id}-${at}`
    const place = (its: string | undefined) => each.fields.findIndex(({ key }) => key === its)
    return each.fields.map(
      ({ kind, page, x, y, width, height, label, required, options, show_if, prefill }, at) => ({
        kind,
        page,
        x,
        y,
        width,
        height,
        required,
        ...(options ? { options } : {}),
        ...(prefill ? { prefill } : {}),
        key: keyAt(at),
        recipient: each.id,
        label: label ?? '',
        ...(show_if ? { show_if: { ...show_if, field: keyAt(place(show_if.field)) } } : {}),
      }),
    )
  })
  const content: Preparation = {
    recipients: recipients.map(({ id: its, name, email, role, turn }) => ({
      key: its,
      name,
      email,
      role,
      order: is_sequential ? turn : 1,
    })),
    fields,
    message: message ?? '',
    expires: null,
    allow_delegation,
    check: check_by,
  }
  await store(ctx, id, content)
}

/** Stores what is prepared as the next version of it. */
async function store(ctx: Context, id: string, content: object): Promise<void> {
  await ctx.run(sql`insert into signature_preparations (organization_id, document_id, content,
      version, updated_by, last_update_time)
    values (${ctx.organization.id}, ${id}, ${JSON.stringify(content)}::jsonb, 1,
      ${ctx.actor.user_id ?? null}, ${ctx.now().toISOString()})
    on conflict (organization_id, document_id) do update set content = excluded.content,
      version = signature_preparations.version + 1, updated_by = excluded.updated_by,
      last_update_time = excluded.last_update_time`)
}

/** What is prepared now; those who prepare one document at once wait for one another. */
async function lockUnsent(ctx: Context, id: string, ifMatch?: number[]): Promise<Answer> {
  const { row } = await lock(ctx, Document, id, 'update')
  checkMove<SignatureStatus>(signatureMoves, 'A signature', row.signature_status, 'pending')
  const now = await readPreparation(ctx, id)
  if (ifMatch && !ifMatch.includes(now.meta.version ?? 0)) throw stale()
  return now
}

/** 400 for keys that are there twice, for fields of nobody, and for conditions that cannot be. */
function checkKeys({ recipients, fields }: Preparation): void {
  const errors: FieldError[] = []
  for (const [name, list] of Object.entries({ recipients, fields })) {
    const seen = new Set<string>()
    for (const [i, { key: its }] of list.entries()) {
      if (seen.has(its)) errors.push({ field: `${name}.${i}.key`, message: 'is there twice' })
      seen.add(its)
    }
  }
  const roles = recipients.map(({ role_name = '' }) => roleKey(role_name))
  for (const [i, role] of roles.entries()) {
    if (role && roles.indexOf(role) !== i) {
      errors.push({ field: `recipients.${i}.role_name`, message: 'is there twice' })
    }
  }
  const known = new Set(recipients.map(({ key: its }) => its))
  for (const [i, each] of fields.entries()) {
    if (!known.has(each.recipient)) {
      errors.push({ field: `fields.${i}.recipient`, message: 'is the key of no recipient' })
    }
  }
  for (const { key: its } of recipients) {
    const own = [...fields.entries()].filter(([, { recipient: of }]) => of === its)
    const wrong = fieldErrors(
      own.map(([, each]) => each),
      (at) => `fields.${own[at]?.[0]}`,
    )
    // those that are there twice are named above
    errors.push(...wrong.filter(({ field: name }) => !name.endsWith('.key')))
  }
  if (errors.length) throw badFields(errors)
}
