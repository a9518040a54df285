import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import {
  authorizeQuery,
  callback,
  codeFor,
  connectApp,
  makeApp,
  postForm,
  sign,
} from '../../../../test/support/integration.ts'
import type { Reply, TestOrganization, TestService } from '../../../../test/support/service.ts'
import { codeAt, giveCodes } from '../../../../test/support/codes.ts'
import { makeOrganization, password, rows, startService } from '../../../../test/support/service.ts'
import type { Query } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { hashPassword } from '../../../secrets.ts'
import { identityDocument } from './document.ts'
import { allOrganizations } from '../../../kit/ground/context.ts'

let service: TestService
let org: TestOrganization
let now: Date | undefined

before(async () => {
  service = await startService({ oauthRegistration: true }, () => now ?? new Date())
  org = await makeOrganization(service)
})

const write = (query: Query) =>
  service.runtime.database.transaction(allOrganizations, (queries) => queries.run(query))

type App = Awaited<ReturnType<typeof makeApp>>

function authorize(app: App, changes = {}, sent: { token?: string; headers?: {} } = {}) {
  const query = authorizeQuery(app, changes, service.runtime.now())
  return service.call('GET', `/oauth/authorize?${query}`, sent)
}

/** Where a redirect goes, and with what. */
function landing(reply: Reply) {
  assert.equal(reply.status, 302, reply.text)
  const url = new URL(reply.headers.get('location')!)
  return { at: url.origin + url.pathname, ...Object.fromEntries(url.searchParams) } as {
    [name: string]: string
  }
}

/** Just enough of a browser: it keeps cookies and submits forms; redirects are left to the test. */
function browser() {
  const cookies = new Map<string, string>()
  async function send(method: string, path: string, form?: { [name: string]: string }) {
    const headers: { [name: string]: string } = { accept: 'text/html' }
    if (cookies.size)
      headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = form
      ? await postForm(service, path, form, headers)
      : await service.call(method, path, { headers })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    return reply
  }
  return {
    cookies,
    open: (path: string) => send('GET', path),
    authorize: (app: App, changes = {}) =>
      send('GET', `/oauth/authorize?${authorizeQuery(app, changes, service.runtime.now())}`),
    submit: (page: Reply, path: string, fields: { [name: string]: string }) =>
      send('POST', path, { request: hidden(page), ...fields }),
    async signIn(app: App, email: string, changes = {}) {
      const page = await this.authorize(app, changes)
      const reply = await this.submit(page, '/oauth/authorize/sign-in', { email, password })
      assert.equal(reply.status, 303, reply.text)
      return this.open(reply.headers.get('location')!)
    },
  }
}

function hidden(page: Reply): string {
  const [, value] = /name="request" value="([^"]+)"/.exec(page.text) ?? []
  assert.ok(value, page.text)
  return value
}

describe('GET /oauth/authorize', () => {
  test('errors are distinguished in the contract’s order, and are never redirected', async () => {
    const app = await makeApp(service, org)
    // the clock stands still: 302 seconds ahead would soon be 300
    now = new Date()
    const seconds = Math.floor(+now / 1000)
    const signed = (timestamp: number, secret = app.client_secret) => ({
      timestamp: String(timestamp),
      signature: sign(app.client_id, secret, String(timestamp)),
    })
    const cases: [string, { [name: string]: string | null }, number, string][] = [
      ...['client_id', 'response_type', 'redirect_uri', 'state', 'timestamp', 'signature'].flatMap(
        (name): (typeof cases)[number][] => [
          [`no ${name}`, { [name]: null }, 400, 'invalid_request'],
          [`an empty ${name}`, { [name]: '' }, 400, 'invalid_request'],
          [`a NUL in ${name}`, { [name]: 'a\0b' }, 400, 'invalid_request'],
        ],
      ),
      ['another response_type', { response_type: 'token' }, 400, 'unsupported_response_type'],
      ['a relative redirect_uri', { redirect_uri: '/callback' }, 400, 'invalid_request'],
      ['a redirect_uri with a fragment', { redirect_uri: `${callback}#x` }, 400, 'invalid_request'],
      ['a redirect_uri that runs', { redirect_uri: 'javascript:alert(1)' }, 400, 'invalid_request'],
      [
        'a redirect_uri in plain http',
        { redirect_uri: 'http://connector.test/' },
        400,
        'invalid_request',
      ],
      ['a timestamp that is none', { timestamp: 'now' }, 400, 'invalid_request'],
      ['a signature that is short', { signature: 'abc' }, 400, 'invalid_request'],
      ['a signature that is no hex', { signature: 'z'.repeat(64) }, 400, 'invalid_request'],
      ['a huge state', { state: 's'.repeat(5000) }, 400, 'invalid_request'],
      [
        'a short signature of an unknown client',
        { client_id: 'nobody', signature: 'abc' },
        400,
        'invalid_request',
      ],
      ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
      ['an unknown client of all characters', { client_id: 'ü☃' }, 401, 'invalid_client'],
      [
        'an unknown client with an old timestamp',
        { client_id: 'nobody', ...signed(1) },
        401,
        'invalid_client',
      ],
      ['an old timestamp', signed(seconds - 302), 401, 'Invalid timestamp'],
      ['a timestamp in the future', signed(seconds + 302), 401, 'Invalid timestamp'],
      ['a wrong signature', signed(seconds, 'guess'), 401, 'Invalid signature'],
      [
        'a wrong signature and redirect_uri',
        { ...signed(seconds, 'guess'), redirect_uri: 'https://thief.test/' },
        401,
        'Invalid signature',
      ],
      ['another redirect_uri', { redirect_uri: 'https://thief.test/' }, 400, 'invalid_request'],
      [
        'a redirect_uri with a slash more',
        { redirect_uri: `${callback}/` },
        400,
        'invalid_request',
      ],
      [
        'a redirect_uri with a query more',
        { redirect_uri: `${callback}?a=b` },
        400,
        'invalid_request',
      ],
      [
        'a redirect_uri in capitals',
        { redirect_uri: callback.toUpperCase() },
        400,
        'invalid_request',
      ],
    ]
    for (const [what, changes, status, error] of cases) {
      for (const token of [undefined, org.users.admin.token]) {
        const reply = await authorize(app, changes, { token })
        assert.equal(reply.status, status, `${what}: ${reply.text}`)
        assert.equal(reply.body.error, error, what)
        assert.equal(typeof reply.body.message, 'string', what)
        assert.equal(reply.body.request_id, reply.headers.get('x-request-id'), what)
      }
      const page = await authorize(app, changes, { headers: { accept: 'text/html,*/*' } })
      assert.equal(page.status, status, what)
      assert.match(page.headers.get('content-type')!, /^text\/html/)
    }
    for (const twice of ['client_id', 'state', 'scope', 'redirect_uri']) {
      const query = `${authorizeQuery(app, { scope: 'company.read' })}&${twice}=x`
      const reply = await service.call('GET', `/oauth/authorize?${query}`)
      assert.equal(reply.status, 400, twice)
      assert.ok(reply.body.message.includes(twice))
    }
    now = undefined
  })

  test('an application token approves at once, and the state is returned unchanged', async () => {
    const app = await makeApp(service, org)
    for (const state of ['plain', 'a b&c=d#e?f/ü☃%41+', '"><script>', 's'.repeat(4096)]) {
      const reply = await authorize(app, { state }, { token: org.users.admin.token })
      const { at, code, state: back, ...rest } = landing(reply)
      assert.equal(at, callback)
      assert.equal(back, state)
      assert.ok(code)
      assert.deepEqual(rest, { iss: service.runtime.config.publicUrl })
    }
    const { manager } = org.users
    assert.ok(landing(await authorize(app, {}, { token: manager.token })).code)
  })

  test('whoever may not create apps may not connect one: 403', async () => {
    const app = await makeApp(service, org)
    for (const kind of ['member', 'observer', 'customer', 'partner'] as const) {
      const reply = await authorize(app, {}, { token: org.users[kind].token })
      assert.equal(reply.status, 403, kind)
      assert.equal(reply.body.status, 'error')
    }
    const stranger = await makeOrganization(service)
    assert.equal((await authorize(app, {}, { token: stranger.users.admin.token })).status, 403)
    assert.equal((await authorize(app, {}, { token: 'abcd' })).status, 401)
    const { access_token } = await connectApp(service, org)
    assert.equal((await authorize(app, {}, { token: access_token })).status, 401)
  })

  test('scope and PKCE mistakes come after the redirect address is known, so the app receives them', async () => {
    const app = await makeApp(service, org, { scopes: ['company.read', 'contact.read'] })
    const code_challenge = createHash('sha256').update('v').digest('base64url')
    const cases: [{ [name: string]: string }, string][] = [
      [{ scope: 'company.write' }, 'invalid_scope'],
      [{ scope: 'company.read nonsense' }, 'invalid_scope'],
      [{ code_challenge }, 'invalid_request'],
      [{ code_challenge, code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
      [{ code_challenge_method: 'S256' }, 'invalid_request'],
    ]
    for (const [changes, error] of cases) {
      const back = landing(await authorize(app, changes, { token: org.users.admin.token }))
      assert.equal(back.error, error)
      assert.equal(back.state, 'a state of the app')
      assert.equal(back.iss, service.runtime.config.publicUrl)
      assert.ok(back.error_description)
      assert.equal(back.code, undefined)
    }
  })

  test('a redirect address keeps its own query, and may be of an app on the device', async () => {
    const uris = ['https://connector.test/cb?a=b', 'http://127.0.0.1:9/cb', 'com.example.app:/cb']
    const app = await makeApp(service, org, { redirect_uris: uris })
    for (const redirect_uri of uris) {
      const reply = await authorize(app, { redirect_uri }, { token: org.users.admin.token })
      const joint = redirect_uri.includes('?') ? '&' : '?'
      assert.ok(reply.headers.get('location')!.startsWith(`${redirect_uri}${joint}code=`))
    }
  })
})

describe('the pages', () => {
  test('sign in, approve, and next time straight back', async () => {
    const app = await makeApp(service, org, {
      name: 'Acme & <Sons>',
      scopes: ['company.read', 'company.write'],
    })
    const { cookies, ...user } = browser()
    const page = await user.authorize(app)
    assert.equal(page.status, 200)
    assert.match(page.text, /<html lang="en">/)
    assert.equal(page.text.match(/<h1/g)!.length, 1)
    assert.ok(page.text.includes('Acme &amp; &lt;Sons&gt;') && !page.text.includes('<Sons>'))
    const before = new Map(cookies)
    const consent = await browserSignIn(user, page, org.users.admin.email)
    assert.equal(consent.status, 200, consent.text)
    assert.notDeepEqual(cookies, before, 'the browser gets a new secret with the sign-in')
    assert.ok(consent.text.includes(org.name))
    assert.ok(consent.text.includes('See, add and change companies'))
    const back = landing(
      await user.submit(consent, '/oauth/authorize/consent', { decision: 'approve' }),
    )
    assert.equal(back.at, callback)
    assert.equal(back.state, 'a state of the app')
    const { client_id, client_secret } = app
    const reply = await postForm(service, '/oauth/token', {
      grant_type: 'authorization_code',
      code: back.code!,
      redirect_uri: callback,
      client_id,
      client_secret,
    })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.scope, 'company.read company.write')

    assert.ok(landing(await user.authorize(app)).code, 'the same scopes')
    assert.ok(landing(await user.authorize(app, { scope: 'company.read' })).code, 'fewer scopes')
  })

  test('more scopes, another user or a revoked approval ask again', async () => {
    const app = await makeApp(service, org)
    await codeFor(service, app, org.users.admin.token, { scope: 'company.read' })
    const user = browser()
    const more = await user.signIn(app, org.users.admin.email)
    assert.equal(more.status, 200)
    assert.ok(landing(await user.authorize(app, { scope: 'company.read' })).code)
    const manager = browser()
    assert.equal(
      (await manager.signIn(app, org.users.manager.email, { scope: 'company.read' })).status,
      200,
    )
    await write(sql`update grants set revoked_at = now() where app_id = ${app.id}`)
    assert.equal((await user.authorize(app, { scope: 'company.read' })).status, 200)
  })

  test('a user with one-time codes enters one on a separate page', async () => {
    const own = await makeOrganization(service)
    const { user_id, email } = own.users.admin
    const secret = await giveCodes(service, own.id, user_id)
    const app = await makeApp(service, own)
    const user = browser()
    const page = await user.authorize(app)
    const codePage = await user.submit(page, '/oauth/authorize/sign-in', { email, password })
    assert.equal(codePage.status, 200, codePage.text)
    assert.match(codePage.text, /autocomplete="one-time-code"/)
    // the right password alone has signed nobody in
    assert.match((await user.authorize(app)).text, /type="password"/)
    const [, challenge = ''] = /name="challenge" value="([^"]+)"/.exec(codePage.text) ?? []
    const at = '/oauth/authorize/code'
    const wrong = await user.submit(codePage, at, { challenge, code: '000000' })
    assert.equal(wrong.status, 401)
    assert.match(wrong.text, /role="alert"[^>]*>\s*The code is wrong/)
    assert.match(wrong.text, /autocomplete="one-time-code"/)
    const broken = await user.submit(codePage, at, { challenge: 'x', code: '000000' })
    assert.equal(broken.status, 401)
    assert.match(broken.text, /type="password"/)
    const code = codeAt(secret, +service.runtime.now())
    const right = await user.submit(wrong, at, { challenge, code })
    assert.equal(right.status, 303, right.text)
    const consent = await user.open(right.headers.get('location')!)
    assert.match(consent.text, /value="approve"/)
  })

  test('where codes are required, a user without is sent to set them up', async () => {
    const own = await makeOrganization(service)
    const app = await makeApp(service, own)
    const before = browser()
    assert.match((await before.signIn(app, own.users.admin.email)).text, /value="approve"/)
    await write(sql`update organizations set requires_one_time_codes = true
      where organization_id = ${own.id}`)
    const user = browser()
    const form = { email: own.users.admin.email, password }
    const page = await user.submit(await user.authorize(app), '/oauth/authorize/sign-in', form)
    assert.equal(page.status, 403)
    assert.match(page.text, /requires one-time codes/)
    assert.match((await before.authorize(app)).text, /type="password"/)
  })

  test('a wrong password says so, keeps the e-mail and sets no session', async () => {
    const app = await makeApp(service, org)
    const user = browser()
    const page = await user.authorize(app)
    const email = `"><b>@${org.id}.test`
    const wrong = await user.submit(page, '/oauth/authorize/sign-in', { email, password: 'guess' })
    assert.equal(wrong.status, 401)
    assert.match(wrong.text, /role="alert"[^>]*>\s*Wrong e-mail or password/)
    assert.ok(wrong.text.includes('&quot;&gt;&lt;b&gt;') && !wrong.text.includes('<b>'))
    const empty = await user.submit(wrong, '/oauth/authorize/sign-in', {})
    assert.equal(empty.status, 400)
    assert.match(empty.text, /role="alert"/)
    const sessions = await rows(
      service,
      sql`select from browser_sessions where organization_id = ${org.id}
      and user_id = ${org.users.partner.user_id}`,
    )
    assert.equal(sessions.length, 0)
  })

  test('Deny, and Cancel before signing in, go back with access_denied', async () => {
    const app = await makeApp(service, org)
    const user = browser()
    const page = await user.authorize(app)
    const cancelled = await user.submit(page, '/oauth/authorize/consent', { decision: 'deny' })
    const expected = {
      at: callback,
      error: 'access_denied',
      state: 'a state of the app',
      iss: service.runtime.config.publicUrl,
    }
    assert.deepEqual(landing(cancelled), expected)
    const consent = await user.signIn(app, org.users.admin.email)
    const denied = await user.submit(consent, '/oauth/authorize/consent', { decision: 'deny' })
    assert.deepEqual(landing(denied), expected)
    assert.equal((await user.submit(consent, '/oauth/authorize/consent', {})).status, 400)
    assert.equal((await rows(service, sql`select from grants where app_id = ${app.id}`)).length, 0)
  })

  test('an address that was added to the app after the approval needs a new approval', async () => {
    const app = await makeApp(service, org)
    const user = browser()
    const consent = await user.signIn(app, org.users.admin.email)
    const approve = (page: Reply) =>
      user.submit(page, '/oauth/authorize/consent', { decision: 'approve' })
    assert.ok(landing(await approve(consent)).code)
    assert.ok(landing(await user.authorize(app)).code)
    const redirect_uri = 'https://connector.test/added'
    await write(sql`update apps set redirect_uris = ${JSON.stringify([callback, redirect_uri])}
      where id = ${app.id}`)
    const page = await user.authorize(app, { redirect_uri })
    assert.equal(page.status, 200)
    assert.match(page.text, /value="approve"/)
    assert.ok(landing(await user.authorize(app)).code)
    assert.equal(landing(await approve(page)).at, redirect_uri)
    assert.equal(landing(await user.authorize(app, { redirect_uri })).at, redirect_uri)
  })

  test('a user who may not connect apps is refused with the reason, and cannot approve by other means', async () => {
    const app = await makeApp(service, org)
    const user = browser()
    const page = await user.signIn(app, org.users.member.email)
    assert.equal(page.status, 403)
    assert.match(page.text, /You may not connect/)
    assert.ok(!page.text.includes('value="approve"'))
    const forced = await user.submit(page, '/oauth/authorize/consent', { decision: 'approve' })
    assert.equal(forced.status, 403)
    const out = await user.submit(page, '/oauth/authorize/sign-out', {})
    assert.equal(out.status, 200)
    const consent = await browserSignIn(user, out, org.users.admin.email)
    assert.equal(consent.status, 200)
  })

  test('one e-mail in two organizations signs in to the app’s', async () => {
    const other = await makeOrganization(service)
    await write(sql`update users set email = ${org.users.admin.email},
      email_key = ${org.users.admin.email}, password_hash = ${await hashPassword('another one')}
      where id = ${other.users.admin.user_id}`)
    // an organization that takes another one's id for its name
    const impostor = await makeOrganization(service)
    await write(
      sql`update organizations set name = ${other.id} where organization_id = ${impostor.id}`,
    )
    await write(sql`update users set email = 'shared@a.test', email_key = 'shared@a.test'
      where id = ${impostor.users.admin.user_id}`)
    const app = await makeApp(service, other)
    const user = browser()
    const page = await user.authorize(app)
    const wrong = await user.submit(page, '/oauth/authorize/sign-in', {
      email: org.users.admin.email,
      password,
    })
    assert.equal(wrong.status, 401, 'the password of the other organization')
    const foreign = await user.submit(page, '/oauth/authorize/sign-in', {
      email: 'shared@a.test',
      password,
    })
    assert.equal(foreign.status, 401, 'a user of the impostor')
    const right = await user.submit(page, '/oauth/authorize/sign-in', {
      email: org.users.admin.email,
      password: 'another one',
    })
    const consent = await user.open(right.headers.get('location')!)
    const { code } = landing(
      await user.submit(consent, '/oauth/authorize/consent', { decision: 'approve' }),
    )
    assert.ok(code)
    const [grant] = await rows(
      service,
      sql`select organization_id, user_id from grants where app_id = ${app.id}`,
    )
    assert.deepEqual(grant, { organization_id: other.id, user_id: other.users.admin.user_id })
  })

  test('a form from another browser, another site, changed, late or without its cookie is refused', async () => {
    const app = await makeApp(service, org)
    const attacker = browser()
    const victim = browser()
    const consent = await victim.signIn(app, org.users.admin.email)
    const theirs = await attacker.signIn(app, org.users.manager.email)
    const approve = { decision: 'approve' }
    const path = '/oauth/authorize/consent'
    assert.equal((await victim.submit(theirs, path, approve)).status, 403)
    assert.equal((await attacker.submit(consent, path, approve)).status, 403)
    const noCookie = await postForm(service, path, { request: hidden(consent), ...approve })
    assert.equal(noCookie.status, 403)
    assert.equal(noCookie.body.code, 'stale_form')
    const cookie = [...victim.cookies].map(([name, value]) => `${name}=${value}`).join()
    for (const site of ['cross-site', 'same-site']) {
      const headers = { cookie, 'sec-fetch-site': site }
      const reply = await postForm(service, path, { request: hidden(consent), ...approve }, headers)
      assert.equal(reply.status, 403, site)
    }
    for (const request of [
      '',
      'x',
      hidden(consent).slice(0, -4),
      `${hidden(consent).startsWith('A') ? 'B' : 'A'}${hidden(consent).slice(1)}`,
      'A'.repeat(30_000),
    ]) {
      const reply = await postForm(service, path, { request, ...approve }, { cookie })
      assert.equal(reply.status, request ? 403 : 400)
      const opened = await service.call('GET', `${path}?request=${request.slice(0, 9000)}`, {
        headers: { cookie },
      })
      assert.equal(opened.status, request ? 403 : 400)
    }
    now = new Date(Date.now() + 1801_000)
    assert.equal((await victim.submit(consent, path, approve)).status, 403)
    now = undefined
    assert.equal((await rows(service, sql`select from grants where app_id = ${app.id}`)).length, 0)
    assert.ok(landing(await victim.submit(consent, path, approve)).code, 'the real one still works')
  })

  test('a form checks anew what changed since: redirect address, scopes, app, user', async () => {
    const path = '/oauth/authorize/consent'
    const changes: [string, (app: App) => Query, number][] = [
      [
        'redirect address',
        (app) => sql`update apps set redirect_uris = '[]' where id = ${app.id}`,
        403,
      ],
      [
        'scopes',
        (app) => sql`update apps set scopes = '["company.read"]' where id = ${app.id}`,
        403,
      ],
      ['session', () => sql`delete from browser_sessions where organization_id = ${org.id}`, 401],
      ['app', (app) => sql`delete from apps where id = ${app.id}`, 403],
    ]
    for (const [what, change, status] of changes) {
      const app = await makeApp(service, org)
      const user = browser()
      const consent = await user.signIn(app, org.users.admin.email)
      await write(change(app))
      const reply = await user.submit(consent, path, { decision: 'approve' })
      assert.equal(reply.status, status, `${what}: ${reply.text}`)
    }
    const own = await makeOrganization(service)
    const app = await makeApp(service, own)
    const user = browser()
    const consent = await user.signIn(app, own.users.manager.email)
    await write(sql`update users set is_active = false where id = ${own.users.manager.user_id}`)
    assert.equal((await user.submit(consent, path, { decision: 'approve' })).status, 401)
    const again = await user.authorize(app)
    const refused = await user.submit(again, '/oauth/authorize/sign-in', {
      email: own.users.manager.email,
      password,
    })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /deactivated/)
  })

  test('a browser stays signed in for twelve hours, by a cookie that is stored hashed', async () => {
    const app = await makeApp(service, org)
    const user = browser()
    await user.signIn(app, org.users.admin.email)
    const [cookie] = user.cookies.values()
    const [session] = await rows(
      service,
      sql`select expires_at, creation_time from browser_sessions
      where token_hash = ${service.runtime.secrets.hash(cookie!)}`,
    )
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.creation_time), 12 * 3_600_000)
    assert.match((await user.authorize(app)).text, /Approve/)
    now = new Date(Date.now() + 12 * 3_600_000)
    assert.match((await user.authorize(app)).text, /type="password"/)
    now = undefined
  })

  test('deactivating a user signs the browser out for good', async () => {
    const own = await makeOrganization(service)
    const app = await makeApp(service, own)
    const user = browser()
    const { user_id, email } = own.users.manager
    assert.match((await user.signIn(app, email)).text, /Approve/)
    for (const is_active of [false, true]) {
      const path = `/api/users/profile/${user_id}/`
      const { token } = own.users.admin
      const reply = await service.call('PUT', path, { token, body: { is_active } })
      assert.equal(reply.status, 200, reply.text)
      assert.match((await user.authorize(app)).text, /type="password"/)
    }
    assert.match((await user.signIn(app, email)).text, /Approve/)
  })

  test('headers: strict policy with the style’s own hash, no frame, no referrer for other sites, not stored', async () => {
    const app = await makeApp(service, org, {
      redirect_uris: [
        callback,
        'http://127.0.0.1:9/cb',
        'http://[::1]:9/cb',
        'com.example.app:/cb',
      ],
    })
    const actions = {
      [callback]: 'https:',
      'http://127.0.0.1:9/cb': 'http://127.0.0.1:9',
      'http://[::1]:9/cb': 'http:',
      'com.example.app:/cb': 'com.example.app:',
    }
    for (const [redirect_uri, action] of Object.entries(actions)) {
      const { headers, text } = await authorize(app, { redirect_uri })
      const styles = Array.from(text.matchAll(/<style>([^]*?)<\/style>/g), ([, css]) => css ?? '')
      const hashes = styles.map(
        (css) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
      )
      // the font is one of the built screens, if they are built
      const font = text.includes('@font-face') ? " font-src 'self';" : ''
      assert.equal(
        headers.get('content-security-policy'),
        `default-src 'none'; style-src ${hashes.join(' ')};${font} img-src data:; form-action 'self' ${action}; frame-ancestors 'none'; base-uri 'none'`,
      )
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('referrer-policy'), 'same-origin')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(
        headers.get('set-cookie')!,
        /^perennial-connect=pbs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
      )
      assert.ok(!/<script|\son\w+=|\sstyle=/.test(text))
    }
    const secure = await startService({ publicUrl: 'https://perennial.test' })
    const own = await makeApp(secure, await makeOrganization(secure))
    const page = await secure.call('GET', `/oauth/authorize?${authorizeQuery(own)}`)
    assert.match(
      page.headers.get('set-cookie')!,
      /^__Host-perennial-connect=pbs_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('other methods are 405, and HEAD approves nothing', async () => {
    const app = await makeApp(service, org)
    const reply = await service.call('DELETE', '/oauth/authorize/')
    assert.equal(reply.status, 405)
    assert.match(reply.headers.get('allow')!, /GET/)
    assert.equal((await service.call('GET', '/oauth/token')).status, 405)
    const head = await service.call('HEAD', `/oauth/authorize?${authorizeQuery(app)}`, {
      token: org.users.admin.token,
    })
    assert.equal(head.status, 200)
    assert.equal((await rows(service, sql`select from grants where app_id = ${app.id}`)).length, 0)
  })

  test('every endpoint that the document names is there, with or without its slash', async () => {
    for (const { method, path, responses } of identityDocument) {
      for (const url of [path, path.endsWith('/') ? path.slice(0, -1) : `${path}/`]) {
        const reply = await service.call(method, url, method === 'POST' ? { body: {} } : {})
        const known = method === 'POST' || /authorize|connect|callback/.test(path) ? 400 : 200
        assert.equal(reply.status, known, `${method} ${url}: ${reply.text}`)
        assert.ok(known === 200 ? responses[200] : (responses[400] ?? responses[403]))
      }
    }
  })

  async function browserSignIn(
    user: Omit<ReturnType<typeof browser>, 'cookies'>,
    page: Reply,
    email: string,
  ) {
    const reply = await user.submit(page, '/oauth/authorize/sign-in', { email, password })
    assert.equal(reply.status, 303, reply.text)
    return user.open(reply.headers.get('location')!)
  }
})

describe('GET /oauth/connect', () => {
  const verifier = 'v'.repeat(43)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')

  function connect(
    app: { client_id: string },
    changes: { [name: string]: string | null } = {},
    token?: string,
  ) {
    const all: { [name: string]: string | null } = {
      client_id: app.client_id,
      response_type: 'code',
      redirect_uri: callback,
      state: 'a state',
      code_challenge,
      code_challenge_method: 'S256',
      ...changes,
    }
    const query = new URLSearchParams(
      Object.entries(all).filter((each): each is [string, string] => each[1] !== null),
    )
    return service.call('GET', `/oauth/connect?${query}`, { token })
  }

  test('needs no signature of an app that is issued for it, and the code needs the verifier', async () => {
    const app = await makeApp(service, org, { standard_authorize: true })
    const { token } = org.users.admin
    const { code, state } = landing(await connect(app, {}, token))
    assert.equal(state, 'a state')
    const exchange = (fields: { [name: string]: string }) =>
      postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        redirect_uri: callback,
        client_id: app.client_id,
        client_secret: app.client_secret,
        ...fields,
      })
    assert.equal((await exchange({ code: code! })).status, 400)
    const { code: second } = landing(await connect(app, {}, token))
    const issued = await exchange({ code: second!, code_verifier: verifier })
    assert.equal(issued.status, 200, issued.text)
  })

  test('shows sign-in and consent to a browser', async () => {
    const app = await makeApp(service, org, { standard_authorize: true })
    const page = await connect(app)
    assert.equal(page.status, 200)
    assert.match(page.text, new RegExp(`Sign in to ${org.name}`))
  })

  test('sends no state back where none was sent', async () => {
    const app = await makeApp(service, org, { standard_authorize: true })
    const landed = landing(await connect(app, { state: null }, org.users.admin.token))
    assert.ok(landed.code)
    assert.ok(!('state' in landed))
  })

  test('reports a missing or weak challenge to the app', async () => {
    const app = await makeApp(service, org, { standard_authorize: true })
    const weak: { [name: string]: string | null }[] = [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge: null },
      { code_challenge_method: 'plain' },
      { code_challenge_method: null },
      { code_challenge: 'short' },
    ]
    for (const changes of weak) {
      const { error, code } = landing(await connect(app, changes, org.users.admin.token))
      assert.equal(error, 'invalid_request', JSON.stringify(changes))
      assert.equal(code, undefined)
    }
  })

  test('refuses other apps, unknown ones and foreign addresses without a redirect', async () => {
    const signed = await makeApp(service, org)
    const standard = await makeApp(service, org, { standard_authorize: true })
    const cases = [
      [signed, {}, 400, 'unauthorized_client'],
      [{ client_id: 'nobody' }, {}, 401, 'invalid_client'],
      [standard, { redirect_uri: 'https://evil.test/' }, 400, 'invalid_request'],
      [standard, { response_type: 'token' }, 400, 'unsupported_response_type'],
      [standard, { client_id: null }, 400, 'invalid_request'],
    ] as const
    for (const [app, changes, status, error] of cases) {
      const reply = await connect(app, changes, org.users.admin.token)
      assert.equal(reply.status, status, reply.text)
      assert.equal(reply.body.error, error)
      assert.equal(reply.headers.get('location'), null)
    }
  })
})
