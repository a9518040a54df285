import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../kit/ground/errors.ts'
import type { ByteRange } from '../kit/ground/files.ts'
import type { ServedFile } from '../kit/ground/stored-files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'

/** Types that browsers show without executing anything. */
const shown = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'text/plain',
]

/**
 * Sends a file: 206 for one range of it, 416 for one beyond its end, 304 when the caller has it
 * (RFC 9110, parts 13 and 14). A request for several ranges gets the whole file. `counting` runs in a write
 * whenever somebody opens the file.
 */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
  counting: (opened: NonNullable<ServedFile['opened']>) => Promise<void>,
): Promise<FastifyReply> {
  const { size } = file
  const etag = `"${file.hash}"`
  reply
    .header('etag', etag)
    .header('last-modified', file.modified.toUTCString())
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'no-store')
  if (isKnown(request, etag)) return reply.code(304).send()
  reply
    .header('content-type', withCharset(file.type))
    .header('content-disposition', disposition(file))
    .header('content-security-policy', policyOf(file))
    .header('x-content-type-options', 'nosniff')
  const range = rangeOf(request, etag, size)
  if (range === 'beyond') {
    reply.header('content-range', `bytes */${size}`)
    throw new Failure(416, 'range_not_satisfiable', `The file has ${size} bytes`)
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  reply.code(range ? 206 : 200).header('content-length', String(end - start + 1))
  if (range) reply.header('content-range', `bytes ${start}-${end}/${size}`)
  // with no body at all the framework would say that the file is empty
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  if (start === 0 && file.opened) await counting((ctx) => file.opened!(ctx))
  if (size === 0) return reply.send(Buffer.alloc(0))
  try {
    return reply.send(await file.open(range))
  } catch (error) {
    if (!(error instanceof NoSuchFile)) throw error
    reply.removeHeader('content-length')
    throw new Failure(503, 'file_missing', 'The file cannot be read now', { retryAfter: 60 })
  }
}

/** `If-None-Match` with this version, by weak comparison. */
export function isKnown(request: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

function rangeOf(
  { headers }: FastifyRequest,
  etag: string,
  size: number,
): ByteRange | 'beyond' | undefined {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'beyond' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'beyond'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Prevents that anything in the file runs, even if it is opened as a page; our own pages may embed it. */
function policyOf(file: ServedFile): string {
  if (!isShown(file)) return "default-src 'none'; sandbox"
  return "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
}

function isShown({ isInline, type }: ServedFile): boolean {
  return isInline && shown.includes(type)
}

/** The file name twice: in ASCII for old clients, and in full (RFC 6266). */
function disposition(file: ServedFile): string {
  const { name } = file
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%;]/g, '_')
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const how = isShown(file) ? 'inline' : 'attachment'
  return `${how}; filename="${plain}"; filename*=UTF-8''${whole}`
}

function withCharset(type: string): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}
