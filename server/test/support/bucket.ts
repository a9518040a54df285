import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Place } from '../../src/config.ts'
import { atEnd } from './finally.ts'

/** What is in a bucket, by its names. */
export type Objects = Map<string, { bytes: Buffer; at: Date; type: string }>

/** An S3-compatible bucket in memory, which requires signed requests and lists three names per page. */
export async function startBucket(): Promise<{ place: S3Place; objects: Objects }> {
  const objects: Objects = new Map()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://x')
    const [, bucket, ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const body = await buffer(request)
    const { authorization = '' } = request.headers
    const isSigned = authorization.startsWith('AWS4-HMAC-SHA256 Credential=key/')
    const say = (status: number, text = '', headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text)
    if (!isSigned || bucket !== 'bucket')
      return say(403, '<Error><Code>AccessDenied</Code></Error>')
    if (request.method === 'PUT') {
      const type = request.headers['content-type'] ?? ''
      objects.set(key, { bytes: body, at: new Date(), type })
      return say(200, '', { etag: '"x"' })
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return say(204)
    }
    if (url.searchParams.get('list-type') === '2') {
      const after = url.searchParams.get('continuation-token') ?? ''
      const names = [...objects.keys()]
        .filter((name) => name.startsWith(url.searchParams.get('prefix')!) && name > after)
        .sort()
      const page = names.slice(0, 3)
      const more = names.length > 3
      const contents = page.map(
        (name) =>
          `<Contents><Key>${name}</Key><LastModified>${objects.get(name)!.at.toISOString()}</LastModified></Contents>`,
      )
      const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
      return say(
        200,
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
      )
    }
    const found = objects.get(key)
    if (!found) return say(404, '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = start ? found.bytes.subarray(+start, +end! + 1) : found.bytes
    response.writeHead(start ? 206 : 200, { 'content-length': part.length }).end(part)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const place = {
    bucket: 'bucket',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    prefix: 'perennial/',
  }
  return { place, objects }
}
