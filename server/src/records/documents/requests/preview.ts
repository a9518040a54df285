import type { Context } from '../../../kit/ground/context.ts'
import { instantIn, today } from '../../../kit/ground/dates.ts'
import { badField, notFound } from '../../../kit/ground/errors.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import { storedFields } from '../../../model/documents/requests/placed-fields.ts'
import { personOf } from '../../mail/post.ts'
import { latestExpiry } from '../batches/request.ts'
import { writtenOf } from '../own-text.ts'
import { shownText } from '../reusable/values.ts'
import { shareOf } from '../signing/attach.ts'
import type { Signing } from '../signing/signing.ts'
import { preparedFor } from './preparation.ts'

/** The content of a preview's key. It is no link: nobody can sign with it. */
export type SigningPreview = {
  organization: string
  user: string
  document: string
  recipient: string
  expires: string
}

const purpose = 'signing-preview'
const minutes = 30

/** A key to the page as a recipient who is prepared would see it, encrypted and authenticated; nothing is stored. */
export async function sealSigningPreview(
  ctx: Context,
  document: string,
  recipient: string,
): Promise<{ key: string; expires_at: string }> {
  const expires_at = new Date(+ctx.now() + minutes * 60_000).toISOString()
  const organization = ctx.organization.id
  const preview = { organization, user: ctx.actor.user_id ?? '', document, recipient }
  if (!(await previewed(ctx, preview))) throw badField('recipient', 'is the key of no recipient')
  return { key: ctx.secrets.seal({ ...preview, expires: expires_at }, purpose), expires_at }
}

/** The content of a key; undefined if this service did not create it. */
export function readSigningPreview(
  secrets: Context['secrets'],
  key: string,
): SigningPreview | undefined {
  const preview = secrets.unseal(key, purpose) as SigningPreview | undefined
  return typeof preview?.recipient === 'string' ? preview : undefined
}

/** What a preview shows, and how many bytes a file could have. */
export type Previewed = Signing & { fileLimit: number }

/**
 * What a recipient who is prepared would see, with what the caller may read in the text. 404 unless the caller may change
 * the document; undefined if nobody is prepared under this key.
 */
export async function previewed(
  ctx: Context,
  { document: id, recipient: key }: Pick<SigningPreview, 'document' | 'recipient'>,
): Promise<Previewed | undefined> {
  const row = await ctx.one<StoredDocument>(sql`select t.* from documents t
    where ${all(scope(ctx, Document, 'read'), scope(ctx, Document, 'update'), sql`t.id = ${id}`)}`)
  if (!row) throw notFound('Document')
  const prepared = await preparedFor(ctx, id)
  const at = prepared.recipients.findIndex((each) => each.key === key)
  const person = prepared.recipients[at]
  if (!person) return undefined
  const written = row.storage_key ? null : await writtenOf(ctx, row)
  const text = written && (await shownText(ctx, row, written))
  const now = ctx.now().toISOString()
  const nothing = { viewed_at: null, reminded_at: null, acted_at: null, reason: null }
  const unsigned = { signature_name: null, signature_path: null, address: null, user_agent: null }
  const own = prepared.fields.filter((each) => each.recipient === key)
  const requester = await personOf(ctx, ctx.actor.user_id)
  return {
    document: { ...row, editor_html_content: text, editorjs_content: null },
    requester: requester?.name ?? null,
    state: person.role === 'signer' || person.role === 'approver' ? 'open' : 'reading',
    day: today({ now: ctx.now(), timezone: ctx.organization.timezone }),
    recipient: {
      id: 'preview',
      request_id: 'preview',
      position: at,
      name: person.name.trim() || person.role_name?.trim() || person.email.trim(),
      email: person.email.trim(),
      role: person.role,
      turn: person.order,
      status: 'sent',
      token_sealed: Buffer.alloc(0),
      sent_at: now,
      ...nothing,
      ...unsigned,
      reminders: 0,
      is_delegated: false,
      code_hash: null,
      code_until: null,
      code_tries: 0,
      fields: storedFields(own),
    },
    fileLimit: shareOf(prepared.fields.filter(({ kind }) => kind === 'attachment').length),
    request: {
      id: 'preview',
      document_id: id,
      status: 'open',
      is_sequential: false,
      is_external: false,
      allow_delegation: prepared.allow_delegation ?? false,
      check_by: null,
      message: prepared.message.trim() || null,
      content_hash: '',
      expires_at:
        prepared.expires === null
          ? null
          : instantIn('expires', latestExpiry(prepared.expires), ctx.organization.timezone),
      created_by: ctx.actor.user_id,
      creation_time: now,
      seal_failed_at: null,
    },
  }
}
