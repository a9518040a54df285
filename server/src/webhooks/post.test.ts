import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { parseRetryAfter, post } from './post.ts'
import { newSecret, sign } from './signature.ts'
import { guardedAgent, type Resolve, type TargetPolicy } from './target.ts'

const policy: TargetPolicy = { allowHttp: false, allowLoopbackHttp: true, allowedCidrs: [] }
const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]

function agentFor(resolve: Resolve = here, over: Partial<TargetPolicy> = {}) {
  const agent = guardedAgent({ ...policy, ...over }, { resolve })
  after(() => agent.destroy())
  return agent
}

async function listening(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://hooks.test:${(server.address() as AddressInfo).port}/hook`, sockets }
}

const http = (listener: RequestListener) => listening(createServer(listener))
const tcp = (listener: (socket: Socket) => void) => listening(createTcpServer(listener))

const send = (url: string, timeoutMs?: number, agent = agentFor()) =>
  post(agent, { url, headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs })

test('a signed request arrives byte for byte and verifies with the standardwebhooks package', async () => {
  const secret = newSecret()
  const body = JSON.stringify({ type: 'contact_created', data: { full_name: 'Zoë 🌱' } })
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id: 'msg_1', timestamp, body, secrets: [secret] }),
  }
  const seen: unknown[] = []
  const { url } = await http(async (request, response) => {
    const chunks = await request.toArray()
    const sent = Buffer.concat(chunks)
    seen.push(request.method, request.url, sent.toString())
    new Webhook(secret).verify(sent, request.headers as Record<string, string>)
    response.end('thanks')
  })
  for (const form of [body, Buffer.from(body)]) {
    const result = await post(agentFor(), { url: `${url}?a=1#part`, headers, body: form })
    assert.deepEqual(
      { ...result, durationMs: 0 },
      { status: 200, durationMs: 0, responseExcerpt: 'thanks' },
    )
    assert.deepEqual(seen.splice(0), ['POST', '/hook?a=1', body])
  }
})

test('every status is an answer, not an error, and a redirect is one too', async () => {
  const { url } = await http((request, response) => {
    response.writeHead(Number(request.headers['x-status']), { location: '/elsewhere' }).end('so')
  })
  const agent = agentFor()
  for (const status of [200, 202, 302, 307, 400, 410, 500, 503]) {
    const headers = { 'x-status': String(status) }
    const result = await post(agent, { url, headers, body: '{}' })
    assert.deepEqual(
      [result.status, result.error, result.responseExcerpt],
      [status, undefined, 'so'],
    )
  }
})

test('early hints before the answer are passed over', async () => {
  const { url } = await http((_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.end('done'))
  })
  const { status, responseExcerpt } = await send(url)
  assert.deepEqual([status, responseExcerpt], [200, 'done'])
})

test('of a long answer 4 KB are stored, whole characters only, and its connection is used again', async () => {
  const { url, sockets } = await http((request, response) => {
    request.resume()
    response.end('é'.repeat(20_000).replace('é', 'e'))
  })
  const agent = agentFor()
  for (let i = 0; i < 3; i++) {
    const { status, responseExcerpt } = await send(url, undefined, agent)
    assert.equal(status, 200)
    assert.equal(responseExcerpt, `e${'é'.repeat(2047)}`)
    // Undici frees a connection one turn after its answer.
    await nextTurn()
  }
  assert.equal(sockets.size, 1)
})

test('an excerpt can be stored whatever bytes it has', async () => {
  const { url } = await http((_request, response) => response.end(Buffer.from([97, 0, 255, 98])))
  assert.equal((await send(url)).responseExcerpt, 'a\uFFFD\uFFFDb')
})

test('an endless answer is cut off, its status counts and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>()
  const { url } = await http((_request, response) => {
    response.on('close', closed.resolve)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', more)
    more()
  })
  const { status, error, responseExcerpt } = await send(url)
  assert.deepEqual([status, error, responseExcerpt.length], [200, undefined, 4096])
  await closed.promise
})

test('a slow answer ends at the deadline and its status counts', async () => {
  const closed = Promise.withResolvers<void>()
  const { url } = await http((_request, response) => {
    response.on('close', closed.resolve)
    response.writeHead(202).write('drop')
  })
  const { status, error, responseExcerpt, durationMs } = await send(url, 200)
  assert.deepEqual([status, error, responseExcerpt], [202, undefined, 'drop'])
  assert.ok(durationMs >= 199 && durationMs < 2000, String(durationMs))
  await closed.promise
})

test('a receiver that accepts and never answers is a timeout, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>()
  const { url } = await tcp((socket) => socket.on('close', closed.resolve).resume())
  const { status, error, durationMs } = await send(url, 200)
  assert.deepEqual([status, error], [undefined, 'timeout'])
  assert.ok(durationMs >= 199 && durationMs < 2000, String(durationMs))
  await closed.promise
})

test('headers that drip on are a timeout too', async () => {
  const { url } = await tcp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => socket.write('x-more: 1\r\n'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  assert.equal((await send(url, 200)).error, 'timeout')
})

test('what connects only after the deadline is not sent', async () => {
  let requests = 0
  const connected = Promise.withResolvers<Socket>()
  const { url } = await tcp((socket) => {
    socket.on('data', () => requests++)
    connected.resolve(socket)
  })
  const late = Promise.withResolvers<Awaited<ReturnType<Resolve>>>()
  assert.equal(
    (
      await send(
        url,
        50,
        agentFor(() => late.promise),
      )
    ).error,
    'timeout',
  )

  late.resolve(await here('hooks.test'))
  const socket = await connected.promise
  await once(socket, 'close')
  assert.equal(requests, 0)
})

test('a slow receiver holds up no other request to the same host', async () => {
  const { url } = await http((request, response) => {
    if (request.url === '/fast') response.end()
  })
  const agent = agentFor()
  const slow = Array.from({ length: 30 }, () => send(url, undefined, agent))
  const fast = await send(url.replace(/hook$/, 'fast'), undefined, agent)
  assert.equal(fast.status, 200)
  await agent.destroy()
  for (const { error } of await Promise.all(slow)) assert.equal(error, 'stopped')
})

test('why no answer came is reported as one word', async () => {
  const word = async (url: string, agent = agentFor()) => {
    const { status, error } = await send(url, 5000, agent)
    assert.equal(status, undefined)
    return error
  }

  const unused = createTcpServer()
  await once(unused.listen(0, '127.0.0.1'), 'listening')
  const { port } = unused.address() as AddressInfo
  await new Promise((closed) => unused.close(closed))
  assert.equal(await word(`http://hooks.test:${port}/`), 'refused')

  const resetting = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  assert.equal(await word(resetting.url), 'reset')
  const closing = await tcp((socket) => socket.once('data', () => socket.end()))
  assert.equal(await word(closing.url), 'reset')
  const chatting = await tcp((socket) => socket.end('220 mail.test ESMTP\r\n'))
  assert.equal(await word(chatting.url), 'bad_response')
  const long = await http((_request, response) => {
    response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end()
  })
  assert.equal(await word(long.url), 'bad_response')
  assert.equal(await word(long.url.replace('http:', 'https:')), 'tls')

  const nowhere = agentFor(() => Promise.reject(new Error('ENOTFOUND')))
  assert.equal(await word('https://hooks.test/', nowhere), 'dns')
  assert.equal(await word('https://10.0.0.1/'), 'forbidden_address')
  const elsewhere = agentFor(async () => [{ address: '93.184.215.14', family: 4 }])
  assert.equal(await word('http://hooks.test/', elsewhere), 'not_https')
  assert.equal(await word('no address'), 'invalid_url')
  assert.equal(await word('ftp://hooks.test/'), 'invalid_url')

  const stopped = agentFor()
  await stopped.close()
  assert.equal(await word(long.url, stopped), 'stopped')
})

test('requests in flight when the agent is destroyed end as stopped', async () => {
  const arrived = Promise.withResolvers<void>()
  const { url } = await http(() => arrived.resolve())
  const agent = agentFor()
  const result = send(url, undefined, agent)
  await arrived.promise
  await agent.destroy()
  assert.equal((await result).error, 'stopped')
})

test('an answer that breaks off keeps its status', async () => {
  const { url } = await tcp((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbroken')
  })
  const { status, error, responseExcerpt } = await send(url)
  assert.deepEqual([status, error, responseExcerpt], [200, undefined, 'broken'])
})

test('Retry-After is read from the answer', async () => {
  const { url } = await http((_request, response) => {
    response.writeHead(503, { 'retry-after': '120' }).end()
  })
  const { status, retryAfterSeconds } = await send(url)
  assert.deepEqual([status, retryAfterSeconds], [503, 120])
})

test('Retry-After may be seconds or a date in any of the three forms of HTTP', () => {
  const now = Date.UTC(1994, 10, 6, 8, 49, 7)
  const cases: [string | undefined, number | undefined][] = [
    ['0', 0],
    [' 30 ', 30],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30],
    ['Sun Nov  6 08:49:37 1994', 30],
    ['Sun, 06 Nov 1994 08:48:37 GMT', 0],
    ['9'.repeat(400), 31_536_000],
    ['Sun, 06 Nov 2094 08:49:37 GMT', 31_536_000],
    [undefined, undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
    ['2030', 2030],
    ['2030-01-01', undefined],
  ]
  for (const [header, seconds] of cases) {
    assert.equal(parseRetryAfter(header, now), seconds, header)
  }
})
