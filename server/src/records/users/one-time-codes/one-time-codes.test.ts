import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codeAt, giveCodes } from '../../../../test/support/codes.ts'
import type { Reply, TestOrganization, TestService } from '../../../../test/support/service.ts'
import {
  makeOrganization,
  password,
  rows,
  sql,
  startService,
} from '../../../../test/support/service.ts'
import { addMember } from '../../../../test/support/world.ts'

const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)
const says = (reply: Reply, status: number, code: string) =>
  assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text)

describe('one-time codes', () => {
  let service: TestService
  let org: TestOrganization
  let now = Date.parse('2030-03-03T12:00:00Z')

  before(async () => {
    service = await startService({}, () => new Date(now))
    org = await makeOrganization(service)
  })

  const post = (path: string, body: object, token?: string) =>
    service.call('POST', path, { body, token })
  const login = (email: string, more: object = {}) =>
    post('/api/login/', { email, password, ...more })
  const state = async (token: string) =>
    (await service.call('GET', '/api/session/totp/', { token })).body
  const code = (secret: string) => codeAt(secret, now)
  const pass = (seconds: number) => (now += seconds * 1000)
  /** a user with codes in use: their secret and recovery codes */
  const enrolled = async (token: string) => {
    const { secret } = (await post('/api/session/totp/', { password }, token)).body
    const { body } = await post('/api/session/totp/confirm/', { code: code(secret) }, token)
    pass(30)
    return { secret, recovery: body.recovery_codes as string[] }
  }

  test('are set up with a first code, and stored so that a copy of the database is no use', async () => {
    const { token, email } = org.users.member
    assert.deepEqual(await state(token), {
      is_enabled: false,
      is_required: false,
      recovery_codes_left: 0,
    })
    says(await post('/api/session/totp/', {}, token), 400, 'wrong_password')
    says(await post('/api/session/totp/', { password: 'wrong' }, token), 400, 'wrong_password')
    const { secret, otpauth_uri } = (await post('/api/session/totp/', { password }, token)).body
    const uri = new URL(otpauth_uri)
    assert.deepEqual([uri.protocol, uri.host], ['otpauth:', 'totp'])
    assert.equal(uri.searchParams.get('secret'), secret)
    assert.equal(uri.searchParams.get('issuer'), org.name)
    assert.ok(decodeURIComponent(uri.pathname).includes(email))
    // not in use before the first right code
    is(await login(email), 200)
    says(await post('/api/session/totp/confirm/', { code: '000000' }, token), 400, 'wrong_code')
    const confirmed = await post('/api/session/totp/confirm/', { code: code(secret) }, token)
    is(confirmed, 200)
    const { recovery_codes } = confirmed.body
    assert.equal(new Set(recovery_codes).size, 10)
    assert.deepEqual(await state(token), {
      is_enabled: true,
      is_required: false,
      recovery_codes_left: 10,
    })
    says(await post('/api/session/totp/', { password }, token), 409, 'codes_enabled')
    const stored = JSON.stringify([
      await rows(service, sql`select * from one_time_codes`),
      await rows(service, sql`select * from recovery_codes`),
    ])
    for (const text of [secret, ...recovery_codes]) {
      assert.ok(!stored.includes(text))
      assert.ok(!stored.includes(JSON.stringify([...Buffer.from(text)]).slice(1, -1)))
    }
  })

  test('a sign-in takes two steps, or one with the code', async () => {
    const { token, email } = org.users.manager
    const { secret } = await enrolled(token)
    const first = await login(email)
    says(first, 401, 'code_required')
    assert.equal(first.body.access_token, undefined)
    const { challenge, expires_in } = first.body.data
    assert.equal(expires_in, 300)
    says(await post('/api/login/code/', { challenge, code: '000000' }), 401, 'wrong_code')
    says(
      await post('/api/login/code/', { challenge: `${challenge}x`, code: '1' }),
      401,
      'challenge_expired',
    )
    const second = await post('/api/login/code/', { challenge, code: code(secret) })
    is(second, 200)
    assert.equal(second.body.user.email, email)
    is(await service.call('GET', '/api/sessions/', { token: second.body.access_token }), 200)
    pass(30)
    is(await login(email, { code: code(secret) }), 200)
    says(await login(email, { code: code(secret), password: 'wrong' }), 401, 'wrong_credentials')
    const log = await service.call('GET', '/api/sign-ins/', { token })
    const seen = log.body.map(({ outcome }: { outcome: string }) => outcome)
    for (const outcome of ['code_required', 'wrong_code', 'succeeded'])
      assert.ok(seen.includes(outcome), outcome)
  })

  test('a code is valid once, and invalidates the one before it', async () => {
    const { token, email } = org.users.partner
    const { secret } = await enrolled(token)
    const before = code(secret)
    pass(30)
    const current = code(secret)
    is(await login(email, { code: current }), 200)
    says(await login(email, { code: current }), 401, 'wrong_code')
    says(await login(email, { code: before }), 401, 'wrong_code')
    pass(30)
    const both = await Promise.all([1, 2, 3].map(() => login(email, { code: code(secret) })))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401, 401])
    pass(30)
    const late = codeAt(secret, now - 60_000)
    says(await login(email, { code: late }), 401, 'wrong_code')
  })

  test('a recovery code replaces a code, once', async () => {
    const { token, email } = org.users.customer
    const { secret, recovery } = await enrolled(token)
    const [one, two] = recovery as [string, string]
    const reply = await login(email, { code: one.toUpperCase().replaceAll('-', ' ') })
    is(reply, 200)
    says(await login(email, { code: one }), 401, 'wrong_code')
    assert.equal((await state(token)).recovery_codes_left, 9)
    const sessions = await service.call('GET', '/api/sessions/', { token: reply.body.access_token })
    assert.equal(sessions.body[0].method, 'recovery_code')
    const renewed = await post('/api/session/totp/recovery-codes/', { code: code(secret) }, token)
    is(renewed, 200)
    says(await login(email, { code: two }), 401, 'wrong_code')
    is(await login(email, { code: renewed.body.recovery_codes[0] }), 200)
  })

  test('a challenge ends after five minutes, and when the password or e-mail changes', async () => {
    const { token, email, user_id } = org.users.observer
    const { secret } = await enrolled(token)
    const challenged = async (address = email) =>
      (await login(address)).body.data.challenge as string
    const late = await challenged()
    pass(301)
    const answer = (challenge: string) =>
      post('/api/login/code/', { challenge, code: code(secret) })
    says(await answer(late), 401, 'challenge_expired')
    const old = await challenged()
    const to = `other@${org.id}.test`
    const body = { profile_id: user_id, email: to }
    is(await post('/api/users/profile/action/', body, org.users.admin.token), 200)
    says(await answer(old), 401, 'challenge_expired')
    is(await answer(await challenged(to)), 200)
  })

  test('they are turned off with password and code, or by an admin', async () => {
    const someone = await addMember(service, org, { users: { read: 'all', update: 'all' } })
    const { user_id, token } = someone
    const secret = await giveCodes(service, org.id, user_id)
    const disable = (entered: string) =>
      post('/api/session/totp/disable/', { code: entered }, token)
    says(await disable('000000'), 400, 'wrong_code')
    // somebody without a password has the code alone to show
    is(await disable(code(secret)), 204)
    assert.equal((await state(token)).is_enabled, false)

    await giveCodes(service, org.id, org.users.admin.user_id)
    const path = (id: string) => `/api/users/profile/${id}/totp/`
    says(await service.call('DELETE', path(org.users.admin.user_id), { token }), 403, 'admins_only')
    await giveCodes(service, org.id, user_id)
    is(await service.call('DELETE', path(user_id), { token: org.users.admin.token }), 204)
    is(await service.call('DELETE', path(user_id), { token: org.users.admin.token }), 404)
    assert.equal((await state(token)).is_enabled, false)
  })
})

describe('guessed codes', () => {
  test('count as failed sign-ins of the account, from wherever they come', async () => {
    const service = await startService({
      trustProxy: 1,
      rateLimits: { login: { count: 5, seconds: 60 } },
    })
    const { id, users } = await makeOrganization(service)
    const { user_id, email } = users.member
    const secret = await giveCodes(service, id, user_id)
    const login = (code: string, i: number) =>
      service.call('POST', '/api/login/', {
        body: { email, password, code },
        headers: { 'x-forwarded-for': `192.0.2.${i}` },
      })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => login(String(100_000 + i), i)),
    )
    assert.equal(replies.filter(({ status }) => status === 401).length, 5)
    assert.equal(replies.filter(({ status }) => status === 429).length, 15)
    is(await login(codeAt(secret), 99), 429)
  })
})

describe('an organization that requires one-time codes', () => {
  let service: TestService
  let org: TestOrganization
  const security = '/api/organization/security/'

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('is made one by an admin alone', async () => {
    const body = { requires_one_time_codes: true }
    const manager = await addMember(service, org, { roles: { read: 'all', update: 'all' } })
    says(await service.call('PUT', security, { token: manager.token, body }), 403, 'admins_only')
    is(await service.call('PUT', security, { token: org.users.member.token, body }), 403)
    const { token } = org.users.admin
    says(await service.call('PUT', security, { token, body }), 409, 'codes_missing')
    await giveCodes(service, org.id, org.users.admin.user_id)
    is(await service.call('PUT', security, { token, body }), 200)
    const [entry] = await rows(
      service,
      sql`select title, changes from events where organization_id = ${org.id}
        order by id desc limit 1`,
    )
    assert.equal(entry.title, 'One-time codes required')
    assert.deepEqual(entry.changes, [{ field: 'requires_one_time_codes', from: false, to: true }])
  })

  test('lets those without set them up, and nothing else', async () => {
    const { email, token } = org.users.member
    const call = (method: string, path: string, as: string, body?: object) =>
      service.call(method, path, { token: as, body })
    // of a session from before, too
    says(await call('GET', '/api/tasks/', token), 403, 'totp_required')
    const signed = await service.call('POST', '/api/login/', { body: { email, password } })
    is(signed, 200)
    const { access_token } = signed.body
    for (const path of ['/api/company/?page=1&items_per_page=1', '/api/sessions/', security]) {
      says(await call('GET', path, access_token), 403, 'totp_required')
    }
    says(
      await call('POST', '/api/company/', access_token, { company_name: 'X' }),
      403,
      'totp_required',
    )
    const { body } = await call('GET', '/api/session/totp/', access_token)
    assert.deepEqual([body.is_enabled, body.is_required], [false, true])
    // a stale token does not prevent signing in again
    is(await call('POST', '/api/login/', access_token, { email, password }), 200)
    const { secret } = (await call('POST', '/api/session/totp/', access_token, { password })).body
    is(
      await call('POST', '/api/session/totp/confirm/', access_token, { code: codeAt(secret) }),
      200,
    )
    is(await call('GET', '/api/tasks/', access_token), 200)
    const renewed = await service.call('POST', '/api/login/refresh/', {
      body: { refresh_token: signed.body.refresh_token },
    })
    is(await call('GET', '/api/tasks/', renewed.body.access_token), 200)
  })
})
