import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure, badField, badRequest } from '../kit/ground/errors.ts'
import type { Upload } from '../kit/ground/files.ts'
import { newId } from '../kit/ground/ids.ts'
import { checkStorable } from '../kit/record/validate.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

declare module 'fastify' {
  interface FastifyRequest {
    upload?: Upload
  }
}

/** A route whose body may be a form with one file, in the part `file`, of at most `limit` bytes. */
export type UploadLimit = { limit: number }

const textLimit = 1024 * 1024
const headSize = 4096

/** Lets a scope's routes take forms with files; those that do not say so still refuse them. */
export async function takeUploads(scope: FastifyInstance) {
  // the limit is reported in our words, once the file turns out to be cut
  await scope.register(multipart, { throwFileSizeLimit: false })
}

/** 415 for a form with files where there is no use for one. */
export function refuseUpload(request: FastifyRequest) {
  if (request.method !== 'GET' && request.method !== 'HEAD' && isForm(request)) {
    throw new Failure(415, 'unsupported_media_type', 'The body must be sent as application/json')
  }
}

/** 413 before anything is read, where the length that is announced is already too much. */
export function refuseLength(request: FastifyRequest, { limit }: UploadLimit) {
  const length = Number(request.headers['content-length'] ?? 0)
  if (isForm(request) && length > limit + 2 * textLimit) throw tooLarge(limit)
}

/**
 * Streams a form to this machine: its file to `folder` and into `request.upload`, its texts, as the
 * schema says they are to be read, into `request.body`. Gives what takes the file away again, to be
 * called when the answer is known. A request without a form passes. When the file is over the limit
 * (413), or the caller hangs up, nothing stays.
 */
export async function receive(
  request: FastifyRequest,
  { limit }: UploadLimit,
  schema: JSONSchema,
  folder: string,
): Promise<() => Promise<void>> {
  if (!isForm(request)) return async () => {}
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, newId())
  const discard = () => rm(path, { force: true })
  try {
    const texts: [name: string, value: unknown][] = []
    let file: Upload | undefined
    for await (const part of partsOf(request, limit)) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') throw badField(part.fieldname, 'the file must be in `file`')
        if (file) throw badField('file', 'must be given once')
        file = await receiveFile(part, path, limit)
      } else {
        if (part.valueTruncated) throw badField(part.fieldname, 'must be at most 1 MiB')
        texts.push([part.fieldname, part.value])
      }
    }
    request.body = bodyOf(texts, schema)
    checkStorable(request.body)
    request.upload = file
    return discard
  } catch (error) {
    await discard()
    throw refusal(error, limit)
  }
}

/** The parts in their order; those after a failure are read and dropped, so that it can be answered. */
function partsOf(request: FastifyRequest, limit: number): AsyncIterable<Multipart> {
  return request.parts({
    limits: {
      fileSize: limit,
      files: 2,
      fields: 200,
      fieldSize: textLimit,
      fieldNameSize: 200,
      parts: 202,
      headerPairs: 50,
    },
  })
}

async function receiveFile(part: MultipartFile, path: string, limit: number): Promise<Upload> {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      if (size < headSize) head.push(chunk.subarray(0, headSize - size))
      size += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(part.file, measured, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  if (part.file.truncated) throw tooLarge(limit)
  return {
    name: plainName(part.filename),
    type: part.mimetype,
    size,
    hash: hash.digest('hex'),
    head: Buffer.concat(head),
    path,
  }
}

/** A name without folders and control characters, of at most 255 characters with its ending. */
function plainName(filename: string | undefined): string {
  // browsers write a quote as %22 (HTML standard, multipart/form-data encoding)
  const name = basename((filename ?? '').replaceAll('\\', '/').replaceAll('%22', '"'))
    .replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '')
    .toWellFormed()
    .trim()
  if (!name || /^\.+$/.test(name)) return 'file'
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return name.length <= 255 ? name : name.slice(0, 255 - ending.length) + ending
}

/** Texts of a form as the JSON that the schema wants: numbers, switches, lists and objects. */
function bodyOf(texts: [name: string, value: unknown][], schema: JSONSchema) {
  const body: { [name: string]: unknown } = {}
  const properties = (schema.properties ?? {}) as { [name: string]: JSONSchema }
  for (const name of new Set(texts.map(([each]) => each))) {
    const values = texts.filter(([each]) => each === name).map(([, value]) => value)
    const types = Object.hasOwn(properties, name) ? typesOf(properties[name]!) : new Set(['string'])
    const read = values.map((value) => (typeof value === 'string' ? readAs(types, value) : value))
    const isList = types.has('array') && !(read.length === 1 && Array.isArray(read[0]))
    body[name] = isList || read.length > 1 ? read : read[0]
  }
  return body
}

function typesOf({ type, anyOf }: JSONSchema): Set<string> {
  const inner = ((anyOf ?? []) as JSONSchema[]).flatMap((each) => [...typesOf(each)])
  return new Set([...([type ?? []].flat() as string[]), ...inner])
}

function readAs(types: Set<string>, text: string): unknown {
  const isStructured = (types.has('object') || types.has('array')) && /^\s*[[{]/.test(text)
  if (types.has('string') && !isStructured) return text
  if (text === '' && types.has('null')) return null
  if (types.has('boolean') && /^(true|1|yes|on)$/i.test(text)) return true
  if (types.has('boolean') && /^(false|0|no|off)$/i.test(text)) return false
  try {
    return JSON.parse(text)
  } catch {
    // the check of the body says what it should have been
    return text
  }
}

function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}

function tooLarge(limit: number): Failure {
  return new Failure(413, 'too_large', `The file is larger than ${limit / 1024 / 1024} MiB`)
}

/** What the parser says of a form, in our words. */
function refusal(error: unknown, limit: number): unknown {
  if (error instanceof Failure) return error
  const { code = '' } = error as { code?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(limit)
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code))
    return badRequest('The form has too many parts')
  // a disk that is full is ours to mend
  if (/^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return error
  return badRequest('Invalid request body', undefined, 'invalid_body')
}
