import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import type { Voice } from '../../model/languages/language.ts'
import { fileLimit } from '../../records/documents/file.ts'
import {
  checkTakesFiles,
  handInFile,
  handInFileAgain,
  takeFileBack,
} from '../../records/portal/files.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { readingContext } from '../../runtime.ts'
import { FileTooLarge } from '../form.ts'
import { failureText } from '../pages/look.ts'
import type { Look } from '../pages/page.ts'
import { formOf } from '../pages/plugin.ts'
import { receive, refuseLength } from '../upload.ts'
import { runAs } from './act.ts'
import type { Filed } from './upload-form.ts'
import { mostFiles } from './upload-form.ts'

/**
 * Hands in the files of a form, each by itself: what is wrong with one leaves the others. A form without files takes
 * one back, or hands it in again.
 */
export async function fileForTask(
  runtime: Runtime,
  who: Caller,
  request: FastifyRequest,
  { task, look }: { task: string; look: () => Promise<Look> },
): Promise<Filed> {
  const { act, file } = formOf(request)
  if (act === 'remove' || act === 'restore') {
    const operation = act === 'remove' ? takeFileBack : handInFileAgain
    try {
      await runAs(runtime, who, request, { operation, id: task, file: file || '-' })
    } catch (error) {
      return { added: 0, ...refusal(error, (await look()).voice) }
    }
    return { added: 0, refused: [], status: 200, ...(act === 'remove' ? { removed: file } : {}) }
  }
  const { dataDir, bounds } = runtime.config
  const folder = join(dataDir, 'uploads')
  let discard: (() => Promise<void>) | undefined
  try {
    // what is refused anyway is not received
    refuseLength(request, { limit: fileLimit * mostFiles })
    await checkTakesFiles(readingContext(runtime, who), task)
    discard = await receive(request, { limit: fileLimit, mostFiles }, {}, { folder, bounds })
    return await handInAll(runtime, who, request, { task, look })
  } catch (error) {
    return { added: 0, ...refusal(error, (await look()).voice) }
  } finally {
    await discard?.()
  }
}

async function handInAll(
  runtime: Runtime,
  who: Caller,
  request: FastifyRequest,
  { task, look }: { task: string; look: () => Promise<Look> },
): Promise<Filed> {
  // a field in which nothing was chosen is sent as a file without a name
  const uploads = (request.uploads ?? []).filter(({ size, name }) => size || name !== 'file')
  if (!uploads.length) {
    return { added: 0, refused: [(await look()).voice.say('portal.no_file')], status: 400 }
  }
  const filed: Filed = { added: 0, refused: [], status: 200 }
  for (const upload of uploads) {
    try {
      await runAs(runtime, who, request, { operation: handInFile, id: task, upload })
      filed.added += 1
    } catch (error) {
      const { refused, status } = refusal(error, (await look()).voice, upload)
      filed.refused.push(...refused)
      filed.status = status
      if (upload.storedKey) await runtime.files.remove(upload.storedKey)
    }
  }
  return filed
}

/** Which file was refused and why, in the reader's language; what is not about a file is thrown. */
function refusal(error: unknown, voice: Voice, upload?: Upload) {
  if (!(error instanceof Failure) || ![400, 403, 404, 409, 413].includes(error.status)) throw error
  const { say } = voice
  const name = (error instanceof FileTooLarge ? error.file : undefined) ?? upload?.name ?? ''
  const { status, code } = error
  if (error instanceof FileTooLarge) {
    const text = say('portal.file_large', { name, limit: fileLimit / 1024 / 1024 })
    return { refused: [text], status }
  }
  if (!upload) {
    const isMany = error.errors?.[0]?.field === 'file' && status === 400
    const text = isMany
      ? say('portal.too_many_files', { count: mostFiles })
      : failureText(voice, error.message)
    return { refused: [text], status }
  }
  const why =
    upload.size === 0
      ? 'portal.file_empty'
      : code === 'storage_quota_exceeded'
        ? 'portal.file_no_room'
        : error.errors?.[0]?.field === 'file'
          ? 'portal.file_locked'
          : undefined
  const text = why ? say(why, { name }) : `${name}: ${failureText(voice, error.message)}`
  return { refused: [text], status }
}
