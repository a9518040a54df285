import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { launchBrowser, looks, noBrowser, problemsOf } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The page draws some hundred operations, which takes a busy machine its time, in milliseconds. */
const patience = 120_000

test(
  'the page to try operations shows them and asks nobody but this service',
  { skip: noBrowser() },
  async () => {
    const service = await startService()
    const browser = await launchBrowser()
    const page = await browser.newPage()
    page.setDefaultTimeout(patience)
    const foreign: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    page.on('console', (message) => {
      // a browser asks for an icon by itself
      const isIcon = message.location().url.endsWith('/favicon.ico')
      if (message.type() === 'error' && !isIcon) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    for (const path of ['/docs/explorer', '/docs/explorer/']) {
      const answer = await page.goto(service.url + path)
      assert.equal(answer!.status(), 200)
      assert.equal(new URL(page.url()).pathname, path)
      // operations further down are drawn when they are scrolled to
      await page.getByText('/api/login/').first().waitFor()
    }
    // what is left is of the library's own buttons, whose name lacks the words that they show
    const problems = await problemsOf(page)
    assert.deepEqual(
      problems.filter((each) => !each.startsWith('label-content-name-mismatch')),
      [],
    )
    // what a browser loads for it, as it comes over the wire
    const wire = { 'accept-encoding': 'br' }
    const load = async () => {
      const parts = await Promise.all(
        ['/docs/explorer/', '/docs/explorer/js/scalar.js', '/openapi.json'].map(async (path) =>
          (await request(service.url + path, { headers: wire })).body.arrayBuffer(),
        ),
      )
      return parts.reduce((bytes, each) => bytes + each.byteLength, 0)
    }
    // once the script is as small as it gets; a few percent more before
    await until(async () => (await load()) < 1_000_000, 120)
    // a request of the page that its policy stops is a complaint on the console
    assert.deepEqual(foreign, [])
    assert.deepEqual(complaints, [])
  },
)

test(
  'guides and reference are readable at every size and in both schemes, and searched by keyboard',
  { skip: noBrowser() },
  async () => {
    const service = await startService()
    const browser = await launchBrowser()
    const pages = [
      '/docs',
      '/docs/guide/webhooks',
      '/docs/reference/events',
      '/docs/search?q=token',
    ]
    for (const { viewport, colorScheme } of looks) {
      const context = await browser.newContext({ viewport, colorScheme })
      const page = await context.newPage()
      page.setDefaultTimeout(patience)
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      for (const path of pages) {
        await page.goto(service.url + path)
        assert.deepEqual(await problemsOf(page), [], `${path} ${colorScheme} ${viewport.width}`)
      }
      await page.goto(`${service.url}/docs`)
      await page.keyboard.press('/')
      await page.keyboard.type('verify')
      await page.getByRole('link', { name: /^Verify/ }).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      let isThere = false
      for (let presses = 0; presses < 30 && !isThere; presses++) {
        await page.keyboard.press('ArrowDown')
        const focused = await page.evaluate('document.activeElement.textContent')
        isThere = /^\s*Verify/.test(String(focused))
      }
      assert.ok(isThere, 'an arrow leads to the result')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${service.url}/docs/guide/webhooks#verify`)
      assert.deepEqual(complaints, [])
      await context.close()
    }
  },
)
