import type { StoredDocument } from '../../../model/documents/document.ts'
import type { AuditEntry } from '../requests/audit.ts'
import type { Validation } from '../seals/validation.ts'
import type { SignaturePlace } from './place-for-signature.ts'
import type { Pictures } from './written.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'

/** What a signed version is created from. */
export type Sealed = {
  /** what was signed, with its own text as safe HTML */
  document: Pick<
    StoredDocument,
    'id' | 'document_name' | 'signed_at' | 'file_name' | 'file_type'
  > & { html: string | null }
  request: Pick<SignatureRequest, 'content_hash'>
  recipients: Recipient[]
  entries: AuditEntry[]
  organization: string
  /** the file that was signed, if there was one */
  original: Uint8Array | undefined
  /** what recipients attached, by the ids of the files */
  attached: { [id: string]: Uint8Array }
  /** those of its own text */
  pictures: Pictures
  /** what shows later that the certificates of the seal were valid */
  validation?: Validation | undefined
}

/** The same with local files: the signed file, if there was one, and the path of the PDF to write. */
export type ToSeal = Omit<Sealed, 'original' | 'attached'> & {
  original: string | undefined
  attached: { [id: string]: string }
  path: string
}

/** The PDF that was written: its size in bytes, its first bytes, and where its signature goes. */
export type SealedFile = { size: number; head: Uint8Array; place: SignaturePlace }
