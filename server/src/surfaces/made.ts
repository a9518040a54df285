import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What is made once and sent to many, with the tag by which they know it again. */
export type Made = { bytes: Buffer; tag: string }

export function madeOf(content: string | Buffer): Made {
  const bytes = Buffer.from(content)
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 27) }
}

/** Sets the tag, weak since compressed bytes are others, and says whether the caller has it already. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, { tag }: Made): boolean {
  reply.header('etag', `W/"${tag}"`)
  const known = String(request.headers['if-none-match'] ?? '').split(',')
  return known.some((each) => each.includes(`"${tag}"`))
}
