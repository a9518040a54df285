import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import { isEmailAddress } from '../../../kit/ground/email-address.ts'
import { badField, conflict } from '../../../kit/ground/errors.ts'
import { announce } from '../../../kit/write/announce.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from '../requests/audit.ts'
import { noticesOf, owners } from '../requests/invite.ts'
import { invitation } from '../requests/mails.ts'
import { isTaken, readdress } from '../requests/readdress.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'
import { acts, recipientsOf } from '../requests/request.ts'
import { checkOpen, lockSigning } from './signing.ts'
import type { Client } from './step.ts'

/** Whether a recipient may hand their place over: where the sender allows it, and once for each place. */
export function mayDelegate(
  { allow_delegation }: Pick<SignatureRequest, 'allow_delegation'>,
  recipient: Pick<Recipient, 'role' | 'is_delegated'>,
): boolean {
  return allow_delegation && acts(recipient) && !recipient.is_delegated
}

/**
 * Hands a recipient's place over to somebody else, with its turn and its fields: the link ends, the other person is
 * mailed one of their own, and the owners are notified. 409 where it may not be handed over.
 */
export async function delegate(
  ctx: Context,
  id: string,
  to: { name: string; email: string },
  client: Client,
): Promise<void> {
  const signing = await lockSigning(ctx, id)
  checkOpen(ctx, signing, 'declined')
  const { recipient, request, document } = signing
  if (!mayDelegate(request, recipient)) {
    throw conflict('This place cannot be handed over', 'wrong_move')
  }
  const name = cut(to.name.trim(), 255)
  if (!name) throw badField('delegate_name', 'must not be empty')
  const email = to.email.trim()
  const isOwn = email.toLowerCase() === recipient.email.toLowerCase()
  const all = await recipientsOf(ctx, request.id)
  if (!isEmailAddress(email) || email.length > 320 || isOwn || isTaken(all, recipient, email)) {
    const message = 'must be the e-mail address of somebody who is not asked yet'
    throw badField('delegate_email', message)
  }
  const person = await readdress(ctx, recipient, { name, email, isDelegated: true })
  const { id: document_id, version, document_name, project_id } = document
  const { name: former_name, email: former_email, role } = recipient
  const title = `${former_name} handed ${document_name} over to ${name}`
  const told = await owners(ctx, document_id, title, 'document_delegated', {
    person: former_name,
    reason: `${name} (${email})`,
  })
  const invited = await noticesOf(ctx, [person], document_name)
  await announce(ctx, Document, 'signature handed over', {
    id: document_id,
    version,
    name: document_name,
    project_id,
    title: `Document handed over by ${former_name} to ${name}`,
    notify: [...told, ...invited],
    more: auditStep(ctx, {
      action: 'delegated',
      name,
      email,
      former_name,
      former_email,
      role,
      ...client,
    }),
  })
  await invitation(ctx, person, document_name, request, former_name)
}
