import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser, looks, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import { authorizeQuery, makeApp, postForm } from '../support/integration.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, password, rows, sql, startService } from '../support/service.ts'

type App = Awaited<ReturnType<typeof makeApp>>

describe('connecting an app in a real browser', { skip: noBrowser() }, () => {
  let service: TestService
  let browser: Browser
  let org: TestOrganization
  let connector: Connector
  let made = 0

  before(async () => {
    service = await startService()
    browser = await launchBrowser()
    org = await makeOrganization(service)
    connector = await startConnector()
  })

  function newApp(scopes = ['company.read', 'company.write', 'contact.read', 'survey.read']) {
    const redirect_uris = [`${connector.url}/callback?kept=yes`]
    const description = 'Keeps companies and contacts in step with your other tools.'
    const name = `Scenario Builder ${++made}`
    return makeApp(service, org, { name, description, redirect_uris, scopes })
  }

  function address(app: App) {
    const redirect_uri = app.redirect_uris[0]!
    return `${service.url}/oauth/authorize?${authorizeQuery(app, { redirect_uri, state: 'état & more' })}`
  }

  /** A page of a fresh browser profile; what it complains of on its console is collected. */
  async function open(options: BrowserContextOptions) {
    const context = await browser.newContext(options)
    atEnd(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('the server responded with'))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    return { page, complaints }
  }

  async function signIn(page: Page, email: string) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  for (const { size, viewport, colorScheme } of looks) {
    test(`wrong password, sign-in, consent and back to the app: ${size}, ${colorScheme}`, async () => {
      const app = await newApp()
      const { page, complaints } = await open({ viewport, colorScheme })
      await page.goto(address(app))
      assert.deepEqual(await problemsOf(page), [])
      assert.equal(await page.title(), `Sign in · ${org.name}`)

      // by keyboard alone: the first field has the focus
      await page.keyboard.type(org.users.admin.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type('not the password')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      assert.equal(await page.getByRole('alert').textContent(), 'Wrong e-mail or password')
      assert.deepEqual(await problemsOf(page), [])
      assert.equal(await page.getByLabel('E-mail').inputValue(), org.users.admin.email)
      assert.equal(await page.evaluate('document.activeElement.id'), 'password')
      await page.keyboard.type(password)
      await page.keyboard.press('Enter')

      await page.getByRole('heading', { level: 1, name: /Connect Scenario Builder/ }).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      const sentences = await page.getByRole('listitem').allTextContents()
      assert.deepEqual(
        sentences.map((text) => text.trim()),
        [
          'See, add and change companies and their accounts',
          'See contacts',
          'See surveys and their responses',
        ],
      )
      const approve = page.getByRole('button', { name: 'Approve' })
      const box = (await approve.boundingBox())!
      assert.ok(box.height >= 44, 'large enough for a thumb')
      const color = await approve.evaluate(
        'button => getComputedStyle(button).backgroundColor' as never,
      )
      assert.notEqual(color, 'rgba(0, 0, 0, 0)', 'the style applies')
      // a reload asks nothing again
      await page.reload()
      await approve.click()

      await page.getByText('the connector').waitFor()
      const back = new URL(page.url())
      assert.equal(back.origin + back.pathname, `${connector.url}/callback`)
      assert.equal(back.searchParams.get('kept'), 'yes')
      assert.equal(back.searchParams.get('state'), 'état & more')
      assert.equal(connector.referrer(), undefined)
      const reply = await postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        redirect_uri: app.redirect_uris[0]!,
        client_id: app.client_id,
        client_secret: app.client_secret,
      })
      assert.equal(reply.status, 200, reply.text)

      // signed in and approved: straight through
      await page.goto(address(app))
      assert.ok(new URL(page.url()).searchParams.get('code'))
      assert.deepEqual(complaints, [])
    })
  }

  test('without JavaScript: another account after one that may not connect, then Deny', async () => {
    const app = await newApp()
    const { page } = await open({ viewport: sizes.phone, javaScriptEnabled: false })
    await page.goto(address(app))
    await signIn(page, org.users.member.email)
    await page.getByRole('heading', { name: /You may not connect Scenario Builder/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signIn(page, org.users.manager.email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('the connector').waitFor()
    const { searchParams } = new URL(page.url())
    assert.equal(searchParams.get('error'), 'access_denied')
    assert.equal(searchParams.get('state'), 'état & more')
    assert.equal(searchParams.get('code'), null)
    assert.equal((await rows(service, sql`select from grants where app_id = ${app.id}`)).length, 0)
  })

  test('the page for those who may not connect is accessible', async () => {
    const { page } = await open({ viewport: sizes.phone })
    await page.goto(address(await newApp()))
    await signIn(page, org.users.member.email)
    await page.getByRole('heading', { name: /You may not connect/ }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
  })

  test('Cancel goes back to the app without signing in', async () => {
    const { page } = await open({ viewport: sizes.desktop })
    await page.goto(address(await newApp()))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('the connector').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
  })

  test('another site can neither submit the form for a user nor frame the page', async () => {
    const app = await newApp()
    const attacker = await open({ viewport: sizes.desktop })
    await attacker.page.goto(address(app))
    await signIn(attacker.page, org.users.manager.email)
    const sealed = await attacker.page.locator('input[name=request]').first().inputValue()

    const { page } = await open({ viewport: sizes.desktop })
    await page.goto(address(app))
    await signIn(page, org.users.admin.email)
    await page.getByRole('button', { name: 'Approve' }).waitFor()

    // same host, another port: the cookie is sent, the form is not this browser's
    for (const host of ['127.0.0.1', 'localhost']) {
      connector.serve(`<form method="post" action="${service.url}/oauth/authorize/consent">
        <input name="request" value="${sealed}"><input name="decision" value="approve">
        <button>Win a prize</button></form>`)
      await page.goto(connector.url.replace('127.0.0.1', host))
      const [response] = await Promise.all([
        page.waitForResponse(/consent/),
        page.getByRole('button').click(),
      ])
      assert.equal(response.status(), 403)
      await page.getByRole('heading', { name: 'This did not work' }).waitFor()
      assert.deepEqual(await problemsOf(page), [])
    }
    assert.equal((await rows(service, sql`select from grants where app_id = ${app.id}`)).length, 0)

    connector.serve(`<iframe src="${address(app).replaceAll('&', '&amp;')}"></iframe>`)
    await page.goto(connector.url)
    const frame = page.frames()[1]!
    await frame.waitForLoadState().catch(() => {})
    assert.equal(await frame.getByRole('button').count(), 0)
  })
})

type Connector = { url: string; referrer(): string | undefined; serve(body: string): void }

/** What stands at the other end: the app's callback, or a site that means harm. */
async function startConnector(): Promise<Connector> {
  let referrer: string | undefined
  let content = ''
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) referrer = request.headers.referer
    const body = request.url?.startsWith('/callback') ? '<p>the connector</p>' : content
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Connector</title>${body}</html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    referrer: () => referrer,
    serve: (body) => (content = body),
  }
}
