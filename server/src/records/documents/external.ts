import { createHash } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { update } from '../../kit/write/write.ts'
import { Document } from './document.ts'
import type { Submitter, ExternalChange } from './external-event.ts'
import { changeOf } from './external-event.ts'
import type { Body } from './input.ts'
import type { Recipient } from './signatures.ts'
import {
  acts,
  addRecipients,
  contentHash,
  owners,
  recipientsOf,
  requestOf,
  voidSignatures,
} from './signatures.ts'
import type { RecipientStatus, SignatureStatus } from './states.ts'
import { recipientMoves, signatureMoves } from './states.ts'
import { announceDocument } from './announce.ts'
import { newVersion } from './update.ts'

/** The header in which DocuSeal is to send the secret. */
export const secretHeader = 'X-Docuseal-Secret'

/** The secret of an organization's own: whoever knows it may tell of its documents. */
export function externalSecret({ hash }: Context['secrets'], organization: string): string {
  return hash(`docuseal ${organization}`).toString('base64url')
}

/** What to enter in DocuSeal, so that it tells of its signatures here. */
export const readExternal: Operation = {
  name: 'read_external_signing',
  summary: 'The address and the secret header for the webhooks of DocuSeal',
  description:
    'A submission belongs to the document that has its id as `external_submission_id`, or whose `attach_id` it carries as `external_id` or as `metadata.attach_id` of a submitter.',
  can: { module: 'apps', action: 'update' },
  topic: 'documents',
  writes: false,
  input: {},
  output: {
    type: 'object',
    properties: {
      url: { type: 'string' },
      header: { type: 'string' },
      secret: { type: 'string' },
    },
    required: ['url', 'header', 'secret'],
  },
  run: async (ctx) => ({
    url: `${ctx.public_url}/webhook/docuseal/${ctx.organization.id}`,
    header: secretHeader,
    secret: externalSecret(ctx.secrets, ctx.organization.id),
  }),
}

/**
 * Takes one event of DocuSeal: it moves the document's signatures as our own would and keeps the
 * addresses of what was signed. Told again, or of a document or move that is not known, it does
 * nothing; gives whether it did.
 */
export async function takeExternalEvent(ctx: Context, event: Body): Promise<boolean> {
  const { event_type: type, data } = event
  if (!(await isNew(ctx, event))) return false
  const told = changeOf(type, data)
  const document = await documentOf(ctx, told)
  if (!document) return false
  const id = document.id as string
  const request = await requestOf(ctx, id)
  // it was asked for here: what others say of it is another matter
  if (request && !request.is_external && request.status === 'open') return false
  if (told.ends) {
    if (!request || !canMove(document.signature_status, 'none')) return false
    await voidSignatures(ctx, id, null, told.ends)
    return true
  }
  const set: Body = linksOf(told, document)
  let status = document.signature_status as SignatureStatus
  let shown = request
  if (!request || request.status !== 'open') {
    if (!canMove(status, 'pending') || !told.submitters.length) {
      return keepLinks(ctx, id, set)
    }
    set.signature_request = await ask(ctx, document, told.submitters)
    set.signature_enabled = true
    set.signature_status = status = 'pending'
    shown = undefined
  }
  const people = await settle(ctx, set.signature_request ?? shown!.id, told.submitters)
  const required = people.filter(acts).length
  const completed = people.filter((each) => each.status === 'signed').length
  Object.assign(set, { signatures_required: required, signatures_completed: completed })
  const from = document.signature_status as SignatureStatus
  const to = nextStatus(told, status, required, completed)
  if (to === 'signed') set.signatures_completed = required
  set.signature_status = to
  if (to === 'signed') set.signed_at = ctx.now().toISOString()
  const after = await update(ctx, Document, id, {}, { set })
  if (to === 'signed' || to === 'declined') await end(ctx, set.signature_request ?? shown!.id, to)
  await tellMove(ctx, document, after, from, to)
  if (to === 'signed') await seal(ctx, id, set)
  return true
}

/** Whether this was not told before: retries carry the same event. */
async function isNew(ctx: Context, event: Body): Promise<boolean> {
  const { event_type, timestamp, data } = event
  const said = JSON.stringify([event_type, timestamp ?? null, data])
  const fingerprint = createHash('sha256').update(said).digest('hex')
  const rows = await ctx.run(sql`insert into external_signature_events
      (organization_id, id, fingerprint, creation_time)
    values (${ctx.organization.id}, ${newId()}, ${fingerprint}, ${ctx.now().toISOString()})
    on conflict do nothing`)
  return rows > 0
}

async function documentOf(
  ctx: Context,
  { submission, attach_id }: ExternalChange,
): Promise<Body | undefined> {
  return ctx.one<Body>(sql`select t.* from documents t
    where ${mine(ctx)} and t.latest_version and t.deleted_at is null
      and (t.external_submission = ${submission}
        or (t.external_submission is null and t.id = ${attach_id}))
    order by t.external_submission is null limit 1 for update of t`)
}

function linksOf(told: ExternalChange, document: Body): Body {
  const { submission, slug, template, signed, audit } = told
  const set: Body = {}
  if (submission && !document.external_submission) set.external_submission = submission
  if (typeof template.id === 'number' && !document.external_template) {
    set.external_template = template.id
  }
  const name = template.slug ?? slug
  if (typeof name === 'string' && !document.external_template_slug) {
    set.external_template_slug = name.slice(0, 255)
  }
  if (signed) set.external_signed_document_url = signed
  if (audit) set.external_audit_log_url = audit
  return set
}

async function keepLinks(ctx: Context, id: string, set: Body): Promise<boolean> {
  if (!Object.keys(set).length) return false
  return (await update(ctx, Document, id, {}, { set })).changed
}

/** A request that another service keeps: its people get no mail of ours. */
async function ask(ctx: Context, document: Body, submitters: Submitter[]): Promise<string> {
  const id = newId()
  await ctx.run(sql`insert into signature_requests (organization_id, id, document_id,
      is_sequential, is_external, content_hash, creation_time)
    values (${ctx.organization.id}, ${id}, ${document.id}, false, true,
      ${contentHash(document)}, ${ctx.now().toISOString()})`)
  await addRecipients(ctx, id, submitters.map(asSigner))
  return id
}

function asSigner({ name, email }: Submitter) {
  return { name, email, role: 'signer' as const, turn: 1 }
}

/** Brings the rows of a request to what is told of its people, where their states allow it. */
async function settle(ctx: Context, request: string, told: Submitter[]): Promise<Recipient[]> {
  const before = await recipientsOf(ctx, request)
  const byEmail = new Map(before.map((each) => [each.email.toLowerCase(), each]))
  const others = told.filter(({ email }) => !byEmail.has(email.toLowerCase()))
  if (others.length) await addRecipients(ctx, request, others.map(asSigner), before.length)
  const now = ctx.now().toISOString()
  for (const each of await recipientsOf(ctx, request)) {
    const found = told.find(({ email }) => email.toLowerCase() === each.email.toLowerCase())
    if (!found || found.status === each.status) continue
    const steps: RecipientStatus[] =
      each.status === 'waiting' && found.status !== 'sent' ? ['sent', found.status] : [found.status]
    let status = each.status as RecipientStatus
    for (const step of steps) if (recipientMoves[status].includes(step)) status = step
    if (status === each.status) continue
    const acted = status === 'signed' || status === 'declined' ? now : null
    await ctx.run(sql`update signature_recipients t set status = ${status},
        sent_at = coalesce(sent_at, ${now}), acted_at = coalesce(${acted}, acted_at),
        viewed_at = case when ${status} = 'viewed' then ${now} else viewed_at end,
        reason = ${found.reason} where ${mine(ctx)} and t.id = ${each.id}`)
  }
  return recipientsOf(ctx, request)
}

function nextStatus(
  { isComplete, isDeclined }: ExternalChange,
  from: SignatureStatus,
  required: number,
  completed: number,
): SignatureStatus {
  const wanted: SignatureStatus = isDeclined
    ? 'declined'
    : isComplete
      ? 'signed'
      : completed > 0 && required > 0
        ? 'partial'
        : from
  return wanted === from || canMove(from, wanted) ? wanted : from
}

function canMove(from: SignatureStatus, to: SignatureStatus): boolean {
  return signatureMoves[from].includes(to)
}

async function end(ctx: Context, request: string, status: 'signed' | 'declined') {
  await ctx.run(sql`update signature_requests t set status = ${status},
      ended_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${request}`)
}

async function tellMove(
  ctx: Context,
  document: Body,
  after: Parameters<typeof announceDocument>[1],
  from: SignatureStatus,
  to: SignatureStatus,
) {
  const steps: [SignatureStatus, string][] = [
    ['pending', 'signature requested'],
    ['signed', 'signed'],
    ['declined', 'declined'],
  ]
  const name = document.document_name
  for (const [status, what] of steps) {
    const isBegun = status === 'pending' && from === 'none' && to !== 'none'
    if (from === to || !(isBegun || status === to)) continue
    const title = `${name}: ${what}`
    await announceDocument(ctx, after, what, {
      name,
      project_id: document.project_id,
      changes: [{ field: 'signature_status', from, to: status }],
      notify: status === 'pending' ? [] : await owners(ctx, document.id, title),
      more: { audit: { at: ctx.now().toISOString(), service: 'docuseal' } },
    })
  }
}

/** The signed version: its file stays with the other service. */
async function seal(ctx: Context, id: string, set: Body) {
  const row = (await ctx.one<Body>(
    sql`select t.* from documents t where ${mine(ctx)} and t.id = ${id}`,
  ))!
  const signed = await newVersion(ctx, id, 'signature')
  await update(
    ctx,
    Document,
    signed,
    {},
    {
      set: {
        is_signed_version: true,
        signature_status: 'signed',
        signatures_required: row.signatures_required,
        signatures_completed: row.signatures_completed,
        signature_request: row.signature_request,
        signed_at: set.signed_at,
        external_submission: row.external_submission,
        external_signed_document_url: row.external_signed_document_url,
        external_audit_log_url: row.external_audit_log_url,
      },
    },
  )
}
