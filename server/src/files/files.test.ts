import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { atEnd } from '../../test/support/finally.ts'
import { freshFolder } from '../../test/support/program.ts'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import { folderFiles } from './folder.ts'
import { s3Files } from './s3.ts'

// The two stores keep the same promises; S3 is a small server of its protocol.

describe('a folder', () => promises(async () => folderFiles(freshFolder())))
describe('a bucket', () => promises(startBucket))

function promises(start: () => Promise<Files>) {
  let files: Files
  let path: string
  const bytes = randomBytes(300_000)

  before(async () => {
    files = await start()
    path = join(freshFolder(), 'file')
    await writeFile(path, bytes)
  })

  test('gives back what was put in, whole and in ranges', async () => {
    await files.put('documents/org/a', path, 'image/png')
    assert.ok((await buffer(await files.get('documents/org/a'))).equals(bytes))
    const part = await buffer(await files.get('documents/org/a', { start: 10, end: 99 }))
    assert.ok(part.equals(bytes.subarray(10, 100)))
  })

  test('knows no file that is not there, and removing it is no failure', async () => {
    await files.put('documents/org/b', path, 'image/png')
    await files.remove('documents/org/b')
    await files.remove('documents/org/b')
    await assert.rejects(files.get('documents/org/b'), NoSuchFile)
    await assert.rejects(files.get('documents/never/b'), NoSuchFile)
  })

  test('lists what is below a prefix, however much it is', async () => {
    const keys = Array.from({ length: 7 }, (_, i) => `listed/org/k${i}`)
    for (const key of keys) await files.put(key, path, 'text/plain')
    await files.put('other/k', path, 'text/plain')
    const found: string[] = []
    for await (const { key, storedAt } of files.list('listed')) {
      found.push(key)
      assert.ok(Math.abs(Date.now() - +storedAt) < 60_000)
    }
    assert.deepEqual(found.sort(), keys)
    for await (const each of files.list('nothing')) assert.fail(each.key)
  })

  test('keeps nothing of a file that cannot be read', async () => {
    await assert.rejects(files.put('gone/a', join(path, 'nowhere'), 'text/plain'))
    for await (const each of files.list('gone')) assert.fail(each.key)
  })
}

test('a bucket that does not answer is 503, and a file of this machine that is gone is not', async () => {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const place = { bucket: 'bucket', region: 'us-east-1', prefix: '' }
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const files = s3Files({ ...place, ...keys, endpoint: `http://127.0.0.1:${port}` }, 100)
  const path = join(freshFolder(), 'file')
  await writeFile(path, randomBytes(300_000))
  const unavailable = { status: 503, code: 'files_unavailable' }
  await assert.rejects(files.check(), unavailable)
  await assert.rejects(files.get('a'), unavailable)
  await assert.rejects(files.put('a', path, 'text/plain'), unavailable)
  await assert.rejects(files.put('a', `${path}.gone`, 'text/plain'), { code: 'ENOENT' })
})

/** A bucket of S3's protocol in memory, which wants signed requests and lists three names a page. */
async function startBucket(): Promise<Files> {
  const objects = new Map<string, { bytes: Buffer; at: Date; type: string }>()
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
  return s3Files({
    bucket: 'bucket',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    prefix: 'perennial/',
  })
}
