import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { atEnd } from '../../test/support/finally.ts'
import { password } from '../../test/support/organization.ts'
import { until } from '../../test/support/until.ts'
import { type TestService, makeOrganization, startService } from '../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { Admission } from './admission.ts'
import { InFlight } from './in-flight.ts'
import { DelayedRefusals, refuseEarly } from './refusals.ts'

/** A service whose admission finds it full: nothing is let in but `/livez`. */
async function fullService(delayMs = 0) {
  const service = await startService()
  const inFlight = new InFlight(0, readConfig({}).bounds)
  const admission = new Admission(
    {
      state: () => ({ writers: { waiting: 100 }, readers: { inFlight: 0, waiting: 0 } }),
      shed: () => {},
    },
    inFlight,
    0,
  )
  admission.most = 0
  atEnd(async () => admission.close())
  const reported: string[] = []
  const parts = {
    admission,
    inFlight,
    delayed: new DelayedRefusals(delayMs),
    addressOf: () => '192.0.2.1',
    api: ['/api', '/automation', '/mcp'],
    report: ({ url = '' }: { url?: string }, id: string) => void reported.push(`${url} ${id}`),
  }
  return { service, admission, reported, fill: () => refuseEarly(service.app, parts, ['/livez']) }
}

let full: Awaited<ReturnType<typeof fullService>>
let service: TestService
before(async () => {
  full = await fullService()
  service = full.service
})

test('what an overloaded service refuses is answered like any other failure, and nothing is done', async () => {
  const organization = await makeOrganization(service)
  const { token } = organization.users.admin
  full.fill()
  const body = { tag_name: 'Never stored', tag_type: 'tasks' }
  const refused = await service.call('POST', '/api/tags/info/', { token, body })
  service.app.entrance.holds = undefined
  const id = refused.headers.get('x-request-id')
  assert.equal(refused.status, 503)
  assert.deepEqual(refused.body, {
    status: 'error',
    message: 'The service is overloaded, try again',
    code: 'overloaded',
    request_id: id,
  })
  assert.match(refused.headers.get('retry-after') ?? '', /^[123]$/)
  assert.equal(refused.headers.get('x-content-type-options'), 'nosniff')
  assert.ok(full.reported.includes(`/api/tags/info/ ${id}`))
  assert.ok(full.admission.refused > 0)
  const list = await service.call('GET', '/api/tags/info/?page=1', { token })
  assert.ok(!list.text.includes('Never stored'))
})

test('paths that are let in whatever the load are served', async () => {
  full.fill()
  assert.equal((await service.call('GET', '/livez')).status, 200)
  assert.equal((await service.call('GET', '/api/contact/')).status, 503)
  service.app.entrance.holds = undefined
})

test('a connection lives on after a refusal, whose body is not taken for a request', async () => {
  full.fill()
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  atEnd(async () => socket.destroy())
  const body = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'
  const post = `POST /api/tags/info/ HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`
  socket.write(`${post}${body}GET /livez HTTP/1.1\r\nhost: x\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (text.includes('alive')) break
  }
  service.app.entrance.holds = undefined
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 503', 'HTTP/1.1 200'])
})

test('an address that sends more than all others together waits for its refusal', async () => {
  const { service, admission, fill } = await fullService(50)
  admission.admit('192.0.2.2')
  fill()
  const begun = performance.now()
  const all = await Promise.all(
    Array.from({ length: 5 }, () => service.call('GET', '/api/contact/')),
  )
  service.app.entrance.holds = undefined
  assert.deepEqual(
    all.map(({ status }) => status),
    [503, 503, 503, 503, 503],
  )
  assert.ok(performance.now() - begun >= 50)
})

test('probes, sign-ins and tokens are let in by a service that lets nothing else in', async (t) => {
  const service = await startService({ maxInFlight: 1000 })
  const organization = await makeOrganization(service)
  const { token, email } = organization.users.admin
  t.mock.method(Admission.prototype, 'isOpen', () => false)
  t.mock.method(Admission.prototype, 'hasRoom', () => false)
  t.mock.method(Admission.prototype, 'hold', (_enter: () => void, refuse: () => void) => refuse())
  for (const path of ['/livez', '/livez/', '/readyz', '/metrics', '/metrics?x=y']) {
    assert.equal((await service.call('GET', path)).status, 200, path)
  }
  const body = { email, password }
  assert.equal((await service.call('POST', '/api/login/', { body })).status, 200)
  assert.equal((await service.call('POST', '/api/login', { body })).status, 200)
  const tokens = await service.call('POST', '/oauth/token', { body: {} })
  assert.ok([400, 401].includes(tokens.status), tokens.text)
  for (const path of [
    '/',
    '/api/contact/',
    '/api/users/profile/',
    '/automation/contacts',
    '/docs',
    '/livezzz',
  ]) {
    const refused = await service.call('GET', path, { token })
    assert.deepEqual([refused.status, refused.body?.code], [503, 'overloaded'], path)
  }
})

test('requests that wait at first are served like all others', async (t) => {
  const service = await startService({ maxInFlight: 1000 })
  const { token } = (await makeOrganization(service)).users.admin
  const closed = [
    t.mock.method(Admission.prototype, 'isOpen', () => false),
    t.mock.method(Admission.prototype, 'hasRoom', () => false),
  ]
  const hold = t.mock.method(Admission.prototype, 'hold')
  const path = '/api/tags/info/'
  const requests = Array.from({ length: 20 }, (_, nth) =>
    service.call('POST', path, { token, body: { tag_name: `Tag ${nth}`, tag_type: 'tasks' } }),
  )
  await until(() => hold.mock.callCount() === 20)
  for (const each of closed) each.mock.restore()
  const answers = await Promise.all(requests)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
})
