import * as fs from 'node:fs'
import { dirname, join } from 'node:path'

/** Why the embedded PostgreSQL cannot be had: one sentence for the operator that says what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}

/** The error in words for the operator, where it is one of theirs; a fault of ours stays as it is. */
export function explained(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedError) return error
  const { path = folder, message } = error as NodeJS.ErrnoException
  const permission =
    `This user has no permission for "${path}": give it to the user who runs Perennial (chown), ` +
    'or set DATA_DIR to another folder.'
  const sentences: Record<string, string> = {
    EACCES: permission,
    EPERM: permission,
    EROFS: `"${path}" is on a read-only disk: mount it for writing, or set DATA_DIR to another folder.`,
    ENOSPC: fullDisk(path),
    EDQUOT: fullDisk(path),
    EEXIST: `"${path}" is a file, not a folder: move it away, or set DATA_DIR to a folder.`,
    ENOTDIR: `A part of "${path}" is a file, not a folder: move it away, or set DATA_DIR to a folder.`,
    ERR_SQLITE_ERROR:
      `The folder "${folder}" cannot be locked (${message}): ` +
      'set DATA_DIR to a folder on a local disk that this user may write.',
  }
  const sentence = sentences[codeOf(error) ?? '']
  return sentence ? new EmbeddedError(sentence, { cause: error }) : error
}

/** On a full disk PostgreSQL cannot even write down why it ended, so the disk is checked too. */
export function startFailure(
  place: { cluster: string; folder: string },
  output: string,
  otherwise: string,
) {
  const { cluster, folder } = place
  const full = /No space left|quota exceeded/i.test(output) || freeSpace(dirname(cluster)) < 1e6
  if (full) return new EmbeddedError(fullDisk(dirname(cluster)))
  if (/still in use/.test(output)) {
    return new EmbeddedError(
      `Processes of an earlier PostgreSQL still use "${cluster}": ` +
        'end them (their names begin with "postgres:") and start again.',
    )
  }
  return new EmbeddedError(`${otherwise} More is in "${join(folder, 'postgres.log')}".`)
}

/** Bytes. */
export function freeSpace(folder: string) {
  const { bavail, bsize } = fs.statfsSync(folder)
  return bavail * bsize
}

/** The line of a log that says why the server ended. */
export function reasonLine(output: string) {
  // Not what it answered to a client that came too early.
  return lastLine(output, /(?:PANIC|FATAL):\s+(?!the database system is)(.*)/) ?? lastLine(output)
}

/** The last line that matches, of which the first group. */
export function lastLine(output: string, pattern = /^\s*(.*\S)\s*$/) {
  const found = output.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? [])
  return found.at(-1)
}

/** `ENOENT`, `28P01` and the like, if the error has one. */
export function codeOf(error: unknown) {
  return (error as { code?: string } | undefined)?.code
}

function fullDisk(path: string) {
  return `The disk of "${path}" is full: make room and start again, or set DATA_DIR to another disk.`
}
