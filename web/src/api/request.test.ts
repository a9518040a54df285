import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { Problem } from './problem.ts'
import { request } from './request.ts'

type Sent = { method: string; key: string | undefined }

const original = globalThis.fetch
afterEach(() => {
  globalThis.fetch = original
})

/** Answers requests with one status after another, at last with 200; returns what was sent. */
function answer(...statuses: number[]): Sent[] {
  const sent: Sent[] = []
  globalThis.fetch = (_, { method = '', headers } = {}) => {
    sent.push({ method, key: (headers as { [name: string]: string })['idempotency-key'] })
    const status = statuses.shift() ?? 200
    return Promise.resolve(new Response('{}', { status, headers: { 'retry-after': '0' } }))
  }
  return sent
}

describe('requests that are repeated', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    test(`a ${method} is repeated after a 503 with the key that it had at first`, async () => {
      const sent = answer(503, 503)
      await request(method, '/api/tasks/1/', { body: {} })
      const keys = new Set(sent.map(({ key }) => key))
      assert.equal(sent.length, 3)
      assert.equal(keys.size, 1)
      assert.match([...keys][0] ?? '', /^[0-9a-f-]{36}$/)
    })
  }

  test('two writes have different keys, and a form keeps its own', async () => {
    const sent = answer()
    await request('POST', '/api/tasks/', { body: {} })
    await request('POST', '/api/tasks/', { body: {} })
    await request('POST', '/api/tasks/', { body: {}, idempotencyKey: 'of the form' })
    assert.equal(new Set(sent.map(({ key }) => key)).size, 3)
    assert.equal(sent[2]?.key, 'of the form')
  })

  test('a write that the service failed to execute is not sent again, a read is', async () => {
    const written = answer(500)
    await assert.rejects(request('PUT', '/api/tasks/1/', { body: {} }), Problem)
    assert.equal(written.length, 1)
    const read = answer(500)
    await request('GET', '/api/tasks/')
    assert.equal(read.length, 2)
    assert.equal(read[0]?.key, undefined)
  })

  test('a write whose first try is still being executed waits for its answer', async () => {
    const sent = answer()
    const { fetch } = globalThis
    globalThis.fetch = async (address, init) => {
      const response = await fetch(address, init)
      return sent.length > 1 ? response : Response.json({ code: 'in_flight' }, { status: 409 })
    }
    await request('PUT', '/api/tasks/1/', { body: {} })
    assert.equal(sent.length, 2)
    assert.equal(sent[0]?.key, sent[1]?.key)
  })

  test('a sign-in has no key and is not repeated after a 503', async () => {
    const sent = answer(503)
    await assert.rejects(request('POST', '/api/session/', { body: {} }), Problem)
    assert.deepEqual(sent, [{ method: 'POST', key: undefined }])
  })
})
