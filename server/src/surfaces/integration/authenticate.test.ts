import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fastify } from 'fastify'
import { startBeside } from '../../../test/support/beside.ts'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import {
  connectApp,
  untilListening,
  sign,
  signature,
  until,
} from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import type { Query } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { issueApp, rotateApp } from '../../records/apps/app.ts'
import { companies } from '../../records/companies/operations.ts'
import { failureFrom, sendFailure } from '../errors.ts'
import { rateLimiter } from '../limits.ts'
import { mount } from '../mount.ts'
import { get, post, put } from '../route.ts'
import { integrationAuthenticator } from './authenticate.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

let service: TestService
let org: TestOrganization
let now: Date | undefined

before(async () => {
  service = await startService({}, () => now ?? new Date())
  org = await makeOrganization(service)
})

function write(query: Query) {
  return service.runtime.database.transaction(allOrganizations, (queries) => queries.run(query))
}

describe('the integration surface', () => {
  test('test names the organization and the app', async () => {
    const { app, call } = await connectApp(service, org)
    const reply = await call('GET', '/automation/test')
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, { status: 'success', organisation: org.name, id: app.id })
    assert.equal((await call('GET', '/automation/test/')).status, 200)
  })

  test('credentials are checked in their order, and a wrong one is 401 with an error', async () => {
    const connected = await connectApp(service, org)
    const other = await connectApp(service, org)
    const elsewhere = await connectApp(service, await makeOrganization(service))
    const { client_id, client_secret, function_key, access_token } = connected
    const good: { [name: string]: string } = {
      'x-functions-key': function_key,
      ...signature(client_id, client_secret),
      authorization: `Bearer ${access_token}`,
    }
    const seconds = Math.floor(Date.now() / 1000)
    const at = (timestamp: string | number, id = client_id, secret = client_secret) => ({
      'x-oauth-timestamp': String(timestamp),
      'x-oauth-signature': sign(id, secret, String(timestamp)),
    })
    const none = undefined
    const cases: [string, { [name: string]: string | undefined }, string][] = [
      [
        'nothing at all',
        Object.fromEntries(Object.keys(good).map((name) => [name, none])),
        'missing_function_key',
      ],
      ['no function key', { 'x-functions-key': none }, 'missing_function_key'],
      ['an empty function key', { 'x-functions-key': '' }, 'missing_function_key'],
      ['an unknown function key', { 'x-functions-key': 'guess' }, 'invalid_function_key'],
      ['a huge function key', { 'x-functions-key': 'k'.repeat(5000) }, 'invalid_function_key'],
      [
        'another app’s function key',
        { 'x-functions-key': other.function_key },
        'invalid_signature',
      ],
      [
        'a function key of another organization',
        { 'x-functions-key': elsewhere.function_key },
        'invalid_signature',
      ],
      [
        'a wrong key before a wrong timestamp',
        { 'x-functions-key': 'guess', 'x-oauth-timestamp': 'x' },
        'invalid_function_key',
      ],
      ['no timestamp', { 'x-oauth-timestamp': none }, 'invalid_timestamp'],
      ['a timestamp that is none', at('now'), 'invalid_timestamp'],
      ['a timestamp in milliseconds', at(Date.now()), 'invalid_timestamp'],
      ['an old timestamp', at(seconds - 302), 'invalid_timestamp'],
      ['a timestamp in the future', at(seconds + 302), 'invalid_timestamp'],
      [
        'an old timestamp before a wrong signature',
        { 'x-oauth-timestamp': '1', 'x-oauth-signature': '' },
        'invalid_timestamp',
      ],
      ['no signature', { 'x-oauth-signature': none }, 'invalid_signature'],
      ['a signature of another length', { 'x-oauth-signature': 'abcd' }, 'invalid_signature'],
      ['a signature that is no hex', { 'x-oauth-signature': 'z'.repeat(64) }, 'invalid_signature'],
      [
        'a signature of another time',
        { ...at(seconds - 5), 'x-oauth-timestamp': String(seconds) },
        'invalid_signature',
      ],
      ['another secret’s signature', at(seconds, client_id, 'guess'), 'invalid_signature'],
      ['another client’s signature', at(seconds, other.client_id), 'invalid_signature'],
      [
        'a wrong signature before no token',
        { 'x-oauth-signature': '0'.repeat(64), authorization: none },
        'invalid_signature',
      ],
      ['no token', { authorization: none }, 'missing_token'],
      ['another scheme', { authorization: 'Basic abcd' }, 'missing_token'],
      ['a token that is none', { authorization: 'Bearer abcd' }, 'invalid_token'],
      [
        'a broken token',
        { authorization: `Bearer ${access_token.slice(0, -6)}AAAAAA` },
        'invalid_token',
      ],
      [
        'an application token',
        { authorization: `Bearer ${org.users.admin.token}` },
        'invalid_token',
      ],
      ['another app’s token', { authorization: `Bearer ${other.access_token}` }, 'invalid_token'],
      ['a refresh token', { authorization: `Bearer ${connected.refresh_token}` }, 'invalid_token'],
    ]
    for (const [name, changes, code] of cases) {
      const headers = { ...good, ...changes }
      for (const [header, value] of Object.entries(headers))
        if (value === none) delete headers[header]
      const reply = await service.call('GET', '/automation/test', { headers: headers as never })
      assert.equal(reply.status, 401, `${name}: ${reply.text}`)
      assert.equal(reply.body.code, code, name)
      assert.equal(typeof reply.body.error, 'string', name)
      assert.equal(reply.body.message, reply.body.error, name)
      assert.equal(reply.body.status, undefined, name)
      if (code === 'invalid_signature') assert.equal(reply.body.error, 'Invalid signature')
    }
    assert.equal((await service.call('GET', '/automation/test', { headers: good })).status, 200)
  })

  test('the function key travels as header or as code; the header wins', async () => {
    const { function_key, call } = await connectApp(service, org)
    const none = { 'x-functions-key': '' }
    const query = (code: string) => ({ code })
    const ask = async (request: object) => (await call('GET', '/automation/test', request)).status
    assert.equal(await ask({ headers: none, query: query(function_key) }), 200)
    assert.equal(await ask({ headers: none, query: query('guess') }), 401)
    assert.equal(await ask({ query: query('guess') }), 200)
    assert.equal(
      await ask({ headers: { 'x-functions-key': 'guess' }, query: query(function_key) }),
      401,
    )
    const twice = await call('GET', `/automation/test?code=${function_key}&code=${function_key}`, {
      headers: none,
    })
    assert.equal(twice.status, 401)
  })

  test('a signature counts in either case, and the clock may be 300 seconds off', async () => {
    const { client_id, client_secret, call } = await connectApp(service, org)
    now = new Date('2031-05-05T10:00:00Z')
    try {
      const ask = async (seconds: number, change = (text: string) => text) => {
        const timestamp = String(+now! / 1000 + seconds)
        const headers = {
          'x-oauth-timestamp': timestamp,
          'x-oauth-signature': change(sign(client_id, client_secret, timestamp)),
        }
        return (await call('GET', '/automation/test', { headers })).body.code
      }
      // the token has expired by then, which is asked after the signature
      assert.equal(await ask(0, (text) => text.toUpperCase()), 'token_expired')
      assert.equal(await ask(300), 'token_expired')
      assert.equal(await ask(-300), 'token_expired')
      assert.equal(await ask(301), 'invalid_timestamp')
      assert.equal(await ask(-301), 'invalid_timestamp')
    } finally {
      now = undefined
    }
  })

  test('an integration token opens nothing on the application surface', async () => {
    const { access_token } = await connectApp(service, org)
    const reply = await service.call('GET', '/api/tags/info/', { token: access_token })
    assert.equal(reply.status, 401)
    assert.equal(reply.body.code, 'invalid_token')
  })

  test('two apps with the same function key are distinguished by their signatures', async () => {
    const a = await connectApp(service, org)
    const b = await connectApp(service, await makeOrganization(service))
    await write(sql`update apps set function_key_hash =
      (select function_key_hash from apps where id = ${a.app.id}) where id = ${b.app.id}`)
    const headers = { 'x-functions-key': a.function_key }
    const ids = []
    for (const { call } of [a, b])
      ids.push((await call('GET', '/automation/test', { headers })).body.id)
    assert.deepEqual(ids, [a.app.id, b.app.id])
  })

  test('invalidate removes the connection of everybody; the same token is 401 afterwards', async () => {
    const first = await connectApp(service, org)
    const { app } = first
    const other = await connectApp(service, org)
    await write(sql`insert into grants (organization_id, id, app_id, user_id, scopes)
      values (${org.id}, 'second', ${app.id}, ${org.users.manager.user_id}, '[]')`)
    const subscribed = await first.call('POST', '/webhook/subscribe', {
      body: { events: 'company_created', url: 'http://127.0.0.1:9/' },
    })
    assert.equal(subscribed.status, 201, subscribed.text)
    await first.call('POST', '/automation/company', { body: { company_name: 'Named' } })
    const reply = await first.call('DELETE', '/automation/invalidate/')
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, {
      status: 'success',
      deleted: { connections: 2, tokens: 1, subscriptions: 1, deliveries: 1 },
    })
    assert.equal((await first.call('GET', '/automation/test')).status, 401)
    assert.equal((await other.call('GET', '/automation/test')).status, 200)
  })
})

describe('scopes and rights', () => {
  let ask: (connected: ConnectedApp, method: string, url: string, body?: object) => Promise<any>

  before(async () => {
    const app = fastify()
    app.setErrorHandler((error, request, reply) =>
      sendFailure(reply as never, failureFrom(error, request as never)),
    )
    const surface = integrationAuthenticator(service.runtime, service.tokens, async () => {})
    mount(app as never, service.runtime, surface, [
      get('/companies', companies.list),
      post('/companies', companies.create, { status: 201 }),
      put('/companies/{id}', companies.update),
      get('/free', { ...companies.list, scope: null }),
      get('/special', { ...companies.list, scope: 'survey.read' }),
    ])
    ask = async (
      { client_id, client_secret, function_key, access_token },
      method,
      url,
      payload,
    ) => {
      const reply = await app.inject({
        method: method as 'GET',
        url,
        payload,
        headers: {
          'x-functions-key': function_key,
          authorization: `Bearer ${access_token}`,
          ...signature(client_id, client_secret),
        },
      })
      return { status: reply.statusCode, body: JSON.parse(reply.body) }
    }
  })

  test('reading needs .read, writing .write, and an operation may name its own', async () => {
    const reads = await connectApp(service, org, { scopes: ['company.read'] })
    const writes = await connectApp(service, org, { scopes: ['company.write'] })
    const none = await connectApp(service, org, { scopes: [] })
    assert.equal((await ask(reads, 'GET', '/companies')).status, 200)
    assert.equal((await ask(writes, 'POST', '/companies', { company_name: 'A' })).status, 201)
    assert.equal((await ask(none, 'GET', '/free')).status, 200)
    const refused: [ConnectedApp, string, string, string][] = [
      [reads, 'POST', '/companies', 'company.write'],
      [reads, 'PUT', '/companies/x', 'company.write'],
      [writes, 'GET', '/companies', 'company.read'],
      [writes, 'GET', '/special', 'survey.read'],
      [none, 'GET', '/companies', 'company.read'],
    ]
    for (const [connected, method, url, scope] of refused) {
      const reply = await ask(connected, method, url, method === 'GET' ? undefined : {})
      assert.equal(reply.status, 403, `${method} ${url}`)
      assert.equal(reply.body.status, 'error')
      assert.equal(reply.body.code, 'missing_scope')
      assert.ok(reply.body.message.includes(scope), reply.body.message)
    }
  })

  test('a scope that the operator takes from the app is lost at once', async () => {
    const connected = await connectApp(service, org)
    assert.equal((await ask(connected, 'GET', '/companies')).status, 200)
    const { client_id, app } = connected
    await service.runtime.database.transaction(allOrganizations, (queries) =>
      issueApp(queries, service.runtime.secrets, org.id, {
        client_id,
        name: app.name,
        redirect_uris: app.redirect_uris,
        scopes: ['contact.read'],
      }),
    )
    await until(403, () => ask(connected, 'GET', '/companies'))
  })

  test('what the user may not, the app may not: 403, as soon as the role changes', async () => {
    const own = await makeOrganization(service)
    const connected = await connectApp(service, own, { as: 'manager' })
    const create = () => ask(connected, 'POST', '/companies', { company_name: crypto.randomUUID() })
    assert.equal((await create()).status, 201)
    await write(sql`update users set role_id = ${own.roles.observer}
      where id = ${own.users.manager.user_id}`)
    await until(403, create)
    assert.equal((await ask(connected, 'GET', '/companies')).status, 200)
  })

  test('the rate is limited per app, after the credentials and before the scope', async () => {
    const app = fastify()
    app.setErrorHandler((error, request, reply) =>
      sendFailure(reply as never, failureFrom(error, request as never)),
    )
    const limit = rateLimiter(service.runtime.database.counts, 'integration', {
      count: 2,
      seconds: 60,
    })
    const surface = integrationAuthenticator(service.runtime, service.tokens, limit)
    mount(app as never, service.runtime, surface, [get('/companies', companies.list)])
    const connected = await connectApp(service, org, { scopes: [] })
    const another = await connectApp(service, org)
    const send = (
      { function_key, client_id, client_secret, access_token }: ConnectedApp,
      key = function_key,
    ) =>
      app.inject({
        url: '/companies',
        headers: {
          'x-functions-key': key,
          authorization: `Bearer ${access_token}`,
          ...signature(client_id, client_secret),
        },
      })
    for (let i = 0; i < 3; i++) assert.equal((await send(connected, 'guess')).statusCode, 401)
    assert.equal((await send(connected)).statusCode, 403)
    assert.equal((await send(connected)).statusCode, 403)
    const limited = await send(connected)
    assert.equal(limited.statusCode, 429)
    assert.match(String(limited.headers['retry-after']), /^\d+$/)
    assert.match(String(limited.headers['ratelimit-policy']), /q=2;w=60/)
    assert.equal((await send(another)).statusCode, 200)
  })
})

describe('what ends, ends at once', () => {
  test('on a second process too: user, grant, app, function key and client secret', async () => {
    const second = await startBeside(service)
    await untilListening(service)
    await untilListening(second)
    const own = await makeOrganization(service)
    const ends: [string, (connected: ConnectedApp) => Promise<unknown>][] = [
      [
        'grant',
        ({ app }) => write(sql`update grants set revoked_at = now() where app_id = ${app.id}`),
      ],
      ['app', ({ app }) => write(sql`delete from apps where id = ${app.id}`)],
      ['function key', ({ client_id }) => rotate(client_id, { function_key: true })],
      ['client secret', ({ client_id }) => rotate(client_id, { client_secret: true })],
      [
        'user',
        ({ user_id }) => write(sql`update users set is_active = false where id = ${user_id}`),
      ],
    ]
    for (const [name, end] of ends) {
      const connected = await connectApp(service, own)
      const ask = (at: TestService) =>
        at.call('GET', '/automation/test', {
          token: connected.access_token,
          headers: {
            'x-functions-key': connected.function_key,
            ...signature(connected.client_id, connected.client_secret),
          },
        })
      // twice, so that the second answer comes from what is remembered
      for (const at of [service, second, service, second])
        assert.equal((await ask(at)).status, 200, name)
      await end(connected)
      const took = await Promise.all([
        until(401, () => ask(service)),
        until(401, () => ask(second)),
      ])
      assert.ok(Math.max(...took) < 1000, `${name}: ${took} ms`)
    }
  })

  test('a warm call asks the database nothing', async () => {
    await untilListening(service)
    const { call } = await connectApp(service, org)
    const { database } = service.runtime
    const { reads } = database
    let readCount = 0
    database.reads = (organization) => {
      readCount++
      return reads(organization)
    }
    try {
      // which app a function key means is asked again after 900 ms, wherever that falls
      const counts = []
      for (let i = 0; i < 5; i++) {
        readCount = 0
        assert.equal((await call('GET', '/automation/test')).status, 200)
        counts.push(readCount)
      }
      // one for the context that the operation was given and did not use
      assert.ok(counts.includes(1), counts.join())
    } finally {
      database.reads = reads
    }
  })

  test('after a key rotation old tokens stay good and both keys are published', async () => {
    const second = await startBeside(service)
    const before = await connectApp(service, org)
    await service.tokens.rotate()
    const after = await connectApp(service, org)
    const kid = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid
    assert.notEqual(kid(before.access_token), kid(after.access_token))
    for (const { access_token, function_key, client_id, client_secret } of [before, after]) {
      for (const at of [service, second]) {
        const reply = await at.call('GET', '/automation/test', {
          token: access_token,
          headers: { 'x-functions-key': function_key, ...signature(client_id, client_secret) },
        })
        assert.equal(reply.status, 200, reply.text)
      }
    }
    const { body } = await service.call('GET', '/.well-known/jwks.json')
    const kids = body.keys.map((key: { kid: string }) => key.kid)
    assert.ok(kids.includes(kid(before.access_token)) && kids.includes(kid(after.access_token)))
    for (const key of body.keys) assert.equal(key.d, undefined)
  })

  function rotate(client_id: string, what: Parameters<typeof rotateApp>[3]) {
    const { database, secrets } = service.runtime
    return database.transaction(allOrganizations, (queries) =>
      rotateApp(queries, secrets, client_id, what),
    )
  }
})
