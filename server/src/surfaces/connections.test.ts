import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestService } from '../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import type { Bounds } from '../bounds.ts'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { createService } from '../service.ts'
import type { Connection } from './connection.ts'
import { checkProgress } from './progress.ts'

const usual = readConfig({}).bounds
const bounded = (bounds: Partial<Bounds>, rest: Partial<Config> = {}) =>
  startService({ bounds: { ...usual, ...bounds }, ...rest })

const sockets = new Set<Socket>()
after(() => {
  for (const socket of sockets) socket.destroy()
})

function dial({ url }: { url: string }, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  sockets.add(socket)
  return socket
}

const head = (line: string, ...more: string[]) =>
  `${[line, 'host: x', ...more].join('\r\n')}\r\n\r\n`
const get = (path: string) => head(`GET ${path} HTTP/1.1`)
const login = (length: number) =>
  head('POST /api/login/ HTTP/1.1', 'content-type: application/json', `content-length: ${length}`)

/** What the socket receives until it is closed, or `isEnough`. */
async function received(socket: Socket, isEnough: (text: string) => boolean = () => false) {
  let text = ''
  if (socket.destroyed) return text
  for await (const chunk of socket) {
    text += String(chunk)
    if (isEnough(text)) break
  }
  return text
}

async function metric({ url }: TestService, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Whoever reads companies waits until the function that it returns is called. */
async function lockCompanies({ runtime }: TestService): Promise<() => Promise<void>> {
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const lock = runtime.database.transaction('none', async (queries) => {
    await queries.run(sql`lock table companies in access exclusive mode`)
    locked()
    await gate
  })
  await isLocked
  return () => (open(), lock)
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, each]) => each)

describe('The requests of a connection', () => {
  test('are served one after the other, and answered in their order', async () => {
    let most = 0
    let running = 0
    const service = await bounded({ pipelined: 10 })
    service.runtime.services.failures.check = async () => {
      most = Math.max(most, ++running)
      await sleep(20)
      running--
    }
    const body = JSON.stringify({ refresh_token: 'x' })
    const request =
      head(
        'POST /api/login/refresh/ HTTP/1.1',
        'content-type: application/json',
        `content-length: ${body.length}`,
      ) + body
    const socket = dial(service)
    socket.write(request.repeat(4) + get('/livez') + request + get('/nowhere'))
    const text = await received(socket, (so) => statuses(so).length === 7 && so.endsWith('}'))
    assert.deepEqual(statuses(text), ['401', '401', '401', '401', '200', '401', '404'])
    assert.equal(most, 1)
  })

  test('are refused above max_pipelined, after those before them are answered', async () => {
    const service = await bounded({ pipelined: 3 })
    const socket = dial(service)
    socket.write(get('/livez').repeat(50))
    const text = await received(socket)
    assert.deepEqual(statuses(text), ['200', '200', '200', '200', '503'])
    assert.match(text, /"code":"too_many_pipelined"/)
    assert.match(text, /^retry-after: 1\r$/im)
  })

  test('are answered before one that cannot be read ends the connection', async () => {
    const service = await bounded({})
    const socket = dial(service)
    socket.write(`${get('/readyz')}nonsense\r\n\r\n`)
    const text = await received(socket)
    assert.deepEqual(statuses(text), ['200'])
    assert.match(text, /{"status":"ready","parts":{.*}}$/)
  })
})

describe('Clients that never read', () => {
  test('do not count for max_in_flight and lose their connection; others are answered', async () => {
    const service = await bounded({ answerSeconds: 2 }, { maxInFlight: 5 })
    // made before: nobody waits for it then
    await (await fetch(`${service.url}/openapi.json`)).text()
    const greedy = Array.from({ length: 20 }, () => {
      const socket = dial(service).pause()
      socket.write(get('/openapi.json').repeat(100))
      return socket
    })
    await until(async () => (await metric(service, 'http_unread_bytes')) > 0)
    for (let i = 0; i < 20; i++) {
      const reply = await service.call('POST', '/api/login/', { body: {} })
      assert.equal(reply.status, 400, reply.text)
    }
    assert.equal(await metric(service, 'http_requests_in_flight'), 1)
    await until(async () => (await metric(service, 'http_unread_bytes')) === 0)
    const closed = await metric(service, 'http_connections_closed_total\\{reason="unread"\\}')
    assert.equal(closed, greedy.length)
  })

  test('are closed at once when their answers together are too much', async () => {
    const service = await bounded({ unreadMib: 2 })
    for (let i = 0; i < 6; i++) dial(service).pause().write(get('/openapi.json').repeat(20))
    await until(
      async () =>
        (await metric(service, 'http_connections_closed_total\\{reason="unread"\\}')) >= 3,
    )
    assert.ok((await metric(service, 'http_unread_bytes')) <= 2 * 1024 * 1024)
  })

  test('are distinguished from those that read slowly', async () => {
    const service = await bounded({ answerSeconds: 1 })
    const socket = dial(service).pause()
    socket.write(get('/openapi.json').repeat(12))
    let bytes = 0
    const begun = performance.now()
    const size = Buffer.byteLength(await (await fetch(`${service.url}/openapi.json`)).text())
    while (bytes < 12 * size && !socket.destroyed) {
      const chunk = socket.read() as Buffer | null
      bytes += chunk?.length ?? 0
      // more slowly than the system buffers, so that the service waits most of the time
      await sleep(10)
    }
    assert.ok(bytes >= 12 * size, `${bytes} bytes after ${performance.now() - begun} ms`)
  })
})

describe('Clients that never send', () => {
  test('do not count for max_in_flight, and are 408 in the answer and in the log', async () => {
    const service = await bounded({ bodySeconds: 1 }, { maxInFlight: 3 })
    const held = Array.from({ length: 50 }, () => {
      const socket = dial(service)
      socket.write(`${login(100)}{`)
      return socket
    })
    await sleep(200)
    const reply = await service.call('POST', '/api/login/', { body: {} })
    assert.equal(reply.status, 400)
    assert.equal(await metric(service, 'http_requests_in_flight'), 1)
    for (const text of await Promise.all(held.map((socket) => received(socket)))) {
      assert.match(text, /^HTTP\/1\.1 408 /)
      assert.match(text, /"code":"timeout"/)
      assert.match(text, /^connection: close\r$/im)
    }
    const counted = await metric(
      service,
      'http_request_duration_seconds_count\\{operation="login",method="POST",status="408"\\}',
    )
    assert.equal(counted, held.length)
  })

  test('have a line in the log that says 408', async () => {
    const lines: string[] = []
    const { runtime } = await startService()
    const log = makeLog('info', { write: (line) => void lines.push(line) })
    const config = { ...runtime.config, bounds: { ...usual, bodySeconds: 1 } }
    const { database } = runtime
    const service = await createService({ config, database, log, secretKey: 'x'.repeat(32) })
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = dial({ url })
    socket.write(`${login(100)}{`)
    await received(socket)
    await until(() => lines.some((line) => line.includes('"operation":"login"')))
    const line = JSON.parse(lines.find((each) => each.includes('"operation":"login"'))!) as object
    assert.deepEqual(
      Object.fromEntries(Object.entries(line).filter(([key]) => /status|path/.test(key))),
      { path: '/api/login/', status: 408 },
    )
    await service.app.close()
  })

  test('are closed when the head is not there in time', async () => {
    const service = await bounded({ headSeconds: 1 })
    const socket = dial(service)
    socket.write('GET /livez HTTP/1.1\r\nhost:')
    assert.match(await received(socket), /^HTTP\/1\.1 408 /)
  })

  test('of a thousand hurt nobody', async () => {
    const service = await bounded({}, { maxInFlight: 1000 })
    const held = Array.from({ length: 1010 }, () => dial(service))
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    for (const socket of held) socket.write(`${login(100)}{`)
    await until(async () => (await metric(service, 'http_received_bytes')) === held.length)
    const reply = await service.call('POST', '/api/login/', { body: {} })
    assert.equal(reply.status, 400)
    for (const socket of held) socket.destroy()
  })

  test('make room for others of their address, and never those at work', async () => {
    const service = await bounded({ connectionsOfAddress: 20 })
    const worker = dial(service)
    worker.write(get('/livez'))
    await once(worker, 'data')
    const idle = Array.from({ length: 60 }, () => dial(service))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    const late = dial(service)
    late.write(get('/livez'))
    assert.match(await received(late, (text) => text.endsWith('}')), /^HTTP\/1\.1 200 /)
    assert.ok((await metric(service, 'http_connections')) <= 21)
    worker.write(get('/livez'))
    assert.match(await received(worker, (text) => text.endsWith('}')), /^HTTP\/1\.1 200 /)
  })
})

describe('Large bodies', () => {
  test('are bounded together, and small ones pass', async () => {
    const service = await bounded({ receivedMib: 2 })
    const part = `{"email":"${'x'.repeat(700_000)}`
    const held = Array.from({ length: 6 }, () => {
      const socket = dial(service)
      socket.write(login(1_000_000) + part)
      return socket
    })
    const first = await Promise.race(
      held.map((socket) => received(socket, (text) => text.endsWith('}'))),
    )
    assert.match(first, /^HTTP\/1\.1 503 /)
    assert.match(first, /"code":"bodies_full"/)
    assert.ok((await metric(service, 'http_received_bytes')) <= 2 * 1024 * 1024)
    const reply = await service.call('POST', '/api/login/', { body: {} })
    assert.equal(reply.status, 400)
    for (const socket of held) socket.destroy()
    await until(async () => (await metric(service, 'http_received_bytes')) === 0)
  })

  test('of one address are bounded, and leave room for those of others', async () => {
    const service = await bounded({ receivedMibOfAddress: 1 })
    const part = `{"email":"${'x'.repeat(700_000)}`
    const send = (address: string) => {
      const socket = dial(service, address)
      socket.write(login(1_000_000) + part)
      return socket
    }
    const held = [send('127.0.0.1'), send('127.0.0.1')]
    const refusals = held.map((socket) => received(socket, (text) => text.endsWith('}')))
    assert.match(await Promise.race(refusals), /^HTTP\/1\.1 503 .*"code":"bodies_full"/s)
    const other = send('127.0.0.2')
    other.write('x'.repeat(1_000_000 - part.length))
    const answer = await received(other, (text) => text.endsWith('}'))
    assert.match(answer, /^HTTP\/1\.1 400 /, 'whole, and no JSON')
    for (const socket of held) socket.destroy()
    await until(async () => (await metric(service, 'http_received_bytes')) === 0)
  })

  test('are 413 in chunks as they are in one piece', async () => {
    const service = await bounded({})
    const socket = dial(service)
    socket.write(
      head(
        'POST /api/login/ HTTP/1.1',
        'content-type: application/json',
        'transfer-encoding: chunked',
      ),
    )
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let i = 0; i < 20; i++) socket.write(chunk)
    const text = await received(socket, (so) => so.endsWith('}'))
    assert.match(text, /^HTTP\/1\.1 413 /)
    await until(async () => (await metric(service, 'http_received_bytes')) === 0)
  })

  test('may come in the smallest pieces', async () => {
    const service = await bounded({})
    const socket = dial(service)
    socket.write(
      head(
        'POST /api/login/ HTTP/1.1',
        'content-type: application/json',
        'transfer-encoding: chunked',
      ),
    )
    const body = JSON.stringify({ email: 'x'.repeat(30_000) })
    socket.write(body.replaceAll(/./g, '1\r\n$&\r\n'))
    socket.write('0\r\n\r\n')
    const text = await received(socket, (so) => so.endsWith('}'))
    assert.match(text, /^HTTP\/1\.1 400 /)
    assert.match(text, /"field":"email"/)
  })

  test('have a bounded number of values', async () => {
    const service = await bounded({ bodyValues: 1000 })
    const many = { email: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, 1])) }
    const reply = await service.call('POST', '/api/login/', { body: many })
    assert.equal(reply.status, 400)
    assert.equal(reply.body.code, 'too_many_values')
    assert.match(reply.body.message, /more than 1000 values/)
  })

  test('of forms without files are bounded as well', async () => {
    const service = await bounded({ bodySeconds: 1 })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `grant_type=${'x'.repeat(1_100_000)}`
    const long = await service.call('POST', '/oauth/token', { headers: form, body })
    assert.equal(long.status, 413)
    const socket = dial(service)
    socket.write(
      head(
        'POST /oauth/token HTTP/1.1',
        'content-type: application/x-www-form-urlencoded',
        'content-length: 100',
      ) + 'grant',
    )
    assert.match(await received(socket), /^HTTP\/1\.1 408 /)
  })
})

describe('A caller', () => {
  test('has a bounded number of requests at work, and so has the organization', async () => {
    const service = await bounded({ inFlightOfCaller: 2, inFlightOfOrganization: 3, excessMs: 300 })
    const { users } = await makeOrganization(service)
    const other = await makeOrganization(service)
    const list = (token: string) =>
      service.call('GET', '/api/company/?page=1&items_per_page=5', { token })
    const [admin, member, manager] = [users.admin.token, users.member.token, users.manager.token]
    // what is cached of them is not read again
    for (const token of [admin, member, manager, other.users.admin.token]) await list(token)
    const open = await lockCompanies(service)
    const held = [list(admin), list(admin), list(member)]
    await until(async () => (await metric(service, 'http_requests_in_flight')) === 4)
    const begun = performance.now()
    const third = await list(admin)
    // a client that tries again at once is slowed down
    assert.ok(performance.now() - begun >= 300)
    assert.equal(third.status, 429, third.text)
    assert.equal(third.body.code, 'too_many_in_flight')
    assert.match(third.body.message, /of yours/)
    assert.equal(third.headers.get('retry-after'), '1')
    const colleague = await list(manager)
    assert.equal(colleague.status, 429)
    assert.match(colleague.body.message, /of your organization/)
    held.push(list(other.users.admin.token))
    await until(async () => (await metric(service, 'http_requests_in_flight')) === 5)
    await open()
    for (const reply of await Promise.all(held)) assert.notEqual(reply.status, 429)
    assert.equal(await metric(service, 'http_requests_in_flight'), 1)
  })
})

describe('An upload', () => {
  const upload = (ms: number, bytes: number) => {
    const failures: string[] = []
    const receipt = {
      since: 0,
      from: 100,
      isUpload: true,
      fail: ({ status }: { status: number }) => void failures.push(String(status)),
    }
    const socket = { bytesRead: 100 + bytes, writableLength: 0 }
    checkProgress([{ socket, receipt } as unknown as Connection], usual, ms, () => {})
    return failures
  }

  test('may be slow, but not slower than the least rate, and not for ever', () => {
    assert.deepEqual(upload(9000, 1), [])
    assert.deepEqual(upload(11_000, 11 * 16 * 1024), [])
    assert.deepEqual(upload(11_000, 10 * 16 * 1024), ['408'])
    assert.deepEqual(upload(899_000, 900 * 16 * 1024), [])
    assert.deepEqual(upload(901_000, 1000 * 1024 * 1024), ['408'])
  })
})
