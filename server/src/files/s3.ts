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
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import type { S3Place } from '../config.ts'

/** Files in a bucket of S3 or of anything that speaks its protocol. */
export function s3Files({ bucket, prefix, ...place }: S3Place): Files {
  const { accessKeyId, secretAccessKey } = place
  const client = new S3Client({
    region: place.region,
    // without keys the machine's own role, as the library finds it
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    // services of one's own seldom have a name for each bucket
    ...(place.endpoint ? { endpoint: place.endpoint, forcePathStyle: true } : {}),
    // others than Amazon do not know its newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const named = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  return {
    kind: 's3',
    async put(key, path, type) {
      const { size } = await stat(path)
      const body = createReadStream(path)
      try {
        await client.send(
          new PutObjectCommand({
            ...named(key),
            Body: body,
            ContentLength: size,
            ContentType: type,
          }),
        )
      } finally {
        body.destroy()
      }
    },
    async get(key, range) {
      const bytes = range && { Range: `bytes=${range.start}-${range.end}` }
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...named(key), ...bytes }))
        return Body as Readable
      } catch (error) {
        throw error instanceof NoSuchKey ? new NoSuchFile(key) : error
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(named(key)))
    },
    async *list(below) {
      let token: string | undefined
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${prefix}${below}/`,
            ContinuationToken: token,
          }),
        )
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key && LastModified) yield { key: Key.slice(prefix.length), storedAt: LastModified }
        }
        token = page.NextContinuationToken
      } while (token)
    },
  }
}
