import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { before, describe, test } from 'node:test'
import { refused, refusedField } from '../../test/support/refused.ts'
import type { Reply, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'

describe('the form of a request', () => {
  let service: TestService
  let authorization: string

  before(async () => {
    service = await startService()
    const org = await makeOrganization(service)
    authorization = `Bearer ${org.users.admin.token}`
  })

  const sent = async (path: string, headers: object, body?: Uint8Array<ArrayBuffer>) => {
    const reply = await fetch(service.url + path, {
      ...(body ? { method: 'POST', body } : {}),
      headers: { authorization, ...headers },
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, body: JSON.parse(text) } as Reply
  }
  const json = { 'content-type': 'application/json' }
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
    new Uint8Array(Buffer.from(text, encoding))

  test('a parameter or a part that comes twice is refused as such', async () => {
    for (const name of ['page', 'sort', 'filter', 'q']) {
      const reply = await sent(`/api/tags/info/?items_per_page=5&${name}=1&${name}=2`, {})
      refusedField(reply, [name])
      assert.match(reply.body.message, /must be given once/)
    }
    const part = (name: string, value: string) =>
      `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const form = { 'content-type': 'multipart/form-data; boundary=xx' }
    const twice = bytes(`${part('document_name', 'A')}${part('document_name', 'B')}--xx--\r\n`)
    const reply = await sent('/api/documents/', form, twice)
    refusedField(reply, ['document_name'])
    assert.match(reply.body.message, /must be given once/)
    const nameless = bytes(`${part('document_name', 'A')}${part('file', 'hello')}--xx--\r\n`)
    refusedField(await sent('/api/documents/', form, nameless), ['file'])
  })

  test('a compressed body is 415 and says so', async () => {
    const tag = JSON.stringify({ tag_name: 'Zipped', tag_type: 'tasks' })
    const zipped = new Uint8Array(gzipSync(tag))
    const reply = await sent('/api/tags/info/', { ...json, 'content-encoding': 'gzip' }, zipped)
    refused(reply, 415)
    assert.match(reply.body.message, /Content-Encoding gzip/)
    const plain = { ...json, 'content-encoding': 'identity' }
    assert.equal((await sent('/api/tags/info/', plain, bytes(tag))).status, 201)
  })

  test('a body in another charset than UTF-8 is 415, unless it reads the same', async () => {
    const latin = { 'content-type': 'application/json; charset=ISO-8859-1' }
    const body = (name: string) => JSON.stringify({ tag_name: name, tag_type: 'tasks' })
    refused(await sent('/api/tags/info/', latin, bytes(body('Müller'), 'latin1')), 415)
    // as ISO-8859-1 this would be read as another name
    refused(await sent('/api/tags/info/', latin, bytes(body('Müller'))), 415)
    assert.equal((await sent('/api/tags/info/', latin, bytes(body('Muller')))).status, 201)
    const utf16 = { 'content-type': 'application/json; charset=utf-16' }
    refused(await sent('/api/tags/info/', utf16, bytes(body('Meyer'), 'utf16le')), 415)
    const utf8 = { 'content-type': 'application/json; charset="UTF-8"' }
    assert.equal((await sent('/api/tags/info/', utf8, bytes(body('Müller')))).status, 201)
  })
})
