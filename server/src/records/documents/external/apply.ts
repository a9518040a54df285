import { createHash } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import type { Written } from '../../../kit/write/write.ts'
import { lock, update } from '../../../kit/write/write.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from '../requests/audit.ts'
import { owners } from '../requests/invite.ts'
import { acts, contentHash, endRequest, requestOf } from '../requests/request.ts'
import type { SignatureStatus } from '../../../model/documents/requests/states.ts'
import { signatureMoves } from '../../../model/documents/requests/states.ts'
import { voidSignatures } from '../requests/withdraw.ts'
import { recordSignature } from '../signing/step.ts'
import { newVersion } from '../versions.ts'
import type { ExternalChange, ExternalEvent } from './event.ts'
import { changeOf, unconfirmed } from './event.ts'
import { addSubmitters, applyStatuses } from './submitters.ts'

type Columns = { [column: string]: unknown }

/**
 * Applies an event of DocuSeal: the document's signatures change as if they had been requested here, and
 * the addresses of the signed files are stored. An event that was already applied, or that concerns a document
 * or change that is not known, has no effect. That somebody has signed counts only where DocuSeal's own API
 * has answered so; else it is logged as reported. Returns whether it had an effect.
 */
export async function applyExternalEvent(
  ctx: Context,
  reported: ExternalEvent,
  answered?: ExternalEvent,
): Promise<boolean> {
  const confirmed = answered && (await namesOurs(ctx, changeOf(answered))) ? answered : undefined
  if (!(await isNew(ctx, confirmed ?? reported))) return false
  const claimed = changeOf(reported)
  const change = confirmed ? withReasons(changeOf(confirmed), claimed) : unconfirmed(claimed)
  const document = await documentOf(ctx, change)
  if (!document) return false
  const { id, signature_status: from } = document
  const request = await requestOf(ctx, id)
  // the external service must not change signatures that were requested here
  if (request && !request.is_external && request.status === 'open') return false
  if (!confirmed && saysSigned(claimed)) await logClaim(ctx, document)
  if (change.ends) {
    if (!request || !canMove(from, 'none')) return false
    await voidSignatures(ctx, id, null, change.ends)
    return true
  }
  const set = linksIn(change, document)
  const isOpen = request?.status === 'open'
  if (!isOpen && (!canMove(from, 'pending') || !change.submitters.length)) {
    return storeLinks(ctx, id, set)
  }
  const request_id = isOpen ? request.id : await addRequest(ctx, document, change)
  if (!isOpen) Object.assign(set, { signature_request: request_id, signature_enabled: true })
  const recipients = await applyStatuses(ctx, request_id, change.submitters)
  for (const recipient of recipients) {
    const { viewed_at, acted_at } = recipient
    if (viewed_at) recordSignature(ctx, document, recipient, true, viewed_at)
    if (acted_at) recordSignature(ctx, document, recipient, false, acted_at)
  }
  const required = recipients.filter(acts).length
  const completed = recipients.filter((each) => each.status === 'signed').length
  const to = nextStatus(change, isOpen ? from : 'pending', required, completed)
  const isSigned = to === 'signed'
  const signed_at = isSigned ? ctx.now().toISOString() : null
  const columns = {
    ...set,
    signature_status: to,
    signatures_required: required,
    signatures_completed: isSigned ? required : completed,
    ...(signed_at ? { signed_at } : {}),
  }
  const after = await update(ctx, await lock(ctx, Document, id, 'update'), {}, { set: columns })
  if (to === 'signed' || to === 'declined') await endRequest(ctx, request_id, to)
  await announceMoves(ctx, document, after, to)
  if (signed_at) await addSignedVersion(ctx, id, signed_at)
  return true
}

/**
 * Whether the answer is about a document of this organization: all organizations share the API's key, and anybody may
 * store the number of another's submission, but only who made the submission could put the document's id into it.
 */
async function namesOurs(ctx: Context, { attach_id }: ExternalChange): Promise<boolean> {
  const found = await ctx.one(
    sql`select t.id from documents t where ${mine(ctx)} and t.id = ${attach_id}`,
  )
  return found !== undefined
}

/** The answer with the reasons for declining, which events alone contain. */
function withReasons(answer: ExternalChange, { submitters }: ExternalChange): ExternalChange {
  const reasons = new Map(submitters.map(({ email, reason }) => [email, reason]))
  const complete = answer.submitters.map((each) => ({
    ...each,
    reason: each.reason ?? reasons.get(each.email) ?? null,
  }))
  return { ...answer, submitters: complete }
}

function saysSigned({ isComplete, submitters }: ExternalChange): boolean {
  return isComplete || submitters.some(({ status }) => status === 'signed')
}

/** Shows in the log and in the audit trail what was reported and not confirmed. */
async function logClaim(ctx: Context, { id, document_name: name, project_id }: StoredDocument) {
  await announce(ctx, Document, 'signature reported', {
    id,
    name,
    project_id,
    title: `DocuSeal reported a signature of ${name}; its API has not confirmed it`,
    more: auditStep(ctx, { service: 'docuseal', action: 'reported' }),
  })
}

/** Whether this event is new: DocuSeal resends events unchanged. */
async function isNew(ctx: Context, { event_type, timestamp, data }: ExternalEvent) {
  const content = JSON.stringify([event_type, timestamp ?? null, data])
  const fingerprint = createHash('sha256').update(content).digest('hex')
  const rows = await ctx.run(sql`insert into external_signature_events
      (organization_id, id, fingerprint, creation_time)
    values (${ctx.organization.id}, ${newId()}, ${fingerprint}, ${ctx.now().toISOString()})
    on conflict do nothing`)
  return rows > 0
}

async function documentOf(ctx: Context, { submission, attach_id }: ExternalChange) {
  return ctx.one<StoredDocument>(sql`select t.* from documents t
    where ${mine(ctx)} and t.latest_version and t.deleted_at is null
      and (t.external_submission = ${submission}
        or (t.external_submission is null and t.id = ${attach_id}))
    order by t.external_submission is null limit 1 for update of t`)
}

/** The columns that link a document to the external service, as far as the event has them. */
function linksIn(change: ExternalChange, document: StoredDocument): Columns {
  const { submission, slug, template, signed, audit } = change
  const set: Columns = {}
  if (submission && !document.external_submission) set.external_submission = submission
  if (template !== null && !document.external_template) set.external_template = template
  if (slug !== null && !document.external_template_slug) {
    set.external_template_slug = cut(slug, 255)
  }
  if (signed) set.external_signed_document_url = signed
  if (audit) set.external_audit_log_url = audit
  return set
}

async function storeLinks(ctx: Context, id: string, set: Columns): Promise<boolean> {
  if (!Object.keys(set).length) return false
  return (await update(ctx, await lock(ctx, Document, id, 'update'), {}, { set })).changed
}

/** A request in the external service: its recipients receive no mails from here. */
async function addRequest(
  ctx: Context,
  document: StoredDocument,
  { submitters }: ExternalChange,
): Promise<string> {
  const id = newId()
  await ctx.run(sql`insert into signature_requests (organization_id, id, document_id,
      is_sequential, is_external, content_hash, creation_time)
    values (${ctx.organization.id}, ${id}, ${document.id}, false, true,
      ${contentHash(document)}, ${ctx.now().toISOString()})`)
  await addSubmitters(ctx, id, submitters)
  return id
}

/** The status that the event results in, if the table of moves allows it; otherwise the current one. */
function nextStatus(
  { isComplete, isDeclined }: ExternalChange,
  from: SignatureStatus,
  required: number,
  completed: number,
): SignatureStatus {
  const isPartial = completed > 0 && required > 0
  const to = isDeclined ? 'declined' : isComplete ? 'signed' : isPartial ? 'partial' : from
  return canMove(from, to) ? to : from
}

function canMove(from: SignatureStatus, to: SignatureStatus): boolean {
  return signatureMoves[from].includes(to)
}

const announced = [
  { status: 'pending', event: 'document_signature_requested', action: 'signature requested' },
  { status: 'signed', event: 'document_signed', action: 'signed' },
  { status: 'declined', event: 'document_declined', action: 'declined' },
] as const

/** Announces each status on the way: one event may both request the signatures and complete them. */
async function announceMoves(
  ctx: Context,
  { id, document_name: name, project_id, signature_status: from }: StoredDocument,
  after: Written,
  to: SignatureStatus,
) {
  for (const { status, event, action } of announced) {
    const isRequested = status === 'pending' && from === 'none' && to !== 'none'
    if (from === to || !(isRequested || status === to)) continue
    await announce(ctx, Document, event, {
      ...after,
      name,
      project_id,
      changes: [{ field: 'signature_status', from, to: status }],
      notify: status === 'pending' ? [] : await owners(ctx, id, `${name}: ${action}`, event),
      action,
      more: auditStep(ctx, { service: 'docuseal' }),
    })
  }
}

/** Adds the signed version; its file stays with the external service. */
async function addSignedVersion(ctx: Context, id: string, signed_at: string) {
  const row = await ctx.one<StoredDocument>(
    sql`select t.* from documents t where ${mine(ctx)} and t.id = ${id}`,
  )
  if (!row) return
  const signed = await newVersion(ctx, id, 'signature')
  const set = {
    is_signed_version: true,
    signature_status: 'signed',
    signatures_required: row.signatures_required,
    signatures_completed: row.signatures_completed,
    signature_request: row.signature_request,
    signed_at,
    external_submission: row.external_submission,
    external_signed_document_url: row.external_signed_document_url,
    external_audit_log_url: row.external_audit_log_url,
  }
  await update(ctx, await lock(ctx, Document, signed, 'update'), {}, { set })
}
