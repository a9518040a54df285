import type { Context } from '../../../kit/ground/context.ts'
import { badField, Failure } from '../../../kit/ground/errors.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import type {
  AttachedFile,
  AttachedFiles,
} from '../../../model/documents/requests/placed-fields.ts'
import type { FileOfDocument } from '../download.ts'
import { fileLimit, uploadColumns } from '../file.ts'
import { auditStep } from '../requests/audit.ts'
import { checkOpen, lockSigning } from './signing.ts'
import type { Client } from './step.ts'

/** How much the files of one request have together, in bytes: the sealed PDF encloses them. */
const mostTogether = fileLimit

/**
 * Puts a stored upload at a field of a recipient who has not signed yet, in place of the one before. 413 where the
 * organization or the request has no room for it.
 */
export async function attachFile(
  ctx: Context,
  id: string,
  position: number,
  file: Upload,
  client: Client,
): Promise<void> {
  const { recipient, document } = await lockFilling(ctx, id)
  if (recipient.fields[position]?.kind !== 'attachment') {
    throw badField(`fields.${position}`, 'takes no file')
  }
  const others = await ctx.one<{ bytes: number }>(sql`
    select coalesce(sum(t.file_size), 0)::bigint as bytes from signature_files t
    join signature_recipients r on ${mine(ctx, 'r')} and r.id = t.recipient_id
    where ${mine(ctx)} and r.request_id = ${recipient.request_id}
      and (t.recipient_id, t.position) <> (${id}, ${position}::integer)`)
  if (Number(others?.bytes ?? 0) + file.size > mostTogether) {
    throw new Failure(413, 'storage_quota_exceeded', 'The files of a request have 50 MiB together')
  }
  const { file_type } = await uploadColumns(ctx, file)
  await ctx.run(sql`insert into signature_files (organization_id, id, recipient_id, position, storage_key,
      file_name, file_type, file_size, file_hash, creation_time)
    values (${ctx.organization.id}, ${newId()}, ${id}, ${position}, ${file.storedKey}, ${file.name},
      ${file_type}, ${file.size}, ${file.hash}, ${ctx.now().toISOString()})
    on conflict (organization_id, recipient_id, position) do update set id = excluded.id,
      storage_key = excluded.storage_key, file_name = excluded.file_name,
      file_type = excluded.file_type, file_size = excluded.file_size,
      file_hash = excluded.file_hash, creation_time = excluded.creation_time`)
  await logFile(ctx, document, `${file.name} attached by ${recipient.name}`, {
    action: 'attached',
    name: recipient.name,
    email: recipient.email,
    ...client,
    file_name: file.name,
    file_size: file.size,
    file_hash: file.hash,
  })
}

/** Takes back what a recipient who has not signed yet attached at a field, if there is anything. */
export async function detachFile(
  ctx: Context,
  id: string,
  position: number,
  client: Client,
): Promise<void> {
  const { recipient, document } = await lockFilling(ctx, id)
  const { name, email } = recipient
  const gone = await ctx.one<{ file_name: string }>(sql`delete from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${id} and t.position = ${position} returning t.file_name`)
  if (!gone) return
  const { file_name } = gone
  const step = { action: 'detached', name, email, ...client, file_name }
  await logFile(ctx, document, `${file_name} taken back by ${name}`, step)
}

async function lockFilling(ctx: Context, id: string) {
  const signing = await lockSigning(ctx, id)
  checkOpen(ctx, signing, signing.recipient.role === 'approver' ? 'approved' : 'signed')
  return signing
}

async function logFile(
  ctx: Context,
  { id, version, document_name: name, project_id }: StoredDocument,
  title: string,
  step: { action: string; [key: string]: unknown },
) {
  const more = auditStep(ctx, step)
  await announce(ctx, Document, step.action, { id, version, name, project_id, title, more })
}

/** What a recipient has attached, by the position of the field. */
export async function attachedBy(ctx: Context, recipient: string): Promise<AttachedFiles> {
  const files = await ctx.all<AttachedFile & { position: number }>(sql`
    select t.position, t.id, t.file_name as name, t.file_type as type, t.file_size as size,
      t.file_hash as hash from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${recipient}`)
  return Object.fromEntries(files.map(({ position, ...file }) => [position, file]))
}

/** Removes what a recipient attached, except the files of these fields. */
export async function dropFiles(ctx: Context, recipient: string, kept: AttachedFile[] = []) {
  await ctx.run(sql`delete from signature_files t where ${mine(ctx)}
    and t.recipient_id = ${recipient} and t.id <> all(${kept.map(({ id }) => id)}::varchar[])`)
}

/** The columns of an attached file, as those of a document's. */
export const attachedFile = sql`t.storage_key, t.file_name, t.file_type, t.file_size, t.file_hash,
  t.creation_time as file_time`

/** A file of one recipient; undefined if it is none of theirs. */
export function attachedFileOf(ctx: Context, recipient: string, id: string) {
  return ctx.one<FileOfDocument>(sql`select ${attachedFile} from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${recipient} and t.id = ${id}`)
}
