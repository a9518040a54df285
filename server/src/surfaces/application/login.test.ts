import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startBeside } from '../../../test/support/beside.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import {
  makeOrganization,
  password,
  rows,
  sql,
  startService,
} from '../../../test/support/service.ts'
import { createUser } from '../../records/users/create.ts'
import { hashPassword } from '../../secrets.ts'

const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)

describe('signing in', () => {
  let service: TestService
  let org: TestOrganization
  /** milliseconds that the service's clock is ahead */
  let ahead = 0

  before(async () => {
    service = await startService({}, () => new Date(Date.now() + ahead))
    org = await makeOrganization(service)
  })

  const login = (body: object, headers = {}) =>
    service.call('POST', '/api/login/', { body, headers })
  const refresh = (refresh_token: string) =>
    service.call('POST', '/api/login/refresh/', { body: { refresh_token } })
  const signIn = async () => (await login({ email: org.users.member.email, password })).body
  const me = (token: string, at = service) =>
    at.call('GET', `/api/users/profile/${org.users.member.user_id}/`, { token })

  test('returns a valid token pair and the user', async () => {
    const { user_id, email } = org.users.member
    const reply = await login({ email: email.toUpperCase(), password })
    is(reply, 200)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    const { access_token, refresh_token, ...rest } = reply.body
    assert.equal(access_token.split('.').length, 3)
    assert.ok(refresh_token)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3600,
      user: {
        user_id,
        email,
        full_name: `member of ${org.name}`,
        role: 'member',
        organization: org.id,
      },
    })
    is(await me(access_token), 200)
  })

  test('refuses a wrong password and an unknown e-mail alike, with {error}', async () => {
    const { email } = org.users.member
    for (const credentials of [
      { email, password: 'wrong' },
      { email: 'nobody@x.test', password },
      { email, password, organization: 'another' },
    ]) {
      const reply = await login(credentials)
      is(reply, 401)
      const { request_id, ...body } = reply.body
      assert.ok(request_id)
      const message = 'Wrong e-mail or password'
      assert.deepEqual(body, { error: message, message, code: 'wrong_credentials' })
    }
  })

  test('takes as long for an unknown e-mail as for a wrong password', async () => {
    const timed = async (email: string) => {
      const start = performance.now()
      await login({ email, password: 'wrong' })
      return performance.now() - start
    }
    let [known, unknown] = [Infinity, Infinity]
    const isAlike = () => unknown > known / 2 && known > unknown / 2
    // in turn, and the fastest of each: a busy machine slows single answers, never all of them. Without
    // the hash the fastest answer comes in a tenth of the time, however often it is tried.
    for (let i = 0; i < 40 && (i < 5 || !isAlike()); i++) {
      known = Math.min(known, await timed(org.users.member.email))
      unknown = Math.min(unknown, await timed('nobody@x.test'))
    }
    assert.ok(isAlike(), `${unknown} ms against ${known} ms`)
  })

  test('names what is missing or of the wrong type', async () => {
    for (const [body, field] of [
      [{ password }, 'email'],
      [{ email: 'a@x.test' }, 'password'],
      [{ email: 7, password }, 'email'],
      [{ email: 'a@x.test', password: null }, 'password'],
      [{ email: 'a@x.test', password: '' }, 'password'],
    ] as const) {
      const reply = await login(body)
      is(reply, 400)
      assert.equal(reply.body.errors[0].field, field)
    }
    const broken = await service.call('POST', '/api/login/', { body: '{"email":' })
    is(broken, 400)
    assert.equal(broken.body.message, 'Invalid request body')
  })

  test('says that a user is deactivated, but only with the right password', async () => {
    const { email, user_id } = org.users.observer
    const path = `/api/users/profile/${user_id}/`
    const { token } = org.users.admin
    is(await service.call('PUT', path, { token, body: { is_active: false } }), 200)
    is(await login({ email, password: 'wrong' }), 401)
    const reply = await login({ email, password })
    is(reply, 403)
    assert.deepEqual([reply.body.status, reply.body.code], ['error', 'deactivated'])
  })

  test('does not mind an expired or broken token in the header', async () => {
    const { email } = org.users.member
    const { access_token, refresh_token } = await signIn()
    is(await service.call('POST', '/api/logout/', { token: access_token }), 200)
    for (const token of [access_token, 'broken']) {
      const authorization = `Bearer ${token}`
      is(await login({ email, password }, { authorization }), 200)
      const body = { refresh_token }
      is(await service.call('POST', '/api/login/refresh/', { token, body }), 401)
    }
  })

  test('requires the organization if one e-mail and password are in several', async () => {
    const other = await makeOrganization(service)
    const email = `both@${org.id}.test`
    const password_hash = await hashPassword('shared by both')
    for (const { id, roles, name } of [org, other]) {
      await service.runtime.database.transaction(id, (queries) =>
        createUser(queries, id, { email, full_name: name, password_hash, role_id: roles.member }),
      )
    }
    const credentials = { email, password: 'shared by both' }
    const unclear = await login(credentials)
    is(unclear, 400)
    assert.equal(unclear.body.errors[0].field, 'organization')
    for (const organization of [other.id, other.name, other.name.toUpperCase()]) {
      const reply = await login({ ...credentials, organization })
      is(reply, 200)
      assert.equal(reply.body.user.organization, other.id)
    }
    await service.runtime.database.transaction(other.id, (queries) =>
      queries.run(sql`update users set is_active = false
        where organization_id = ${other.id} and email = ${email}`),
    )
    const only = await login(credentials)
    is(only, 200)
    assert.equal(only.body.user.organization, org.id)
  })

  test('an access token expires after an hour', async () => {
    const { access_token } = await signIn()
    ahead += 3_590_000
    is(await me(access_token), 200)
    ahead += 20_000
    const reply = await me(access_token)
    is(reply, 401)
    assert.equal(reply.body.code, 'token_expired')
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
  })

  test('a refresh rotates the pair; the previous token returns the same one for 60 s', async () => {
    const first = (await signIn()).refresh_token
    const [one, two] = await Promise.all([refresh(first), refresh(first)])
    for (const reply of [one, two]) is(reply, 200)
    const next = one.body.refresh_token
    assert.notEqual(next, first)
    assert.equal(two.body.refresh_token, next)
    assert.deepEqual(Object.keys(one.body).sort(), [
      'access_token',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ])
    ahead += 50_000
    const again = await refresh(first)
    is(again, 200)
    assert.equal(again.body.refresh_token, next)
    is(await me(again.body.access_token), 200)
    is(await refresh(next), 200)
  })

  test('twenty refreshes at once derive one successor', async () => {
    const first = (await signIn()).refresh_token
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(first)))
    for (const reply of replies) is(reply, 200)
    assert.equal(new Set(replies.map(({ body }) => body.refresh_token)).size, 1)
    is(await refresh(replies[0]!.body.refresh_token), 200)
  })

  test('a previous token used after the grace ends the session', async () => {
    const first = (await signIn()).refresh_token
    const second = (await refresh(first)).body
    ahead += 61_000
    is(await refresh(first), 401)
    is(await me(second.access_token), 401)
    is(await refresh(second.refresh_token), 401)
  })

  test('an older token ends the session even within the grace', async () => {
    const first = (await signIn()).refresh_token
    const second = (await refresh(first)).body.refresh_token
    const third = (await refresh(second)).body
    is(await refresh(first), 401)
    is(await refresh(third.refresh_token), 401)
    is(await me(third.access_token), 401)
  })

  test('a made-up token ends nobody’s session', async () => {
    const { refresh_token, access_token } = await signIn()
    const [family, part] = refresh_token.split('.')
    for (const made of ['x', `prt_x.${part}`, family.slice(0, -1), `${family}x.${part}`, part]) {
      is(await refresh(made), 401)
    }
    is(await me(access_token), 200)
    is(await refresh(refresh_token), 200)
  })

  test('a session that nobody refreshes ends after 30 days', async () => {
    const idle = (await signIn()).refresh_token
    const used = (await signIn()).refresh_token
    ahead += 29 * 86_400_000
    const next = (await refresh(used)).body.refresh_token
    ahead += 2 * 86_400_000
    is(await refresh(idle), 401)
    is(await refresh(next), 200)
  })

  test('refresh tokens are stored hashed only', async () => {
    const { refresh_token } = await signIn()
    const [family] = refresh_token.split('.')
    const text = JSON.stringify(await rows(service, sql`select * from sessions`))
    for (const secret of [refresh_token, family]) {
      assert.ok(!text.includes(secret))
      assert.ok(!text.includes(JSON.stringify(Buffer.from(secret))))
    }
  })

  test('signing out ends this session at once, in another process within a second', async () => {
    const beside = await startBeside(service)
    const [here, elsewhere] = [await signIn(), await signIn()]
    is(await me(here.access_token, beside), 200)
    const out = await service.call('POST', '/api/logout/', { token: here.access_token })
    is(out, 200)
    is(await me(here.access_token), 401)
    const start = performance.now()
    while ((await me(here.access_token, beside)).status !== 401) {
      assert.ok(performance.now() - start < 1000, 'it took more than a second')
    }
    is(await refresh(here.refresh_token), 401)
    is(await me(elsewhere.access_token, beside), 200)
    is(await service.call('POST', '/api/logout/', {}), 401)
    is(await service.call('POST', '/api/logout/', { token: here.access_token }), 401)
  })
})

describe('failed sign-ins', () => {
  const login = (service: TestService, email: string, entered: string, from = '192.0.2.1') =>
    service.call('POST', '/api/login/', {
      body: { email, password: entered },
      headers: { 'x-forwarded-for': from },
    })
  const limited = (count: number) =>
    startService({
      trustProxy: 1,
      rateLimits: { login: { count, seconds: 60 } },
    })

  test('20 of them shut out the address, and nobody elsewhere', async () => {
    const service = await limited(20)
    const { users } = await makeOrganization(service)
    for (let i = 0; i < 20; i++) is(await login(service, users.member.email, 'wrong'), 401)
    const account = await login(service, users.member.email, password)
    is(account, 429)
    const wait = account.headers.get('retry-after')!
    assert.match(wait, /^\d+$/)
    assert.ok(+wait >= 1 && +wait <= 60, wait)
    assert.deepEqual([account.body.status, account.body.code], ['error', 'rate_limited'])
    is(await login(service, users.manager.email, password), 429)
    for (const { email } of [users.manager, users.member]) {
      is(await login(service, email, password, '192.0.2.2'), 200)
    }
    const body = { refresh_token: 'prt_x.y' }
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    is(await service.call('POST', '/api/login/refresh/', { body, headers }), 429)
  })

  test('a network of IPv6 addresses is one', async () => {
    const service = await limited(3)
    const { email } = (await makeOrganization(service)).users.member
    for (let i = 1; i <= 3; i++) is(await login(service, email, 'wrong', `2001:db8:1:2::${i}`), 401)
    is(await login(service, email, password, '2001:db8:1:2:ffff::9'), 429)
    is(await login(service, email, password, '2001:db8:1:3::1'), 200)
  })

  test('what a caller writes beyond the proxy is not believed', async () => {
    const service = await limited(3)
    const { email } = (await makeOrganization(service)).users.member
    for (let i = 1; i <= 3; i++) {
      is(await login(service, email, 'wrong', `198.51.100.${i}, 192.0.2.1`), 401)
    }
    is(await login(service, email, password, '198.51.100.9, 192.0.2.1'), 429)
    is(await login(service, email, password, '192.0.2.1, 198.51.100.9'), 200)
    // what is no address is the proxy's own
    for (let i = 1; i <= 3; i++) is(await login(service, email, 'wrong', `word ${i}`), 401)
    is(await login(service, email, password, 'word 4'), 429)
  })

  test('guesses at one account from everywhere are bounded, and leave in those who were there', async () => {
    const service = await startService({
      trustProxy: 1,
      rateLimits: { login: { count: 3, seconds: 60 } },
      accountFailures: { count: 10, seconds: 60 },
    })
    const { email } = (await makeOrganization(service)).users.member
    is(await login(service, email, password, '192.0.2.200'), 200)
    for (let i = 1; i <= 10; i++) is(await login(service, email, 'wrong', `192.0.2.${i}`), 401)
    is(await login(service, email, password, '192.0.2.11'), 429)
    is(await login(service, email, password, '192.0.2.200'), 200)
  })

  test('guesses sent all at once gain nothing', async () => {
    const service = await limited(5)
    const { users } = await makeOrganization(service)
    const guesses = Array.from({ length: 12 }, (_, i) => (i < 11 ? `guess ${i}` : password))
    const replies = await Promise.all(
      guesses.map((guess) => login(service, users.member.email, guess)),
    )
    const count = (status: number) => replies.filter((reply) => reply.status === status).length
    assert.equal(count(401), 5)
    assert.equal(count(401) + count(429) + count(200), 12)
  })

  test('wrong refresh tokens count for the address', async () => {
    const service = await limited(3)
    const body = { refresh_token: 'prt_x.y' }
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      statuses.push((await service.call('POST', '/api/login/refresh/', { body })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 429])
  })
})
