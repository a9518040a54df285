import { Busboy } from '@fastify/busboy'
import type { BusboyFileStream, BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { Failure, badField, badRequest } from '../kit/ground/errors.ts'
import type { Upload } from '../kit/ground/files.ts'
import { full, mostBytes, wrongEncoding } from './bodies.ts'
import { readJson } from './body-keys.ts'
import { receiving } from './connection.ts'

/** A file in a form, which must be read to its end. */
export type FilePart = { stream: BusboyFileStream; filename: string | undefined; type: string }

/** The parts of a form; JSON parts are already parsed. */
export type Form = {
  texts: [name: string, value: unknown][]
  textBytes: number
  file: Upload | undefined
}

/** Limits: bytes of the file and of all texts together, and values of a JSON part; 0 is no limit. */
type FormLimits = { fileLimit: number; textLimit: number; mostValues: number }

const mostParts = 200
/** Allowance for delimiters and heads of parts, besides the texts. */
const overhead = 256 * 1024

/**
 * Reads a form with at most one file, in the part `file`, which `store` receives. Everything outside the
 * file is limited together, whether texts, heads or padding: 413 above `textLimit`; each JSON part
 * is limited like a body. After a refusal the rest is read and dropped, so that the caller gets to read it.
 */
export function readForm(
  request: FastifyRequest,
  { fileLimit, textLimit, mostValues }: FormLimits,
  store: (part: FilePart) => Promise<Upload>,
): Promise<Form> {
  const encoded = wrongEncoding(request)
  if (encoded) throw encoded
  const { raw } = request
  const { bodies } = request.server
  const { promise, resolve, reject } = Promise.withResolvers<Form>()
  const form: Form = { texts: [], textBytes: 0, file: undefined }
  let storing: Promise<void> | undefined
  let open: BusboyFileStream | undefined
  let outside = 0
  let isOver = false
  const most = textLimit || Infinity
  const parser = parserOf(request, fileLimit)

  const end = (error?: unknown) => {
    if (isOver) return
    isOver = true
    raw.off('data', take).off('end', last).off('error', broken).off('close', gone)
    raw.on('error', () => {})
    // without a length it is unknown how much will follow, so the connection ends after the answer
    if (error === undefined || raw.headers['content-length'] !== undefined) raw.resume()
    else raw.pause()
    received()
    if (error === undefined) {
      held?.complete()
      return resolve(form)
    }
    held?.release()
    open?.destroy(error as Error)
    // the file is not removed while it is being written
    void Promise.resolve(storing).finally(() => reject(error))
  }
  const broken = () => end(invalid())
  const gone = () => {
    if (!raw.readableEnded) broken()
  }
  /** whether a chunk waits for its turn, and whether it is the last */
  let isWaiting = false
  let isAtEnd = false
  const take = (chunk: Buffer) => {
    if (!open) {
      outside += chunk.length
      if (outside > most + overhead) return end(tooLong(most))
      if (held && !held.take(chunk.length)) return end(full())
    }
    let isTaken = false
    isWaiting = true
    const write = () => {
      isWaiting = false
      if (isOver) return
      isTaken = parser.write(chunk)
      if (isAtEnd) parser.end()
      else if (isTaken) raw.resume()
      else parser.once('drain', () => raw.resume())
    }
    // a chunk of a file costs little, and its receiver slows it down
    if (open || !bodies) write()
    else bodies.inTurn(request, write)
    if (!isTaken) raw.pause()
  }
  // a paused request still ends when its last chunk has been read
  const last = () => {
    isAtEnd = true
    if (!isWaiting) parser.end()
  }
  const held = bodies?.open(request, end)
  const received = receiving(raw, true, end)

  parser.on('field', (name, text, _nameIsCut, isCut, _encoding, type) => {
    if (isOver) return
    if (name === undefined) return end(invalid())
    // it would be taken for a field of that name
    if (name === 'file') return end(badField('file', 'must have a filename in its head'))
    form.textBytes += name.length + text.length
    if (isCut || form.textBytes > most) return end(tooLong(most))
    if (name in Object.prototype) return end(badField(name, 'is not the name of a field'))
    try {
      const value = type.startsWith('application/json') ? readJson(text, mostValues) : text
      if (value === undefined) throw badField(name, 'must be JSON, as its content type says')
      form.texts.push([name, value])
    } catch (error) {
      end(error)
    }
  })
  parser.on('file', (name, stream, filename, _encoding, type) => {
    // without a listener the end of a connection would end the process
    stream.on('error', () => {})
    if (isOver) return void stream.resume()
    if (name !== 'file') return end(badField(name, 'the file must be in `file`'))
    if (storing) return end(badField('file', 'must be given once'))
    open = stream
    stream.once('end', () => (open = undefined))
    stream.once('limit', () => end(fileTooLarge(fileLimit)))
    storing = store({ stream, filename, type }).then(
      (file) => void (form.file = file),
      (error: unknown) => end(refusal(error)),
    )
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => end(badRequest('The form has too many parts')))
  }
  parser.on('error', broken)
  parser.on('finish', () => void Promise.resolve(storing).then(() => end()))
  raw.on('data', take).on('end', last).on('error', broken).on('close', gone)
  return promise
}

function parserOf({ raw }: FastifyRequest, fileSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: raw.headers as BusboyHeaders,
      limits: {
        fileSize,
        files: 2,
        fields: mostParts,
        fieldSize: mostBytes,
        parts: mostParts + 2,
        headerPairs: 50,
        headerSize: 16 * 1024,
      },
    })
  } catch {
    throw invalid()
  }
}

/** The error that ended storing a file; a full disk is the operator's problem, not the caller's. */
function refusal(error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code = '' } = error as { code?: string }
  return /^E[A-Z]+$/.test(code) && code !== 'ECONNRESET' ? error : invalid()
}

/** 413 for a file of more than `limit` bytes. */
export function fileTooLarge(limit: number): Failure {
  return new Failure(413, 'too_large', `The file is larger than ${limit / 1024 / 1024} MiB`)
}

function tooLong(most: number): Failure {
  const message = `The texts of the form are larger than ${Math.round(most / 1024)} KiB together`
  return new Failure(413, 'too_large', message)
}

function invalid(): Failure {
  return badRequest('Invalid request body', undefined, 'invalid_body')
}
