import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'node:test'
import { fastify } from 'fastify'
import { makeOrganization, startService } from '../../test/support/service.ts'
import { atEnd } from '../../test/support/finally.ts'
import { until } from '../../test/support/until.ts'
import { badField } from '../kit/ground/errors.ts'
import type { Upload } from '../kit/ground/files.ts'
import type { Operation } from '../kit/ground/operation.ts'
import { system } from '../runtime.ts'
import { failureFrom, sendFailure } from './errors.ts'
import { mount } from './mount.ts'
import { get, post } from './route.ts'
import { takeUploads } from './upload.ts'

const limit = 200_000
const service = await startService()
const { runtime } = service
const organization = await makeOrganization(service)
const uploads = join(runtime.config.dataDir, 'uploads')

let runs = 0
const take: Operation = {
  name: 'take_file',
  summary: 'Take a file',
  can: 'signed_in',
  writes: true,
  input: {
    body: {
      type: 'object',
      properties: {
        title: { type: 'string', maxLength: 100 },
        count: { type: 'integer' },
        is_big: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        owner: { anyOf: [{ type: 'string' }, { type: 'object' }] },
      },
    },
  },
  output: {},
  async before(ctx, { file }) {
    if (!file) return
    file.storedKey = `test/${organization.id}/${file.hash}`
    await ctx.files.put(file.storedKey, file.path, file.type)
  },
  async run(_ctx, { body, file }) {
    runs++
    if (body.title === 'refuse') throw badField('title', 'is refused')
    const { name, type, size, hash, path, storedKey } = (file ?? {}) as Upload
    const isWhole =
      file &&
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex') === hash
    return { body, file: file && { name, type, size, hash, isWhole, storedKey } }
  },
}

const app = fastify({ bodyLimit: 1024 * 1024 })
app.setErrorHandler((error, request, reply) =>
  sendFailure(reply as never, failureFrom(error, request as never)),
)
const surface = {
  authenticate: async () => ({
    organization: { id: organization.id, name: organization.name, timezone: 'UTC' },
    actor: system,
    source: 'application',
    request_id: 'r',
  }),
}
await app.register(async (scope) => {
  takeUploads(scope as never)
  mount(scope as never, runtime, surface, [
    post('/take/', take, { upload: { limit } }),
    get('/take/', { ...take, name: 'look', writes: false }),
    post('/plain/', { ...take, name: 'take_plain' }),
  ])
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
atEnd(() => app.close())

describe('A form with a file', () => {
  test('arrives whole, with its name, size and hash, and its texts as the schema says', async () => {
    const bytes = randomBytes(limit)
    const { status, body } = await sent(bytes, {
      title: '12',
      count: '7',
      is_big: 'true',
      tags: '["a","b"]',
      owner: '{"email":"a@b.test"}',
      unknown: 'x',
    })
    assert.equal(status, 200)
    assert.deepEqual(body.body, {
      title: '12',
      count: 7,
      is_big: true,
      tags: ['a', 'b'],
      owner: { email: 'a@b.test' },
      unknown: 'x',
    })
    assert.deepEqual(body.file, {
      name: 'Zürich – plan.bin',
      type: 'application/x-test',
      size: limit,
      hash: hashOf(bytes),
      isWhole: true,
      storedKey: `test/${organization.id}/${hashOf(bytes)}`,
    })
    assert.deepEqual(left(), [])
    assert.ok((await buffer(await runtime.files.get(body.file.storedKey))).equals(bytes))
  })

  test('has its fields checked as any body', async () => {
    const { status, body } = await sent(randomBytes(10), { count: 'many' })
    assert.equal(status, 400)
    assert.equal(body.errors[0].field, 'count')
    assert.deepEqual(left(), [])
  })

  test('may have no file at all, and JSON is still accepted', async () => {
    const reply = await fetch(`${url}/take/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"json"}',
    })
    assert.deepEqual(await reply.json(), { body: { title: 'json' } })
  })

  test('is 413 over the limit, and nothing is stored', async () => {
    for (const size of [limit + 1, limit * 3, limit + 4 * 1024 * 1024]) {
      const before = runs
      const bytes = randomBytes(size)
      const { status, body } = await sent(bytes)
      assert.equal(status, 413)
      assert.equal(body.code, 'too_large')
      assert.equal(runs, before)
      assert.deepEqual(left(), [])
    }
  })

  test('leaves nothing after a refusal', async () => {
    const bytes = randomBytes(100)
    const { status } = await sent(bytes, { title: 'refuse' })
    assert.equal(status, 400)
    assert.deepEqual(await isStored(hashOf(bytes)), false)
    assert.deepEqual(left(), [])
  })

  test('that breaks off leaves nothing', async () => {
    const before = runs
    const { port } = app.server.address() as { port: number }
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /take/ HTTP/1.1\r\nhost: x\r\ncontent-length: 150000\r\n' +
        'content-type: multipart/form-data; boundary=xx\r\n\r\n--xx\r\n' +
        'content-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n',
    )
    socket.write(randomBytes(100_000))
    await until(() => left().length === 1)
    socket.destroy()
    await until(() => left().length === 0)
    assert.equal(runs, before)
  })

  test('that is no form is 400', async () => {
    for (const raw of ['nonsense', '--xx\r\ncontent-disposition: form-data; name="file"\r\n']) {
      const reply = await fetch(`${url}/take/`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=xx' },
        body: raw,
      })
      assert.equal(reply.status, 400, raw)
    }
    const reply = await fetch(`${url}/take/`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data' },
      body: 'x',
    })
    assert.equal(reply.status, 400)
    assert.deepEqual(left(), [])
  })

  test('has a name of at most 255 characters, none of them cut in half', async () => {
    const { body } = await sent(randomBytes(9), {}, {}, `${'x'.repeat(250)}😀 and more.png`)
    assert.equal(body.file.name, `${'x'.repeat(250)}.png`)
  })

  test('with two files or one of another name is 400', async () => {
    for (const names of [['file', 'file'], ['avatar']]) {
      const form = new FormData()
      for (const name of names) form.append(name, new Blob([randomBytes(1000)]), 'a.bin')
      const reply = await fetch(`${url}/take/`, { method: 'POST', body: form })
      assert.equal(reply.status, 400)
      assert.deepEqual(left(), [])
    }
  })

  test('has texts of at most 1 MiB together, and as many parts as make sense', async () => {
    const many = (count: number, size: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, 'x'.repeat(size)]))
    const whole = await sent(randomBytes(10), many(100, 10_000))
    assert.equal(whole.status, 200)
    for (const texts of [many(20, 60_000), many(2, 600_000), many(1, 1_100_000)]) {
      const { status, body } = await sent(randomBytes(10), texts)
      assert.deepEqual([status, body.code], [413, 'too_large'])
    }
    const parts = await sent(randomBytes(10), many(201, 1))
    assert.equal(parts.status, 400)
    assert.match(parts.body.message, /too many parts/)
    assert.deepEqual(left(), [])
  })

  test('is refused as it comes when it comes in chunks', async () => {
    const part = (name: string, more = '') =>
      `--xx\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
    const bodies = {
      texts: (i: number) => `${part(`t${i}`)}${'x'.repeat(60_000)}\r\n`,
      file: (i: number) => (i ? 'x'.repeat(60_000) : part('file', '; filename="a.bin"')),
      padding: () => 'x'.repeat(60_000),
    }
    for (const [what, chunk] of Object.entries(bodies)) {
      const { port } = app.server.address() as { port: number }
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write(
        'POST /take/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n' +
          'content-type: multipart/form-data; boundary=xx\r\n\r\n',
      )
      let answer = ''
      socket.on('data', (data) => (answer += String(data)))
      for (let i = 0; i < 2000 && !answer; i++) {
        const text = chunk(i)
        socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
        await sleep(1)
      }
      assert.match(answer, /^HTTP\/1\.1 413 /, what)
      socket.destroy()
      await until(() => left().length === 0)
    }
  })

  test('has JSON with as few values and keys as any body', async () => {
    const keys = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])))
    const values = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))
    // a part that says what it is, and a text that the schema wants as an object
    const answers = async (json: string) => {
      const text = new FormData()
      text.append('owner', json)
      const typed =
        '--xx\r\ncontent-disposition: form-data; name="owner"\r\n' +
        `content-type: application/json\r\n\r\n${json}\r\n--xx--\r\n`
      const headers = { 'content-type': 'multipart/form-data; boundary=xx' }
      const replies = await Promise.all([
        fetch(`${url}/take/`, { method: 'POST', body: text }),
        fetch(`${url}/take/`, { method: 'POST', body: typed, headers }),
      ])
      return Promise.all(
        replies.map(async (reply) => {
          const { code, message } = (await reply.json()) as { code?: string; message?: string }
          return [reply.status, code, message]
        }),
      )
    }
    const refused = (what: string) => [400, 'too_many_values', `Invalid request body: ${what}`]
    const fits = [200, undefined, undefined]
    assert.deepEqual(await answers(keys(2000)), [fits, fits])
    const wide = refused('an object of more than 2000 keys')
    assert.deepEqual(await answers(keys(2001)), [wide, wide])
    const many = refused('more than 50000 values')
    assert.deepEqual(await answers(values(50_001)), [many, many])
    // of both the values are named, wherever the keys stand
    const both = `[${keys(2001)},${values(50_001)}]`
    assert.deepEqual(await answers(both), [many, many])
    assert.deepEqual(left(), [])
  })

  test('whose parts have no name, or one that objects have, is 400', async () => {
    for (const name of ['', '; name="__proto__"', '; name="constructor"']) {
      const reply = await fetch(`${url}/take/`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=xx' },
        body: `--xx\r\ncontent-disposition: form-data${name}\r\n\r\nx\r\n--xx--\r\n`,
      })
      assert.equal(reply.status, 400, name)
    }
  })

  test('is 415 where none is taken', async () => {
    const form = new FormData()
    form.append('file', new Blob(['x']), 'a.bin')
    const reply = await fetch(`${url}/plain/`, { method: 'POST', body: form })
    assert.equal(reply.status, 415)
  })

  test('is done once for a key, and the key is bound to the file', async () => {
    const [bytes, others] = [randomBytes(50), randomBytes(50)]
    const headers = { 'idempotency-key': 'k1' }
    const before = runs
    const first = await sent(bytes, {}, headers)
    const again = await sent(bytes, {}, headers)
    assert.equal(first.status, 200)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal(runs, before + 1)
    assert.equal((await sent(others, {}, headers)).status, 400)
    assert.equal(await isStored(hashOf(others)), false)
  })
})

async function sent(
  bytes: Buffer,
  fields: { [name: string]: string } = {},
  headers: { [name: string]: string } = {},
  filename = 'C:\\plans\\Zürich – plan.bin',
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const blob = new Blob([new Uint8Array(bytes)], { type: 'application/x-test' })
  form.append('file', blob, filename)
  const reply = await fetch(`${url}/take/`, { method: 'POST', body: form, headers })
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as any }
}

async function isStored(hash: string): Promise<boolean> {
  for await (const { key } of runtime.files.list('test')) if (key.endsWith(hash)) return true
  return false
}

/** What lies in the folder of files on their way. */
function left(): string[] {
  return existsSync(uploads) ? readdirSync(uploads) : []
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
