import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, beforeEach, describe, test } from 'node:test'
import {
  callback,
  codeFor,
  makeApp,
  postForm,
  sign,
  signature,
} from '../../../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, rows, startService } from '../../../../test/support/service.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { allOrganizations } from '../../../kit/ground/context.ts'

type App = Awaited<ReturnType<typeof makeApp>>
type Fields = { [name: string]: string }

let service: TestService
let org: TestOrganization
let app: App
let now: number

before(async () => {
  now = Date.parse('2030-03-03T12:00:00Z')
  service = await startService({}, () => new Date(now))
})

beforeEach(async () => {
  org = await makeOrganization(service)
  app = await makeApp(service, org)
})

const gidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).gid as string

const pass = (seconds: number) => (now += seconds * 1000)

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

async function newCode(changes: Fields = {}) {
  return codeFor(service, app, org.users.admin.token, changes)
}

function exchange(code: string, changes: Fields = {}, headers: Fields = {}): Promise<Reply> {
  const { client_id, client_secret } = app
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id,
    client_secret,
  }
  return postForm(service, '/oauth/token', without({ ...fields, ...changes }), headers)
}

function refresh(token: string, changes: Fields = {}, headers: Fields = {}): Promise<Reply> {
  const fields = { grant_type: 'refresh_token', token, ...changes }
  return postForm(service, '/auth_refresh/', without(fields), headers)
}

/** A field set to '-' is left out. */
function without(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '-'))
}

async function connected() {
  const reply = await exchange(await newCode())
  assert.equal(reply.status, 200, reply.text)
  return reply.body as { access_token: string; refresh_token: string }
}

/** The status of a signed call with the token. */
async function callWith(access_token: string): Promise<number> {
  const reply = await service.call('GET', '/automation/test', {
    token: access_token,
    headers: {
      'x-functions-key': app.function_key,
      ...signature(app.client_id, app.client_secret, new Date(now)),
    },
  })
  return reply.status
}

function refuses(reply: Reply, status: number, error: string, code = error, what = '') {
  assert.equal(reply.status, status, `${what} ${reply.text}`)
  assert.equal(reply.body.error, error, what)
  assert.equal(reply.body.error_description, reply.body.message, what)
  assert.equal(reply.body.code, code, what)
  assert.equal(typeof reply.body.request_id, 'string', what)
  assert.equal(reply.headers.get('cache-control'), 'no-store', what)
}

describe('POST /oauth/token', () => {
  test('a code becomes a pair of tokens', async () => {
    const reply = await exchange(await newCode({ scope: 'company.read contact.read' }))
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    const { access_token, refresh_token, ...rest } = reply.body
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_expires_in: 90 * 86_400,
      scope: 'company.read contact.read',
    })
    assert.equal(await callWith(access_token), 200)
    const [head, claims] = access_token
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    assert.equal(head.alg, 'EdDSA')
    const { iss, aud, org: organization, sub, client_id, scope, gid, iat, exp } = claims
    assert.deepEqual(
      { iss, aud, organization, sub, client_id, scope, lifetime: exp - iat },
      {
        iss: service.runtime.config.publicUrl,
        aud: 'integration',
        organization: org.id,
        sub: org.users.admin.user_id,
        client_id: app.client_id,
        scope: 'company.read contact.read',
        lifetime: 3600,
      },
    )
    assert.equal(typeof gid, 'string')
    const [stored] = await rows(
      service,
      sql`select token_hash from refresh_tokens where grant_id = ${gid}`,
    )
    assert.ok(stored.token_hash.equals(service.runtime.secrets.hash(refresh_token)))
  })

  test('the client may prove itself in each of its ways', async () => {
    const { client_id, client_secret } = app
    const timestamp = String(now / 1000)
    const pair = { timestamp, signature: sign(client_id, client_secret, timestamp) }
    const ways: [string, Fields, Fields][] = [
      ['client_secret in the body', {}, {}],
      ['basic', { client_secret: '-' }, basic(client_id, client_secret)],
      [
        'basic that names the client alone',
        { client_secret: '-', client_id: '-' },
        basic(client_id, client_secret),
      ],
      ['signature in the form', { client_secret: '-', ...pair }, {}],
      [
        'signature in headers',
        { client_secret: '-' },
        signature(client_id, client_secret, new Date(now)),
      ],
      ['an empty client_secret is none', { client_secret: '' }, basic(client_id, client_secret)],
    ]
    for (const [way, fields, headers] of ways) {
      const reply = await exchange(await newCode(), fields, headers)
      assert.equal(reply.status, 200, `${way}: ${reply.text}`)
    }
    const json = await service.call('POST', '/oauth/token/', {
      body: {
        grant_type: 'authorization_code',
        code: await newCode(),
        redirect_uri: callback,
        client_id,
        client_secret,
      },
    })
    assert.equal(json.status, 200, json.text)
  })

  test('errors are distinguished: 400 for parameters, 401 for the client', async () => {
    const { client_id, client_secret } = app
    const other = await makeApp(service, org)
    const old = String(now / 1000 - 301)
    const bad = (secret: string) => ({ client_secret: '-', ...basic(client_id, secret) })
    const cases: [string, Fields, Fields, number, string, string?][] = [
      ['no grant_type', { grant_type: '-' }, {}, 400, 'invalid_request'],
      ['an empty grant_type', { grant_type: '' }, {}, 400, 'invalid_request'],
      ['another grant_type', { grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
      [
        'another grant_type and a wrong secret',
        { grant_type: 'password', client_secret: 'x' },
        {},
        400,
        'unsupported_grant_type',
      ],
      ['refresh without a token', { grant_type: 'refresh_token' }, {}, 400, 'invalid_request'],
      ['no code', { code: '-' }, {}, 400, 'invalid_request'],
      ['no code and a wrong secret', { code: '-', client_secret: 'x' }, {}, 400, 'invalid_request'],
      ['no redirect_uri', { redirect_uri: '-' }, {}, 400, 'invalid_request'],
      ['no client_id', { client_id: '-' }, {}, 400, 'invalid_request'],
      ['two proofs', {}, basic(client_id, client_secret), 400, 'invalid_request'],
      [
        'two proofs, one of them a signature',
        { timestamp: old, signature: 'x' },
        {},
        400,
        'invalid_request',
      ],
      ['no secret', { client_secret: '-' }, {}, 401, 'invalid_client', 'missing_client_secret'],
      [
        'a timestamp without a signature',
        { client_secret: '-', timestamp: old },
        {},
        401,
        'invalid_client',
        'missing_client_secret',
      ],
      ['a wrong secret', { client_secret: 'guess' }, {}, 401, 'invalid_client'],
      ['an unknown client', { client_id: 'nobody' }, {}, 401, 'invalid_client'],
      [
        'another client’s secret',
        { client_secret: other.client_secret },
        {},
        401,
        'invalid_client',
      ],
      ['a wrong secret in basic', { client_secret: '-' }, bad('guess'), 401, 'invalid_client'],
      [
        'an unknown client in basic',
        { client_secret: '-', client_id: '-' },
        basic('no\0body', 'x'),
        401,
        'invalid_client',
      ],
      [
        'basic that is none',
        { client_secret: '-' },
        { authorization: 'Basic %%%' },
        401,
        'invalid_client',
      ],
      [
        'basic of another client',
        { client_secret: '-' },
        basic(other.client_id, other.client_secret),
        401,
        'invalid_client',
      ],
      [
        'an old signature',
        { client_secret: '-', timestamp: old, signature: sign(client_id, client_secret, old) },
        {},
        401,
        'invalid_client',
      ],
      [
        'a wrong signature',
        { client_secret: '-', timestamp: String(now / 1000), signature: '0'.repeat(64) },
        {},
        401,
        'invalid_client',
      ],
      [
        'a signature without its time',
        { client_secret: '-', signature: '0'.repeat(64) },
        {},
        401,
        'invalid_client',
      ],
      ['an unknown code', { code: 'pac_guess' }, {}, 400, 'invalid_grant'],
      ['another redirect_uri', { redirect_uri: `${callback}/` }, {}, 400, 'invalid_grant'],
      [
        'a verifier without a challenge',
        { code_verifier: 'v'.repeat(43) },
        {},
        400,
        'invalid_grant',
      ],
      [
        'another client with its own secret',
        { client_id: other.client_id, client_secret: other.client_secret },
        {},
        400,
        'invalid_grant',
      ],
    ]
    const code = await newCode()
    for (const [what, fields, headers, status, error, problem] of cases) {
      refuses(await exchange(code, fields, headers), status, error, problem, what)
    }
    // none of these used the code up
    assert.equal((await exchange(code)).status, 200)
  })

  test('no body and no parameter makes it fall over', async () => {
    const { client_id, client_secret } = app
    const fields = {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: callback,
      client_id,
      client_secret,
    }
    const text = new URLSearchParams(fields).toString()
    const bodies: [string, string | undefined, string | undefined, number][] = [
      ['twice the code', `${text}&code=y`, 'application/x-www-form-urlencoded', 400],
      ['twice the same code', `${text}&code=x`, 'application/x-www-form-urlencoded', 400],
      ['a NUL', `${text}%00`, 'application/x-www-form-urlencoded', 400],
      [
        'a NUL in the id',
        text.replace('client_id=', 'client_id=%00'),
        'application/x-www-form-urlencoded',
        400,
      ],
      [
        'half a character',
        text.replace('code=', 'code=%c3'),
        'application/x-www-form-urlencoded',
        400,
      ],
      [
        'a broken escape',
        text.replace('code=', 'code=%zz'),
        'application/x-www-form-urlencoded',
        400,
      ],
      [
        'a huge code',
        text.replace('code=', `code=${'c'.repeat(500_000)}`),
        'application/x-www-form-urlencoded',
        400,
      ],
      ['too much', 'x'.repeat(1_100_000), 'application/x-www-form-urlencoded', 413],
      ['brackets', text.replace('code=', 'code[a]='), 'application/x-www-form-urlencoded', 400],
      ['a list', JSON.stringify({ ...fields, code: ['x'] }), 'application/json', 400],
      ['an object', JSON.stringify({ ...fields, code: {} }), 'application/json', 400],
      ['true', JSON.stringify({ ...fields, code: true }), 'application/json', 400],
      ['a number', JSON.stringify({ ...fields, code: 1e300 }), 'application/json', 400],
      ['a JSON list', '[]', 'application/json', 400],
      ['a JSON text', '"x"', 'application/json', 400],
      ['JSON null', 'null', 'application/json', 400],
      ['no JSON', '{', 'application/json', 400],
      ['a prototype', '{"__proto__": {"grant_type": "x"}}', 'application/json', 400],
      ['no body', undefined, undefined, 400],
      ['another type', '<a/>', 'text/xml', 415],
    ]
    for (const path of ['/oauth/token', '/auth_refresh/', '/oauth/revoke']) {
      for (const [what, body, type, status] of bodies) {
        const reply = await service.call('POST', path, {
          body,
          headers: type ? { 'content-type': type } : {},
        })
        // the two others know no `code`, and see other parameters missing
        assert.equal(reply.status, status, `${path} ${what}: ${reply.text}`)
        assert.equal(typeof reply.body.message, 'string', what)
        if (status === 400) assert.equal(typeof reply.body.error, 'string', what)
        if (status === 415) assert.match(reply.body.message, /x-www-form-urlencoded or .*json$/)
      }
    }
  })

  test('PKCE: with a challenge only its verifier will do', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const code = await newCode({ code_challenge, code_challenge_method: 'S256' })
    refuses(await exchange(code), 400, 'invalid_grant')
    refuses(await exchange(code, { code_verifier: 'short' }), 400, 'invalid_grant')
    refuses(await exchange(code, { code_verifier: 'v'.repeat(43) }), 400, 'invalid_grant')
    refuses(await exchange(code, { code_verifier: code_challenge }), 400, 'invalid_grant')
    assert.equal((await exchange(code, { code_verifier: verifier })).status, 200)
  })

  test('a code lives 60 seconds; a late one is 401 for a day', async () => {
    const [early, late] = [await newCode(), await newCode()]
    pass(59)
    assert.equal((await exchange(early)).status, 200)
    pass(1)
    refuses(await exchange(late), 401, 'invalid_grant', 'code_expired')
    pass(86_000)
    refuses(await exchange(late), 401, 'invalid_grant', 'code_expired')
  })

  test('a code is good once: the second use revokes everything issued from it', async () => {
    const code = await newCode()
    const bystander = await connected()
    const first = await exchange(code)
    const next = await refresh(first.body.refresh_token)
    assert.equal(next.status, 200)
    refuses(await exchange(code), 401, 'invalid_grant', 'code_used')
    for (const token of [first.body.access_token, next.body.access_token])
      assert.equal(await callWith(token), 401)
    for (const token of [first.body.refresh_token, next.body.refresh]) {
      refuses(await refresh(token), 401, 'invalid_grant', 'grant_ended')
    }
    assert.equal(await callWith(bystander.access_token), 200)
    assert.equal((await refresh(bystander.refresh_token)).status, 200)
    const log = await rows(
      service,
      sql`select title from events where organization_id = ${org.id} order by id`,
    )
    assert.equal(log.filter(({ title }) => title === `${app.name} disconnected`).length, 1)
  })

  test('of two concurrent exchanges at most one succeeds, and then its tokens end', async () => {
    const code = await newCode()
    const replies = await Promise.all(Array.from({ length: 6 }, () => exchange(code)))
    const good = replies.filter(({ status }) => status === 200)
    assert.equal(good.length, 1)
    assert.equal(replies.filter(({ status }) => status === 401).length, 5)
    assert.equal(await callWith(good[0]!.body.access_token), 401)
  })

  test('a user who is deactivated after approving gets no tokens', async () => {
    const code = await newCode()
    const { refresh_token } = await connected()
    await service.runtime.database.transaction(allOrganizations, (queries) =>
      queries.run(sql`update users set is_active = false where id = ${org.users.admin.user_id}`),
    )
    refuses(await exchange(code), 401, 'invalid_grant', 'grant_ended')
    refuses(await refresh(refresh_token), 401, 'invalid_grant', 'grant_ended')
  })
})

describe('POST /auth_refresh/', () => {
  test('a refresh token becomes a new pair, by either name and without the client secret', async () => {
    const first = await connected()
    const second = await refresh(first.refresh_token)
    assert.equal(second.status, 200, second.text)
    const { access_token, refresh: token, refresh_token, ...rest } = second.body
    assert.equal(token, refresh_token)
    assert.notEqual(token, first.refresh_token)
    assert.deepEqual(Object.keys(rest).sort(), [
      'expires_in',
      'refresh_expires_in',
      'scope',
      'token_type',
    ])
    assert.equal(second.headers.get('cache-control'), 'no-store')
    assert.equal(await callWith(access_token), 200)
    assert.equal(await callWith(first.access_token), 200)
    const third = await refresh('-', { refresh_token })
    assert.equal(third.status, 200, third.text)
    const json = await service.call('POST', '/auth_refresh', {
      body: { grant_type: 'refresh_token', token: third.body.refresh },
    })
    assert.equal(json.status, 200, json.text)
    const { client_id, client_secret } = app
    const standard = { grant_type: 'refresh_token', refresh_token: json.body.refresh }
    const atToken = await postForm(
      service,
      '/oauth/token',
      standard,
      basic(client_id, client_secret),
    )
    assert.equal(atToken.status, 200, atToken.text)
    refuses(
      await postForm(service, '/oauth/token', { ...standard, client_id }),
      401,
      'invalid_client',
      'missing_client_secret',
    )
  })

  test('a scope can reduce an access token, never extend it, and the connection stays the same', async () => {
    const { body: first } = await exchange(await newCode({ scope: 'company.read contact.read' }))
    const approved: string[] = first.scope.split(' ')
    const beyond = await refresh(first.refresh_token, { scope: 'company.read deal.write' })
    refuses(beyond, 400, 'invalid_scope')
    const narrow = await refresh(first.refresh_token, { scope: 'company.read' })
    assert.equal(narrow.body.scope, 'company.read')
    const claims = JSON.parse(
      Buffer.from(narrow.body.access_token.split('.')[1], 'base64url').toString(),
    )
    assert.equal(claims.scope, 'company.read')
    assert.equal(narrow.headers.get('pragma'), 'no-cache')
    const whole = await refresh(narrow.body.refresh)
    assert.deepEqual(whole.body.scope.split(' '), approved)
  })

  test('errors are distinguished', async () => {
    const { client_id, client_secret } = app
    const other = await makeApp(service, org)
    const strict = await makeApp(service, org, { require_client_auth_on_refresh: true })
    const { refresh_token } = await connected()
    const cases: [string, Fields, Fields, number, string, string?][] = [
      ['no token', { token: '-' }, {}, 400, 'invalid_request'],
      ['an empty token', { token: '' }, {}, 400, 'invalid_request'],
      ['no grant_type', { grant_type: '-' }, {}, 400, 'invalid_request'],
      [
        'another grant_type',
        { grant_type: 'authorization_code' },
        {},
        400,
        'unsupported_grant_type',
      ],
      ['two different tokens', { refresh_token: 'another' }, {}, 400, 'invalid_request'],
      [
        'two proofs',
        { client_id, client_secret },
        basic(client_id, client_secret),
        400,
        'invalid_request',
      ],
      ['an unknown token', { token: 'prr_guess' }, {}, 401, 'invalid_grant'],
      ['a token and another client', { client_id: other.client_id }, {}, 401, 'invalid_grant'],
      [
        'a token and another client’s secret',
        { client_id: other.client_id, client_secret: other.client_secret },
        {},
        401,
        'invalid_grant',
      ],
      ['a wrong secret', { client_id, client_secret: 'guess' }, {}, 401, 'invalid_client'],
      ['a wrong secret without a client', { client_secret: 'guess' }, {}, 401, 'invalid_client'],
      ['a wrong basic', {}, basic(client_id, 'guess'), 401, 'invalid_client'],
      [
        'a wrong signature',
        {},
        { 'x-oauth-timestamp': String(now / 1000), 'x-oauth-signature': 'x' },
        401,
        'invalid_client',
      ],
    ]
    for (const [what, fields, headers, status, error, problem] of cases) {
      refuses(await refresh(refresh_token, fields, headers), status, error, problem, what)
    }
    // none of these rotated it
    for (const [fields, headers] of [
      [{ client_id, client_secret }, {}],
      [{}, signature(client_id, client_secret, new Date(now))],
      [{}, basic(client_id, client_secret)],
    ]) {
      assert.equal((await refresh(refresh_token, fields, headers as Fields)).status, 200)
    }
    app = strict
    const { refresh_token: strictly } = await connected()
    refuses(await refresh(strictly), 401, 'invalid_client', 'missing_client_secret')
    const { client_secret: secret } = strict
    assert.equal((await refresh(strictly, { client_secret: secret })).status, 200)
  })

  test('for a minute the one before works, and the token of the first rotation stays good', async () => {
    const { refresh_token } = await connected()
    const first = await refresh(refresh_token)
    pass(60)
    const again = await refresh(refresh_token)
    assert.equal(again.status, 200, again.text)
    assert.equal(again.body.refresh, first.body.refresh)
    for (const { body } of [first, again]) {
      assert.equal(await callWith(body.access_token), 200)
      assert.equal((await refresh(body.refresh)).status, 200)
    }
  })

  test('twenty concurrent refreshes derive one successor: one chain continues', async () => {
    const { refresh_token } = await connected()
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)))
    const next = replies[0]!.body.refresh
    for (const { status, text, body } of replies) {
      assert.equal(status, 200, text)
      assert.equal(body.refresh, next)
      assert.equal(await callWith(body.access_token), 200)
    }
    const stored = () =>
      rows(
        service,
        sql`select replaced_at from refresh_tokens where organization_id = ${org.id}
          and grant_id = ${gidOf(replies[0]!.body.access_token)}`,
      )
    assert.equal((await stored()).length, 2)
    const further = await Promise.all(Array.from({ length: 20 }, () => refresh(next)))
    assert.equal(new Set(further.map(({ body }) => body.refresh)).size, 1)
    const chain = await stored()
    assert.deepEqual([chain.length, chain.filter(({ replaced_at }) => !replaced_at).length], [3, 1])
  })

  test('an older token than the one before ends the grant even within the minute', async () => {
    const { access_token, refresh_token } = await connected()
    const second = await refresh(refresh_token)
    const third = await refresh(second.body.refresh)
    assert.equal(third.status, 200, third.text)
    refuses(await refresh(refresh_token), 401, 'invalid_grant', 'token_reused')
    refuses(await refresh(third.body.refresh), 401, 'invalid_grant', 'grant_ended')
    assert.equal(await callWith(access_token), 401)
  })

  test('after the minute its use ends the whole grant', async () => {
    const { access_token, refresh_token } = await connected()
    const bystander = await connected()
    const next = await refresh(refresh_token)
    pass(61)
    refuses(await refresh(refresh_token), 401, 'invalid_grant', 'token_reused')
    assert.equal(await callWith(access_token), 401)
    assert.equal(await callWith(next.body.access_token), 401)
    refuses(await refresh(next.body.refresh), 401, 'invalid_grant', 'grant_ended')
    assert.equal(await callWith(bystander.access_token), 200)
  })

  test('it lives 90 days without use, and each use begins them anew', async () => {
    const { access_token, refresh_token } = await connected()
    pass(3600)
    assert.equal(await callWith(access_token), 401)
    pass(89 * 86_400)
    const { body } = await refresh(refresh_token)
    pass(89 * 86_400)
    const next = await refresh(body.refresh)
    assert.equal(next.status, 200, next.text)
    assert.equal(await callWith(next.body.access_token), 200)
    pass(90 * 86_400)
    refuses(await refresh(next.body.refresh), 401, 'invalid_grant', 'token_expired')
  })
})

describe('POST /oauth/revoke', () => {
  test('either token ends the connection', async () => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const tokens = await connected()
      const bystander = await connected()
      const { client_id, client_secret } = app
      const reply = await postForm(service, '/oauth/revoke', {
        token: tokens[name],
        client_id,
        client_secret,
      })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(await callWith(tokens.access_token), 401, name)
      refuses(await refresh(tokens.refresh_token), 401, 'invalid_grant', 'grant_ended', name)
      assert.equal(await callWith(bystander.access_token), 200, name)
    }
  })

  test('an unknown token and another app’s are 200 and nothing happens; the client must be proven', async () => {
    const { access_token, refresh_token } = await connected()
    const { client_id, client_secret } = app
    const other = await makeApp(service, org)
    const send = (fields: Fields, by = other) =>
      postForm(service, '/oauth/revoke', {
        client_id: by.client_id,
        client_secret: by.client_secret,
        ...fields,
      })
    for (const token of ['guess', access_token, refresh_token, org.users.admin.token]) {
      assert.equal((await send({ token })).status, 200)
    }
    assert.equal(await callWith(access_token), 200)
    refuses(
      await send({ token: access_token, client_id, client_secret: 'guess' }),
      401,
      'invalid_client',
    )
    refuses(
      await postForm(service, '/oauth/revoke', { token: access_token, client_id }),
      401,
      'invalid_client',
      'missing_client_secret',
    )
    refuses(await send({}), 400, 'invalid_request')
    assert.equal(await callWith(access_token), 200)
    assert.equal(client_secret, app.client_secret)
  })
})

describe('failures', () => {
  test('too many wrong secrets, codes or tokens are 429, counted per address and per client', async () => {
    const rateLimits = { ...service.runtime.config.rateLimits, login: { count: 3, seconds: 60 } }
    const strict = await startService({ rateLimits, trustProxy: 1 })
    const own = await makeOrganization(strict)
    const [a, b] = [await makeApp(strict, own), await makeApp(strict, own)]
    const send = (client: App, address: string, client_secret = 'guess') =>
      postForm(
        strict,
        '/oauth/token',
        {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: callback,
          client_id: client.client_id,
          client_secret,
        },
        { 'x-forwarded-for': address },
      )
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3'])
      assert.equal((await send(a, address)).status, 401)
    const limited = await send(a, '10.0.0.4', a.client_secret)
    assert.equal(limited.status, 429, limited.text)
    assert.equal(limited.body.status, 'error')
    assert.match(limited.headers.get('retry-after')!, /^\d+$/)
    // right secrets, wrong codes
    for (let i = 0; i < 3; i++)
      assert.equal((await send(b, '10.0.0.9', b.client_secret)).status, 400)
    assert.equal((await send(b, '10.0.0.9', b.client_secret)).status, 429)
    const guess = (address: string) =>
      postForm(
        strict,
        '/auth_refresh/',
        { grant_type: 'refresh_token', token: 'guess' },
        { 'x-forwarded-for': address },
      )
    for (let i = 0; i < 3; i++) assert.equal((await guess('10.0.0.5')).status, 401)
    assert.equal((await guess('10.0.0.5')).status, 429)
    assert.equal((await guess('10.0.0.6')).status, 401)
  })
})
