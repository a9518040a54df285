import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Content that is created once and sent to many, with its ETag. */
export type Prepared = { bytes: Buffer; tag: string }

export function prepare(content: string | Buffer): Prepared {
  const bytes = Buffer.from(content)
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 27) }
}

/** Sets the ETag, weak since compressed bytes differ, and returns whether the caller already has it. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, { tag }: Prepared): boolean {
  reply.header('etag', `W/"${tag}"`)
  const known = String(request.headers['if-none-match'] ?? '').split(',')
  return known.some((each) => each.includes(`"${tag}"`))
}

/** The same, also compressed once in the two usual encodings. */
export type Packed = Prepared & { br: Buffer; gzip: Buffer }

/** Computes something on first use, once for all callers; after a failure it is tried again. */
export function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= make().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Compresses on a thread. At brotli's quality 11 a tenth less would take fifteen times as long. */
export async function pack(content: string | Buffer): Promise<Packed> {
  const result = prepare(content)
  const [br, zipped] = await Promise.all([
    brotli(result.bytes),
    promisify(gzip)(result.bytes, { level: 9 }),
  ])
  return { ...result, br, gzip: zipped }
}

/** Sends it in an encoding that the caller accepts; 304 if the caller already has it. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Packed) {
  reply.header('vary', 'accept-encoding')
  if (isKnown(request, reply, packed)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';', 1)[0])
  const encoding = (['br', 'gzip'] as const).find((each) => accepted.includes(each))
  if (!encoding) return reply.send(packed.bytes)
  return reply.header('content-encoding', encoding).send(packed[encoding])
}

function brotli(bytes: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return promisify(brotliCompress)(bytes, { params })
}
