import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** The file of a request: complete, within its limit, on this machine until the answer. */
export type Upload = {
  /** the last part of the name it had on the caller's machine */
  name: string
  /** the part of the form that it was in */
  part?: string
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
