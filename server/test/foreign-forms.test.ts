import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { identityDocument } from '../src/surfaces/integration/oauth/document.ts'
import { launchBrowser, noBrowser } from './support/browser.ts'
import type { Mailbox } from './support/mailbox.ts'
import { startMailbox } from './support/mailbox.ts'
import type { TestService } from './support/service.ts'
import { startService } from './support/service.ts'

// Forms that another site submits, as browsers do over http, where they send Origin and no Fetch Metadata; and
// requests that name two hosts.

/** Every page with a form: a path is one that its GET or POST takes, whatever the token. */
const pages = [
  '/invite/token',
  '/reset',
  '/reset/token',
  '/enter/token',
  '/enter/token/again',
  '/t/token',
  '/s/token',
  '/sign/token',
  '/sign/token/viewed',
  '/check',
  '/setup/token',
  '/meeting/token',
  '/unsubscribe/token',
  '/portal/sign-in',
  '/portal/sign-out',
  '/portal/me',
  '/portal/overview',
  '/portal/preview/end',
  '/portal/tasks/token',
  '/portal/tasks/token/files',
  '/t/token/files',
  '/portal/projects/token/comments',
  '/portal/milestones/token',
]
/** The forms of the pages for apps. */
const ofApps = identityDocument
  .filter(({ method, path }) => method === 'POST' && path.startsWith('/oauth/authorize/'))
  .map(({ path }) => path)

/** The paths of all POST routes of the service. */
let posts: string[] = []
let service: TestService
let mailbox: Mailbox

before(async () => {
  mailbox = await startMailbox()
  service = await startService({ smtpUrl: mailbox.url })
  posts = postsOf(service.app.printRoutes({ commonPrefix: false }))
})

describe('a form of another site', () => {
  const submit = (path: string, headers: { [name: string]: string }) =>
    service.call('POST', path, {
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  for (const path of [...pages, ...ofApps]) {
    test(`to ${path} is refused by its origin, and one of ours is not`, async () => {
      const { origin } = new URL(service.runtime.config.publicUrl)
      const { hostname } = new URL(origin)
      for (const foreign of [
        'https://evil.test',
        'null',
        `https://${hostname}`,
        `${origin}0`,
        '',
      ]) {
        const reply = await submit(path, { origin: foreign })
        assert.equal(reply.status, 403, `${foreign}: ${reply.text}`)
        assert.match(reply.text, /Another site/)
      }
      const own = await submit(path, { origin })
      assert.doesNotMatch(own.text, /Another site/)
      const ofProgram = await submit(path, {})
      assert.doesNotMatch(ofProgram.text, /Another site/)
    })
  }

  test('is tried at every page with a form', async () => {
    const known = [...pages, ...ofApps]
    const others =
      /^\/(api|automation|webhook|auth_refresh|mcp|docuseal|inspect|oauth\/(token|revoke|register)$)/
    for (const path of posts.filter(
      (each) => !others.test(each) && !known.includes(each.replace(/:\w+/, 'token')),
    )) {
      const reply = await service.call('POST', path.replace(/:\w+/g, 'x').replace('*', 'x'))
      // a path whose only method is another
      assert.ok([404, 405].includes(reply.status), `${path} ${reply.status}`)
    }
  })
})

describe('in a real browser over http', { skip: noBrowser() }, () => {
  test('our own forms are submitted with our origin, and those of others are refused', async () => {
    const named = await startService({ publicUrl: 'http://crm.test', smtpUrl: mailbox.url })
    const browser = await launchBrowser()
    const page = await (await browser.newContext()).newPage()
    const origins: (string | undefined)[] = []
    // names that are not of this machine, for which browsers send no Fetch Metadata over http
    await page.route('http://crm.test/**', async (route) => {
      const request = route.request()
      const sent = await request.allHeaders()
      assert.equal(sent['sec-fetch-site'], undefined)
      if (request.method() === 'POST') origins.push(sent.origin)
      const headers = { ...sent, accept: 'text/html' }
      const { pathname } = new URL(request.url())
      const body = request.postData() ?? undefined
      const reply = await named.call(request.method(), pathname, { headers, body })
      const kept = Object.fromEntries(reply.headers)
      delete kept['content-length']
      await route.fulfill({ status: reply.status, headers: kept, body: reply.text })
    })
    await page.route('http://evil.test/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<form method="post" action="http://crm.test/reset"><input name="email" value="a@b.test"><button>Win</button></form>',
      }),
    )
    await page.goto('http://crm.test/reset')
    await page.locator('input[name=email]').fill('nobody@crm.test')
    await page.locator('button.main').click()
    await page.getByText('nobody', { exact: false }).or(page.getByText('mail')).first().waitFor()
    await page.goto('http://evil.test/')
    await page.getByRole('button', { name: 'Win' }).click()
    await page.getByText('Another site may not submit this form').waitFor()
    assert.deepEqual(origins, ['http://crm.test', 'http://evil.test'])
  })
})

describe('a request with two Host headers', () => {
  const ask = (lines: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      let text = ''
      socket.on('data', (bytes) => (text += String(bytes)))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    })

  for (const path of ['/livez', '/', '/api/session/', '/enter/token', '/mcp']) {
    test(`is refused at ${path}`, async () => {
      const get = (...hosts: string[]) =>
        ask([`GET ${path} HTTP/1.1`, ...hosts, 'Connection: close'])
      for (const hosts of [
        ['Host: a.test', 'Host: b.test'],
        ['Host: a.test', 'hOST: a.test'],
        ['Host: a.test', 'X-Other: Host', 'Host:'],
      ]) {
        assert.match(await get(...hosts), /^HTTP\/1\.1 400 .*invalid_host/s)
      }
      assert.doesNotMatch(await get('Host: a.test', 'X-Other: Host'), /^HTTP\/1\.1 400/)
      assert.match(await get(), /^HTTP\/1\.1 400/)
    })
  }
})

/** The paths with POST of Fastify's drawing of its routes. */
function postsOf(drawn: string): string[] {
  const open: string[] = []
  return drawn.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^([│├└─\s]*)(\S+)(?: \(([^)]+)\))?/.exec(line) ?? []
    open.length = indent.length / 4
    const path = `${open.join('')}${part}`
    open.push(part)
    return methods.split(', ').includes('POST') ? [path] : []
  })
}
