import { X509Certificate, createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Context } from '../../../kit/ground/context.ts'
import type { Work } from '../../../kit/ground/job.ts'
import type { SignaturePlace } from '../sealing/place-for-signature.ts'
import { identityFor } from './identity.ts'
import type { Identity } from './made-certificate.ts'
import { timestampUrl } from './settings.ts'
import type { Validation } from './validation.ts'

/** With what an organization seals: its certificates and key, and the address of its time stamps. */
export type Sealer = { identity: Identity; timestamps: string | null }

/** With what the organization seals now: read once for a file, so that all in it is of the same. */
export async function sealerFor(work: Pick<Work, 'reads' | 'write'>): Promise<Sealer> {
  return { identity: await identityFor(work), timestamps: await timestampUrl(work.reads) }
}

/**
 * Writes the organization's signature into its place in a file, with a time stamp where a service for them is
 * set, and returns SHA-256 of the whole file in hex. The key is used here, in the service itself: the process
 * that reads foreign files never has it.
 */
export async function signFile(
  { services: { authorities } }: Pick<Context, 'services'>,
  { identity, timestamps }: Sealer,
  path: string,
  { at, digits, digest }: SignaturePlace,
): Promise<string> {
  const { signature } = await import('./cms.ts')
  const { timestamp } = await import('./timestamp.ts')
  const stamp = timestamps
    ? (hash: Buffer) =>
        timestamp(hash, (content) =>
          authorities.ask(timestamps, { type: 'timestamp-query', content }),
        )
    : undefined
  const hex = (await signature(Buffer.from(digest, 'hex'), identity, stamp)).toString('hex')
  if (hex.length > digits) throw new Error('the signature is larger than its place')
  const file = await open(path, 'r+')
  try {
    await file.write(hex, at, 'latin1')
  } finally {
    await file.close()
  }
  const hash = createHash('sha256')
  const read = createReadStream(path) as AsyncIterable<Buffer>
  for await (const chunk of read) hash.update(chunk)
  return hash.digest('hex')
}

/** What can be had now of what shows later that the seal's certificates were valid. */
export async function validationOf(
  ctx: Context,
  { identity: { certificates }, timestamps }: Sealer,
): Promise<Validation | undefined> {
  const own = certificates[0] && new X509Certificate(certificates[0])
  // about one that was made here nobody else knows anything
  if (!own || own.checkIssued(own)) return undefined
  const { validationFor } = await import('./validation.ts')
  return validationFor(ctx, certificates, timestamps)
}
