import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser, noBrowser } from '../support/browser.ts'
import { startService } from '../support/service.ts'

/** The page draws some hundred operations, which takes a busy machine its time, in milliseconds. */
const patience = 120_000

test(
  'the reference page shows the operations and asks nobody but this service',
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
    for (const path of ['/docs', '/docs/']) {
      const answer = await page.goto(service.url + path)
      assert.equal(answer!.status(), 200)
      assert.equal(new URL(page.url()).pathname, path)
      // operations further down are drawn when they are scrolled to
      await page.getByText('/api/login/').first().waitFor()
    }
    // a request of the page that its policy stops is a complaint on the console
    assert.deepEqual(foreign, [])
    assert.deepEqual(complaints, [])
  },
)
