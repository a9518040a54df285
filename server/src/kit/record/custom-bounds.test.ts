import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'

const most = 64 * 1024

describe('the custom fields of a record', () => {
  let service: TestService
  let org: TestOrganization
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body: object) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const made = async (path: string, body: object) => {
    const reply = await call('POST', path, body)
    assert.equal(reply.status, path.includes('contact') ? 200 : 201, reply.text)
    return reply.headers.get('x-record-id') ?? ''
  }
  const text = (bytes: number) => 'x'.repeat(bytes)

  test('take 64 KiB together, as the bytes of their JSON, whatever the way in', async () => {
    const task = await made('/api/tasks/', { title: 'Full', custom_fields: { a: text(40_000) } })
    const document = await made('/api/documents/', { document: { document_name: 'Full' } })
    const more = { custom_fields: { b: 'é'.repeat(15_000) } }
    const refused = await call('PUT', `/api/tasks/${task}/`, more)
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual(refused.body.errors, [
      {
        field: 'custom_fields',
        message: `must take at most ${most} bytes together, as JSON in UTF-8; these take 70015`,
      },
    ])
    // unknown keys of a body are custom fields too
    for (const [path, body] of [
      [`/api/documents/${document}/`, { anything: text(most) }],
      [`/api/tasks/${task}/`, { custom_fields: { anything: text(30_000) } }],
    ] as const) {
      const reply = await call('PUT', path, body)
      assert.equal(reply.body.errors?.[0]?.field, 'custom_fields', reply.text)
    }
    const contact = { full_name: 'Full', some_key: text(most) }
    assert.equal((await call('POST', '/api/contact/', contact)).status, 400)
    // what fits, fits; and one can be taken out to make room
    const fits = { custom_fields: { a: null, b: text(60_000) } }
    assert.equal((await call('PUT', `/api/tasks/${task}/`, fits)).status, 200)
  })

  test('that were more before may become fewer, and not more', async () => {
    const task = await made('/api/tasks/', { title: 'Old' })
    const stored = JSON.stringify({ old: text(90_000), other: 'x' })
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update tasks set custom_fields = ${stored}::jsonb where id = ${task}`),
    )
    const put = (custom_fields: object) => call('PUT', `/api/tasks/${task}/`, { custom_fields })
    assert.equal((await put({ other: null })).status, 200)
    assert.equal((await put({ fresh: 'text' })).status, 400)
    assert.equal((await put({ old: text(80_000) })).status, 200)
    assert.equal((await put({ old: text(85_000) })).status, 400)
  })

  test('have 500 keys at most, which is found ahead of looking at each', async () => {
    const keys = (n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1]))
    const contact = (n: number) => call('POST', '/api/contact/', { full_name: 'Keys', ...keys(n) })
    assert.equal((await contact(500)).status, 200)
    for (const n of [501, 1900]) {
      const reply = await contact(n)
      const message = 'must have at most 500 keys'
      assert.deepEqual(reply.body.errors, [{ field: 'custom_fields', message }])
    }
  })

  test('a change of many tasks writes 16 MiB at most', async () => {
    const item_ids = await Promise.all(
      Array.from({ length: 300 }, (_, i) => made('/api/tasks/', { title: `Task ${i}` })),
    )
    const bulk = (bytes: number) =>
      call('POST', '/api/tasks/bulk_actions/', {
        action: 'update',
        item_ids,
        custom_fields: { text: text(bytes) },
      })
    const reply = await bulk(60_000)
    assert.equal(reply.status, 400)
    assert.match(reply.body.message, /^item_ids: must be at most 279 with changes of 60029 bytes/)
    assert.equal((await bulk(10)).status, 200)
  })
})
