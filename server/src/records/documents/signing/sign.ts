import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock, update } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from '../requests/audit.ts'
import { inviteNext, owners } from '../requests/invite.ts'
import type { FilledIn } from '../../../model/documents/requests/placed-fields.ts'
import { filledFields } from '../../../model/documents/requests/placed-fields.ts'
import { acts, endRequest, recipientsOf } from '../requests/request.ts'
import type { SignatureStatus } from '../../../model/documents/requests/states.ts'
import { signatureMoves } from '../../../model/documents/requests/states.ts'
import { sealing } from '../sealing/job.ts'
import { checkMove } from '../../../model/documents/states.ts'
import { attachedBy, keepFiles } from './attach.ts'
import { act, checkOpen, lockSigning } from './signing.ts'
import type { Client } from './step.ts'
import { logStep } from './step.ts'

/**
 * A typed name, optionally a drawn signature as SVG path data in a box of 600 × 200, and what
 * was filled in on the pages.
 */
export type Mark = { name: string; path?: string; filled?: FilledIn }

/**
 * Signs or approves, once. The last signature completes the document; in a sequential request the
 * next recipients are invited. 409 when it is not this recipient's turn or the request has ended.
 */
export async function sign(ctx: Context, id: string, mark: Mark, client: Client): Promise<void> {
  const signing = await lockSigning(ctx, id)
  const { recipient, request, document } = signing
  const to = recipient.role === 'approver' ? 'approved' : 'signed'
  checkOpen(ctx, signing, to)
  const signature_name = cut(mark.name.trim(), 255)
  if (!signature_name) throw badField('name', 'must not be empty')
  const signature_path = mark.path ? checkedPath(mark.path) : null
  const { day } = signing
  const files = await attachedBy(ctx, recipient)
  const said = { name: signature_name, day, email: recipient.email, files }
  const fields = filledFields(recipient.fields, mark.filled ?? {}, said)
  // what a condition no longer asks for
  const kept = fields.flatMap(({ file }) => file ?? [])
  const attached = await keepFiles(ctx, recipient, kept)
  await act(ctx, id, client, { status: to, signature_name, signature_path, fields })
  const recipients = await recipientsOf(ctx, request.id)
  const completed = recipients.filter((each) => acts(each) && each.acted_at).length
  const from = document.signature_status
  const status: SignatureStatus = completed === document.signatures_required ? 'signed' : 'partial'
  checkMove<SignatureStatus>(signatureMoves, 'A signature', from, status)
  const isComplete = status === 'signed'
  const set = {
    signature_status: status,
    signatures_completed: completed,
    ...(isComplete ? { signed_at: ctx.now().toISOString() } : {}),
  }
  const after = await update(ctx, await lock(ctx, Document, document.id, 'update'), {}, { set })
  const { content_hash } = request
  const step = {
    recipient,
    client,
    signed_as: signature_name,
    content_hash,
    ...(attached.length ? { attached } : {}),
  }
  await logStep(ctx, document, `Document ${to} by ${recipient.name}`, to, step)
  const { document_name: name, project_id } = document
  if (!isComplete) {
    const notify = await inviteNext(ctx, request.id, document)
    if (notify.length) {
      await announce(ctx, Document, 'signature asked for', { ...after, name, project_id, notify })
    }
    return
  }
  await endRequest(ctx, request.id, 'signed')
  await announce(ctx, Document, 'document_signed', {
    ...after,
    name,
    project_id,
    changes: [{ field: 'signature_status', from, to: 'signed' }],
    notify: await owners(ctx, document.id, `Everybody signed ${name}`, 'document_signed'),
    action: 'signed',
    more: auditStep(ctx, { content_hash }),
  })
  ctx.enqueue(sealing, { document_id: document.id })
}

/** 400 for anything that the page would not draw: only moves and lines of whole numbers are allowed. */
function checkedPath(path: string): string {
  if (path.length > 20_000 || !/^(M\d{1,3} \d{1,3}(L\d{1,3} \d{1,3})*)+$/.test(path)) {
    throw badField('signature', 'must be drawn on the page')
  }
  return path
}
