import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { fileLimit } from '../../records/documents/file.ts'
import {
  checkTakesFiles,
  handInFile,
  handInFileAgain,
  takeFileBack,
} from '../../records/portal/files.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { readingContext } from '../../runtime.ts'
import { fileRefusal } from '../pages/file-refusal.ts'
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
      return none(fileRefusal(error, (await look()).voice, most))
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
    return none(fileRefusal(error, (await look()).voice, most))
  } finally {
    await discard?.()
  }
}

const most = { limit: fileLimit, mostFiles }

const none = ({ text, status }: { text: string; status: number }): Filed => ({
  added: 0,
  refused: [text],
  status,
})

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
      const { text, status } = fileRefusal(error, (await look()).voice, { ...most, upload })
      filed.refused.push(text)
      filed.status = status
      if (upload.storedKey) await runtime.files.remove(upload.storedKey)
    }
  }
  return filed
}
