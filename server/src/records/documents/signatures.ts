import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { parseInstant } from '../../kit/ground/dates.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields, conflict } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { Document } from './document.ts'
import type { Body } from './input.ts'
import { invitation, reminder, withdrawal } from './letters.ts'
import { countUse } from './open-file.ts'
import type { SignatureStatus } from './states.ts'
import { checkMove, signatureMoves } from './states.ts'
import { announceDocument } from './announce.ts'
import { isOld, latestOf } from './update.ts'
import type { NewNotification } from '../../kit/ground/event.ts'

/** Somebody who was asked, as the table keeps it. */
export type Recipient = {
  id: string
  request_id: string
  position: number
  name: string
  email: string
  role: 'signer' | 'approver' | 'viewer' | 'cc'
  turn: number
  status: string
  token_sealed: Buffer
  sent_at: string | null
  viewed_at: string | null
  acted_at: string | null
  reason: string | null
  signature_name: string | null
  signature_path: string | null
  address: string | null
  user_agent: string | null
}

/** Those without whom a document is not signed. */
export const acts = ({ role }: Pick<Recipient, 'role'>) => role === 'signer' || role === 'approver'

type Given = { name?: string | null; email: string; role?: Recipient['role']; order?: number }

/** Asks people to sign a version of a document, and mails those whose turn it is. */
export async function requestSignatures(
  ctx: Context,
  id: string,
  { recipients, sequential = false, expires_at, message = null }: Body,
): Promise<Written> {
  const { row } = await lock(ctx, Document, id, 'update')
  if (!row.latest_version) throw isOld(await latestOf(ctx, id))
  checkMove<SignatureStatus>(signatureMoves, 'A signature', row.signature_status, 'pending')
  const people = checkedRecipients(recipients)
  const expires = expiryOf(ctx, expires_at)
  const request = newId()
  await ctx.run(sql`insert into signature_requests (organization_id, id, document_id, is_sequential,
      message, content_hash, expires_at, created_by, creation_time)
    values (${ctx.organization.id}, ${request}, ${id}, ${sequential}, ${message},
      ${contentHash(row)}, ${expires}, ${ctx.actor.user_id}, ${ctx.now().toISOString()})`)
  await addRecipients(ctx, request, people)
  const set = {
    signature_status: 'pending',
    signature_enabled: true,
    signature_request: request,
    signatures_required: people.filter(acts).length,
    signatures_completed: 0,
  }
  const told = { name: row.document_name, project_id: row.project_id }
  // first, so that the record is told with those who were sent it
  const invited = await inviteNext(ctx, { request, document: { id, ...told } })
  const after = await update(ctx, Document, id, {}, { set })
  await announceDocument(ctx, after, 'signature requested', {
    ...told,
    changes: [{ field: 'signature_status', from: row.signature_status, to: 'pending' }],
    notify: invited,
    more: audit(ctx, { content_hash: contentHash(row), asked: people.length }),
  })
  return after
}

/** Takes a request back: nobody can sign any more, and the document may be changed again. */
export async function voidSignatures(
  ctx: Context,
  id: string,
  reason: string | null,
  status: 'voided' | 'expired' = 'voided',
): Promise<Written> {
  const { row } = await lock(ctx, Document, id, 'update')
  checkMove<SignatureStatus>(signatureMoves, 'A signature', row.signature_status, 'none')
  const request = await requestOf(ctx, id)
  const now = ctx.now().toISOString()
  const told = await recipientsOf(ctx, request!.id)
  await ctx.run(sql`update signature_requests t set status = ${status}, reason = ${reason},
      ended_at = ${now} where ${mine(ctx)} and t.id = ${request!.id}`)
  await ctx.run(sql`update signature_recipients t set status = 'voided'
    where ${mine(ctx)} and t.request_id = ${request!.id}`)
  const after = await update(
    ctx,
    Document,
    id,
    {},
    {
      set: {
        signature_status: 'none',
        signature_request: null,
        signatures_required: 0,
        signatures_completed: 0,
      },
    },
  )
  const document = { id, name: row.document_name, project_id: row.project_id }
  const what = status === 'expired' ? 'signature request expired' : 'signature request withdrawn'
  await announceDocument(ctx, after, what, {
    ...document,
    changes: [{ field: 'signature_status', from: row.signature_status, to: 'none' }],
    notify:
      status === 'expired'
        ? await owners(ctx, id, `Nobody signed ${row.document_name} in time`)
        : [],
    more: audit(ctx, { reason }),
  })
  if (request!.is_external) return after
  for (const person of told) {
    if (['sent', 'viewed', 'signed', 'approved'].includes(person.status)) {
      await withdrawal(ctx, person, document.name, reason)
    }
  }
  return after
}

/** Mails everybody once more whose turn it is; 409 when nobody is waited for. */
export async function remindSigners(ctx: Context, id: string): Promise<number> {
  const { row, version } = await lock(ctx, Document, id, 'update')
  const request = await requestOf(ctx, id)
  if (!['pending', 'partial'].includes(row.signature_status) || !request || request.is_external) {
    throw conflict('Nobody is waited for to sign this document', 'wrong_move', {
      from: row.signature_status,
      to: 'pending',
    })
  }
  const waited = (await recipientsOf(ctx, request.id)).filter(
    (person) => acts(person) && ['sent', 'viewed'].includes(person.status),
  )
  for (const person of waited) await reminder(ctx, person, row.document_name, request)
  await ctx.run(sql`update signature_requests t set reminders = reminders + 1,
      reminded_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${request.id}`)
  await announceDocument(ctx, { id, version, json: async () => '' }, 'signers reminded', {
    name: row.document_name,
    project_id: row.project_id,
    more: audit(ctx, { reminded: waited.map(({ email }) => email) }),
  })
  return waited.length
}

type Asking = { request: string; document: { id: string; name: string } }

/**
 * Mails those whose turn has come and marks them as sent: all of them at once, or of those who sign
 * one after the other the first who have not acted. Gives whom of the organization's own to tell.
 */
export async function inviteNext(
  ctx: Context,
  { request, document }: Asking,
): Promise<NewNotification[]> {
  const asked = await requestById(ctx, request)
  const people = await recipientsOf(ctx, request)
  const open = people.filter((each) => acts(each) && !each.acted_at)
  const turn = asked!.is_sequential ? Math.min(...open.map((each) => each.turn)) : Infinity
  const invited = people.filter(
    (each) => each.status === 'waiting' && each.role !== 'cc' && (each.turn <= turn || !acts(each)),
  )
  if (!invited.length) return []
  const ids = invited.map(({ id }) => id)
  await ctx.run(sql`update signature_recipients t set status = 'sent',
      sent_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = any(${ids})`)
  await countUse(ctx, document.id, 'shares', invited.length)
  for (const person of invited) await invitation(ctx, person, document.name, asked!)
  const users = await ctx.all<{ id: string }>(sql`select t.id from users t
    where ${mine(ctx)} and t.deleted_at is null
      and t.email_key = any(${invited.map(({ email }) => email.toLowerCase())})`)
  return users.map(({ id: user_id }) => ({
    user_id,
    notification_type: 6,
    title: `Your signature is wanted: ${document.name}`.slice(0, 255),
  }))
}

/** Whom of the organization to tell how it went: who owns the document and who asked. */
export async function owners(ctx: Context, id: string, title: string): Promise<NewNotification[]> {
  const row = await ctx.one<{ people: (string | null)[] }>(sql`
    select json_build_array(t.document_owner, t.created_by, q.created_by) as people from documents t
    left join signature_requests q on q.organization_id = t.organization_id
      and q.id = t.signature_request
    where ${mine(ctx)} and t.id = ${id}`)
  const people = new Set((row?.people ?? []).filter((each) => each !== null))
  return [...people].map((user_id) => ({
    user_id,
    notification_type: 6,
    title: title.slice(0, 255),
  }))
}

export type SignatureRequest = {
  id: string
  document_id: string
  status: string
  is_sequential: boolean
  is_external: boolean
  message: string | null
  content_hash: string
  expires_at: string | null
  creation_time: string
}

/** The request that a document's row shows. */
export async function requestOf(ctx: Context, document: string) {
  return ctx.one<SignatureRequest>(sql`select q.* from signature_requests q
    join documents t on t.organization_id = q.organization_id and t.signature_request = q.id
    where ${mine(ctx)} and t.id = ${document}`)
}

export async function requestById(ctx: Context, id: string) {
  return ctx.one<SignatureRequest>(
    sql`select t.* from signature_requests t where ${mine(ctx)} and t.id = ${id}`,
  )
}

/** Everybody who was asked, in the order given. */
export async function recipientsOf(ctx: Context, request: string): Promise<Recipient[]> {
  return ctx.all<Recipient>(sql`select t.* from signature_recipients t
    where ${mine(ctx)} and t.request_id = ${request} order by t.position`)
}

/** Rows for those who are asked, each with a link's token of its own. */
export async function addRecipients(
  ctx: Context,
  request: string,
  people: Pick<Recipient, 'name' | 'email' | 'role' | 'turn'>[],
  from = 0,
) {
  const rows = people.map(({ name, email, role, turn }, i) => {
    const position = from + i
    const token = randomBytes(32).toString('base64url')
    return sql`(${ctx.organization.id}, ${newId()}, ${request}, ${position}, ${name}, ${email},
      ${role}, ${turn}, ${ctx.secrets.hash(token)}, ${ctx.secrets.encrypt(token)})`
  })
  await ctx.run(sql`insert into signature_recipients (organization_id, id, request_id, position,
      name, email, role, turn, token_hash, token_sealed) values ${sql.join(rows)}`)
}

/** What is signed, as a hash: that of the file, or of the text and the name where there is none. */
export function contentHash(row: Body): string {
  if (row.file_hash) return row.file_hash
  const { document_name, editor_html_content, editorjs_content, external_file_url } = row
  const said = [document_name, editor_html_content, editorjs_content, external_file_url]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

/** What the log keeps of a step for the audit. */
export function audit(ctx: Context, step: Body): { [key: string]: unknown } {
  return { audit: { at: ctx.now().toISOString(), ...step } }
}

function expiryOf(ctx: Context, given: unknown): string | null {
  if (given === undefined || given === null) return null
  const instant = parseInstant(String(given), ctx.organization.timezone)
  if (!instant || new Date(instant) <= ctx.now()) {
    throw badField('expires_at', 'must be in the future')
  }
  return instant
}

/** The recipients of a body with defaults: signers, in the order given. 400 names who is wrong. */
function checkedRecipients(given: Given[]) {
  const people = given.map(({ name, email, role = 'signer', order }, i) => ({
    name: name?.trim() || email.trim(),
    email: email.trim(),
    role,
    turn: order ?? i + 1,
  }))
  const errors: FieldError[] = []
  for (const [i, { email }] of people.entries()) {
    const first = people.findIndex((each) => each.email.toLowerCase() === email.toLowerCase())
    if (first !== i) {
      errors.push({ field: `recipients.${i}.email`, message: `is that of recipient ${first} too` })
    }
  }
  if (!people.some(acts)) {
    errors.push({ field: 'recipients', message: 'must have at least one signer or approver' })
  }
  if (errors.length) {
    throw badFields(errors)
  }
  return people
}
