import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Context } from './context.ts'
import { newId } from './ids.ts'

/** The file of a request: complete, within its limit, on this machine until the answer. */
export type Upload = {
  /** the last part of the name it had on the caller's machine */
  name: string
  /** the media type that the caller declared */
  type: string
  /** bytes */
  size: number
  /** SHA-256 in hex */
  hash: string
  /** its first 4 KiB, to detect its type */
  head: Buffer
  /** its path on this machine */
  path: string
  /** the key under which it was stored, so that it is removed when the request is refused */
  storedKey?: string
}

/** First and last byte, both inclusive, as in HTTP. */
export type ByteRange = { start: number; end: number }

/**
 * The store of files: a folder or S3. Keys are slash-separated words. Never call it inside a
 * transaction: it may be the network. If a bucket fails or does not answer, that is 503.
 */
export type Files = {
  /** `folder` or `s3`, as documents show it */
  kind: string
  /** stores a file of this machine; readers of the key see all of it or nothing */
  put(key: string, path: string, type: string): Promise<void>
  /** throws `NoSuchFile` when there is none */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** nothing happens when there is none */
  remove(key: string): Promise<void>
  /** every key below a prefix (all keys if it is empty), with the time it was stored */
  list(prefix: string): AsyncIterable<{ key: string; storedAt: Date }>
  /** throws when files can neither be stored nor read now */
  check(): Promise<void>
}

/** A new key in one of the store's folders, under the organization's prefix. */
function newKey({ organization }: Context, folder: string): string {
  return `${folder}/${organization.id}/${newId()}`
}

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

/** How the names of temporary folders begin; housekeeping removes those of processes that were killed. */
export const temporaryPrefix = 'perennial-temporary-'

/** A new folder for temporary files, which nobody else may enter. */
export function makeTemporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), temporaryPrefix))
}

/** Calls the function with the path of a temporary file, which is removed afterwards. */
export async function withTemporaryFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const temporary = await makeTemporaryFolder()
  try {
    return await work(join(temporary, 'file'))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The record names a file that the store does not have. */
export class NoSuchFile extends Error {}

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
