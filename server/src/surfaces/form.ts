import { Busboy } from '@fastify/busboy'
import type { BusboyFileStream, BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { Failure, badField, badRequest } from '../kit/ground/errors.ts'
import type { Upload } from '../kit/ground/files.ts'
import type { Held } from './bodies.ts'
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
  limits: FormLimits,
  store: (part: FilePart) => Promise<Upload>,
): Promise<Form> {
  const encoded = wrongEncoding(request)
  if (encoded) throw encoded
  return new FormReading(request, limits, store).form
}

/** A form while it is read: the chunks of its body go to the parser, whose parts go into the form. */
class FormReading {
  readonly form: Promise<Form>
  readonly #request: FastifyRequest
  readonly #limits: FormLimits
  readonly #store: (part: FilePart) => Promise<Upload>
  readonly #parser: BusboyInstance
  readonly #settle: { resolve(form: Form): void; reject(error: unknown): void }
  readonly #read: Form = { texts: [], textBytes: 0, file: undefined }
  /** the bytes that this body takes of the room for all, and the deadlines of its sender */
  readonly #held: Held | undefined
  readonly #received: () => void
  /** bytes outside the file */
  #outside = 0
  #storing: Promise<void> | undefined
  #open: BusboyFileStream | undefined
  #isOver = false
  /** whether a chunk waits for its turn, and whether it is the last */
  #isWaiting = false
  #isAtEnd = false

  constructor(
    request: FastifyRequest,
    limits: FormLimits,
    store: (part: FilePart) => Promise<Upload>,
  ) {
    const { promise, ...settle } = Promise.withResolvers<Form>()
    this.form = promise
    this.#settle = settle
    this.#request = request
    this.#limits = limits
    this.#store = store
    this.#parser = parserOf(request, limits.fileLimit)
    const { raw, server } = request
    this.#held = server.bodies?.open(request, this.#end)
    this.#received = receiving(raw, true, this.#end)
    this.#listen()
    raw.on('data', this.#take).on('end', this.#last)
    raw.on('error', this.#broken).on('close', this.#gone)
  }

  get #most(): number {
    return this.#limits.textLimit || Infinity
  }

  #listen() {
    const parser = this.#parser
    parser.on('field', (name, text, _nameIsCut, isCut, _encoding, type) => {
      if (!this.#isOver) this.#field(name, text, isCut, type)
    })
    parser.on('file', (name, stream, filename, _encoding, type) => {
      // without a listener the end of a connection would end the process
      stream.on('error', () => {})
      if (this.#isOver) stream.resume()
      else this.#file(name, { stream, filename, type })
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => this.#end(badRequest('The form has too many parts')))
    }
    parser.on('error', this.#broken)
    parser.on('finish', () => void Promise.resolve(this.#storing).then(() => this.#end()))
  }

  #field(name: string | undefined, text: string, isCut: boolean, type: string) {
    if (name === undefined) return this.#end(invalid())
    // it would be taken for a field of that name
    if (name === 'file') return this.#end(badField('file', 'must have a filename in its head'))
    this.#read.textBytes += name.length + text.length
    if (isCut || this.#read.textBytes > this.#most) return this.#end(tooLong(this.#most))
    if (name in Object.prototype) return this.#end(badField(name, 'is not the name of a field'))
    try {
      const isJson = type.startsWith('application/json')
      const value = isJson ? readJson(text, this.#limits.mostValues) : text
      if (value === undefined) throw badField(name, 'must be JSON, as its content type says')
      this.#read.texts.push([name, value])
    } catch (error) {
      this.#end(error)
    }
  }

  #file(name: string, part: FilePart) {
    const { stream } = part
    if (name !== 'file') return this.#end(badField(name, 'the file must be in `file`'))
    if (this.#storing) return this.#end(badField('file', 'must be given once'))
    this.#open = stream
    stream.once('end', () => (this.#open = undefined))
    stream.once('limit', () => this.#end(fileTooLarge(this.#limits.fileLimit)))
    this.#storing = this.#store(part).then(
      (file) => void (this.#read.file = file),
      (error: unknown) => this.#end(refusal(error)),
    )
  }

  #take = (chunk: Buffer) => {
    const { raw, server } = this.#request
    if (!this.#open) {
      this.#outside += chunk.length
      if (this.#outside > this.#most + overhead) return this.#end(tooLong(this.#most))
      if (this.#held && !this.#held.take(chunk.length)) return this.#end(full())
    }
    let isTaken = false
    this.#isWaiting = true
    const write = () => {
      this.#isWaiting = false
      if (this.#isOver) return
      isTaken = this.#parser.write(chunk)
      if (this.#isAtEnd) this.#parser.end()
      else if (isTaken) raw.resume()
      else this.#parser.once('drain', () => raw.resume())
    }
    // a chunk of a file costs little, and its receiver slows it down
    if (this.#open || !server.bodies) write()
    else server.bodies.inTurn(this.#request, write)
    if (!isTaken) raw.pause()
  }

  // a paused request still ends when its last chunk has been read
  #last = () => {
    this.#isAtEnd = true
    if (!this.#isWaiting) this.#parser.end()
  }

  #broken = () => this.#end(invalid())

  #gone = () => {
    if (!this.#request.raw.readableEnded) this.#broken()
  }

  #end = (error?: unknown) => {
    if (this.#isOver) return
    this.#isOver = true
    const { raw } = this.#request
    raw.off('data', this.#take).off('end', this.#last)
    raw.off('error', this.#broken).off('close', this.#gone)
    raw.on('error', () => {})
    // without a length it is unknown how much will follow, so the connection ends after the answer
    if (error === undefined || raw.headers['content-length'] !== undefined) raw.resume()
    else raw.pause()
    this.#received()
    if (error === undefined) {
      this.#held?.complete()
      return this.#settle.resolve(this.#read)
    }
    this.#held?.release()
    this.#open?.destroy(error as Error)
    // the file is not removed while it is being written
    void Promise.resolve(this.#storing).finally(() => this.#settle.reject(error))
  }
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
