import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { request } from 'undici'
import { compressionOf } from './compression.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { idOf, makeOrganization, password, startService } from '../../test/support/service.ts'

describe('compression of answers', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const { token } = org.users.admin
    for (let n = 0; n < 30; n++) {
      const body = { company_name: `Company ${n}`, description: 'text '.repeat(60) }
      idOf(await service.call('POST', '/api/company/', { token, body }))
    }
  })

  /** The raw answer, nothing decompressed. */
  async function get(path: string, encodings: string, method: Dispatcher.HttpMethod = 'GET') {
    const { token } = org.users.admin
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encodings }
    const {
      statusCode,
      headers: received,
      body,
    } = await request(service.url + path, { method, headers })
    const bytes = Buffer.from(await body.arrayBuffer())
    assert.ok(statusCode < 300, `${path} ${bytes}`)
    return { headers: received, bytes, encoding: received['content-encoding'] }
  }
  const list = '/api/company/?page=1&items_per_page=30'

  test('a list is the same by brotli, by gzip and without', async () => {
    const plain = await get(list, 'identity')
    assert.equal(plain.encoding, undefined)
    const brotli = await get(list, 'gzip, deflate, br, zstd')
    assert.equal(brotli.encoding, 'br')
    assert.match(String(brotli.headers.vary), /accept-encoding/i)
    assert.equal(brotliDecompressSync(brotli.bytes).toString(), plain.bytes.toString())
    const gzip = await get(list, 'gzip')
    assert.equal(gzip.encoding, 'gzip')
    assert.equal(gunzipSync(gzip.bytes).toString(), plain.bytes.toString())
    for (const { bytes, headers } of [brotli, gzip]) {
      assert.ok(bytes.length * 4 < plain.bytes.length, `${bytes.length} of ${plain.bytes.length}`)
      assert.equal(Number(headers['content-length']), bytes.length)
    }
    // of an answer that is sent in pieces too
    const large = '/openapi.json'
    const [whole, less] = [await get(large, 'identity'), await get(large, 'br')]
    assert.equal(brotliDecompressSync(less.bytes).toString(), whole.bytes.toString())
  })

  test('small answers, files, streams and encodings of no use stay as they are', async () => {
    const paths = [
      '/api/company/?page=1&items_per_page=1&fields=company_name',
      '/api/stream/?seconds=0',
      '/api/calendar/feed-url/',
    ]
    for (const path of paths) assert.equal((await get(path, 'br, gzip')).encoding, undefined, path)
    for (const none of ['identity', 'zstd', 'br;q=0', '*;q=0'])
      assert.equal((await get(list, none)).encoding, undefined, none)
    const head = await get(list, 'br', 'HEAD')
    assert.equal(head.bytes.length, 0)
  })

  test('where secrets are answered nothing is compressed', () => {
    const surface = service.surfaces.flatMap(({ routes }) => routes)
    const plain = surface.filter(({ operation }) => operation.can === 'anyone' || operation.writes)
    assert.ok(plain.length > 100)
    assert.ok(plain.some(({ operation }) => operation.name === 'login'))
    for (const { operation } of surface) {
      const isSecret = Boolean(operation.isSecret || operation.gives)
      const isCompressed = compressionOf(operation) !== false
      assert.equal(isCompressed, !isSecret && !plain.some((each) => each.operation === operation))
    }
  })

  test('a sign-in and a created record come as they are', async () => {
    const { email } = org.users.admin
    const sent: [string, object][] = [
      ['/api/login/', { email, password }],
      ['/api/tags/info/', { tag_name: 'x'.repeat(30), description: 'x'.repeat(400) }],
    ]
    for (const [path, body] of sent) {
      const { headers, body: answer } = await request(service.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${org.users.admin.token}`,
          'accept-encoding': 'br, gzip',
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      await answer.text()
      assert.equal(headers['content-encoding'], undefined, path)
    }
  })
})
