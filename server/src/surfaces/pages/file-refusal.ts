import { Failure } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import type { MessageKey, Voice } from '../../model/languages/language.ts'
import { FileTooLarge } from '../form.ts'
import { failureText } from './look.ts'

/**
 * Why a file of somebody without an account was refused, in their language and with its name, and the status of the answer;
 * without an upload, why a form with files was. What is about neither is thrown.
 */
export function fileRefusal(
  error: unknown,
  voice: Voice,
  {
    limit,
    mostFiles,
    upload,
    noRoom = 'portal.file_no_room',
  }: { limit: number; mostFiles: number; upload?: Upload; noRoom?: MessageKey },
): { text: string; status: number } {
  if (!(error instanceof Failure) || ![400, 403, 404, 409, 413].includes(error.status)) throw error
  const { say } = voice
  const name = (error instanceof FileTooLarge ? error.file : undefined) ?? upload?.name ?? ''
  const { status, code } = error
  if (error instanceof FileTooLarge) {
    const text = name
      ? say('portal.file_large', { name, limit: mebibytes(voice, limit) })
      : say('portal.files_large', { limit: mebibytes(voice, limit * mostFiles) })
    return { text, status }
  }
  if (!upload) {
    const isMany = error.errors?.[0]?.field === 'file' && status === 400
    const text = isMany
      ? say('portal.too_many_files', { count: mostFiles })
      : failureText(voice, error.message)
    return { text, status }
  }
  const why =
    upload.size === 0
      ? 'portal.file_empty'
      : code === 'storage_quota_exceeded'
        ? noRoom
        : error.errors?.[0]?.field === 'file'
          ? 'portal.file_locked'
          : undefined
  const text = why ? say(why, { name }) : `${name}: ${failureText(voice, error.message)}`
  return { text, status }
}

/** A number of bytes in MiB, as texts say it. */
export function mebibytes({ language }: Voice, bytes: number): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(bytes / 1024 / 1024)
}
