import type { StoredDocument } from '../document.ts'
import type { AuditEntry } from '../requests/audit.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'

/** What a signed version is created from. */
export type Sealed = {
  document: Pick<
    StoredDocument,
    'id' | 'document_name' | 'signed_at' | 'file_type' | 'editor_html_content'
  >
  request: Pick<SignatureRequest, 'content_hash'>
  recipients: Recipient[]
  entries: AuditEntry[]
  organization: string
  /** the file that was signed, where there was one */
  original: Uint8Array | undefined
}
