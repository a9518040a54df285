import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { parse } from 'parse5'
import { freshFolder } from '../../../test/support/program.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, password, sql, startService } from '../../../test/support/service.ts'
import type { Config } from '../../config.ts'
import { type Demo, writeDemos } from '../../demo/credentials.ts'
import { webFolder } from '../../workspace/stamp.ts'
import type { Workspace, WorkspaceState } from '../../workspace/workspace.ts'

const source = { kind: 'ready', document: join(webFolder, 'index.html') } as const
const inHtml = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let service: TestService
let org: TestOrganization

/** A service with screens in a state, by the document as it is in the sources. */
function withScreens(state: WorkspaceState = source, config: Partial<Config> = {}) {
  const workspace: Workspace = {
    state: () => state,
    settled: Promise.resolve(),
    stop: async () => {},
  }
  return startService(config, undefined, false, workspace)
}

before(async () => {
  service = await withScreens()
  org = await makeOrganization(service)
})

/** Signs a browser in; the cookie as browsers send it. */
async function cookieOf(kind: 'admin' | 'member' | 'customer' = 'admin'): Promise<string> {
  const reply = await service.call('POST', '/api/session/', {
    body: { email: org.users[kind].email, password },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(reply.status, 200, reply.text)
  return reply.headers.get('set-cookie')!.split(';')[0]!
}

type Element = {
  tagName?: string
  attrs?: { name: string; value: string }[]
  childNodes?: Element[]
  value?: string
}

/** What a browser makes of the document: the attributes of html, its scripts, and its blocks of data. */
function read(text: string) {
  const elements: Element[] = []
  const walk = (element: Element) => {
    elements.push(element)
    for (const child of element.childNodes ?? []) walk(child)
  }
  walk(parse(text) as Element)
  const attributes = ({ attrs = [] }: Element) =>
    Object.fromEntries(attrs.map(({ name, value }) => [name, value]))
  const scripts = elements.filter(({ tagName }) => tagName === 'script')
  const blocks = scripts.filter((script) => attributes(script).type === 'application/json')
  return {
    html: attributes(elements.find(({ tagName }) => tagName === 'html')!),
    scripts: scripts.map((script) => attributes(script)),
    data: Object.fromEntries(
      blocks.map((block) => [
        attributes(block).id!,
        JSON.parse(block.childNodes?.[0]?.value ?? '') as any,
      ]),
    ),
  }
}

describe('the document', () => {
  test('says who is signed in, as the API does', async () => {
    const cookie = await cookieOf('member')
    const headers = { ...inHtml, cookie }
    const { body } = await service.call('GET', '/api/session/', { headers: { cookie } })
    for (const path of ['/', '/contacts', '/companies/some-id/files?peek=x']) {
      const reply = await service.call('GET', path, { headers })
      assert.equal(reply.status, 200, path)
      const { data, html } = read(reply.text)
      const { live_position } = data.session
      assert.deepEqual(data.session, { ...body, live_position })
      assert.deepEqual(html, { lang: 'en', 'data-theme': 'system', 'data-density': 'regular' })
    }
  })

  test('contains the description of the module at its address, as its reader may see it', async () => {
    const cookie = await cookieOf('member')
    const at = async (path: string) => {
      const { text } = await service.call('GET', path, { headers: { ...inHtml, cookie } })
      return read(text).data.module
    }
    const described = async (module: string) =>
      (await service.call('GET', `/api/modules/${module}/`, { headers: { cookie } })).body
    assert.deepEqual(await at('/companies?page=2'), await described('companies'))
    assert.deepEqual(await at('/contacts/some-id/files'), await described('contacts'))
    assert.deepEqual(await at('/meetings'), await described('calendar'))
    for (const path of ['/', '/inbox', '/settings/roles', '/constructor', '/__proto__']) {
      assert.equal(await at(path), undefined, path)
    }
    const customer = { ...inHtml, cookie: await cookieOf('customer') }
    const { text } = await service.call('GET', '/roles', { headers: customer })
    assert.equal(read(text).data.module, undefined)
    assert.equal((await service.call('GET', '/companies', { headers: inHtml })).status, 200)
  })

  test('says null without a session, with one that is over, and with a foreign one', async () => {
    const cookie = await cookieOf()
    const ended = { cookie, 'sec-fetch-site': 'same-origin' }
    await service.call('DELETE', '/api/session/', { headers: ended })
    const cookies = [cookie, 'perennial=a.b.c', 'x=y']
    for (const headers of [{}, ...cookies.map((each) => ({ cookie: each }))]) {
      const reply = await service.call('GET', '/', { headers: { ...inHtml, ...headers } })
      assert.equal(reply.status, 200)
      assert.deepEqual(read(reply.text).data, { session: null })
    }
  })

  test('is in the theme, the density and the language of its reader', async () => {
    const cookie = await cookieOf('member')
    const { token, user_id } = org.users.member
    const put = (body: object) => service.call('PUT', '/api/preferences/', { token, body })
    await put({ theme: 'dark', density: 'compact' })
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update users set language = 'de' where id = ${user_id}`),
    )
    const look = async () => {
      const reply = await service.call('GET', '/', { headers: { ...inHtml, cookie } })
      return read(reply.text).html
    }
    const expected = { lang: 'de', 'data-theme': 'dark', 'data-density': 'compact' }
    assert.deepEqual(await look(), expected)
    await put({ theme: '"><script>alert(1)</script>', density: { x: 1 } })
    const usual = { lang: 'de', 'data-theme': 'system', 'data-density': 'regular' }
    assert.deepEqual(await look(), usual)
    await put({ theme: null, density: null })
  })

  test('holds whatever people store as data', async () => {
    const hostile = `</script><script>alert(1)</script><!--<script>\u2028\u2029&quot;$&$'$1`
    const cookie = await cookieOf()
    const { token, user_id } = org.users.admin
    await service.call('PUT', '/api/preferences/', { token, body: { [hostile]: hostile } })
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update users set full_name = ${hostile} where id = ${user_id}`),
    )
    service.runtime.cache.clear()
    const reply = await service.call('GET', '/', { headers: { ...inHtml, cookie } })
    const { data, scripts } = read(reply.text)
    assert.equal(data.session.user.full_name, hostile)
    assert.deepEqual(data.session.preferences, { [hostile]: hostile })
    assert.equal(scripts.length, 2)
    assert.doesNotMatch(reply.text, /[\u2028\u2029]|<!--/)
    await service.call('PUT', '/api/preferences/', { token, body: { [hostile]: null } })
  })

  test('has the headers of an application that trusts itself alone', async () => {
    const reply = await service.call('GET', '/', { headers: inHtml })
    const expected = {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': null,
      'access-control-allow-origin': null,
      'set-cookie': null,
    }
    for (const [name, value] of Object.entries(expected)) {
      assert.equal(reply.headers.get(name), value, name)
    }
    const allowed = reply.headers.get('permissions-policy')!.split(', ')
    assert.ok(allowed.length > 20)
    for (const feature of allowed) assert.match(feature, /^[a-z-]+=\(\)$/)
    const secure = await withScreens(source, { publicUrl: 'https://crm.test' })
    const there = await secure.call('GET', '/', { headers: inHtml })
    assert.equal(there.headers.get('strict-transport-security'), 'max-age=31536000')
  })

  test('leads this machine to the setup, and tells others of its link, as long as nobody is here', async () => {
    const empty = await withScreens(source)
    const here = await fetch(`${empty.url}/contacts`, { headers: inHtml, redirect: 'manual' })
    assert.equal(here.status, 303)
    assert.match(here.headers.get('location')!, /\/setup\/[\w-]+$/)
    const proxied = { ...inHtml, 'x-forwarded-for': '203.0.113.9' }
    const there = await fetch(`${empty.url}/`, { headers: proxied, redirect: 'manual' })
    assert.equal(there.status, 200)
    const text = await there.text()
    assert.match(text, /Nobody is here yet/)
    assert.doesNotMatch(text, /\/setup\//)
    await makeOrganization(empty)
    const after = await fetch(`${empty.url}/`, { headers: inHtml, redirect: 'manual' })
    assert.equal(after.status, 200)
    assert.deepEqual(read(await after.text()).data, { session: null })
  })

  test('is asked for again while a build takes the place of the one before', async () => {
    const gone = await withScreens({ kind: 'ready', document: join(freshFolder(), 'index.html') })
    const reply = await gone.call('GET', '/', { headers: inHtml })
    assert.equal(reply.status, 503)
    assert.equal(reply.headers.get('refresh'), '1')
    assert.match(reply.text, /The screens are being built/)
  })

  test('answers HEAD as GET, and takes nothing else', async () => {
    for (const path of ['/', '/contacts']) {
      const head = await service.call('HEAD', path, { headers: inHtml })
      assert.equal(head.status, 200)
      assert.equal(head.text, '')
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const reply = await service.call(method, path, { headers: inHtml })
        assert.equal(reply.status, 404, `${method} ${path}`)
        assert.equal(reply.body.code, 'not_found')
      }
    }
  })
})

describe('addresses', () => {
  const isDocument = async (path: string, headers: { [name: string]: string } = inHtml) =>
    (await service.call('GET', path, { headers })).text.includes('id="session"')

  test('of screens get the document', async () => {
    const screens =
      '/ /inbox /tasks /companies /contacts/x /deals/x/timeline /projects/x/plan /calendar /calendar/ /calendar?as=week /meetings/x /documents /documents/x/edit /surveys/x/edit /dashboards /import /activity /settings/roles /developers/webhooks /sign-in /some/thing/else'
    for (const path of screens.split(' ')) assert.ok(await isDocument(path), path)
  })

  test('of the server never do', async () => {
    const words =
      '/api /api/ /api/nothing/ /oauth /oauth/x /automation/x /webhook/x /auth_refresh /docs /docs/x /openapi.json /s /s/x /sign /sign/x /invite /invite/x /reset /reset/x /enter /enter/x /t/x /widget /widget/x /widget.js /calendar/x /calendar/x.ics /meeting/x /unsubscribe/x /logo/x/y /readyz /livez /metrics /.well-known/x /assets/x.js /icon.svg /manifest.webmanifest'
    for (const path of words.split(' ')) assert.ok(!(await isDocument(path)), path)
    const paths = new Set(service.routes.map((route) => route.path.replace(/\{\w+\}/g, 'x')))
    for (const path of paths) {
      assert.ok(!(await isDocument(path)), path)
      assert.ok(!(await isDocument(`${path.replace(/\/$/, '')}/and/more`)), path)
    }
  })

  test('that are unknown are a 404 in JSON for callers that do not accept a page', async () => {
    for (const accept of ['*/*', 'application/json', '']) {
      const reply = await service.call('GET', '/contacts', { headers: { accept } })
      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'not_found')
      assert.ok(await isDocument('/', { accept }))
    }
    const unknown = await service.call('GET', '/api/nothing/', { headers: inHtml })
    assert.equal(unknown.body.code, 'not_found')
  })

  test('that lead out of the folder of assets lead nowhere', async () => {
    const paths = ['/assets/..%2findex.html', '/assets/..%5cstamp', '/assets/.vite/manifest.json']
    for (const path of paths) {
      const reply = await service.call('GET', path)
      assert.equal(reply.status, 404, path)
      assert.equal(reply.body.code, 'not_found')
    }
  })
})

describe('in place of the document', () => {
  test('is a page that reloads itself during the build', async () => {
    const building = await withScreens({ kind: 'building' })
    for (const path of ['/', '/contacts']) {
      const reply = await building.call('GET', path, { headers: inHtml })
      assert.equal(reply.status, 503)
      assert.equal(reply.headers.get('refresh'), '1')
      assert.equal(reply.headers.get('retry-after'), '1')
      assert.equal(reply.headers.get('cache-control'), 'no-store')
      assert.match(reply.text, /being built/)
    }
    assert.equal((await building.call('GET', '/readyz')).status, 200)
  })

  test('is the reason if the build failed', async () => {
    const failed = await withScreens({ kind: 'failed', reason: 'Vite is <not> installed.' })
    const reply = await failed.call('GET', '/contacts', { headers: inHtml })
    assert.equal(reply.status, 503)
    assert.equal(reply.headers.get('refresh'), null)
    assert.match(reply.text, /Vite is &lt;not&gt; installed\./)
    const off = await withScreens({ kind: 'off' })
    assert.equal((await off.call('GET', '/', { headers: inHtml })).status, 200)
    assert.equal((await off.call('GET', '/contacts', { headers: inHtml })).status, 404)
  })
})

describe('how to sign in to the demonstration', () => {
  const secrets = ['client-secret-word', 'function-key-word', 'client-id-word']

  const setDemo = (started: TestService, id: string, isDemo: boolean) =>
    started.runtime.database.transaction(id, (queries) =>
      queries.run(sql`update organizations set is_demo_data = ${isDemo}
        where organization_id = ${id}`),
    )

  /** A service whose data folder has a demonstration; the organization is there or not. */
  async function withDemo(config: Partial<Config> = {}, isThere = true) {
    const dataDir = freshFolder()
    mkdirSync(dataDir, { recursive: true })
    const started = await withScreens(source, { dataDir, ...config })
    const demoOrg = await makeOrganization(started)
    const { email } = demoOrg.users.admin
    await setDemo(started, demoOrg.id, true)
    const demo: Demo = {
      organization_id: isThere ? demoOrg.id : 'gone',
      name: 'Larkspur Works',
      email,
      password: 'password-word',
      people: [{ email, role: 'admin', full_name: 'Ada' }],
      app: {
        client_id: secrets[2]!,
        client_secret: secrets[0]!,
        function_key: secrets[1]!,
        redirect_uri: 'http://localhost/',
      },
      made: {
        companies: 1,
        contacts: 1,
        changes: 1,
        deals: 1,
        projects: 1,
        surveys: 1,
        meetings: 1,
        documents: 1,
        users: 1,
      },
    }
    writeDemos(dataDir, { url: null, demos: [demo] })
    const get = (headers: { [name: string]: string } = {}, path = '/') =>
      started.call('GET', path, { headers: { ...inHtml, ...headers } })
    return { started, demo, get, dataDir }
  }

  test('is in the document on this machine, and nothing of its app', async () => {
    const { get, demo, started } = await withDemo()
    const reply = await get()
    const { name, email, people } = demo
    const { setup, ...shown } = read(reply.text).data.demo
    assert.deepEqual(shown, { name, email, password: demo.password, people })
    // until there is an organization of one's own
    assert.match(setup, /\/setup\/[\w-]+$/)
    for (const secret of secrets) assert.ok(!reply.text.includes(secret), secret)
    assert.ok(read((await get({ host: 'localhost:1' }, '/sign-in')).text).data.demo)
    await started.runtime.database.transaction(demo.organization_id, (queries) =>
      queries.run(sql`update users set is_active = false
        where organization_id = ${demo.organization_id} and email = ${email}`),
    )
    assert.deepEqual(read((await get()).text).data, { session: null })
  })

  test('is in no document that others could be shown', async () => {
    const { get, started, demo } = await withDemo()
    for (const headers of [
      { host: 'crm.example.com' },
      { host: '127.0.0.1.evil.test:3000' },
      { host: '10.0.0.1:3000' },
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-host': 'crm.example.com' },
      { 'x-real-ip': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
    ] as { [name: string]: string }[]) {
      const reply = await get(headers)
      assert.equal(reply.status, 200)
      assert.ok(!reply.text.includes('password-word'), JSON.stringify(headers))
    }
    for (const config of [
      { publicUrl: 'https://crm.example.com' },
      { publicUrl: 'http://10.0.0.1:3000' },
      { host: '0.0.0.0' },
      { host: '::' },
    ]) {
      const elsewhere = await withDemo(config)
      const reply = await elsewhere.get()
      assert.ok(!reply.text.includes('password-word'), JSON.stringify(config))
    }
    await setDemo(started, demo.organization_id, false)
    assert.deepEqual(read((await get()).text).data, { session: null })
    const gone = await withDemo({}, false)
    assert.deepEqual(read((await gone.get()).text).data, { session: null })
    writeFileSync(join(gone.dataDir, 'demo.json'), '{"demos"')
    assert.equal((await gone.get()).status, 200)
  })

  test('is in no document of somebody who is signed in', async () => {
    const { started, demo, get } = await withDemo()
    const entered = await started.call('POST', '/api/session/', {
      body: { email: demo.email, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    const { data } = read((await get({ cookie })).text)
    assert.equal(data.session.user.email, demo.email)
    assert.equal(data.demo, undefined)
  })
})
