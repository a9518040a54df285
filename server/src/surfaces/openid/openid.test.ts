import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { mailDomains } from '../../mail-domains.ts'
import { authorizeQuery, makeApp } from '../../../test/support/integration.ts'
import type { Provider } from '../../../test/support/openid.ts'
import { startProvider } from '../../../test/support/openid.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { addMember } from '../../../test/support/world.ts'

const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)
const says = (reply: Reply, status: number, code: string) =>
  assert.deepEqual([reply.status, reply.body?.code], [status, code], reply.text)
const settings = '/api/organization/openid/'

let service: TestService
let provider: Provider
let org: TestOrganization

before(async () => {
  service = await startService()
  provider = await startProvider()
})

beforeEach(async () => {
  org = await makeOrganization(service)
  provider.wrong = {}
  const { email } = org.users.member
  provider.claims = { sub: 'subject of member', email, email_verified: true, name: 'Mem Ber' }
})

const post = (path: string, body: object, token?: string) =>
  service.call('POST', path, { body, token })
const put = (body: object, token = org.users.admin.token) =>
  service.call('PUT', settings, { body, token })
const configure = async (more: object = {}) => {
  const { issuer, client_id, client_secret } = provider
  const reply = await put({ issuer, client_id, client_secret, ...more })
  is(reply, 200)
  return reply
}
const begin = async () => (await post('/api/login/openid/', { organization: org.name })).body
const finish = (flow: string, back: URL, changes: object = {}) => {
  const answer = Object.fromEntries(back.searchParams)
  return post('/api/login/openid/finish/', { flow, ...answer, ...changes })
}
const signIn = async () => {
  const { authorization_url, flow } = await begin()
  return finish(flow, await provider.signIn(authorization_url))
}

describe('the OpenID provider of an organization', () => {
  test('is set by an admin; its secret is stored encrypted and never shown', async () => {
    const unset = await service.call('GET', settings, { token: org.users.admin.token })
    assert.equal(unset.body.issuer, null)
    const manager = await addMember(service, org, { roles: { read: 'all', update: 'all' } })
    const { issuer, client_id, client_secret } = provider
    const body = { issuer, client_id, client_secret }
    says(await put(body, manager.token), 403, 'admins_only')
    const reply = await configure()
    const shown = { issuer, client_id, allowed_domains: [], new_users_role_id: null }
    const redirect_uri = `${service.runtime.config.publicUrl}/openid/callback`
    const domain_record = `perennial-organization=${org.id}`
    assert.deepEqual(reply.body, { ...shown, redirect_uri, domain_record })
    const read = await service.call('GET', settings, { token: org.users.admin.token })
    assert.deepEqual(read.body, reply.body)
    const [stored] = await rows(
      service,
      sql`select client_secret from openid_providers
      where organization_id = ${org.id}`,
    )
    assert.ok(!stored.client_secret.includes(client_secret))
    const log = await rows(
      service,
      sql`select title, changes::text from events
      where organization_id = ${org.id} order by id`,
    )
    assert.equal(log.at(-1)!.title, 'Sign-in by OpenID changed')
    assert.ok(!JSON.stringify(log).includes(client_secret))
    is(await service.call('DELETE', settings, { token: org.users.admin.token }), 204)
    is(await post('/api/login/openid/', { organization: org.id }), 400)
  })

  test('is reached before it is taken, and only where webhooks may go too', async () => {
    const { client_id, client_secret } = provider
    const credentials = { client_id, client_secret }
    const refused = async (body: object, field: string) => {
      const reply = await put({ ...credentials, ...body })
      is(reply, 400)
      assert.equal(reply.body.errors[0].field, field)
    }
    await refused({}, 'issuer')
    await refused({ issuer: 'accounts' }, 'issuer')
    await refused({ issuer: 'file:///etc/passwd' }, 'issuer')
    // another service on this machine, which is no provider
    await refused({ issuer: service.url }, 'issuer')
    for (const address of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '192.168.1.1'])
      await refused({ issuer: `https://${address}` }, 'issuer')
    provider.wrong = { redirectsTo: `${provider.issuer}/elsewhere` }
    await refused({ issuer: provider.issuer }, 'issuer')
    provider.wrong = { padding: 2_000_000 }
    await refused({ issuer: provider.issuer }, 'issuer')
    provider.wrong = {}
    // everybody with an account at a public provider could join
    await refused(
      { issuer: provider.issuer, new_users_role_id: org.roles.member },
      'allowed_domains',
    )
    const more = { allowed_domains: ['acme.test'], new_users_role_id: 'nope' }
    await refused({ issuer: provider.issuer, ...more }, 'new_users_role_id')
  })

  test('is not reached through loopback by a service that others reach', async () => {
    const open = await startService({
      publicUrl: 'https://crm.example.com',
      host: '0.0.0.0',
    })
    const { users } = await makeOrganization(open)
    const { issuer, client_id, client_secret } = provider
    const before = provider.requests.length
    const body = { issuer, client_id, client_secret }
    const reply = await open.call('PUT', settings, { token: users.admin.token, body })
    is(reply, 400)
    assert.equal(provider.requests.length, before)
  })
})

describe('signing in at the provider', () => {
  beforeEach(() => configure())

  test('starts a session as a password does', async () => {
    const reply = await signIn()
    is(reply, 200)
    const { user_id, email } = org.users.member
    assert.deepEqual([reply.body.user.user_id, reply.body.user.email], [user_id, email])
    const { body } = await service.call('GET', '/api/sessions/', { token: reply.body.access_token })
    assert.equal(body[0].method, 'openid')
    const { refresh_token } = reply.body
    is(await post('/api/login/refresh/', { refresh_token }), 200)
  })

  test('sends PKCE, a state and a nonce, each time others', async () => {
    const urls = [
      new URL((await begin()).authorization_url),
      new URL((await begin()).authorization_url),
    ]
    for (const { searchParams } of urls) {
      assert.equal(searchParams.get('response_type'), 'code')
      assert.equal(searchParams.get('code_challenge_method'), 'S256')
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const [one, two] = urls.map((url) => url.searchParams.get(name))
      assert.ok(one && one.length >= 43 && one !== two, name)
    }
  })

  const wrongs: [string, Provider['wrong']][] = [
    ['a wrong nonce', { nonce: 'another' }],
    ['a wrong issuer', { issuer: 'https://accounts.example.com' }],
    ['a wrong audience', { audience: 'another client' }],
    ['an expired token', { expired: true }],
    ['a token signed by another key', { foreignKey: true }],
    ['an answer without end', { padding: 2_000_000 }],
  ]
  for (const [what, wrong] of wrongs) {
    test(`refuses ${what}`, async () => {
      const { authorization_url, flow } = await begin()
      const back = await provider.signIn(authorization_url)
      provider.wrong = wrong
      says(await finish(flow, back), 401, 'openid_failed')
    })
  }

  test('refuses an e-mail that is not verified, or none', async () => {
    const { sub, email } = provider.claims
    const untrue = [
      undefined,
      false,
      null,
      0,
      1,
      '',
      'false',
      'TRUE',
      ' true',
      'yes',
      [],
      [true],
      ['true'],
      {},
    ]
    for (const claims of [
      ...untrue.map((email_verified) => ({ sub, email, email_verified })),
      { sub },
    ]) {
      provider.claims = claims
      says(await signIn(), 403, 'email_not_verified')
    }
    // as Amazon Cognito writes it
    provider.claims = { sub, email, email_verified: 'true' }
    is(await signIn(), 200)
  })

  test('survives whatever a provider says of a person', async () => {
    await put({ allowed_domains: ['acme.test'], new_users_role_id: org.roles.member })
    const email = 'odd@acme.test'
    const odd = { email, email_verified: true }
    provider.claims = { ...odd, sub: 'x'.repeat(5000) }
    says(await signIn(), 401, 'openid_failed')
    for (const wrong of ['a\0b@acme.test', 'a b@acme.test', 'x'.repeat(400), 7, 'acme.test']) {
      provider.claims = { ...odd, sub: 'x', email: wrong }
      says(await signIn(), 403, 'email_not_verified')
    }
    provider.claims = { ...odd, sub: 'odd', name: 'N\0\ud800' }
    const joined = await signIn()
    is(joined, 200)
    assert.equal(joined.body.user.full_name, 'odd')
  })

  test('refuses an answer that was used, even of a provider that takes its codes again', async () => {
    provider.wrong = { careless: true }
    const { authorization_url, flow } = await begin()
    const back = await provider.signIn(authorization_url)
    const replies = await Promise.all([1, 2, 3].map(() => finish(flow, back)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401])
    says(await finish(flow, back), 401, 'openid_replayed')
    // nor in another flow: its verifier and nonce are others
    says(await finish((await begin()).flow, back), 401, 'openid_failed')
  })

  test('refuses another state, another iss, a code of another flow, and what is no flow', async () => {
    const begun = async () => {
      const { authorization_url, flow } = await begin()
      return { flow, back: await provider.signIn(authorization_url) }
    }
    const [a, b, c, d] = [await begun(), await begun(), await begun(), await begun()]
    says(await finish(a.flow, a.back, { state: 'another' }), 401, 'openid_failed')
    says(
      await finish(b.flow, b.back, { iss: 'https://accounts.example.com' }),
      401,
      'openid_failed',
    )
    says(
      await finish(c.flow, c.back, { code: d.back.searchParams.get('code') }),
      401,
      'openid_failed',
    )
    says(await finish(`${d.flow}x`, d.back), 401, 'openid_expired')
  })

  test('knows who came before by the subject, until the e-mail is changed here', async () => {
    is(await signIn(), 200)
    provider.claims = { ...provider.claims, email: 'renamed@acme.test' }
    assert.equal((await signIn()).body.user.user_id, org.users.member.user_id)
    const body = { profile_id: org.users.member.user_id, email: `new@${org.id}.test` }
    is(await post('/api/users/profile/action/', body, org.users.admin.token), 200)
    says(await signIn(), 403, 'unknown_user')
  })

  test('lets in only people of the domains, and unknown ones only where they may join', async () => {
    says(
      ((provider.claims = { ...provider.claims, sub: 'x', email: 'x@acme.test' }), await signIn()),
      403,
      'unknown_user',
    )
    is(await put({ allowed_domains: ['acme.test'], new_users_role_id: org.roles.observer }), 200)
    const joined = await signIn()
    is(joined, 200)
    assert.deepEqual(
      [joined.body.user.email, joined.body.user.full_name, joined.body.user.role],
      ['x@acme.test', 'Mem Ber', 'observer'],
    )
    assert.equal((await signIn()).body.user.user_id, joined.body.user.user_id)
    for (const email of ['y@evil.test', 'y@acme.test.evil.test', 'y@sub.acme.test']) {
      provider.claims = { sub: email, email, email_verified: true }
      says(await signIn(), 403, 'domain_not_allowed')
    }
  })

  test('accepts an open invitation, and no deactivated user', async () => {
    const { token } = org.users.admin
    const email = `guest@${org.id}.test`
    const invited = (await post('/api/users/profile/action/', { email }, token)).body
    provider.claims = { sub: 'guest', email, email_verified: true }
    const reply = await signIn()
    is(reply, 200)
    assert.equal(reply.body.user.user_id, invited.profile_id)
    const path = `/api/users/profile/${invited.profile_id}/`
    is(await service.call('PUT', path, { token, body: { is_active: false } }), 200)
    says(await signIn(), 403, 'deactivated')
  })

  test('leads through the consent page too, in the browser that began', async () => {
    const app = await makeApp(service, org)
    provider.claims = {
      sub: 'boss',
      email: org.users.admin.email,
      email_verified: true,
    }
    const visit = async (path: string, cookie = '') =>
      service.call('GET', path, { headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) } })
    const cookieOf = (reply: Reply) => reply.headers.getSetCookie()[0]!.split(';')[0]!
    const page = await visit(`/oauth/authorize?${authorizeQuery(app)}`)
    const cookie = cookieOf(page)
    const [, link = ''] = /href="(\/oauth\/authorize\/openid[^"]+)"/.exec(page.text) ?? []
    assert.ok(link, page.text)
    is(await visit(link), 403)
    const leaving = await visit(link, cookie)
    is(leaving, 303)
    const back = await provider.signIn(leaving.headers.get('location')!)
    const path = back.pathname + back.search
    is(await visit(path), 403)
    const entered = await visit(path, cookie)
    is(entered, 303)
    const consent = await visit(entered.headers.get('location')!, cookieOf(entered))
    assert.match(consent.text, /value="approve"/)
    const again = await visit(path, cookie)
    is(again, 401)
    assert.match(again.text, /already used/)
    // what a program began goes on to it
    const { authorization_url } = await begin()
    const other = await provider.signIn(authorization_url)
    const on = await visit(other.pathname + other.search)
    is(on, 303)
    assert.ok(on.headers.get('location')!.startsWith('/sign-in?state='))
  })
})

describe('whose provider people are sent to', () => {
  const records = new Map<string, string[]>()
  let lookups = 0

  before(() => {
    service.runtime.services.mailDomains = mailDomains(service.runtime.log, async (name) => {
      lookups++
      const found = records.get(name)
      if (!found) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      if (found.includes('broken')) throw Object.assign(new Error('down'), { code: 'ESERVFAIL' })
      return found.map((text) => [text.slice(0, 10), text.slice(10)])
    })
  })

  const rename = (at: TestOrganization, name: string) =>
    service.call('PUT', '/api/organization/settings/', {
      token: at.users.admin.token,
      body: { name },
    })
  const start = (body: object) => post('/api/login/openid/', body)
  /** Gives an organization a name as a version that took any did. */
  const nameBefore = (id: string, name: string) =>
    service.runtime.database.transaction(id, (queries) =>
      queries.run(sql`update organizations set name = ${name} where organization_id = ${id}`),
    )

  test('no organization takes the name of another, or one that looks like it', async () => {
    const other = await makeOrganization(service)
    is(await rename(other, `Paypal Comics ${other.id}`), 200)
    for (const name of [
      `Paypal Comics ${other.id}`,
      `  paypal  COMICS ${other.id} `,
      `Рауpal Comics ${other.id}`,
      `PaypaI Comics ${other.id}`,
      `ＰＡＹＰＡＬ Comics ${other.id}`,
      `Pay\u200bpal Comics ${other.id}`,
      `PAYPAL COMICS ${other.id.toUpperCase()}`,
    ]) {
      says(await rename(org, name), 409, 'name_taken')
      const manager = await post('/api/login/openid/', { organization: name })
      assert.equal(manager.status, 400, 'nobody of this name has a provider')
    }
    const [mine] = await rows(
      service,
      sql`select name from organizations where organization_id = ${org.id}`,
    )
    assert.equal(mine.name, org.name)
    // its own name in another way, and what only somebody without the right asks for
    is(await rename(other, `PAYPAL comics ${other.id}`), 200)
    is(await rename(org, `Quite another ${org.id}`), 200)
    const body = { name: `PAYPAL comics ${other.id}` }
    const { token } = org.users.manager
    const refused = await service.call('PUT', '/api/organization/settings/', { token, body })
    is(refused, 403)
  })

  test('of two that ask for one name at once one gets it', async () => {
    const both = [org, await makeOrganization(service)]
    const name = `Twin ${org.id}`
    const replies = await Promise.all(both.map((each) => rename(each, name)))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  })

  test('a name that several have leads nowhere, though one of them alone has a provider', async () => {
    await configure()
    const name = `Doubled ${org.id}`
    const other = await makeOrganization(service)
    await nameBefore(org.id, name)
    is(await start({ organization: name }), 200)
    for (const taken of [name, ` ${name.toUpperCase()} `]) {
      await nameBefore(other.id, taken)
      for (const organization of [name, name.toLowerCase(), taken]) {
        const reply = await start({ organization })
        is(reply, 400)
        assert.match(reply.body.message, /several organizations/)
      }
    }
    const byId = await start({ organization: org.id })
    is(byId, 200)
    // the stored name, which another has, may stay
    const token = org.users.admin.token
    const body = { name, week_start: 7 }
    is(await service.call('PUT', '/api/organization/settings/', { token, body }), 200)
    // an id is not a name
    await nameBefore(other.id, org.id)
    assert.equal((await start({ organization: org.id })).body.organization.organization_id, org.id)
  })

  test('a mail domain leads to the organization that the domain itself names', async () => {
    const domain = `d${org.id}.test`
    await configure({ allowed_domains: [domain] })
    const email = `Somebody@${domain.toUpperCase()}`
    const unnamed = await start({ email })
    is(unnamed, 400)
    assert.equal(unnamed.body.errors[0].field, 'email')
    const stranger = await makeOrganization(service)
    const { issuer, client_id, client_secret } = provider
    const claim = { issuer, client_id, client_secret, allowed_domains: [`e${org.id}.test`] }
    is(await put(claim, stranger.users.admin.token), 200)
    const mine = `e${org.id}.test`
    records.set(`_perennial.${mine}`, ['v=spf1 -all', `perennial-organization=${org.id}`])
    // claimed by a stranger alone, whom the domain does not name
    is(await start({ email: `a@${mine}` }), 400)
    await put({ allowed_domains: [domain, mine] })
    const before = lookups
    const found = await start({ email: `a@${mine}` })
    is(found, 200)
    assert.equal(lookups, before, 'an answer is used for half a minute')
    const { organization, provider_host } = found.body
    assert.equal(organization.organization_id, org.id)
    assert.equal(provider_host, new URL(provider.issuer).host)
    assert.equal(new URL(found.body.authorization_url).host, provider_host)
    // a part of the address, of the domain or of the record is not enough
    for (const other of [`a@sub.${mine}`, `a@${mine}.evil.test`, `a@x${mine}`])
      is(await start({ email: other }), 400)
    const both = `f${org.id}.test`
    for (const each of [org, stranger]) {
      is(await put({ ...claim, allowed_domains: [both] }, each.users.admin.token), 200)
    }
    const named = [org, stranger].map(({ id }) => `perennial-organization=${id}`)
    records.set(`_perennial.${both}`, named)
    assert.match((await start({ email: `a@${both}` })).body.message, /several/)
    const down = `g${org.id}.test`
    records.set(`_perennial.${down}`, ['broken'])
    is(await put({ allowed_domains: [down] }), 200)
    is(await start({ email: `a@${down}` }), 503)
    for (const body of [{}, { email, organization: org.id }]) is(await start(body), 400)
  })

  test('the page of an app names the organization and the host of its provider before it leaves', async () => {
    await configure()
    const app = await makeApp(service, org)
    const page = await service.call('GET', `/oauth/authorize?${authorizeQuery(app)}`, {
      headers: { accept: 'text/html' },
    })
    const [, text = ''] = /href="\/oauth\/authorize\/openid[^>]+>([^<]+)</.exec(page.text) ?? []
    assert.ok(text.includes(org.name) && text.includes(new URL(provider.issuer).host), text)
  })
})
