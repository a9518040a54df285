import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser, looks, noBrowser, problemsOf } from '../support/browser.ts'
import { startService } from '../support/service.ts'

/** A page of many operations takes a busy machine its time, in milliseconds. */
const patience = 120_000

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
      await page
        .getByRole('link', { name: /^Verify/ })
        .first()
        .waitFor()
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
