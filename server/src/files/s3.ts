import type { ReadStream } from 'node:fs'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Failure } from '../kit/ground/errors.ts'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import type { S3Place } from '../config.ts'

/**
 * Files in an S3-compatible bucket; 503 while it fails. A transfer without
 * progress for `patienceMs` milliseconds, or twice that, is aborted.
 */
export function s3Files({ bucket, prefix, ...place }: S3Place, patienceMs = 4000): Files {
  const { accessKeyId, secretAccessKey } = place
  const client = new S3Client({
    region: place.region,
    // without keys the library uses the machine's role
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    // self-hosted services rarely have a host name for each bucket
    ...(place.endpoint ? { endpoint: place.endpoint, forcePathStyle: true } : {}),
    // other services do not support Amazon's newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 2000 },
    // failures are in our own log
    logger: silent,
  })
  const answer = <T>(send: Send<T>, body?: ReadStream) => answered(patienceMs, send, body)
  const named = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  return {
    kind: 's3',
    async check() {
      const one = { Bucket: bucket, Prefix: prefix, MaxKeys: 1 }
      await answer((options) => client.send(new ListObjectsV2Command(one), options))
    },
    async put(key, path, type) {
      const { size } = await stat(path)
      const body = createReadStream(path)
      const input = { ...named(key), Body: body, ContentLength: size, ContentType: type }
      try {
        await answer((options) => client.send(new PutObjectCommand(input), options), body)
      } finally {
        body.destroy()
      }
    },
    async get(key, range) {
      const bytes = range && { Range: `bytes=${range.start}-${range.end}` }
      const command = new GetObjectCommand({ ...named(key), ...bytes })
      const { Body } = await answer((options) => client.send(command, options))
      return Body as Readable
    },
    async remove(key) {
      await answer((options) => client.send(new DeleteObjectCommand(named(key)), options))
    },
    async *list(below) {
      const within = below ? `${prefix}${below}/` : prefix
      let token: string | undefined
      do {
        const input = { Bucket: bucket, Prefix: within, ContinuationToken: token }
        const page = await answer((options) =>
          client.send(new ListObjectsV2Command(input), options),
        )
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key && LastModified) yield { key: Key.slice(prefix.length), storedAt: LastModified }
        }
        token = page.NextContinuationToken
      } while (token)
    },
  }
}

type Send<T> = (options: { abortSignal: AbortSignal }) => Promise<T>

const nothing = () => {}
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The bucket's answer; `NoSuchFile`, or 503 if it fails or stops reading `body`. */
async function answered<T>(patienceMs: number, send: Send<T>, body?: ReadStream): Promise<T> {
  const silence = new AbortController()
  let taken = 0
  const timer = setInterval(() => {
    const { bytesRead = 0 } = body ?? {}
    if (bytesRead === taken) silence.abort()
    taken = bytesRead
  }, patienceMs)
  try {
    return await send({ abortSignal: silence.signal })
  } catch (error) {
    if (error instanceof NoSuchKey) throw new NoSuchFile(error.message)
    // a local file that cannot be read is not the bucket's fault
    if ((error as NodeJS.ErrnoException).syscall === 'open') throw error
    const message = 'The store of files does not answer, try again'
    throw new Failure(503, 'files_unavailable', message, { retryAfter: 5, cause: error })
  } finally {
    clearInterval(timer)
  }
}
