import type { Context } from '../../../kit/ground/context.ts'
import { today } from '../../../kit/ground/dates.ts'
import { Failure, conflict } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import type { StoredField } from '../../../model/documents/requests/placed-fields.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'
import { acts, hasSigned, recipientsOf, requestById } from '../requests/request.ts'
import type { RecipientStatus, RequestStatus } from '../../../model/documents/requests/states.ts'
import { recipientMoves } from '../../../model/documents/requests/states.ts'
import { personOf } from '../../mail/post.ts'
import { checkMove } from '../../../model/documents/states.ts'
import { countUse } from '../usage.ts'
import type { Client } from './step.ts'
import { logStep } from './step.ts'

/** The document, request and recipient behind a signing link. */
export type Signing = {
  recipient: Recipient
  request: SignatureRequest
  document: StoredDocument
  /** who requested the signatures; null for one who has left */
  requester: string | null
  /** today in the organization's time zone, as dates are filled in */
  day: string
  /** what this recipient can do now, or why they cannot do anything */
  state: 'open' | 'reading' | 'not_yet' | 'done' | 'complete' | 'withdrawn' | 'expired' | 'declined'
}

/** What a recipient's link shows; undefined if the document was deleted. */
export async function readSigning(
  ctx: Context,
  recipient_id: string,
): Promise<Signing | undefined> {
  const recipient = await ctx.one<Recipient>(sql`select t.* from signature_recipients t
    where ${mine(ctx)} and t.id = ${recipient_id}`)
  const request = recipient && (await requestById(ctx, recipient.request_id))
  if (!request) return undefined
  const document = await ctx.one<StoredDocument>(sql`select t.* from documents t
    where ${mine(ctx)} and t.id = ${request.document_id} and t.deleted_at is null`)
  if (!document) return undefined
  const person = await personOf(ctx, request.created_by)
  const state = stateOf(ctx, recipient, request)
  return {
    recipient,
    request,
    document,
    requester: person?.name ?? null,
    state,
    day: today({ now: ctx.now(), timezone: ctx.organization.timezone }),
  }
}

/** The same with the document locked, so that the second of two concurrent signers sees the first. */
export async function lockSigning(ctx: Context, recipient_id: string): Promise<Signing> {
  const isThere = await lockDocument(ctx, recipient_id)
  const signing = isThere ? await readSigning(ctx, recipient_id) : undefined
  if (!signing) throw new Failure(410, 'gone', 'The document was deleted')
  return signing
}

/** 410 if a link, by the hash of its token, has ended while another change of the document was waited for. */
export async function checkLink(ctx: Context, recipient_id: string, hash: Buffer): Promise<void> {
  await lockDocument(ctx, recipient_id)
  const linked = await ctx.one(sql`select t.id from signature_recipients t
    where ${mine(ctx)} and t.id = ${recipient_id} and t.token_hash = ${hash}`)
  if (!linked) throw new Failure(410, 'gone', 'This link has ended: there is another one')
}

async function lockDocument(ctx: Context, recipient_id: string): Promise<boolean> {
  const found = await ctx.one(sql`
    select q.document_id from signature_recipients t
    join signature_requests q on q.organization_id = $organization and q.id = t.request_id
    join documents d on d.organization_id = $organization and d.id = q.document_id
    where ${mine(ctx)} and t.id = ${recipient_id} and d.deleted_at is null for update of d`)
  return found !== undefined
}

/** A field that another recipient has filled in; a signature with its path where it was drawn. */
export type FilledByOther = StoredField & { name: string; path: string | null }

/** What the other recipients have filled in so far, as the pages show it. */
export async function filledByOthers(
  ctx: Context,
  { recipient, request }: Signing,
): Promise<FilledByOther[]> {
  const all = await recipientsOf(ctx, request.id)
  return all
    .filter((each) => each.id !== recipient.id && hasSigned(each))
    .flatMap(({ name, signature_path, fields }) =>
      fields
        .filter(({ value }) => value !== null)
        .map((field) => ({
          ...field,
          name,
          path: field.kind === 'signature' ? signature_path : null,
        })),
    )
}

/** Counts a view of the signing page, and marks a recipient's first one. */
export async function viewSigning(ctx: Context, id: string, client: Client): Promise<void> {
  const { recipient, document } = await lockSigning(ctx, id)
  await countUse(ctx, document.id, 'views')
  if (recipient.status !== 'sent') return
  await ctx.run(sql`update signature_recipients t set status = 'viewed',
      viewed_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${id}`)
  await logStep(ctx, document, `Document opened by ${recipient.name}`, 'viewed', {
    recipient,
    client,
    version: document.version,
  })
}

/** 409 when this recipient cannot sign, approve or decline now. */
export function checkOpen(
  ctx: Context,
  { recipient, request }: Signing,
  to: RecipientStatus,
): void {
  if (request.status !== 'open' || isExpired(ctx, request)) {
    throw conflict('This document can no longer be signed', 'closed')
  }
  if (!acts(recipient)) {
    throw conflict('You received this document to read, not to sign', 'wrong_move')
  }
  checkMove<RecipientStatus>(recipientMoves, 'A signature', recipient.status, to)
}

type Action = {
  status: 'signed' | 'approved' | 'declined'
  signature_name?: string
  signature_path?: string | null
  reason?: string
  fields?: StoredField[]
}

/** Stores what a recipient did. */
export async function act(
  ctx: Context,
  id: string,
  { address, user_agent }: Client,
  { status, signature_name, signature_path, reason, fields }: Action,
): Promise<void> {
  await ctx.run(sql`update signature_recipients t set status = ${status},
      acted_at = ${ctx.now().toISOString()}, signature_name = ${signature_name ?? null},
      signature_path = ${signature_path ?? null}, reason = ${reason ?? null}, address = ${address},
      user_agent = ${user_agent},
      fields = coalesce(${fields ? JSON.stringify(fields) : null}::jsonb, fields) where ${mine(ctx)} and t.id = ${id}`)
}

/** The states of links whose request has ended. */
const ended: { [status in Exclude<RequestStatus, 'open'>]: Signing['state'] } = {
  voided: 'withdrawn',
  expired: 'expired',
  declined: 'declined',
  signed: 'complete',
}

function stateOf(ctx: Context, recipient: Recipient, request: SignatureRequest): Signing['state'] {
  if (request.status !== 'open') return ended[request.status]
  if (isExpired(ctx, request)) return 'expired'
  if (recipient.acted_at) return 'done'
  if (!acts(recipient)) return 'reading'
  return recipient.status === 'waiting' ? 'not_yet' : 'open'
}

function isExpired(ctx: Context, { expires_at }: SignatureRequest): boolean {
  return expires_at !== null && new Date(expires_at) <= ctx.now()
}
