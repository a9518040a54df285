import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bounds } from '../bounds.ts'
import { cut } from '../kit/ground/cut.ts'
import { Failure, badField } from '../kit/ground/errors.ts'
import type { Upload } from '../kit/ground/files.ts'
import { newId } from '../kit/ground/ids.ts'
import { checkStorable } from '../kit/record/validate.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'
import { mostBytes } from './bodies.ts'
import { checkInner, readJson } from './body-keys.ts'
import type { FilePart } from './form.ts'
import { fileTooLarge, readForm } from './form.ts'

declare module 'fastify' {
  interface FastifyRequest {
    upload?: Upload
    /** all files of a form that may have several */
    uploads?: Upload[]
  }
}

/**
 * A route whose body may be a form with a file, or several, of at most `limit` bytes each, in parts `file` or of other
 * `names`.
 */
export type UploadLimit = { limit: number; mostFiles?: number; names?: readonly string[] }

const headSize = 4096

/** Lets routes of a scope accept forms with files; routes that do not declare it still refuse them. */
export function takeUploads(scope: FastifyInstance) {
  // the route itself reads it, after checking that the caller may send one
  scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/** 415 for a form with files on a route that accepts none. */
export function refuseUpload(request: FastifyRequest) {
  if (request.method !== 'GET' && request.method !== 'HEAD' && isForm(request)) {
    throw new Failure(415, 'unsupported_media_type', 'The body must be sent as application/json')
  }
}

/** 413 before anything is read, if the announced length is already too much. */
export function refuseLength(request: FastifyRequest, { limit }: UploadLimit) {
  const length = Number(request.headers['content-length'] ?? 0)
  if (isForm(request) && length > limit + 2 * mostBytes) throw fileTooLarge(limit)
}

/**
 * Streams a form to this machine: its files to `folder` and into `request.uploads`, the first into `request.upload`,
 * its texts, parsed by the schema, into `request.body`. Returns a function that removes the files, to be
 * called when the answer is known. A request without a form passes. When a file or the texts are over
 * the limit (413), or the caller is too slow (408) or disconnects, nothing is left behind.
 */
export async function receive(
  request: FastifyRequest,
  { limit, mostFiles = 1, names = ['file'] }: UploadLimit,
  schema: JSONSchema,
  { folder, bounds }: { folder: string; bounds: Bounds },
): Promise<() => Promise<void>> {
  if (!isForm(request)) return async () => {}
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const paths: string[] = []
  const discard = async () => {
    await Promise.all(paths.map((path) => rm(path, { force: true })))
  }
  const store = (part: FilePart) => {
    const path = join(folder, newId())
    paths.push(path)
    return receiveFile(part, path)
  }
  // while the caller sends, the request does not count as in progress
  request.work?.pause()
  const mostValues = bounds.bodyValues
  try {
    const textLimit = bounds.formTextKib * 1024
    const limits = { fileLimit: limit, textLimit, mostValues, mostFiles, names }
    const { texts, files } = await readForm(request, limits, store)
    request.work?.begin()
    const body = bodyOf(texts, schema, mostValues)
    checkInner(body, mostValues)
    checkStorable(body)
    request.body = body
    request.upload = files[0]
    request.uploads = files
    return discard
  } catch (error) {
    await discard()
    throw error
  }
}

async function receiveFile(
  { name, stream, filename, type }: FilePart,
  path: string,
): Promise<Upload> {
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
  await pipeline(stream, measured, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return {
    name: plainName(filename),
    part: name,
    type,
    size,
    hash: hash.digest('hex'),
    head: Buffer.concat(head),
    path,
  }
}

/** A name without folders and control characters, of at most 255 characters including its extension. */
function plainName(filename: string | undefined): string {
  // browsers write a quote as %22 (HTML standard, multipart/form-data encoding)
  const name = basename((filename ?? '').replaceAll('\\', '/').replaceAll('%22', '"'))
    .replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '')
    .toWellFormed()
    .trim()
  if (!name || /^\.+$/.test(name)) return 'file'
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return name.length <= 255 ? name : cut(name, 255 - ending.length) + ending
}

/** Texts of a form as JSON by the schema: numbers, booleans, lists and objects. */
function bodyOf(texts: [name: string, value: unknown][], schema: JSONSchema, mostValues: number) {
  const body: { [name: string]: unknown } = {}
  const properties = (schema.properties ?? {}) as { [name: string]: JSONSchema }
  for (const name of new Set(texts.map(([each]) => each))) {
    const values = texts.filter(([each]) => each === name).map(([, value]) => value)
    const types = Object.hasOwn(properties, name) ? typesOf(properties[name]!) : new Set(['string'])
    const read = values.map((value) =>
      typeof value === 'string' ? readAs(types, value, mostValues) : value,
    )
    if (read.length > 1 && !types.has('array')) throw badField(name, 'must be given once')
    const isList = types.has('array') && !(read.length === 1 && Array.isArray(read[0]))
    body[name] = isList ? read : read[0]
  }
  return body
}

function typesOf({ type, anyOf }: JSONSchema): Set<string> {
  const inner = ((anyOf ?? []) as JSONSchema[]).flatMap((each) => [...typesOf(each)])
  return new Set([...([type ?? []].flat() as string[]), ...inner])
}

function readAs(types: Set<string>, text: string, mostValues: number): unknown {
  const isStructured = (types.has('object') || types.has('array')) && /^\s*[[{]/.test(text)
  if (types.has('string') && !isStructured) return text
  if (text === '' && types.has('null')) return null
  if (types.has('boolean') && /^(true|1|yes|on)$/i.test(text)) return true
  if (types.has('boolean') && /^(false|0|no|off)$/i.test(text)) return false
  const value = readJson(text, mostValues)
  // the validation of the body reports what it should have been
  return value === undefined ? text : value
}

/** Whether the body of a request is a form with files. */
export function isForm(request: FastifyRequest): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}
