import type { Page, Request } from 'playwright-core'

/**
 * What waits until nothing is loading on a page: neither what it asked for, nor what that asked for. The live
 * stream never ends, so that Playwright's own wait for the network would not.
 */
export function watched(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    for (let quiet = 0; quiet < 3;) {
      await page.locator('[aria-busy=true], [data-loading]').first().waitFor({ state: 'detached' })
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      await page.waitForTimeout(30)
      quiet = pending.size ? 0 : quiet + 1
    }
  }
}
