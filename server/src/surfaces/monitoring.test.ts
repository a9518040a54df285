import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as open } from 'node:net'
import { join } from 'node:path'
import { type TestContext, before, test } from 'node:test'
import { pino } from 'pino'
import pg from 'pg'
import { at, freshDatabase, serverUrl, silent } from '../../test/support/database.ts'
import {
  type TestService,
  makeOrganization,
  secretKey,
  startService,
} from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { readConfig } from '../config.ts'
import { connect } from '../database/connect.ts'
import { makeLog } from '../log.ts'
import { type ServiceOptions, createService } from '../service.ts'
import { webFolder } from '../workspace/stamp.ts'

/** A service over a database of the test's choice; nothing listens. */
async function serviceOver(
  t: TestContext,
  url: string,
  options: Partial<Pick<ServiceOptions, 'log' | 'workspace' | 'preparing'>> = {},
) {
  const log = pino({ level: 'silent' })
  const database = connect({ url, log: silent, role: null })
  const config = readConfig({})
  const service = await createService({ config, database, secretKey, log, ...options })
  t.after(async () => {
    await service.close()
    await database.close()
  })
  return service
}

let shared: TestService
before(async () => {
  shared = await startService()
})

test('a service with its database is alive and ready', async () => {
  const service = shared
  const live = await service.call('GET', '/livez')
  assert.deepEqual([live.status, live.body], [200, { status: 'alive' }])
  await until(() => service.runtime.database.isListening())
  const ready = await service.call('GET', '/readyz/')
  assert.deepEqual(
    [ready.status, ready.body],
    [200, { status: 'ready', parts: { database: 'ok', notifications: 'ok', files: 'ok' } }],
  )
  assert.equal(ready.headers.get('cache-control'), 'no-store')
  assert.equal((await service.call('HEAD', '/readyz')).status, 200)
  const posted = await service.call('POST', '/readyz', { body: {} })
  assert.equal(posted.status, 405)
  assert.equal(posted.headers.get('allow'), 'GET, HEAD')
})

test('without its database a service is alive and not ready', async (t) => {
  const { app } = await serviceOver(t, 'postgres://nobody@127.0.0.1:1/nothing')
  assert.equal((await app.inject('/livez')).statusCode, 200)
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 503)
  assert.equal(ready.json().status, 'error')
  assert.equal(ready.json().code, 'unavailable')
  assert.ok(Number(ready.headers['retry-after']) > 0)
})

test('over a database that lacks a migration a service is not ready', async (t) => {
  const { url } = await freshDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `delete from perennial.migrations where name = (select max(name) from perennial.migrations)`,
  )
  await client.end()
  const { app } = await serviceOver(t, url)
  const ready = await app.inject('/readyz')
  assert.equal(ready.statusCode, 503)
  assert.match(ready.json().message, /not migrated/)
})

test('while a first start writes its data, it answers and is not ready, and its page waits', async (t) => {
  const { url } = await freshDatabase()
  const preparing = Promise.withResolvers<void>()
  const document = join(webFolder, 'index.html')
  const { app } = await serviceOver(t, url, {
    preparing: preparing.promise,
    workspace: {
      state: () => ({ kind: 'ready', document }),
      settled: Promise.resolve(),
      stop: async () => {},
    },
  })
  const ask = (path: string) => app.inject({ url: path, headers: { accept: 'text/html' } })
  assert.equal((await ask('/livez')).statusCode, 200)
  assert.equal((await ask('/api/company/')).statusCode, 401)
  const ready = await ask('/readyz')
  assert.equal(ready.statusCode, 503)
  assert.match(ready.json().message, /is starting/)
  const page = await ask('/')
  assert.deepEqual([page.statusCode, page.headers.refresh], [503, '1'])
  assert.match(page.body, /The demonstration is being written: this page opens in a moment/)
  preparing.resolve()
  await preparing.promise
  assert.equal((await ask('/readyz')).statusCode, 200)
  // nothing was written here, so that this machine is led to make the first organization
  const opened = await ask('/')
  assert.equal(opened.statusCode, 303)
  assert.match(String(opened.headers.location), /\/setup\/[^/]+$/)
})

test('over a database that was never set up a service is not ready', async (t) => {
  const { app } = await serviceOver(t, at(await serverUrl(), 'postgres'))
  assert.equal((await app.inject('/readyz')).statusCode, 503)
})

test('a service that is stopping is no longer ready', async () => {
  const service = await startService()
  service.operations.stopping()
  assert.equal((await service.call('GET', '/readyz')).status, 503)
  const live = await service.call('GET', '/livez')
  assert.deepEqual([live.status, live.headers.get('connection')], [200, 'close'])
})

test('the metrics count requests by operation, method and status, and report the state of the pool', async () => {
  const service = shared
  const { token } = (await makeOrganization(service)).users.admin
  await service.call('GET', '/api/company/?page=1&items_per_page=5', { token })
  await service.call('GET', '/api/company/?page=1&items_per_page=5')
  const { status, text, headers } = await service.call('GET', '/metrics')
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/plain/)
  const counted = (labels: string) =>
    new RegExp(`^http_request_duration_seconds_count\\{${labels}\\} 1$`, 'm')
  assert.match(text, counted('operation="list_companies",method="GET",status="200"'))
  assert.match(text, counted('operation="list_companies",method="GET",status="401"'))
  assert.match(text, /^http_requests_in_flight 1$/m)
  assert.match(text, /^database_writers_idle \d+$/m)
  assert.match(text, /^database_writers_waiting 0$/m)
  assert.match(text, /^webhook_attempts_total\{outcome="delivered"\} 0$/m)
  assert.match(text, /^webhook_lag_seconds 0$/m)
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
})

test('a request is in flight while it is worked on, and not when nobody waits for it', async () => {
  const service = await startService()
  work(service)
  const sending = await hold(service.url)
  assert.match((await service.call('GET', '/metrics')).text, /^http_requests_in_flight 1$/m)
  sending.write(body)
  const held = await hold(service.url, true)
  await until(async () =>
    /^http_requests_in_flight 3$/m.test((await service.call('GET', '/metrics')).text),
  )
  for (const socket of [sending, held]) socket.destroy()
  await until(async () =>
    /^http_requests_in_flight 1$/m.test((await service.call('GET', '/metrics')).text),
  )
})

test('above max_in_flight the answer is 503 at once, and probes are answered', async () => {
  const service = await startService({ maxInFlight: 3 })
  const finish = work(service)
  const held = await Promise.all([1, 2, 3].map(() => hold(service.url, true)))
  await until(async () =>
    /^http_requests_in_flight 4$/m.test((await service.call('GET', '/metrics')).text),
  )
  const refused = await service.call('POST', '/api/login/', { body: {} })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.body.status, 'error')
  assert.equal(refused.body.code, 'overloaded')
  assert.equal((await service.call('GET', '/livez')).status, 200)
  assert.equal((await service.call('GET', '/readyz')).status, 200)
  finish()
  await Promise.all(held.map((socket) => once(socket, 'data')))
  for (const socket of held) socket.destroy()
  assert.equal((await service.call('POST', '/api/login/', { body: {} })).status, 400)
})

test('a request has a line at info when it failed or was refused, otherwise only at debug, and never its query', async (t) => {
  for (const level of ['info', 'debug']) {
    const lines: string[] = []
    const log = makeLog(level, { write: (line) => void lines.push(line) })
    const { app } = await serviceOver(t, 'postgres://nobody@127.0.0.1:1/nothing', { log })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const first = lines.length
    for (const path of ['/livez?a=hidden', '/readyz?code=hidden', '/nowhere/?x=hidden']) {
      await fetch(url + path)
    }
    const wanted = [
      { level: 'debug', path: '/livez', operation: 'livez', status: 200, msg: 'request' },
      { level: 'info', path: '/readyz', operation: 'readyz', status: 503, msg: 'failed request' },
      { level: 'info', path: '/nowhere/', operation: 'none', status: 404, msg: 'refused request' },
    ].filter((line) => level === 'debug' || line.level === 'info')
    await until(() => lines.length >= first + wanted.length)
    const logged = lines.slice(first).map((line) => JSON.parse(line))
    assert.deepEqual(
      logged.map(({ level, path, operation, status, msg }) => ({
        level,
        path,
        operation,
        status,
        msg,
      })),
      wanted,
    )
    for (const line of logged) assert.ok(line.request_id && line.method === 'GET' && line.ms >= 0)
    assert.ok(!lines.join('').includes('hidden'))
  }
})

test('a flood of refused requests has fifty lines a second', async (t) => {
  const lines: { msg: string; requests?: number; failure?: string }[] = []
  const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const { app } = await serviceOver(t, 'postgres://nobody@127.0.0.1:1/nothing', { log })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const of = (msg: string) => lines.filter((line) => line.msg === msg)
  const begun = Math.floor(performance.now() / 1000)
  const refused = Array.from({ length: 120 }, () => fetch(`${url}/nowhere/`))
  for (const reply of await Promise.all(refused)) await reply.text()
  const seconds = Math.floor(performance.now() / 1000) - begun + 1
  await until(async () => {
    await fetch(`${url}/nowhere/`)
    return of('more refused requests in a second').length > 0
  })
  assert.ok(of('refused request').length <= 50 * (seconds + 1))
  const [first] = of('refused request')
  assert.equal(first?.failure, 'not_found')
  const left = of('more refused requests in a second').map(({ requests = 0 }) => requests)
  assert.ok(left.every((requests) => requests > 0))
})

test('where files or mail do not work the service is degraded, and still ready', async () => {
  const service = await startService({
    smtpUrl: 'smtp://127.0.0.1:1',
    s3: {
      bucket: 'b',
      region: 'us-east-1',
      endpoint: 'http://127.0.0.1:1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      prefix: '',
    },
  })
  await until(() => service.runtime.database.isListening())
  const ready = await service.call('GET', '/readyz')
  assert.equal(ready.status, 200)
  assert.deepEqual(ready.body, {
    status: 'degraded',
    parts: {
      database: 'ok',
      notifications: 'ok',
      files: 'unavailable',
      mail: 'unavailable',
    },
  })
  const { token } = (await makeOrganization(service)).users.admin
  const form = new FormData()
  form.set('document_name', 'Plan')
  form.set('file', new Blob(['text']), 'plan.txt')
  const reply = await fetch(`${service.url}/api/documents/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  assert.equal(reply.status, 503)
  assert.equal(((await reply.json()) as { code: string }).code, 'files_unavailable')
})

test('closing answers requests in flight and those that still arrive, then none', async () => {
  const service = await startService()
  const late = open(Number(new URL(service.url).port), '127.0.0.1')
  await once(late, 'connect')
  const held = await hold(service.url)
  const closing = service.close({ linger: 300, deadline: 5000 })
  await until(async () => !(await fetch(`${service.url}/livez`).catch(() => undefined)))

  late.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  const answered = await text(late)
  assert.match(answered, /^HTTP\/1\.1 200 /)
  assert.match(answered, /^connection: close\r$/im)

  held.write('{}'.padEnd(body.length))
  const finished = await text(held)
  assert.match(finished, /^HTTP\/1\.1 400 /)
  assert.match(finished, /^connection: close\r$/im)
  await closing
})

test('closing cuts off at the deadline what does not end', async () => {
  const service = await startService()
  const held = await hold(service.url)
  const ended = once(held, 'close')
  await service.close({ linger: 0, deadline: 200 })
  await ended
})

const body = '{"refresh_token":"x"}'

/** A request whose body is still to come, or is sent at once. */
async function hold(url: string, isSent = false) {
  const socket = open(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    'POST /api/login/refresh/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
      `content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  )
  // the server has seen it once it asks for the body
  await once(socket, 'data')
  if (isSent) socket.write(body)
  return socket
}

/** Makes such requests wait, until the function that it returns is called. */
function work({ runtime }: TestService): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  runtime.services.failures.check = () => promise
  return resolve
}

async function text(socket: ReturnType<typeof open>): Promise<string> {
  let all = ''
  for await (const chunk of socket) all += String(chunk)
  return all
}
