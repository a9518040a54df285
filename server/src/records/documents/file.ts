import type { Context } from '../../kit/ground/context.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Input } from '../../kit/ground/operation.ts'
import { iconOf, typeOf } from './media-type.ts'

/** The largest file of a document, in bytes. */
export const fileLimit = 50 * 1024 * 1024

/** Stores the file of a request, before the transaction that refers to it. */
export async function storeFile(ctx: Context, { file }: Pick<Input, 'file'>): Promise<void> {
  if (!file) return
  const key = newKey(ctx)
  await ctx.files.put(key, file.path, typeOf(file))
  file.storedKey = key
}

/** A new key under the organization's prefix. */
export function newKey(ctx: Context): string {
  return `documents/${ctx.organization.id}/${newId()}`
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

/** Fields without those that describe a file: of one that is stored here they are detected. */
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
