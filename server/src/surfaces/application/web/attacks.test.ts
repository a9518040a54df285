import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../../../test/support/browser.ts'
import { atEnd } from '../../../../test/support/finally.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import {
  makeOrganization,
  password,
  rows,
  sql,
  startService,
} from '../../../../test/support/service.ts'

// What others try with the cookie of a browser that is signed in.

const own = { 'sec-fetch-site': 'same-origin' }
let service: TestService
let org: TestOrganization

before(async () => {
  service = await startService()
  org = await makeOrganization(service)
})

/** Signs a browser in, which may bring a cookie already; the cookie that it has then. */
async function enter(at = org, kind: 'admin' | 'member' = 'admin', cookie?: string) {
  const { email } = at.users[kind]
  const reply = await service.call('POST', '/api/session/', {
    body: { email, password },
    headers: { ...own, ...(cookie ? { cookie } : {}) },
  })
  assert.equal(reply.status, 200, reply.text)
  return (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

const read = (cookie: string, path = '/api/session/') =>
  service.call('GET', path, { headers: { cookie } })

const companiesOf = async ({ id }: TestOrganization) =>
  (await rows(service, sql`select id from companies where organization_id = ${id}`)).length

describe('pages of others in a real browser', { skip: noBrowser() }, () => {
  let browser: Browser
  let context: BrowserContext
  /** the same server as another site, and as another origin of the same site, which gets the cookie */
  let places: { [name: string]: string }

  before(async () => {
    browser = await launchBrowser()
    context = await browser.newContext()
    const elsewhere = createServer((_request, answer) => {
      answer.setHeader('content-type', 'text/html').end('<h1>Elsewhere</h1>')
    })
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
    atEnd(async () => {
      elsewhere.close()
      elsewhere.closeAllConnections()
    })
    const { port } = elsewhere.address() as AddressInfo
    places = {
      'another site': `http://localhost:${port}/`,
      'another origin of the same site': `http://127.0.0.1:${port}/`,
    }
    const entered = await context.request.post(`${service.url}/api/session/`, {
      data: { email: org.users.admin.email, password },
      headers: own,
    })
    assert.equal(entered.status(), 200)
  })

  const mine = async () =>
    (await (await context.request.get(`${service.url}/api/session/`)).json()).user.email as string

  for (const name of ['another site']) {
    test(`a form of ${name} writes nothing, and signs nobody in`, async () => {
      const count = await companiesOf(org)
      const intruder = org.users.member
      const forms = [
        { path: '/api/company/', name: '{"company_id":"x1","company_name":"x","a":"', value: '"}' },
        {
          path: '/api/session/',
          name: `{"email":"${intruder.email}","password":"${password}","a":"`,
          value: '"}',
        },
        { path: '/api/session/password/', name: '{"current":"', value: '"}' },
      ]
      for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
        for (const form of forms) {
          const page = await context.newPage()
          await page.goto(places[name]!)
          const answered = page.waitForResponse((reply) => reply.url().endsWith(form.path))
          await page.evaluate(
            `{ const form = document.createElement('form')
              Object.assign(form, { method: 'POST', enctype: ${JSON.stringify(enctype)},
                action: ${JSON.stringify(service.url + form.path)} })
              const field = document.createElement('input')
              Object.assign(field, { name: ${JSON.stringify(form.name)}, value: '"}' })
              form.append(field); document.body.append(form); setTimeout(() => form.submit()) }`,
          )
          const reply = await answered
          assert.ok([401, 403].includes(reply.status()), `${form.path} ${reply.status()}`)
          assert.equal(reply.headers()['set-cookie'], undefined)
          await page.close()
        }
      }
      assert.equal(await companiesOf(org), count)
      assert.equal(await mine(), org.users.admin.email)
    })
  }

  for (const name of ['another site', 'another origin of the same site']) {
    test(`a script of ${name} neither reads nor writes`, async () => {
      const count = await companiesOf(org)
      const page = await context.newPage()
      await page.goto(places[name]!)
      const attempt = (path: string, options: object) =>
        page.evaluate(
          `fetch(${JSON.stringify(service.url + path)}, ${JSON.stringify(options)})
            .then(async (reply) => [reply.type, reply.status, await reply.text()], () => 'failed')`,
        )
      const session = '/api/session/'
      assert.equal(await attempt(session, { credentials: 'include' }), 'failed')
      // without its cookie anybody may read that nobody is signed in
      const bare = (await attempt(session, { credentials: 'omit' })) as unknown[]
      assert.equal(bare[1], 401)
      const opaque = { credentials: 'include', mode: 'no-cors' }
      assert.deepEqual(await attempt(session, opaque), ['opaque', 0, ''])
      const body = JSON.stringify({ company_id: `x${count}`, company_name: 'x' })
      const write = { method: 'POST', credentials: 'include', body }
      const json = { 'content-type': 'application/json' }
      assert.equal(await attempt('/api/company/', { ...write, headers: json }), 'failed')
      const simple = { ...write, mode: 'no-cors' }
      assert.deepEqual(await attempt('/api/company/', simple), ['opaque', 0, ''])
      const del = { method: 'DELETE', credentials: 'include' }
      assert.equal(await attempt(session, del), 'failed')
      assert.equal(await companiesOf(org), count)
      assert.equal(await mine(), org.users.admin.email)
      await page.close()
    })

    test(`a frame of ${name} shows nothing of the service`, async () => {
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(places[name]!)
      const refused = page.waitForEvent('framenavigated', (frame) =>
        frame.url().startsWith('chrome-error:'),
      )
      await page.evaluate(
        `{ const frame = document.createElement('iframe'); frame.src = ${JSON.stringify(service.url)}
          document.body.append(frame) }`,
      )
      await refused
      assert.deepEqual(
        page.frames().map((frame) => frame.url().split(':')[0]),
        [new URL(places[name]!).protocol.slice(0, -1), 'chrome-error'],
      )
      assert.match(complaints.join('\n'), /frame-ancestors|refused to connect/)
      await page.close()
    })
  }
})

describe('a session', () => {
  test('is new at each sign-in, whatever cookie the browser had', async () => {
    // the attacker's own session, or one of their making, put into the victim's browser
    const attackers = await enter(org, 'member')
    const madeUp = attackers.replace(/[\w-]{43}$/, 'A'.repeat(43))
    for (const planted of [attackers, madeUp]) {
      const victims = await enter(org, 'admin', planted)
      const [, , theirs] = planted.split('.')
      const [, , fresh] = victims.split('.')
      assert.notEqual(victims, planted)
      assert.notEqual(fresh, theirs)
      assert.equal((await read(victims)).body.user.email, org.users.admin.email)
    }
    // what was planted is still nobody but the attacker
    assert.equal((await read(attackers)).body.user.email, org.users.member.email)
    assert.equal((await read(madeUp)).status, 401)
  })

  test('of one organization reads nothing of another, after the other has signed in in a second tab', async () => {
    const other = await makeOrganization(service)
    const first = await enter(org)
    const made = await service.call('POST', '/api/company/', {
      body: { company_id: 'of-one-tab', company_name: 'Of one tab' },
      headers: { cookie: first, ...own },
    })
    assert.equal(made.status, 200, made.text)
    const path = `/api/company/${made.headers.get('x-record-id')}/`
    assert.equal((await read(first, path)).status, 200)
    // a browser has one cookie: both tabs are the second organization from here on
    const second = await enter(other, 'admin', first)
    assert.equal((await read(second)).body.organization.organization_id, other.id)
    assert.equal((await read(second, path)).status, 404)
    const write = await service.call('PUT', path, {
      body: { company_name: 'Taken over' },
      headers: { cookie: second, ...own },
    })
    assert.equal(write.status, 404)
    // the parts of two cookies make no third
    const [, rest] = first.split('=')
    const [, foreign] = second.split('=')
    const [organization] = (rest ?? '').split('.')
    const mixed = `perennial=${organization}.${(foreign ?? '').split('.').slice(1).join('.')}`
    assert.equal((await read(mixed)).status, 401)
    // two cookies of the same name: one session answers, never a mixture
    const both = await read(`${first}; ${second}`)
    assert.ok([org.id, other.id].includes(both.body.organization.organization_id))
  })

  test('ends in every browser at once: those of one’s own by oneself, all by an administrator', async () => {
    const browsers = [await enter(org, 'member'), await enter(org, 'member')]
    const mine = await enter(org, 'member')
    const { token } = org.users.member
    for (const cookie of browsers) assert.equal((await read(cookie)).status, 200)
    const ended = await service.call('DELETE', '/api/sessions/', {
      headers: { cookie: mine, ...own },
    })
    assert.ok(ended.status < 300, ended.text)
    for (const cookie of browsers) assert.equal((await read(cookie)).status, 401)
    assert.equal((await service.call('GET', '/api/session/', { token })).status, 401)
    assert.equal((await read(mine)).status, 200)
    const { user_id } = org.users.member
    const all = await service.call('DELETE', `/api/users/profile/${user_id}/sessions/`, {
      headers: { cookie: await enter(), ...own },
    })
    assert.ok(all.status < 300, all.text)
    assert.equal((await read(mine)).status, 401)
  })
})
