import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser, noBrowser, problemsOf, sizes } from '../support/browser.ts'
import { atEnd } from '../support/finally.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// A survey on the page of another site, whose policy allows the script and the frame and nothing else.

type Browser = Awaited<ReturnType<typeof launchBrowser>>

describe('a survey on a page of another site', { skip: noBrowser() }, () => {
  let service: TestService
  let org: TestOrganization
  let browser: Browser
  let site: string
  let body = ''

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    browser = await launchBrowser()
    const server = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html; charset=utf-8')
      reply.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src ${service.url}/survey.js; frame-src ${service.url}`,
      )
      reply.end(
        `<!doctype html><html lang="de"><title>Larkspur</title><main><h1>Larkspur</h1>${body}</main></html>`,
      )
    })
    server.listen(0, 'localhost')
    await once(server, 'listening')
    atEnd(async () => {
      server.closeAllConnections()
      server.close()
    })
    site = `http://localhost:${(server.address() as AddressInfo).port}`
  })

  async function embed(rules: object): Promise<string> {
    const { token } = org.users.admin
    const fields = [{ id: 'nps', type: 'nps', label: 'How likely?', required: true }]
    const form_structure = [{ id: 'p1', title: '', fields }]
    const made = await service.call('POST', '/api/surveys/', {
      token,
      body: { name: 'How are we?', form_structure, status: 'published' },
    })
    const {
      status,
      text,
      body: stored,
    } = await service.call('PUT', `/api/surveys/${made.body.survey_id}/embed/`, {
      token,
      body: { is_active: true, wait_seconds: 0, ...rules },
    })
    assert.equal(status, 200, text)
    const { pathname, search } = new URL(/src="([^"]+)"/.exec(stored.script)![1]!)
    return `${service.url}${pathname}${search}`
  }
  const tagOf = (src: string, more = '') => `<script src="${src}" ${more} async></script>`

  /** A page whose console may say nothing: a breach of a policy is an error there. */
  async function open(path: string, size: keyof typeof sizes = 'desktop') {
    const context = await browser.newContext({ viewport: sizes[size] })
    atEnd(async () => context.close())
    const page = await context.newPage()
    page.on('console', (message) => assert.notEqual(message.type(), 'error', message.text()))
    page.on('pageerror', (error) => assert.fail(error))
    await page.goto(`${site}${path}`)
    return { context, page }
  }
  const frameIn = (page: Page) => page.frameLocator('iframe[title="How are we?"]')
  const stored = (page: Page) => page.evaluate('Object.keys(localStorage)')

  test('a popup is answered by keys, says thanks, and leaves nothing in the browser', async () => {
    body = tagOf(await embed({ kind: 'popup' }))
    const { context, page } = await open('/', 'phone')
    const dialog = page.getByRole('dialog', { name: 'How are we?' })
    await dialog.waitFor()
    const frame = frameIn(page)
    await frame.getByRole('group', { name: /How likely/ }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    // in the language of the page around it
    await frame.getByRole('button', { name: 'Senden' }).waitFor()
    await frame.getByRole('radio', { name: '9', exact: true }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await frame.getByText('Vielen Dank').waitFor()
    await dialog.getByRole('button', { name: 'Schließen' }).focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await context.cookies(), [])
    assert.deepEqual(await stored(page), [])
  })

  test('one at the edge leaves the focus where it is, and one in the page stands at its place', async () => {
    body = `<button autofocus>Read on</button>${tagOf(await embed({ kind: 'slide_in' }))}`
    const { page } = await open('/')
    const dialog = page.getByRole('dialog', { name: 'How are we?' })
    await dialog.waitFor()
    await frameIn(page)
      .getByRole('group', { name: /How likely/ })
      .waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Read on')
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Schließen' }).click()
    await dialog.waitFor({ state: 'detached' })

    body = `<div id="here"></div>${tagOf(await embed({ kind: 'inline' }), 'data-target="#here"')}`
    const inline = await open('/')
    await frameIn(inline.page)
      .getByRole('group', { name: /How likely/ })
      .waitFor()
    assert.equal(await inline.page.locator('#here > div').count(), 1)
    // as high as what is in it
    const frame = inline.page.locator('iframe')
    const inside = await frameIn(inline.page)
      .locator('body')
      .evaluate((each) => each.clientHeight)
    await inline.page.waitForFunction(
      (height) => (globalThis as any).document.querySelector('#here > div').clientHeight === height,
      inside,
    )
    assert.equal((await frame.boundingBox())?.height, inside)
    assert.deepEqual(await problemsOf(inline.page), [])
  })

  test('is shown on the pages that its rules name, once they are scrolled through', async () => {
    body = `${tagOf(await embed({ pages: ['/shop/*/done'], scroll_percent: 60, kind: 'slide_in' }))}${'<p>More</p>'.repeat(200)}`
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'How are we?' })
    const { page } = await open('/shop/7/done?from=mail')
    // its clock has looked at the page at least once
    await page.evaluate('new Promise((done) => setTimeout(done, 600))')
    assert.equal(await dialog(page).count(), 0)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight * 0.7)')
    await dialog(page).waitFor()
    const other = await open('/shop/7/basket')
    await other.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await other.page.evaluate('new Promise((done) => setTimeout(done, 600))')
    assert.equal(await dialog(other.page).count(), 0)
    // pages that change their address themselves
    await other.page.evaluate('history.pushState(null, "", "/shop/8/done")')
    await dialog(other.page).waitFor()
  })

  test('is shown on its sites alone', async () => {
    const here = new URL(site).host
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'How are we?' })
    body = tagOf(await embed({ kind: 'slide_in', sites: ['www.larkspur.example', here] }))
    const { page } = await open('/')
    await dialog(page).waitFor()
    await frameIn(page)
      .getByRole('group', { name: /How likely/ })
      .waitFor()
    const src = await embed({ kind: 'slide_in', sites: ['*.larkspur.example'] })
    body = tagOf(src)
    const { page: other } = await open('/')
    await other.evaluate('new Promise((done) => setTimeout(done, 600))')
    assert.equal(await dialog(other).count(), 0)
    // a frame without the script is refused by the browser itself
    const key = new URL(src).searchParams.get('key') ?? ''
    other.removeAllListeners('console')
    const heard = other.waitForEvent('console', (each) => each.text().includes('frame-ancestors'))
    await other.evaluate((address) => {
      const frame = (globalThis as any).document.createElement('iframe')
      frame.src = address
      ;(globalThis as any).document.body.append(frame)
    }, `${service.url}/s/embed/${key}`)
    assert.match((await heard).text(), /larkspur\.example/)
  })

  test('with consent it is shown once to a visitor, and without it nothing is stored', async () => {
    const src = await embed({ kind: 'slide_in' })
    body = tagOf(src, 'data-consent')
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'How are we?' })
    const { context, page } = await open('/')
    await dialog(page).waitFor()
    assert.equal(((await stored(page)) as string[]).length, 1)
    assert.deepEqual(await context.cookies(), [])
    await page.reload({ waitUntil: 'load' })
    await page.evaluate('new Promise((done) => setTimeout(done, 600))')
    assert.equal(await dialog(page).count(), 0)

    body = tagOf(src)
    const { page: plain } = await open('/')
    await dialog(plain).waitFor()
    assert.deepEqual(await stored(plain), [])
    // consent that comes later
    await plain.evaluate('document.dispatchEvent(new Event("perennial:consent"))')
    assert.equal(((await stored(plain)) as string[]).length, 1)
  })

  test('its dice are fair over a thousand visitors', async () => {
    const src = await embed({ visitors_percent: 25, kind: 'slide_in', pages: ['/nowhere'] })
    body = tagOf(src)
    const { page } = await open('/')
    // each run of the script without anything stored is a visitor; one who is chosen waits for the page that fits
    const chosen = await page.evaluate(async (address) => {
      const its = globalThis as any
      await new Promise((done) => its.setTimeout(done, 0))
      let waiting = 0
      const original = its.setInterval
      its.setInterval = () => waiting++
      for (let visitor = 0; visitor < 1000; visitor++) {
        its.perennialSurveys = {}
        const script = its.document.createElement('script')
        script.src = address
        await new Promise((done, fail) => {
          script.onload = done
          script.onerror = fail
          its.document.head.append(script)
        })
        script.remove()
      }
      its.setInterval = original
      return waiting
    }, src)
    // five standard deviations around 250: one run in two million is outside
    assert.ok(chosen > 181 && chosen < 319, String(chosen))
  })
})
