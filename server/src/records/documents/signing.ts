import type { Context } from '../../kit/ground/context.ts'
import { Failure, badField, conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { update } from '../../kit/write/write.ts'
import { Document } from './document.ts'
import type { Body } from './input.ts'
import { countUse } from './open-file.ts'
import { sealing } from './sealing.ts'
import type { Recipient, SignatureRequest } from './signatures.ts'
import { acts, audit, inviteNext, owners, recipientsOf, requestById } from './signatures.ts'
import type { RecipientStatus, SignatureStatus } from './states.ts'
import { checkMove, recipientMoves, signatureMoves } from './states.ts'
import { announceDocument } from './announce.ts'

/** From where somebody signs, for the audit. */
export type From = { address: string; user_agent: string }

/** What the link of one recipient leads to. */
export type Signing = {
  recipient: Recipient
  request: SignatureRequest
  /** the document's row */
  document: Body
  /** how it stands with this recipient */
  state: 'open' | 'reading' | 'not_yet' | 'done' | 'complete' | 'withdrawn' | 'expired' | 'declined'
}

/** What a recipient's link shows; undefined when the document is gone. */
export async function readSigning(
  ctx: Context,
  recipient_id: string,
): Promise<Signing | undefined> {
  const recipient = await ctx.one<Recipient>(sql`select t.* from signature_recipients t
    where ${mine(ctx)} and t.id = ${recipient_id}`)
  const request = recipient && (await requestById(ctx, recipient.request_id))
  if (!request) return undefined
  const document = await ctx.one<Body>(sql`select t.* from documents t
    where ${mine(ctx)} and t.id = ${request.document_id} and t.deleted_at is null`)
  if (!document) return undefined
  return { recipient, request, document, state: stateOf(ctx, recipient, request) }
}

/** Remembers that a recipient has opened the link, once. */
export async function viewSigning(ctx: Context, id: string, from: From): Promise<void> {
  const { recipient, document } = await locked(ctx, id)
  await countUse(ctx, document.id, 'views')
  if (recipient.status !== 'sent') return
  await ctx.run(sql`update signature_recipients t set status = 'viewed',
      viewed_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${id}`)
  log(ctx, document, `Document opened by ${recipient.name}`, 'viewed', { recipient, from })
}

/** A name typed, and perhaps strokes drawn, as SVG path data in a box of 600 × 200. */
export type Mark = { name: string; path?: string }

/**
 * Signs or approves, once. The last one of all makes the document signed; of those who sign one
 * after the other the next are asked. 409 when it is not this recipient's turn or is over.
 */
export async function sign(ctx: Context, id: string, mark: Mark, from: From): Promise<void> {
  const { recipient, request, document } = await locked(ctx, id)
  const to = recipient.role === 'approver' ? 'approved' : 'signed'
  checkOpen(ctx, recipient, request, to)
  const name = mark.name.trim().slice(0, 255)
  if (!name) throw badField('name', 'must not be empty')
  const path = mark.path ? checkedPath(mark.path) : null
  await act(ctx, id, to, from, { signature_name: name, signature_path: path })
  const others = await recipientsOf(ctx, request.id)
  const done = others.filter((each) => acts(each) && each.acted_at).length
  const status: SignatureStatus = done === document.signatures_required ? 'signed' : 'partial'
  checkMove<SignatureStatus>(signatureMoves, 'A signature', document.signature_status, status)
  const isComplete = status === 'signed'
  const now = ctx.now().toISOString()
  const after = await update(
    ctx,
    Document,
    document.id,
    {},
    {
      set: {
        signature_status: status,
        signatures_completed: done,
        ...(isComplete ? { signed_at: now } : {}),
      },
    },
  )
  const { content_hash } = request
  const step = { recipient, from, signed_as: name, content_hash }
  log(ctx, document, `Document ${to} by ${recipient.name}`, to, step)
  const told = { name: document.document_name, project_id: document.project_id }
  if (!isComplete) {
    const notify = await inviteNext(ctx, {
      request: request.id,
      document: { id: document.id, name: document.document_name },
    })
    if (notify.length)
      await announceDocument(ctx, after, 'signature asked for', { ...told, notify })
    return
  }
  await end(ctx, request.id, 'signed')
  await announceDocument(ctx, after, 'signed', {
    ...told,
    changes: [{ field: 'signature_status', from: document.signature_status, to: 'signed' }],
    notify: await owners(ctx, document.id, `Everybody signed ${document.document_name}`),
    more: audit(ctx, { content_hash: request.content_hash }),
  })
  ctx.enqueue(sealing, { document_id: document.id })
}

/** Declines with a reason: nobody else can sign any more. */
export async function decline(ctx: Context, id: string, reason: string, from: From): Promise<void> {
  const { recipient, request, document } = await locked(ctx, id)
  checkOpen(ctx, recipient, request, 'declined')
  const why = reason.trim().slice(0, 2000)
  if (!why) throw badField('reason', 'must not be empty')
  const { signature_status } = document
  checkMove<SignatureStatus>(signatureMoves, 'A signature', signature_status, 'declined')
  await act(ctx, id, 'declined', from, { reason: why })
  await end(ctx, request.id, 'declined')
  const after = await update(
    ctx,
    Document,
    document.id,
    {},
    { set: { signature_status: 'declined' } },
  )
  const title = `${recipient.name} declined to sign ${document.document_name}`
  await announceDocument(ctx, after, 'declined', {
    name: document.document_name,
    project_id: document.project_id,
    changes: [{ field: 'signature_status', from: signature_status, to: 'declined' }],
    notify: await owners(ctx, document.id, title),
    more: audit(ctx, { action: 'declined', ...who(recipient), ...from, reason: why }),
  })
}

/** Which states of a request close its links, and how. */
const ended: { [status: string]: Signing['state'] } = {
  voided: 'withdrawn',
  expired: 'expired',
  declined: 'declined',
  signed: 'complete',
}

function stateOf(ctx: Context, recipient: Recipient, request: SignatureRequest): Signing['state'] {
  const closed = ended[request.status]
  if (closed) return closed
  if (isOver(ctx, request)) return 'expired'
  if (recipient.acted_at) return 'done'
  if (!acts(recipient)) return 'reading'
  return recipient.status === 'waiting' ? 'not_yet' : 'open'
}

function isOver(ctx: Context, { expires_at }: SignatureRequest): boolean {
  return expires_at !== null && new Date(expires_at) <= ctx.now()
}

/** The document first, so that of two who sign at once the second sees what the first did. */
async function locked(ctx: Context, recipient_id: string) {
  const found = await ctx.one<{ document_id: string }>(sql`
    select q.document_id from signature_recipients t
    join signature_requests q on q.organization_id = t.organization_id and q.id = t.request_id
    join documents d on d.organization_id = q.organization_id and d.id = q.document_id
    where ${mine(ctx)} and t.id = ${recipient_id} and d.deleted_at is null for update of d`)
  const signing = found && (await readSigning(ctx, recipient_id))
  if (!signing) throw new Failure(410, 'gone', 'The document is no longer there')
  return signing
}

function checkOpen(
  ctx: Context,
  recipient: Recipient,
  request: SignatureRequest,
  to: RecipientStatus,
) {
  if (request.status !== 'open' || isOver(ctx, request)) {
    throw conflict('This document cannot be signed any more', 'closed')
  }
  if (!acts(recipient)) throw conflict('You were asked to read this document', 'wrong_move')
  checkMove<RecipientStatus>(recipientMoves, 'A signature', recipient.status as RecipientStatus, to)
}

async function act(
  ctx: Context,
  id: string,
  status: RecipientStatus,
  { address, user_agent }: From,
  { signature_name = null, signature_path = null, reason = null }: Body,
) {
  await ctx.run(sql`update signature_recipients t set status = ${status},
      acted_at = ${ctx.now().toISOString()}, signature_name = ${signature_name},
      signature_path = ${signature_path}, reason = ${reason}, address = ${address},
      user_agent = ${user_agent} where ${mine(ctx)} and t.id = ${id}`)
}

async function end(ctx: Context, request: string, status: 'signed' | 'declined') {
  await ctx.run(sql`update signature_requests t set status = ${status},
      ended_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${request}`)
}

type Step = { recipient: Recipient; from: From; signed_as?: string; content_hash?: string }

/** An entry of the log that the audit is read from. */
function log(ctx: Context, document: Body, title: string, action: string, step: Step) {
  const { recipient, from, ...signed } = step
  ctx.emit({
    type: null,
    title,
    module_id: Document.number,
    reference_id: document.id,
    project_id: document.project_id,
    raw_description: {
      action,
      module: 'documents',
      name: document.document_name,
      ...audit(ctx, { action, ...who(recipient), ...from, ...signed }),
    },
  })
}

function who({ name, email, role }: Recipient) {
  return { name, email, role }
}

/** Strokes as the page writes them: moves and lines of numbers, nothing else. */
function checkedPath(path: string): string {
  if (path.length > 20_000 || !/^(M\d{1,3} \d{1,3}(L\d{1,3} \d{1,3})*)+$/.test(path)) {
    throw badField('signature', 'must be drawn on the page')
  }
  return path
}
