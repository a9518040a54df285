import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Operation } from '../kit/ground/operation.ts'

/**
 * How answers are compressed, for routes with this `compress`: from 1 KiB on, with brotli or gzip as
 * the caller accepts them. A list of 50 contacts (80 kB) takes brotli 1 0.25 ms and becomes 15.2 kB,
 * brotli 4 0.8 ms for 14.7 kB, gzip 2 0.4 ms for 15.4 kB.
 */
export const compression = {
  threshold: 1024,
  encodings: ['br' as const, 'gzip' as const],
  customTypes: /^application\/json/,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 2 },
  // answers that are not streamed are smaller than this, and compressed synchronously: threads cost more
  syncThreshold: 512 * 1024,
}

/** Lets routes say how their answers are compressed. */
export async function offerCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { ...compression, global: false })
}

/**
 * Whether an operation's answers are compressed: those of reads, in JSON. Never those of writes and of
 * operations that anyone may call, which contain new secrets, nor of reads of a secret: the length of a
 * compressed answer can reveal a secret next to text that an attacker chose (BREACH).
 */
export function compressionOf(operation: Operation): RouteOptions['compress'] {
  const { can, writes, gives, isSecret } = operation
  return can === 'anyone' || writes || gives !== undefined || isSecret ? false : compression
}
