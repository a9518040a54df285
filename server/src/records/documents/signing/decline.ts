import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock, update } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from '../requests/audit.ts'
import { owners } from '../requests/invite.ts'
import { copyOf, refusal } from '../requests/mails.ts'
import { endRequest, hasSigned, recipientsOf } from '../requests/request.ts'
import type { SignatureStatus } from '../../../model/documents/requests/states.ts'
import { signatureMoves } from '../../../model/documents/requests/states.ts'
import { checkMove } from '../../../model/documents/states.ts'
import { act, checkOpen, lockSigning } from './signing.ts'
import type { Client } from './step.ts'
import { recordSignature } from './step.ts'

/** Declines with a reason, which ends the request for everybody; those who have signed are mailed. */
export async function decline(
  ctx: Context,
  id: string,
  text: string,
  client: Client,
): Promise<void> {
  const signing = await lockSigning(ctx, id)
  checkOpen(ctx, signing, 'declined')
  const reason = cut(text.trim(), 2000)
  if (!reason) throw badField('reason', 'must not be empty')
  const { recipient, request, document } = signing
  const { document_name: name, project_id, signature_status: from } = document
  checkMove<SignatureStatus>(signatureMoves, 'A signature', from, 'declined')
  await act(ctx, id, client, { status: 'declined', reason })
  await endRequest(ctx, request.id, 'declined')
  recordSignature(ctx, document, recipient)
  const set = { signature_status: 'declined' }
  const after = await update(ctx, await lock(ctx, Document, document.id, 'update'), {}, { set })
  const { name: recipientName, email, role } = recipient
  await announce(ctx, Document, 'document_declined', {
    ...after,
    name,
    project_id,
    changes: [{ field: 'signature_status', from, to: 'declined' }],
    notify: await owners(
      ctx,
      document.id,
      `${recipientName} declined to sign ${name}`,
      'document_declined',
      { person: recipientName, reason },
    ),
    action: 'declined',
    more: auditStep(ctx, {
      action: 'declined',
      name: recipientName,
      email,
      role,
      ...client,
      reason,
    }),
  })
  const copy = copyOf(document)
  for (const other of await recipientsOf(ctx, request.id)) {
    if (hasSigned(other)) await refusal(ctx, other, name, recipientName, copy)
  }
}
