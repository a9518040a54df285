import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../../kit/ground/context.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { withTemporaryFile } from '../../../kit/ground/files.ts'
import { storeFile } from '../../../kit/ground/stored-files.ts'
import type { Job, Work } from '../../../kit/ground/job.ts'
import { retriesOfADay } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock, update } from '../../../kit/write/write.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import { fileColumns } from '../file.ts'
import { auditOf } from '../requests/audit.ts'
import { completion } from '../requests/mails.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'
import { recipientsOf, requestById } from '../requests/request.ts'
import { newVersion } from '../versions.ts'
import { sealApart } from './apart.ts'
import type { Sealing } from './job.ts'
import { sealing } from './job.ts'
import type { SealedFile, ToSeal } from './sealed.ts'

/**
 * Creates the signed version of a document, once, and mails it to every recipient.
 */
export const sealDocument: Job<Sealing> = {
  ...sealing,
  retries: retriesOfADay,
  run: (work, { document_id }) => seal(work, document_id),
}

/** The same for one document, whose PDF `writePdf` writes. */
export async function seal(
  { reads, write }: Pick<Work, 'reads' | 'write'>,
  document_id: string,
  writePdf: (sealed: ToSeal) => Promise<SealedFile> = sealApart,
): Promise<void> {
  const document = await unsealed(reads, document_id)
  if (!document?.signature_request) return
  const request = await requestById(reads, document.signature_request)
  if (!request) return
  const recipients = await recipientsOf(reads, request.id)
  const entries = await auditOf(reads, document_id)
  const organization = reads.organization.name
  const storedFile = await withOriginal(reads, document.storage_key, (original) =>
    withTemporaryFile(async (path) => {
      const sealed = { document, request, recipients, entries, organization, original, path }
      const file = await writePdf(sealed)
      return { ...file, storedKey: await storeFile(reads, path, 'documents', 'application/pdf') }
    }),
  )
  const isSealed = await write((ctx) =>
    addSignedVersion(ctx, document_id, { file: storedFile, request, recipients }),
  )
  if (!isSealed) await reads.files.remove(storedFile.storedKey)
}

/** Calls a function with the path of the signed file, if there was one. */
async function withOriginal<T>(
  { files }: Context,
  key: string | null,
  work: (original: string | undefined) => Promise<T>,
): Promise<T> {
  if (!key) return work(undefined)
  return withTemporaryFile(async (path) => {
    await pipeline(await files.get(key), createWriteStream(path, { mode: 0o600 }))
    return work(path)
  })
}

type StoredFile = SealedFile & { storedKey: string }
type Signed = { file: StoredFile; request: SignatureRequest; recipients: Recipient[] }

/** Adds the version with the signed file; false if another run has added it meanwhile. */
async function addSignedVersion(
  ctx: Context,
  document_id: string,
  { file: stored, request, recipients }: Signed,
): Promise<boolean> {
  const row = await unsealed(ctx, document_id, true)
  if (!row) return false
  const id = await newVersion(ctx, document_id, 'signature', row.latest_version)
  const file = signedFile(row, stored)
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
  const after = await update(ctx, await lock(ctx, Document, id, 'update'), {}, { set })
  const { document_name: name, project_id } = row
  await announce(ctx, Document, 'sealed', {
    ...after,
    name,
    project_id,
    more: { content_hash: request.content_hash, file_hash: file.hash },
  })
  const { name: filename, type, size } = file
  const { storedKey } = stored
  const enclosed = size <= mostAttached ? { filename, storedKey, type } : null
  for (const person of recipients) await completion(ctx, person, name, request, enclosed)
  return true
}

/** Larger files are only linked: many mail servers accept at most 10 MB. */
const mostAttached = 7 * 2 ** 20

/** The signed PDF as an upload, with the name of what was signed. */
function signedFile(
  { file_name, document_name }: StoredDocument,
  { head, ...stored }: StoredFile,
): Upload {
  const stem = (file_name ?? document_name).replace(/\.[^.]{1,8}$/, '').slice(0, 240)
  return {
    ...stored,
    name: `${stem} (signed).pdf`,
    type: 'application/pdf',
    head: Buffer.from(head),
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
