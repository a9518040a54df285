import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import type { Upload } from '../../../kit/ground/files.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type {
  AttachedFile,
  AttachedFiles,
} from '../../../model/documents/requests/placed-fields.ts'
import type { FileOfDocument } from '../download.ts'
import { fileLimit, outsiderFileLimit, uploadColumns } from '../file.ts'
import type { LoggedFile } from '../requests/audit.ts'
import type { Recipient } from '../requests/request.ts'
import { recipientsOf } from '../requests/request.ts'
import { checkOpen, lockSigning } from './signing.ts'

/** How much the files of one request have together, in bytes: the sealed PDF encloses them. */
const mostTogether = fileLimit

/** Whether a recipient is asked for files. */
export function takesFiles({ fields }: Pick<Recipient, 'fields'>): boolean {
  return fields.some(({ kind }) => kind === 'attachment')
}

/**
 * The largest file at a field of a request, in bytes: each of its fields for files has an equal share, so that nobody
 * takes the room of another. In hundredths of a MiB, as it is said.
 */
export async function attachmentLimit(
  ctx: Context,
  recipient: Pick<Recipient, 'request_id' | 'fields'>,
): Promise<number> {
  if (!takesFiles(recipient)) return outsiderFileLimit
  const all = await recipientsOf(ctx, recipient.request_id)
  const fields = all.flatMap((each) => each.fields.filter(({ kind }) => kind === 'attachment'))
  return shareOf(fields.length)
}

/** The same for so many fields. */
export function shareOf(fields: number): number {
  const mebibyte = 1024 * 1024
  const hundredths = Math.floor((100 * mostTogether) / mebibyte / Math.max(1, fields))
  return Math.min(outsiderFileLimit, Math.floor((hundredths * mebibyte) / 100))
}

/**
 * Puts a stored upload at a field of a recipient who has not signed yet, in place of the one before. 413 where the
 * organization has no room for it.
 */
export async function attachFile(
  ctx: Context,
  id: string,
  position: number,
  file: Upload,
): Promise<void> {
  const { recipient } = await lockFilling(ctx, id)
  if (recipient.fields[position]?.kind !== 'attachment') {
    throw badField(`fields.${position}`, 'takes no file')
  }
  await remove(ctx, id, sql`t.position = ${position}`)
  const { file_type } = await uploadColumns(ctx, file)
  await ctx.run(sql`insert into signature_files (organization_id, id, recipient_id, position, storage_key,
      file_name, file_type, file_size, file_hash, creation_time)
    values (${ctx.organization.id}, ${newId()}, ${id}, ${position}, ${file.storedKey}, ${file.name},
      ${file_type}, ${file.size}, ${file.hash}, ${ctx.now().toISOString()})`)
}

/** Takes back what a recipient who has not signed yet attached at a field, if there is anything. */
export async function detachFile(ctx: Context, id: string, position: number): Promise<void> {
  await lockFilling(ctx, id)
  await remove(ctx, id, sql`t.position = ${position}`)
}

async function lockFilling(ctx: Context, id: string) {
  const signing = await lockSigning(ctx, id)
  checkOpen(ctx, signing, signing.recipient.role === 'approver' ? 'approved' : 'signed')
  return signing
}

/** Removes files of a recipient, and after the commit what is stored of them. */
async function remove(ctx: Context, recipient: string, which: Query) {
  const gone = await ctx.all<{ storage_key: string }>(sql`delete from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${recipient} and ${which} returning t.storage_key`)
  if (!gone.length) return
  ctx.afterCommit(() => {
    // what is left of them then goes with the orphans
    for (const { storage_key } of gone) void ctx.files.remove(storage_key).catch(() => {})
  })
}

/** What a recipient has attached, by the position of the field. */
export async function attachedBy(
  ctx: Context,
  recipient: Pick<Recipient, 'id' | 'fields'>,
): Promise<AttachedFiles> {
  if (!takesFiles(recipient)) return {}
  const files = await ctx.all<AttachedFile & { position: number }>(sql`
    select t.position, t.id, t.file_name as name, t.file_type as type, t.file_size as size,
      t.file_hash as hash from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${recipient.id}`)
  return Object.fromEntries(files.map(({ position, ...file }) => [position, file]))
}

/** Removes all that a recipient attached. */
export function dropFiles(ctx: Context, recipient: string) {
  return remove(ctx, recipient, sql`true`)
}

/** Removes what a recipient attached except these files; returns these for the audit trail, the first attached first. */
export async function keepFiles(
  ctx: Context,
  recipient: Pick<Recipient, 'id' | 'fields'>,
  kept: AttachedFile[],
): Promise<LoggedFile[]> {
  if (!takesFiles(recipient)) return []
  const { id: own } = recipient
  await remove(ctx, own, sql`t.id <> all(${kept.map(({ id }) => id)}::varchar[])`)
  const files = await ctx.all<LoggedFile>(sql`
    select t.creation_time as at, t.file_name, t.file_size, t.file_hash from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${own} order by t.creation_time, t.position`)
  return files.map((file) => ({ ...file, at: new Date(file.at).toISOString() }))
}

/** The columns of an attached file, as those of a document's. */
export const attachedFile = sql`t.storage_key, t.file_name, t.file_type, t.file_size, t.file_hash,
  t.creation_time as file_time`

/** A file of one recipient; undefined if it is none of theirs. */
export function attachedFileOf(ctx: Context, recipient: string, id: string) {
  return ctx.one<FileOfDocument>(sql`select ${attachedFile} from signature_files t
    where ${mine(ctx)} and t.recipient_id = ${recipient} and t.id = ${id}`)
}
