import type { Context } from '../../../kit/ground/context.ts'
import { announce } from '../../../kit/write/announce.ts'
import type { StoredDocument } from '../document.ts'
import { Document } from '../document.ts'
import { auditStep } from '../requests/audit.ts'
import type { Recipient } from '../requests/request.ts'

/** The client that somebody signs from, for the audit. */
export type Client = { address: string; user_agent: string }

type Step = { recipient: Recipient; client: Client; signed_as?: string; content_hash?: string }

/** Logs what a recipient did; the audit is read from these entries. */
export async function logStep(
  ctx: Context,
  { id, document_name, project_id }: StoredDocument,
  title: string,
  action: string,
  { recipient: { name, email, role }, client, ...signed }: Step,
): Promise<void> {
  await announce(ctx, Document, action, {
    id,
    name: document_name,
    project_id,
    title,
    more: auditStep(ctx, { action, name, email, role, ...client, ...signed }),
  })
}
