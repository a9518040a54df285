import type { Context } from '../../../kit/ground/context.ts'
import { announce } from '../../../kit/write/announce.ts'
import { recordActivity } from '../../health/activity.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import type { LoggedFile } from '../requests/audit.ts'
import { auditStep } from '../requests/audit.ts'
import type { Recipient } from '../requests/request.ts'

/** The client that somebody signs from, for the audit trail. */
export type Client = { address: string; user_agent: string }

type Step = {
  recipient: Recipient
  client: Client
  signed_as?: string
  content_hash?: string
  /** what they attached, which the audit trail has as steps of its own */
  attached?: LoggedFile[]
  /** the document's, where it stays as it is: whoever looks at it is told then */
  version?: number
}

/** Logs what a recipient did; the audit trail is read from these entries. */
export async function logStep(
  ctx: Context,
  document: StoredDocument,
  title: string,
  action: string,
  { recipient, client, version, ...signed }: Step,
): Promise<void> {
  const { id, document_name, project_id } = document
  const { name, email, role } = recipient
  recordSignature(ctx, document, recipient, action === 'viewed')
  await announce(ctx, Document, action, {
    id,
    ...(version === undefined ? {} : { version }),
    name: document_name,
    project_id,
    title,
    more: auditStep(ctx, { action, name, email, role, ...client, ...signed }),
  })
}

/** Counts what a recipient did as activity of the contact and of the records that the document belongs to. */
export function recordSignature(
  ctx: Context,
  { id, is_private }: StoredDocument,
  { id: source_id, email }: Pick<Recipient, 'id' | 'email'>,
  isOpened = false,
  at = ctx.now().toISOString(),
) {
  recordActivity(ctx, {
    kind: isOpened ? 'opened' : 'signature',
    source_id,
    module_id: Document.number,
    reference_id: id,
    at,
    is_private,
    emails: [email],
  })
}
