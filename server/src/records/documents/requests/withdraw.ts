import type { Context } from '../../../kit/ground/context.ts'
import { conflict } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import type { Written } from '../../../kit/write/write.ts'
import { lock, update } from '../../../kit/write/write.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import { checkMove } from '../../../model/documents/states.ts'
import { auditStep } from './audit.ts'
import { owners } from './invite.ts'
import { copyOf, withdrawal } from './mails.ts'
import { prepareAgain } from './preparation.ts'
import { hasSigned, recipientsOf, requestOf } from './request.ts'
import type { SignatureStatus } from '../../../model/documents/requests/states.ts'
import { signatureMoves } from '../../../model/documents/requests/states.ts'

/**
 * Withdraws the signature request of a document, because somebody voids it or because it has
 * expired: the links stop working and the content is unlocked. What it asked for is prepared again, unless it names
 * somebody whose data were erased.
 */
export async function voidSignatures(
  ctx: Context,
  id: string,
  reason: string | null,
  status: 'voided' | 'expired' = 'voided',
  isErased = false,
): Promise<Written> {
  const locked = await lock(ctx, Document, id, 'update')
  const { row } = locked
  checkMove<SignatureStatus>(signatureMoves, 'A signature', row.signature_status, 'none')
  const request = await requestOf(ctx, id)
  if (!request) throw conflict('The document has no signature request', 'wrong_move')
  const recipients = await recipientsOf(ctx, request.id)
  await ctx.run(sql`update signature_requests t set status = ${status}, reason = ${reason},
      ended_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${request.id}`)
  await ctx.run(sql`update signature_recipients t set status = 'voided'
    where ${mine(ctx)} and t.request_id = ${request.id}`)
  const set = {
    signature_status: 'none',
    signature_request: null,
    signatures_required: 0,
    signatures_completed: 0,
  }
  const after = await update(ctx, locked, {}, { set })
  const { document_name: name, project_id } = row
  const isExpired = status === 'expired'
  await announce(ctx, Document, `signature request ${isExpired ? 'expired' : 'withdrawn'}`, {
    ...after,
    name,
    project_id,
    changes: [{ field: 'signature_status', from: row.signature_status, to: 'none' }],
    notify: isExpired
      ? await owners(ctx, id, `Nobody signed ${name} in time`, 'document_expired')
      : [],
    more: auditStep(ctx, { reason }),
  })
  if (request.is_external) return after
  if (!isErased) await prepareAgain(ctx, id, request, recipients)
  const stored = await ctx.one<StoredDocument>(sql`select t.* from documents t
    where ${mine(ctx)} and t.id = ${id}`)
  const copy = stored ? copyOf(stored) : null
  // whoever signed what another declined was told that it does not take effect: only a reason is news to them
  const areTold = row.signature_status === 'declined' && !reason
  for (const person of recipients) {
    if (areTold && hasSigned(person)) continue
    if (['sent', 'viewed', 'signed', 'approved'].includes(person.status)) {
      await withdrawal(ctx, person, name, reason, hasSigned(person) ? copy : null)
    }
  }
  return after
}
