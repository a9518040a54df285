import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { startBucket } from '../../test/support/bucket.ts'
import { atEnd } from '../../test/support/finally.ts'
import { freshFolder } from '../../test/support/program.ts'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import { folderFiles } from './folder.ts'
import { s3Files } from './s3.ts'

// The two stores keep the same promises; S3 is a small server of its protocol.

describe('a folder', () => promises(async () => folderFiles(freshFolder())))
describe('a bucket', () => promises(async () => s3Files((await startBucket()).place)))

function promises(start: () => Promise<Files>) {
  let files: Files
  let path: string
  const bytes = randomBytes(300_000)

  before(async () => {
    files = await start()
    path = join(freshFolder(), 'file')
    await writeFile(path, bytes)
  })

  test('returns what was stored, as a whole and in ranges', async () => {
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

  test('lists everything without a prefix, as a backup does', async () => {
    await files.put('all/k', path, 'text/plain')
    await files.put('everything/org/k', path, 'text/plain')
    const found: string[] = []
    for await (const { key } of files.list('')) found.push(key)
    assert.ok(found.includes('all/k') && found.includes('everything/org/k'), found.join())
    assert.equal(new Set(found).size, found.length)
  })

  test('stores nothing of a file that cannot be read', async () => {
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
