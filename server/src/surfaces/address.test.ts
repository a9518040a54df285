import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../test/support/service.ts'
import { counted } from '../kit/ground/address.ts'
import { proxyCheck } from './address.ts'

test('an address is counted under one name, an IPv6 network as one', () => {
  const names: [address: string | undefined, name: string | undefined][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:5060', '192.0.2.1'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:DB8::5', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0001::5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', undefined],
    ['999.1.1.1', undefined],
    ['_hidden', undefined],
    ['a:b', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [address, name] of names) assert.equal(counted(address), name, address)
})

test('an IPv6 network is one address for every limit of failures', async () => {
  const off = { count: 0, seconds: 1 }
  const login = { count: 2, seconds: 60 }
  const rateLimits = { integration: off, application: off, login, public: off }
  const service = await startService({ trustProxy: 1, rateLimits })
  // where an account is counted too, each guess is another user's
  const { users } = await makeOrganization(service)
  const tokens = [users.member.token, users.manager.token, users.admin.token]
  const wrong = { current: 'wrong', new: 'a longer one for everyone' }
  const answer = { flow: 'x', code: 'x', state: 'x' }
  const guesses: [path: string, body: (n: number) => object, refusal: number][] = [
    ['/api/session/password/', () => wrong, 400],
    ['/api/session/totp/', () => ({ password: 'wrong' }), 400],
    ['/api/session/totp/confirm/', () => ({ code: '000000' }), 400],
    ['/api/login/reset/', (n) => ({ email: `nobody-${n}@example.test` }), 200],
    ['/api/login/openid/', () => ({ organization: 'none' }), 400],
    ['/api/login/openid/finish/', () => answer, 401],
  ]
  for (const [index, [path, body, refusal]] of guesses.entries()) {
    const statuses: number[] = []
    for (const [n, token] of tokens.entries()) {
      const headers = { 'x-forwarded-for': `2001:db8:${index}:1::${n}` }
      statuses.push((await service.call('POST', path, { body: body(n), token, headers })).status)
    }
    assert.deepEqual(statuses, [refusal, refusal, 429], path)
  }
})

test('the connections of proxies are not counted as those of one caller', () => {
  assert.equal(proxyCheck(0)('10.0.0.1'), false)
  assert.equal(proxyCheck(1)('10.0.0.1'), true)
  const inRange = proxyCheck(['10.0.0.0/8', 'fd00::/8'])
  for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1']) assert.ok(inRange(peer), peer)
  for (const peer of ['192.0.2.1', '::1', '']) assert.ok(!inRange(peer), peer)
})

test('X-Forwarded-For is believed from the proxies that are named, and from nobody else', async () => {
  const login = { count: 2, seconds: 60 }
  const off = { count: 0, seconds: 1 }
  const statuses = async (trustProxy: number | string[], chains: string[]) => {
    const rateLimits = { integration: off, application: off, login, public: off }
    const service = await startService({ trustProxy, rateLimits })
    const body = { refresh_token: 'x' }
    const found: number[] = []
    for (const chain of chains) {
      const headers = { 'x-forwarded-for': chain }
      found.push((await service.call('POST', '/api/login/refresh/', { body, headers })).status)
    }
    return found
  }
  const apart = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
  assert.deepEqual(await statuses(0, apart), [401, 401, 429])
  assert.deepEqual(await statuses(1, apart), [401, 401, 401])
  assert.deepEqual(await statuses(['127.0.0.0/8'], apart), [401, 401, 401])
  assert.deepEqual(await statuses(['10.0.0.0/8'], apart), [401, 401, 429])
  const behindTwo = apart.map((address) => `${address}, 198.51.100.1`)
  assert.deepEqual(await statuses(1, behindTwo), [401, 401, 429])
  assert.deepEqual(await statuses(2, behindTwo), [401, 401, 401])
  assert.deepEqual(await statuses(['127.0.0.1', '198.51.100.1'], behindTwo), [401, 401, 401])
})

test('every answer of a service at https has Strict-Transport-Security, and no other', async () => {
  const secure = await startService({ publicUrl: 'https://crm.example.com' })
  const plain = await startService()
  for (const path of ['/livez', '/openapi.json', '/docs/', '/api/company/', '/nowhere', '/reset']) {
    const header = 'strict-transport-security'
    const { headers } = await secure.call('GET', path)
    assert.equal(headers.get(header), 'max-age=31536000', path)
    assert.equal((await plain.call('GET', path)).headers.get(header), null, path)
  }
})

test('only what browser applications call may be read from other origins', async () => {
  const service = await startService()
  const { token } = (await makeOrganization(service)).users.admin
  const origin = 'https://elsewhere.test'
  const allowed = async (method: string, path: string) => {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const reply = await service.call(method, path, { headers, token })
    return reply.headers.get('access-control-allow-origin')
  }
  for (const path of [
    '/api/company/?page=1&items_per_page=5',
    '/automation/company/',
    '/openapi.json',
  ]) {
    assert.equal(await allowed('GET', path), '*', path)
  }
  for (const path of [
    '/metrics',
    '/readyz',
    '/livez',
    '/docs/',
    '/reset',
    '/s/x',
    '/sign/x',
    '/invite/x',
    '/widget/x',
    '/oauth/authorize',
    '/.well-known/jwks.json',
    '/nowhere',
  ]) {
    for (const method of ['GET', 'OPTIONS']) assert.equal(await allowed(method, path), null, path)
  }
})
