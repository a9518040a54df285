import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import type { StoredField } from '../../../model/documents/requests/placed-fields.ts'
import type {
  RecipientStatus,
  RequestStatus,
  SignatureRole,
} from '../../../model/documents/requests/states.ts'

/** A request for signatures on one version of a document, as stored. */
export type SignatureRequest = {
  id: string
  document_id: string
  status: RequestStatus
  is_sequential: boolean
  /** requested in an external signing service, which sends its own mails */
  is_external: boolean
  /** whether recipients may hand their place over */
  allow_delegation: boolean
  /** what is asked for before the page opens */
  check_by: 'email_code' | null
  message: string | null
  /** SHA-256 of what is signed */
  content_hash: string
  expires_at: string | null
  created_by: string | null
  creation_time: string
  /** when the owners were notified that it could not be sealed yet */
  seal_failed_at: string | null
}

/** A recipient of a signature request, as stored. */
export type Recipient = {
  id: string
  request_id: string
  position: number
  name: string
  email: string
  role: SignatureRole
  turn: number
  status: RecipientStatus
  token_sealed: Buffer
  sent_at: string | null
  viewed_at: string | null
  reminded_at: string | null
  /** how often somebody has reminded them alone */
  reminders: number
  /** whether it was handed over to them by whom the sender asked */
  is_delegated: boolean
  /** when they signed, approved or declined */
  acted_at: string | null
  reason: string | null
  signature_name: string | null
  signature_path: string | null
  address: string | null
  user_agent: string | null
  /** the hash of the code that was mailed last, until when it is good, and how often it was guessed */
  code_hash: Buffer | null
  code_until: string | null
  code_tries: number
  /** the fields that they fill in on the document's pages */
  fields: StoredField[]
}

/** Whether the document is incomplete without this recipient: true of signers and approvers. */
export const acts = ({ role }: Pick<Recipient, 'role'>) => role === 'signer' || role === 'approver'

/** Whether a recipient has signed or approved. */
export const hasSigned = ({ status }: Pick<Recipient, 'status'>) =>
  status === 'signed' || status === 'approved'

/** The current request of a document; undefined without one. */
export async function requestOf(ctx: Context, document: string) {
  return ctx.one<SignatureRequest>(sql`select q.* from signature_requests q
    join documents t on ${mine(ctx)} and t.signature_request = q.id
    where ${mine(ctx, 'q')} and t.id = ${document}`)
}

/** A request by its id. */
export async function requestById(ctx: Context, id: string) {
  return ctx.one<SignatureRequest>(
    sql`select t.* from signature_requests t where ${mine(ctx)} and t.id = ${id}`,
  )
}

/** The recipients of a request, in the order in which they were named. */
export async function recipientsOf(ctx: Context, request: string): Promise<Recipient[]> {
  return ctx.all<Recipient>(sql`select t.* from signature_recipients t
    where ${mine(ctx)} and t.request_id = ${request} order by t.position`)
}

/** Adds recipients to a request, each with a token for their own link. */
export async function addRecipients(
  ctx: Context,
  request: string,
  people: (Pick<Recipient, 'name' | 'email' | 'role' | 'turn'> &
    Partial<Pick<Recipient, 'fields'>>)[],
  from = 0,
) {
  const rows = people.map(({ name, email, role, turn, fields = [] }, i) => {
    const position = from + i
    const token = randomBytes(32).toString('base64url')
    return sql`(${ctx.organization.id}, ${newId()}, ${request}, ${position}, ${name}, ${email},
      ${role}, ${turn}, ${ctx.secrets.hash(token)}, ${ctx.secrets.encrypt(token)},
      ${JSON.stringify(fields)}::jsonb)`
  })
  await ctx.run(sql`insert into signature_recipients (organization_id, id, request_id, position,
      name, email, role, turn, token_hash, token_sealed, fields) values ${sql.join(rows)}`)
}

/** Ends a request because everybody has signed or somebody declined. */
export async function endRequest(ctx: Context, id: string, status: 'signed' | 'declined') {
  await ctx.run(sql`update signature_requests t set status = ${status},
      ended_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${id}`)
}

type Content = Pick<
  StoredDocument,
  'file_hash' | 'document_name' | 'editor_html_content' | 'editorjs_content' | 'external_file_url'
>

/** SHA-256 of what is signed: the file, or without one the name, the text and the address. */
export function contentHash(document: Content): string {
  if (document.file_hash) return document.file_hash
  const { document_name, editor_html_content, editorjs_content, external_file_url } = document
  const content = [document_name, editor_html_content, editorjs_content, external_file_url]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
