import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { makeTemporaryFolder, withTemporaryFile } from '../../../kit/ground/files.ts'
import { storeFile } from '../../../kit/ground/stored-files.ts'
import type { Job, Work } from '../../../kit/ground/job.ts'
import { retriesOfADay } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock, update } from '../../../kit/write/write.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import { fileColumns } from '../file.ts'
import { picturesOf } from '../images.ts'
import { writtenOf } from '../own-text.ts'
import { auditOf } from '../requests/audit.ts'
import { owners } from '../requests/invite.ts'
import { completion, mostAttached } from '../requests/mails.ts'
import type { Recipient, SignatureRequest } from '../requests/request.ts'
import { recipientsOf, requestById } from '../requests/request.ts'
import { sealerFor, signFile, validationOf } from '../seals/sign-file.ts'
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
  async run(work, { document_id }) {
    try {
      await seal(work, document_id)
    } catch (error) {
      // it is tried again, but those who wait for it should know
      if (!work.signal.aborted) await work.write((ctx) => notifyUnsealed(ctx, document_id))
      throw error
    }
  },
}

/** The same for one document, whose PDF `writePdf` writes. */
export async function seal(
  work: Pick<Work, 'reads' | 'write'>,
  document_id: string,
  writePdf: (sealed: ToSeal) => Promise<SealedFile> = sealApart,
): Promise<void> {
  const { reads, write } = work
  const document = await unsealed(reads, document_id)
  if (!document?.signature_request) return
  const request = await requestById(reads, document.signature_request)
  if (!request) return
  const recipients = await recipientsOf(reads, request.id)
  const entries = await auditOf(reads, document_id)
  const organization = reads.organization.name
  const html = document.storage_key ? null : await writtenOf(reads, document)
  const pictures = html ? await picturesOf(reads, document.id, html) : {}
  const sealer = await sealerFor(work)
  const validation = await validationOf(reads, sealer)
  const keys = await attachedKeys(reads, request.id)
  const storedFile = await withFiles(reads, { original: document.storage_key, ...keys }, (files) =>
    withTemporaryFile(async (path) => {
      const { original, ...attached } = files
      const people = { request, recipients, entries, organization }
      const content = { document: { ...document, html }, attached, pictures, validation }
      const sealed = { ...content, ...people, original, path }
      const { size, head, place } = await writePdf(sealed)
      const hash = await signFile(reads, sealer, path, place)
      const storedKey = await storeFile(reads, path, 'documents', 'application/pdf')
      return { size, head, hash, storedKey }
    }),
  )
  const isSealed = await write((ctx) =>
    addSignedVersion(ctx, document_id, { file: storedFile, request, recipients }),
  )
  if (!isSealed) await reads.files.remove(storedFile.storedKey)
}

/** What those who signed a request attached: the keys of the files, by their ids. */
async function attachedKeys(ctx: Context, request: string): Promise<{ [id: string]: string }> {
  const files = await ctx.all<{ id: string; storage_key: string }>(sql`
    select t.id, t.storage_key from signature_files t
    join signature_recipients r on ${mine(ctx, 'r')} and r.id = t.recipient_id
    where ${mine(ctx)} and r.request_id = ${request} and r.status in ('signed', 'approved')`)
  return Object.fromEntries(files.map(({ id, storage_key }) => [id, storage_key]))
}

/** Calls a function with the paths of stored files, by the names of their keys. */
async function withFiles<T>(
  { files }: Context,
  keys: { [name: string]: string | null },
  work: (paths: { [name: string]: string }) => Promise<T>,
): Promise<T> {
  const folder = await makeTemporaryFolder()
  try {
    const paths: { [name: string]: string } = {}
    for (const [name, key] of Object.entries(keys)) {
      if (key === null) continue
      const path = (paths[name] = join(folder, name))
      await pipeline(await files.get(key), createWriteStream(path, { mode: 0o600 }))
    }
    return await work(paths)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type StoredFile = Omit<SealedFile, 'place'> & { hash: string; storedKey: string }
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

/** Notifies the owners, once, that a document could not be sealed yet. */
async function notifyUnsealed(ctx: Context, document_id: string): Promise<void> {
  const row = await unsealed(ctx, document_id, true)
  const isFirst = await ctx.run(sql`update signature_requests t
    set seal_failed_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${row?.signature_request ?? null} and t.seal_failed_at is null`)
  if (!row || !isFirst) return
  const { id, document_name: name, project_id } = row
  const title = `${name} is signed, but could not be sealed yet`
  const notify = await owners(ctx, id, title, 'document_unsealed')
  await announce(ctx, Document, 'sealing failed', { id, name, project_id, title, notify })
}

/** The signed PDF as an upload, with the name of what was signed. */
function signedFile(
  { file_name, document_name }: StoredDocument,
  { head, ...stored }: StoredFile,
): Upload {
  const stem = cut((file_name ?? document_name).replace(/\.[^.]{1,8}$/, ''), 240)
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
