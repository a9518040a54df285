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
export type FilePart = {
  name: string
  stream: BusboyFileStream
  filename: string | undefined
  type: string
}

/** The parts of a form; JSON parts are already parsed. */
export type Form = {
  texts: [name: string, value: unknown][]
  textBytes: number
  files: Upload[]
}

/**
 * Limits: bytes of a file and of all texts together, and values of a JSON part, 0 for none; and how many files there
 * may be.
 */
type FormLimits = {
  fileLimit: number
  textLimit: number
  mostValues: number
  mostFiles: number
  /** the parts that files may be in */
  names: readonly string[]
}

const mostParts = 200
/** Allowance for delimiters and heads of parts, besides the texts. */
const overhead = 256 * 1024

/**
 * Reads a form with its files, each in a part of these names, which `store` receives. Everything outside the
 * files is limited together, whether texts, heads or padding: 413 above `textLimit`; each JSON part
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
  readonly #read: Form = { texts: [], textBytes: 0, files: [] }
  /** the bytes that this body takes of the room for all, and the deadlines of its sender */
  readonly #held: Held | undefined
  readonly #received: () => void
  /** bytes outside the files */
  #outside = 0
  /** how many files have begun, and the end of storing them */
  #begun = 0
  #storing: Promise<void> = Promise.resolve()
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
    this.#parser = parserOf(request, limits)
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
      else this.#file({ name, stream, filename, type })
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => this.#end(badRequest('The form has too many parts')))
    }
    parser.on('error', this.#broken)
    parser.on('finish', () => void this.#storing.then(() => this.#end()))
  }

  #field(name: string | undefined, text: string, isCut: boolean, type: string) {
    if (name === undefined) return this.#end(invalid())
    // it would be taken for a field of that name
    if (this.#limits.names.includes(name)) {
      return this.#end(badField(name, 'must have a filename in its head'))
    }
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

  #file(part: FilePart) {
    const { name, stream } = part
    const { mostFiles, fileLimit, names } = this.#limits
    if (!names.includes(name)) {
      return this.#end(badField(name, `the file must be in \`${names[0] ?? 'file'}\``))
    }
    this.#begun += 1
    if (this.#begun > mostFiles) {
      const times = mostFiles === 1 ? 'once' : `${mostFiles} times at most`
      return this.#end(badField('file', `must be given ${times}`))
    }
    this.#open = stream
    stream.once('end', () => {
      // the next one may have begun
      if (this.#open === stream) this.#open = undefined
    })
    stream.once('limit', () => this.#end(fileTooLarge(fileLimit, part.filename)))
    const [before, stored] = [this.#storing, this.#store(part)]
    // awaited after those before it, so that the files stay in their order
    stored.catch(() => {})
    this.#storing = before
      .then(() => stored)
      .then(
        (file) => void this.#read.files.push(file),
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
    void this.#storing.finally(() => this.#settle.reject(error))
  }
}

function parserOf(
  { raw }: FastifyRequest,
  { fileLimit: fileSize, mostFiles }: FormLimits,
): BusboyInstance {
  try {
    return new Busboy({
      headers: raw.headers as BusboyHeaders,
      limits: {
        fileSize,
        files: mostFiles + 1,
        fields: mostParts,
        fieldSize: mostBytes,
        parts: mostParts + mostFiles + 1,
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
export function fileTooLarge(limit: number, name?: string): FileTooLarge {
  return new FileTooLarge(limit, name)
}

/** The refusal of a file that is too large, with the name that it was sent by. */
export class FileTooLarge extends Failure {
  file: string | undefined

  constructor(limit: number, file?: string) {
    super(413, 'too_large', `The file is larger than ${limit / 1024 / 1024} MiB`)
    this.file = file
  }
}

function tooLong(most: number): Failure {
  const message = `The texts of the form are larger than ${Math.round(most / 1024)} KiB together`
  return new Failure(413, 'too_large', message)
}

function invalid(): Failure {
  return badRequest('Invalid request body', undefined, 'invalid_body')
}
