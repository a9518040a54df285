import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../kit/ground/context.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { storeBytes } from '../../../kit/ground/files.ts'
import type { Job, Work } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { update } from '../../../kit/write/write.ts'
import type { StoredDocument } from '../document.ts'
import { Document } from '../document.ts'
import { fileColumns } from '../file.ts'
import { auditOf } from '../requests/audit.ts'
import { completion } from '../requests/mails.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'
import { recipientsOf, requestById } from '../requests/request.ts'
import { newVersion } from '../versions.ts'
import { sealedApart } from './apart.ts'
import type { Sealing } from './job.ts'
import { sealing } from './job.ts'
import type { Sealed } from './sealed.ts'

/**
 * Creates the signed version of a document, once, and mails it to every recipient.
 */
export const sealDocument: Job<Sealing> = {
  ...sealing,
  retries: 10,
  run: (work, { document_id }) => seal(work, document_id),
}

/** The same for one document, whose PDF `pdfOf` makes. */
export async function seal(
  { reads, write }: Pick<Work, 'reads' | 'write'>,
  document_id: string,
  pdfOf: (sealed: Sealed) => Promise<Uint8Array> = sealedApart,
): Promise<void> {
  const document = await unsealed(reads, document_id)
  if (!document?.signature_request) return
  const request = await requestById(reads, document.signature_request)
  if (!request) return
  const recipients = await recipientsOf(reads, request.id)
  const key = document.storage_key
  const bytes = await pdfOf({
    document,
    request,
    recipients,
    entries: await auditOf(reads, document_id),
    organization: reads.organization.name,
    original: key ? await buffer(await reads.files.get(key)) : undefined,
  })
  const storedKey = await storeBytes(reads, bytes, 'documents', 'application/pdf')
  const isSealed = await write((ctx) =>
    addSignedVersion(ctx, document_id, { bytes, storedKey, request, recipients }),
  )
  if (!isSealed) await reads.files.remove(storedKey)
}

type SealedFile = {
  bytes: Uint8Array
  storedKey: string
  request: SignatureRequest
  recipients: Recipient[]
}

/** Adds the version that holds the signed file; false when another run has done it meanwhile. */
async function addSignedVersion(
  ctx: Context,
  document_id: string,
  { bytes, storedKey, request, recipients }: SealedFile,
): Promise<boolean> {
  const row = await unsealed(ctx, document_id, true)
  if (!row) return false
  const id = await newVersion(ctx, document_id, 'signature', row.latest_version)
  const file = signedFile(row, bytes, storedKey)
  const { signature_status, signatures_required, signatures_completed, signed_at } = row
  const set = {
    ...fileColumns(ctx, file),
    is_signed_version: true,
    signature_status,
    signatures_required,
    signatures_completed,
    signature_request: request.id,
    signed_at,
  }
  const after = await update(ctx, Document, id, {}, { set })
  const { document_name: name, project_id } = row
  await announce(ctx, Document, 'sealed', {
    ...after,
    name,
    project_id,
    more: { content_hash: request.content_hash, file_hash: file.hash },
  })
  const { name: filename, type, size } = file
  const enclosed = size <= mostAttached ? { filename, storedKey, type } : null
  for (const person of recipients) await completion(ctx, person, name, request, enclosed)
  return true
}

/** Larger files are linked to alone: many mail servers take no more than 10 MB. */
const mostAttached = 7 * 2 ** 20

/** The signed PDF as if it had been uploaded under the name of what was signed. */
function signedFile(
  { file_name, document_name }: StoredDocument,
  bytes: Uint8Array,
  storedKey: string,
): Upload {
  const stem = (file_name ?? document_name).replace(/\.[^.]{1,8}$/, '').slice(0, 240)
  return {
    storedKey,
    name: `${stem} (signed).pdf`,
    type: 'application/pdf',
    size: bytes.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
    head: Buffer.from(bytes.subarray(0, 16)),
    path: '',
  }
}

/** The row of a document that everybody has signed and that has no signed version yet. */
async function unsealed(ctx: Context, id: string, locks = false) {
  return ctx.one<StoredDocument>(sql`select t.* from documents t
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null and t.signature_status = 'signed'
      and not exists (select from documents s where s.organization_id = $organization
        and s.chain_id = t.chain_id and s.parent_attach_id = t.id and s.is_signed_version)
    ${locks ? sql`for update of t` : sql``}`)
}
