import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { codeAt, giveCodes } from '../support/codes.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { ageLinks } from '../support/links.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

const minutes = 60_000

describe('a link to sign in', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let now = Date.now()

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, () => new Date(now), true)
    org = await makeOrganization(service)
  })

  const request = (body: object) => service.call('POST', '/api/session/link/', { body })

  /** The path of the link that is mailed to somebody. */
  async function mailed(email: string) {
    const reply = await request({ email })
    assert.deepEqual([reply.status, reply.body], [200, { status: 'success' }])
    const { pathname } = new URL(linkIn(await mailbox.next(email)))
    assert.match(pathname, /^\/enter\/lnk_[\w-]{43}$/)
    return pathname
  }

  const statusOf = async (path: string) => (await service.call('GET', path)).status
  const sessionOf = (reply: { headers: Headers }) => {
    const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
    return service.call('GET', '/api/session/', { headers: { cookie } })
  }

  test('signs a browser in once, after a button is pressed, however often the mail was scanned', async () => {
    const { email, user_id } = org.users.member
    const path = await mailed(email)
    for (let scan = 0; scan < 3; scan++) {
      const page = await service.call('GET', path)
      assert.equal(page.status, 200)
      assert.match(page.text, /<button class="main">Sign in<\/button>/)
      assert.ok(page.text.includes(email))
      assert.equal(page.headers.get('referrer-policy'), 'same-origin')
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.equal(page.headers.get('set-cookie'), null)
    }
    const entered = await postForm(service, path, {})
    assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/'])
    assert.equal(entered.headers.get('referrer-policy'), 'no-referrer')
    assert.match(entered.headers.get('set-cookie') ?? '', /HttpOnly.*SameSite=Lax/)
    assert.equal((await sessionOf(entered)).body.user.user_id, user_id)
    const [log] = (await service.call('GET', '/api/sign-ins/', { token: org.users.member.token }))
      .body
    assert.deepEqual([log.method, log.outcome], ['link', 'succeeded'])
    for (const again of [await service.call('GET', path), await postForm(service, path, {})]) {
      assert.equal(again.status, 404)
      assert.match(again.text, /no longer works[^]+<a href="\/">Sign in<\/a>/)
      assert.equal(again.headers.get('set-cookie'), null)
    }
  })

  test('signs in one of two browsers that press the button at once', async () => {
    const path = await mailed(org.users.member.email)
    const replies = await Promise.all([1, 2, 3].map(() => postForm(service, path, {})))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, 404, 404])
  })

  test('ends with a newer one, and with the password', async () => {
    const { email, user_id } = org.users.member
    const older = await mailed(email)
    await ageLinks(service, org, email)
    const newer = await mailed(email)
    assert.deepEqual([await statusOf(older), await statusOf(newer)], [404, 200])
    const stored = await rows(service, sql`select sign_in_hash from users where id = ${user_id}`)
    assert.ok(!JSON.stringify(stored).includes(newer.slice('/enter/'.length)))
    await service.call('POST', '/api/login/reset/', { body: { email } })
    const reset = new URL(linkIn(await mailbox.next(email))).pathname
    const chosen = await postForm(service, reset, { password: 'a long enough password' })
    assert.equal(chosen.status, 200)
    assert.equal(await statusOf(newer), 404)
  })

  test('is mailed to nobody who is deactivated or unknown, with the same answer', async () => {
    const { user_id, email } = org.users.observer
    const { token } = org.users.admin
    const path = await mailed(email)
    const body = { is_active: false }
    const profile = `/api/users/profile/${user_id}/`
    assert.equal((await service.call('PUT', profile, { token, body })).status, 200)
    assert.equal((await service.call('GET', path)).status, 404)
    assert.equal((await postForm(service, path, {})).status, 404)
    for (const nobody of [email, 'nobody@else.test']) {
      const start = performance.now()
      const reply = await request({ email: nobody })
      assert.deepEqual([reply.status, reply.body], [200, { status: 'success' }])
      assert.ok(performance.now() - start > 240)
    }
    const found = await rows(service, sql`select sign_in_hash from users where id = ${user_id}`)
    assert.equal(found[0]?.sign_in_hash, null)
  })

  test('still takes the one-time code of those who have set them up', async () => {
    const { user_id, email } = org.users.admin
    const secret = await giveCodes(service, org.id, user_id)
    const path = await mailed(email)
    const page = await service.call('GET', path)
    assert.match(page.text, /autocomplete="one-time-code"/)
    for (const code of [undefined, '000000']) {
      const refused = await postForm(service, path, code ? { code } : {})
      assert.equal(refused.status, 401)
      assert.match(refused.text, /role="alert">The code is wrong/)
      assert.equal(refused.headers.get('set-cookie'), null)
    }
    const entered = await postForm(service, path, { code: codeAt(secret, now) })
    assert.equal(entered.status, 303, entered.text)
    assert.equal((await sessionOf(entered)).body.user.user_id, user_id)
  })

  test('is limited by network address, together with links to a new password', async () => {
    const limited = await startService({ rateLimits: { login: { count: 2, seconds: 60 } } })
    const body = { email: 'many@else.test' }
    const statuses: number[] = []
    for (const path of ['/api/session/link/', '/api/login/reset/', '/api/session/link/']) {
      statuses.push((await limited.call('POST', path, { body })).status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })

  test('ends after 15 minutes', async () => {
    const path = await mailed(org.users.manager.email)
    now += 14 * minutes
    assert.equal(await statusOf(path), 200)
    now += 2 * minutes
    assert.equal(await statusOf(path), 404)
    assert.equal((await postForm(service, path, {})).status, 404)
  })
})
