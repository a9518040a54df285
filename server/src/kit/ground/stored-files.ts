import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Context } from './context.ts'
import type { ByteRange, Upload } from './files.ts'
import { withTemporaryFile } from './files.ts'
import { newId } from './ids.ts'

/** Stores the file of a request in a folder, before the transaction that refers to it. */
export async function storeUpload(
  ctx: Context,
  file: Upload,
  folder: string,
  type: string,
): Promise<void> {
  const key = newKey(ctx, folder)
  await ctx.files.put(key, file.path, type)
  file.storedKey = key
}

/** Stores a file of this machine in a folder under a new key, which it returns. */
export async function storeFile(
  ctx: Context,
  path: string,
  folder: string,
  type: string,
): Promise<string> {
  const key = newKey(ctx, folder)
  await ctx.files.put(key, path, type)
  return key
}

/** Stores bytes in a folder under a new key, which it returns; by way of a file of this machine. */
export async function storeBytes(
  ctx: Context,
  bytes: Uint8Array,
  folder: string,
  type: string,
): Promise<string> {
  return withTemporaryFile(async (path) => {
    await writeFile(path, bytes, { mode: 0o600 })
    return storeFile(ctx, path, folder, type)
  })
}

/** A new key in one of the store's folders, under the organization's prefix. */
function newKey({ organization }: Context, folder: string): string {
  return `${folder}/${organization.id}/${newId()}`
}

/** A file as it is served to a caller, and how to read its bytes. */
export type ServedFile = {
  name: string
  type: string
  size: number
  /** SHA-256 in hex, the ETag */
  hash: string
  modified: Date
  /** shown in the browser instead of saved; only types that cannot run as a page are */
  isInline: boolean
  open(range?: ByteRange): Promise<Readable>
  /** called in a separate transaction once the first byte is requested */
  opened?(ctx: Context): Promise<void>
}

/** An answer that is a file: the surface answers ranges and conditions, and streams it. */
export class Download {
  file: ServedFile
  constructor(file: ServedFile) {
    this.file = file
  }
}
