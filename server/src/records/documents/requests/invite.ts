import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import type { NewNotification } from '../../../kit/ground/event.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { countUse } from '../usage.ts'
import { invitation } from './mails.ts'
import type { Recipient } from './request.ts'
import { acts, recipientsOf, requestById } from './request.ts'

/**
 * Mails the recipients whose turn has come and marks them as sent: everybody, or in a sequential
 * request those of the first turn in which somebody has not acted. Returns the notifications for
 * recipients who are users.
 */
export async function inviteNext(
  ctx: Context,
  request_id: string,
  { id, document_name }: Pick<StoredDocument, 'id' | 'document_name'>,
): Promise<NewNotification[]> {
  const request = await requestById(ctx, request_id)
  if (!request) return []
  const people = await recipientsOf(ctx, request_id)
  const open = people.filter((each) => acts(each) && !each.acted_at)
  const turn = request.is_sequential ? Math.min(...open.map((each) => each.turn)) : Infinity
  const invited = people.filter(
    (each) => each.status === 'waiting' && each.role !== 'cc' && (each.turn <= turn || !acts(each)),
  )
  if (!invited.length) return []
  const ids = invited.map((each) => each.id)
  await ctx.run(sql`update signature_recipients t set status = 'sent',
      sent_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = any(${ids})`)
  await countUse(ctx, id, 'shares', invited.length)
  for (const person of invited) await invitation(ctx, person, document_name, request)
  return noticesOf(ctx, invited, document_name)
}

/** The notifications for those of the invited who are users. */
export async function noticesOf(
  ctx: Context,
  invited: Pick<Recipient, 'email'>[],
  document_name: string,
): Promise<NewNotification[]> {
  const users = await ctx.all<{ id: string }>(sql`select t.id from users t
    where ${mine(ctx)} and t.deleted_at is null
      and t.email_key = any(${invited.map(({ email }) => email.toLowerCase())})`)
  const title = cut(`Your signature is requested: ${document_name}`, 255)
  return users.map((user) => ({ user_id: user.id, notification_type: 6, title, isMailed: true }))
}

/**
 * A notification for the owner and creator of a document, and for whoever requested its signatures.
 * `event` says what happened, for the words of the mail, `person` who did it, and `reason` why, or to whom it went.
 */
export async function owners(
  ctx: Context,
  id: string,
  title: string,
  event:
    | 'document_signed'
    | 'document_declined'
    | 'document_delegated'
    | 'document_expired'
    | 'document_unsealed',
  { person, reason }: { person?: string; reason?: string } = {},
): Promise<NewNotification[]> {
  const row = await ctx.one<{ people: (string | null)[] }>(sql`
    select json_build_array(t.document_owner, t.created_by, q.created_by) as people from documents t
    left join signature_requests q on q.organization_id = $organization
      and q.id = t.signature_request
    where ${mine(ctx)} and t.id = ${id}`)
  const people = new Set((row?.people ?? []).filter((each) => each !== null))
  return [...people].map((user_id) => ({
    user_id,
    notification_type: 6,
    title: cut(title, 255),
    ...(reason ? { description: reason } : {}),
    notification_obj: { event, ...(person ? { person } : {}) },
  }))
}
