import type { Page, Request } from 'playwright-core'

/** Milliseconds after which a page counts as loading forever. */
const patience = 30_000

/**
 * What waits until nothing is loading on a page: neither what it asked for, nor what that asked for. The live
 * stream never ends, so that Playwright's own wait for the network would not. Fails after 30 s, with what is open.
 */
export function whenSettled(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    const until = Date.now() + patience
    const loading = page.locator('[aria-busy=true], [data-loading]').first()
    for (let quiet = 0; quiet < 3;) {
      const timeout = Math.max(1, until - Date.now())
      await loading.waitFor({ state: 'detached', timeout })
      // a browser may find a page never idle, though nothing runs in it, and this has no limit of its own
      await page.evaluate(
        () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 })),
      )
      await page.waitForTimeout(30)
      quiet = pending.size ? 0 : quiet + 1
      if (Date.now() < until) continue
      throw new Error(`still loading: ${[...pending].map((each) => each.url()).join(', ')}`)
    }
  }
}
