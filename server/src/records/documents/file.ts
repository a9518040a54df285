import type { Context } from '../../kit/ground/context.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { storeUpload } from '../../kit/ground/stored-files.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { Input } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lockName } from '../../kit/write/lock-name.ts'
import { iconOf, typeOf } from '../../files/media-type.ts'

/** The largest file of a document, in bytes. */
export const fileLimit = 50 * 1024 * 1024

/** The largest file that somebody without an account sends, in bytes. */
export const outsiderFileLimit = 10 * 1024 * 1024

/**
 * Stores the file of a request, before the transaction that refers to it; 413 if the organization
 * has no room for it.
 */
export async function storeFile(
  ctx: Context,
  { file }: Pick<Input, 'file'>,
  folder: 'documents' | 'signature-files' = 'documents',
): Promise<void> {
  if (!file) return
  await checkStorage(ctx, file.size)
  await storeUpload(ctx, file, folder, typeOf(file))
}

/** The bytes of the organization's files, those of old versions and deleted documents included. */
export async function storageOf(ctx: Context): Promise<number> {
  // a file shared by several versions counts once
  const found = await ctx.one<{ bytes: number }>(sql`
    select coalesce(sum(f.file_size), 0)::bigint as bytes from (
      select max(t.file_size) as file_size from documents t
      where ${mine(ctx)} and t.storage_key is not null group by t.storage_key
      union all select max(t.file_size) from document_images t where ${mine(ctx)}
      group by t.storage_key
      union all select t.file_size from signature_files t where ${mine(ctx)}) f`)
  return found?.bytes ?? 0
}

/** 413 `storage_quota_exceeded` if so many more bytes would exceed the organization's quota. */
export async function checkStorage(ctx: Context, size: number): Promise<void> {
  const limit = ctx.services.quotas.storageBytes
  if (!limit) return
  const used = await storageOf(ctx)
  if (used + size <= limit) return
  const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
  throw new Failure(
    413,
    'storage_quota_exceeded',
    `The organization stores ${mebibytes(used)} of ${mebibytes(limit)} MiB, which leaves no room for a file of ${mebibytes(size)} MiB`,
    { data: { limit, used, size } },
  )
}

/**
 * The columns of a stored file. The uploads of an organization are checked one after another, so that
 * together they stay within its quota.
 */
export async function uploadColumns(
  ctx: Context,
  file: Upload,
): Promise<{ [column: string]: unknown }> {
  if (ctx.services.quotas.storageBytes) {
    await lockName(ctx, `storage ${ctx.organization.id}`)
    await checkStorage(ctx, file.size)
  }
  return fileColumns(ctx, file)
}

/** The columns of a stored file. */
export function fileColumns(ctx: Context, file: Upload): { [column: string]: unknown } {
  const file_type = typeOf(file)
  return {
    storage_type: ctx.files.kind,
    storage_key: file.storedKey,
    file_name: file.name,
    file_type,
    file_size: file.size,
    file_hash: file.hash,
    file_icon: iconOf(file_type),
    file_time: ctx.now().toISOString(),
  }
}

/** The fields without those that describe a file, which are detected for stored files. */
export function withoutFile<F extends FileFields>(fields: F): Omit<F, keyof FileFields> {
  const {
    storage_type: _,
    file_name: _1,
    file_type: _2,
    file_size: _3,
    file_icon: _4,
    ...others
  } = fields
  return others
}

type FileFields = {
  [name in 'storage_type' | 'file_name' | 'file_type' | 'file_size' | 'file_icon']?: unknown
}
