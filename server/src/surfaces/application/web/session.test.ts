import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { until } from '../../../../test/support/until.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, password, startService } from '../../../../test/support/service.ts'

const own = { 'sec-fetch-site': 'same-origin' }
let service: TestService
let org: TestOrganization
let now = new Date('2026-03-02T09:00:00Z')

before(async () => {
  service = await startService({}, () => now)
  org = await makeOrganization(service)
})

/** Signs a browser in; the cookie as browsers send it. */
async function enter(kind: 'admin' | 'member' = 'admin', headers: object = own) {
  const { email } = org.users[kind]
  const reply = await service.call('POST', '/api/session/', {
    body: { email, password },
    headers: { ...headers },
  })
  const set = reply.headers.get('set-cookie') ?? ''
  return { reply, set, cookie: set.split(';')[0] ?? '' }
}

describe('a browser', () => {
  test('signs in with a cookie that no script reads, and learns who it is', async () => {
    const { reply, set, cookie } = await enter()
    assert.equal(reply.status, 200, reply.text)
    assert.match(
      set,
      /^perennial=[\w-]+\.[\w-]+\.[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    assert.equal(reply.body.user.email, org.users.admin.email)
    assert.equal(reply.body.organization.organization_id, org.id)
    assert.deepEqual([reply.body.user.timezone, reply.body.user.locale], ['UTC', 'en'])
    assert.equal(reply.body.organization.week_starts_on, 1)
    assert.equal(reply.body.role.kind, 'admin')
    assert.equal(reply.body.permission.companies.read, 'all')
    const again = await service.call('GET', '/api/session/', { headers: { cookie } })
    const { live_position, ...session } = again.body
    assert.deepEqual({ ...session, live_position: reply.body.live_position }, reply.body)
    assert.match(live_position, /^[0-9a-z]{25}::\d+$/)
    const other = `other=1; ${cookie}; more=2`
    const list = await service.call('GET', '/api/company/?page=1&items_per_page=5', {
      headers: { cookie: other },
    })
    assert.equal(list.status, 200)
  })

  test('over https has a cookie that only this host sets and sends', async () => {
    const secure = await startService({ publicUrl: 'https://perennial.test' })
    const there = await makeOrganization(secure)
    const reply = await secure.call('POST', '/api/session/', {
      body: { email: there.users.admin.email, password },
      headers: { origin: 'https://perennial.test' },
    })
    assert.match(
      reply.headers.get('set-cookie') ?? '',
      /^__Host-perennial=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('writes only from pages of the service', async () => {
    const { cookie } = await enter()
    const create = (headers: object) =>
      service.call('POST', '/api/company/', {
        body: { company_name: `Larkspur ${Math.random()}`, company_id: `c${Math.random()}` },
        headers: { cookie, ...headers },
      })
    assert.equal((await create(own)).status, 200)
    const { origin } = new URL(service.runtime.config.publicUrl)
    assert.equal((await create({ origin })).status, 200)
    for (const foreign of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin },
      { origin: 'https://elsewhere.test' },
      { origin: 'null' },
    ]) {
      const reply = await create(foreign)
      assert.equal(reply.status, 403, JSON.stringify(foreign))
      assert.equal(reply.body.code, 'foreign_request')
      const { reply: entered } = await enter('admin', foreign)
      assert.equal(entered.body.code, 'foreign_request')
    }
    const read = await service.call('GET', '/api/session/', {
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
    })
    assert.equal(read.status, 200)
  })

  test('writes by no link of another site, where a GET writes', async () => {
    const { cookie } = await enter()
    const follow = (method: string, headers: object, year: number) =>
      service.call(method, `/api/holidays/holinfo/import/?country=DE&year=${year}&save=true`, {
        headers: { cookie, ...headers },
      })
    // what a browser says over http, where it sends no Fetch Metadata
    const referer = `${service.runtime.config.publicUrl}/settings/holidays`
    for (const method of ['GET', 'HEAD']) {
      for (const foreign of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { referer: 'https://elsewhere.test/' },
        { 'sec-fetch-site': 'cross-site', referer },
        { origin: 'null', referer },
        {},
      ]) {
        assert.equal((await follow(method, foreign, 2031)).status, 403, JSON.stringify(foreign))
      }
    }
    assert.equal((await follow('GET', own, 2032)).status, 200)
    assert.equal((await follow('GET', { referer }, 2033)).status, 200)
    const sets = await service.call('GET', '/api/holidays/holinfo/?page=1&items_per_page=100', {
      token: org.users.admin.token,
    })
    const years = sets.body.map(({ holidays }: { holidays: { date: string }[] }) =>
      holidays[0]?.date.slice(0, 4),
    )
    assert.deepEqual(years.toSorted(), ['2032', '2033'])
  })

  test('that sends a token too is the token’s user', async () => {
    const { cookie } = await enter('member')
    const { token } = org.users.admin
    const reply = await service.call('GET', '/api/session/', { token, headers: { cookie } })
    assert.equal(reply.body.user.email, org.users.admin.email)
    const broken = await service.call('GET', '/api/session/', {
      token: 'wrong',
      headers: { cookie },
    })
    assert.equal(broken.status, 401)
  })

  test('is refused with a cookie that is wrong, foreign or over', async () => {
    const { cookie } = await enter()
    const [name, organization, session, secret] = cookie.split(/[=.]/)
    const read = (value: string) =>
      service.call('GET', '/api/session/', { headers: { cookie: `${name}=${value}` } })
    assert.equal((await read(`${organization}.${session}.${secret}`)).status, 200)
    const { cookie: members } = await enter('member')
    const [, , another] = members.split(/[=.]/)
    for (const value of [
      `${organization}.${session}.${'A'.repeat(43)}`,
      `${organization}.${another}.${secret}`,
      `nowhere.${session}.${secret}`,
      `${organization}.${session}`,
      'nonsense',
    ]) {
      assert.equal((await read(value)).status, 401, value)
    }
    const ended = await service.call('DELETE', '/api/session/', { headers: { cookie, ...own } })
    assert.equal(ended.status, 204)
    assert.match(ended.headers.get('set-cookie') ?? '', /^perennial=; Max-Age=0; /)
    assert.equal((await read(`${organization}.${session}.${secret}`)).status, 401)
  })

  test('stays signed in while it is used, for thirty days without and ninety in all', async () => {
    const begun = now
    const day = 86_400_000
    const { cookie } = await enter()
    const status = async () =>
      (await service.call('GET', '/api/session/', { headers: { cookie } })).status
    const isUntil = async (reached: string) => {
      const sessions = await service.call('GET', '/api/sessions/', { headers: { cookie } })
      return sessions.body.find(({ is_current }: any) => is_current).expires_at === reached
    }
    for (const days of [29, 58, 87]) {
      now = new Date(+begun + days * day)
      assert.equal(await status(), 200)
      const reached = new Date(+begun + Math.min(days + 30, 90) * day).toISOString()
      await until(() => isUntil(reached))
    }
    now = new Date(+begun + 91 * day)
    assert.equal(await status(), 401)
    const { cookie: unused } = await enter()
    now = new Date(+now + 31 * day)
    const reply = await service.call('GET', '/api/session/', { headers: { cookie: unused } })
    assert.equal(reply.status, 401)
    now = begun
  })

  test('needs what a sign-in needs, by name', async () => {
    const missing = await service.call('POST', '/api/session/', {
      body: { email: 'a@b.example' },
      headers: own,
    })
    assert.equal(missing.status, 400)
    assert.equal(missing.body.errors[0].field, 'password')
    const wrong = await service.call('POST', '/api/session/', {
      body: { email: org.users.admin.email, password: 'not this one' },
      headers: own,
    })
    assert.equal(wrong.status, 401)
    assert.equal(wrong.headers.get('set-cookie'), null)
  })
})

test('preferences are a user’s own, merge by name, and are bounded', async () => {
  const { token } = org.users.admin
  const put = (body: object) => service.call('PUT', '/api/preferences/', { token, body })
  assert.deepEqual((await put({ theme: 'dark', columns: [1, 2] })).body, {
    theme: 'dark',
    columns: [1, 2],
  })
  assert.deepEqual((await put({ theme: null, width: 3 })).body, { columns: [1, 2], width: 3 })
  const read = await service.call('GET', '/api/session/', { token })
  assert.deepEqual(read.body.preferences, { columns: [1, 2], width: 3 })
  const others = await service.call('GET', '/api/preferences/', { token: org.users.member.token })
  assert.deepEqual(others.body, {})
  const large = await put({ large: 'x'.repeat(65_536) })
  assert.equal(large.status, 400)
  assert.equal(large.body.code, 'too_large')
  assert.deepEqual((await service.call('GET', '/api/preferences/', { token })).body, {
    columns: [1, 2],
    width: 3,
  })
})
