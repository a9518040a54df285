import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { instantIn } from '../../../kit/ground/dates.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { badField, badFields, conflict } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import type { Written } from '../../../kit/write/write.ts'
import { lock, update } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import type { placedField } from '../../../model/documents/requests/placed-fields.ts'
import { checkMove } from '../../../model/documents/states.ts'
import { withPlaces } from '../anchors/anchors.ts'
import { latestOf, oldVersion } from '../versions.ts'
import { auditStep } from './audit.ts'
import { inviteNext } from './invite.ts'
import { frozenText } from '../reusable/values.ts'
import { dropPreparation } from './preparation.ts'
import {
  anchoredField,
  fieldErrors,
  mostFields,
  mostRecipients,
  storedFields,
} from '../../../model/documents/requests/placed-fields.ts'
import { acts, addRecipients, contentHash } from './request.ts'
import type { SignatureStatus } from '../../../model/documents/requests/states.ts'
import {
  signatureCheck,
  signatureMoves,
  signatureRole,
} from '../../../model/documents/requests/states.ts'

const recipient = Type.Object({
  name: Type.Optional(orNull(Type.String({ maxLength: 255 }))),
  email: Type.String({ format: 'email', maxLength: 320 }),
  role: Type.Optional(signatureRole),
  order: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'the turn in a sequential request; by default the position in the list',
    }),
  ),
  fields: Type.Optional(
    Type.Array(anchoredField, {
      maxItems: mostFields,
      description: 'what signers and approvers fill in on the pages of the document',
    }),
  ),
})

export const signatureRequest = Type.Object({
  recipients: Type.Array(recipient, {
    minItems: 1,
    maxItems: mostRecipients,
    description: 'signers unless a role is specified',
  }),
  sequential: Type.Optional(
    Type.Boolean({ description: 'one after the other instead of all at once' }),
  ),
  allow_delegation: Type.Optional(
    Type.Boolean({ description: 'whether each recipient may hand over to somebody else, once' }),
  ),
  check: Type.Optional(orNull(signatureCheck)),
  expires_at: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
  message: Type.Optional(
    orNull(
      Type.String({
        maxLength: 2000,
        description: 'what the mail and the page say to the recipients',
        example: 'Please sign before Friday.',
      }),
    ),
  ),
})

type Body = Static<typeof signatureRequest>

/** Gives the fields of a request that are anchored to a text their places, ahead of the transaction: it reads the file. */
export async function placeAnchored(
  ctx: Context,
  { params, body }: { params: { id: string }; body: Body },
): Promise<void> {
  body.recipients = await withPlaces(ctx, params.id, body.recipients)
}

/** Requests signatures on the latest version of a document, and mails those whose turn it is. */
export async function requestSignatures(ctx: Context, id: string, body: Body): Promise<Written> {
  const { recipients, sequential = false, expires_at, message = null } = body
  const locked = await lock(ctx, Document, id, 'update')
  const { row } = locked
  if (!row.latest_version) throw oldVersion(await latestOf(ctx, id))
  checkMove<SignatureStatus>(signatureMoves, 'A signature', row.signature_status, 'pending')
  if (row.is_reusable) {
    throw conflict(
      'A reusable document is not sent itself: use it, and send what that makes',
      'reusable',
    )
  }
  const people = checkedRecipients(recipients)
  const expires = expiryOf(ctx, expires_at)
  const request = newId()
  const frozen = await frozenText(ctx, { ...row, id }, row.editor_html_content)
  const content_hash = contentHash({ ...row, editor_html_content: frozen })
  await ctx.run(sql`insert into signature_requests (organization_id, id, document_id, is_sequential,
      allow_delegation, check_by, message, content_hash, expires_at, created_by, creation_time)
    values (${ctx.organization.id}, ${request}, ${id}, ${sequential}, ${body.allow_delegation ?? false}, ${body.check ?? null},
      ${message}, ${content_hash}, ${expires}, ${ctx.actor.user_id}, ${ctx.now().toISOString()})`)
  await addRecipients(ctx, request, people)
  await dropPreparation(ctx, id)
  const { document_name: name, project_id } = row
  // before the update, so that the event shows who was invited
  const notify = await inviteNext(ctx, request, { id, document_name: name })
  const set = {
    signature_status: 'pending',
    signature_enabled: true,
    signature_request: request,
    signatures_required: people.filter(acts).length,
    signatures_completed: 0,
  }
  const own = frozen === row.editor_html_content ? {} : { editor_html_content: frozen }
  const after = await update(ctx, locked, own, { set })
  await announce(ctx, Document, 'document_signature_requested', {
    ...after,
    name,
    project_id,
    changes: [{ field: 'signature_status', from: row.signature_status, to: 'pending' }],
    notify,
    action: 'signature requested',
    more: auditStep(ctx, { content_hash, asked: people.length }),
  })
  return after
}

function expiryOf(ctx: Context, expires_at: string | null | undefined): string | null {
  if (expires_at === undefined || expires_at === null) return null
  const instant = instantIn('expires_at', expires_at, ctx.organization.timezone)
  if (new Date(instant) <= ctx.now()) throw badField('expires_at', 'must be in the future')
  return instant
}

/** The recipients of a body with their defaults. 400 for a repeated e-mail, or without a signer. */
function checkedRecipients(recipients: Static<typeof recipient>[]) {
  const people = recipients.map(({ name, email, role = 'signer', order, fields = [] }, i) => ({
    name: name?.trim() || email.trim(),
    email: email.trim(),
    role,
    turn: order ?? i + 1,
    // those that were anchored have their places
    fields: storedFields(fields as Static<typeof placedField>[]),
  }))
  const errors: FieldError[] = []
  for (const [i, { email, role, fields }] of people.entries()) {
    if (fields.length && !acts({ role })) {
      errors.push({ field: `recipients.${i}.fields`, message: 'are for signers and approvers' })
    }
    errors.push(...fieldErrors(fields, (at) => `recipients.${i}.fields.${at}`))
    for (const [at, { kind, options = [] }] of fields.entries()) {
      if (kind === 'choice' && options.length < 2) {
        const message = 'must be at least two'
        errors.push({ field: `recipients.${i}.fields.${at}.options`, message })
      }
    }
    const first = people.findIndex((each) => each.email.toLowerCase() === email.toLowerCase())
    if (first !== i) {
      errors.push({ field: `recipients.${i}.email`, message: `repeats that of recipient ${first}` })
    }
  }
  if (!people.some(acts)) {
    errors.push({ field: 'recipients', message: 'must have at least one signer or approver' })
  }
  if (errors.length) throw badFields(errors)
  return people
}
