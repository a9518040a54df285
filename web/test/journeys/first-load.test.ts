import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page, Request, Route } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { whenSettled } from '../support/settled.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What a list costs the browser at its first load, by the budgets of the design; sizes are in budgets.test.ts.

describe('the first load of a list', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace()
  })

  test('a table of 50 rows and 8 columns has at most 1,500 elements', async (t) => {
    const columns =
      'company_name,domain,industry,company_type,company_owner,estimated_arr,tags,lead_status'
    const page = await workspace.open('admin', { path: `/companies?cols=${columns}` })
    await page.locator('tbody tr').nth(49).waitFor()
    assert.equal(await page.locator('thead th').count(), 1 + 8)
    // the foot comes a moment after the rows
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const count = await page.evaluate(() => document.querySelectorAll('*').length)
    t.diagnostic(`${count} elements of 1,500`)
    assert.ok(count <= 1500, `${count} elements`)
  })

  test('rows stand after a few requests that wait for one another', async (t) => {
    const page = await workspace.open('admin', { path: '/inbox' })
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    // as at somebody's first visit: nothing is in the browser's cache
    const fresh = await page.context().newPage()
    const rounds = await roundsUntil(fresh, '/companies', 'tbody tr:nth-child(50)')
    t.diagnostic(rounds.map((each, at) => `${at + 1}: ${each.join(' ')}`).join('\n'))
    // the document, with the description of the module; the scripts of the page and of lists; the rows
    assert.ok(rounds.length <= 3, `${rounds.length} rounds of requests`)
  })

  test('rows stand after 14 requests and 337 kB, and all is there after 20; a board needs four, 14 kB and two more', async (t) => {
    const page = await workspace.open('admin', { path: '/inbox' })
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    for (const [path, row, most, mostKb, mostInAll] of [
      ['/companies', 'tbody tr:nth-child(50)', 14, 337, 20],
      // its code, that of dragging, its groups and the pipelines come on top of a list's
      ['/deals', '[data-card]', 18, 351, 22],
    ] as const) {
      // a window of its own has nothing in its cache
      const fresh = await workspace.open('admin', { path: '/no-such-page' })
      await fresh.goto('about:blank')
      const session = await fresh.context().newCDPSession(fresh)
      await session.send('Network.enable')
      await session.send('Network.clearBrowserCache')
      const asked: string[] = []
      let bytes = 0
      session.on('Network.requestWillBeSent', ({ request }) => asked.push(request.url))
      session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength))
      // the page itself says when the rows are there: asked from outside, later requests would be counted
      let [requests, size] = [Infinity, Infinity]
      session.on('Runtime.bindingCalled', () => ([requests, size] = [asked.length, bytes / 1000]))
      await session.send('Runtime.enable')
      await session.send('Runtime.addBinding', { name: 'rowsStand' })
      await fresh.addInitScript((selector) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(selector)) return
          observer.disconnect()
          ;(globalThis as unknown as { rowsStand(text: string): void }).rowsStand('')
        })
        observer.observe(document, { childList: true, subtree: true })
      }, row)
      const settled = whenSettled(fresh)
      await fresh.goto(path, { waitUntil: 'commit' })
      await fresh.locator(row).first().waitFor()
      await settled()
      t.diagnostic(
        `${path}: ${requests} requests, ${size.toFixed(0)} kB, settled ${asked.length}, ${(bytes / 1000).toFixed(0)} kB`,
      )
      t.diagnostic(asked.map((url) => new URL(url).pathname).join(' '))
      assert.ok(requests <= most, `${path}: ${requests} requests until it stands`)
      assert.ok(size <= mostKb, `${path}: ${size} kB until it stands`)
      assert.ok(asked.length <= mostInAll, `${path}: ${asked.length} requests in all`)
    }
  })

  for (const screen of ['wide', 'phone'] as const) {
    test(`nothing moves while pages load over a slow network on a slow processor, ${screen}`, async (t) => {
      const call = await workspace.as('admin')
      const first = async (type: string) => {
        const query = `page=1&items_per_page=1&project_type=${type}`
        const [{ project_id: id }] = await call('GET', `/api/project/info/?${query}`)
        return id as string
      }
      const [{ account_id: account }] = await call(
        'GET',
        '/api/account/info/?page=1&items_per_page=1',
      )
      const paths = [
        '/',
        '/contacts',
        '/companies',
        '/tasks',
        `/deals/${await first('deal')}`,
        `/projects/${await first('project')}`,
        `/accounts/${account}`,
      ]
      for (const path of paths) {
        const inbox = await workspace.open('admin', { screen, path: '/inbox' })
        const { shift, moved } = await shiftOf(inbox, path)
        t.diagnostic(`${path}: ${shift.toFixed(4)}`)
        assert.ok(shift < 0.02, `${path} moves by ${shift}: ${moved}`)
      }
    })
  }
})

/** The cumulative layout shift of a first visit over a slow network and on a quarter of a processor, and the beginnings of what moved. */
async function shiftOf(opened: Page, path: string): Promise<{ shift: number; moved: string }> {
  const page = await opened.context().newPage()
  await opened.close()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 90_000,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
      type: 'layout-shift',
      buffered: true,
    })
  })
  const settled = whenSettled(page)
  await page.goto(path, { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settled()
  const found = await page.evaluate(() =>
    (globalThis as unknown as { shifts: Shift[] }).shifts.map(({ value, sources }) => ({
      value,
      moved: sources.map(({ node, previousRect: from, currentRect: to }) => {
        const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x} ${y} ${width}×${height}`
        return `${node?.textContent?.slice(0, 60) ?? 'what is gone'} from ${place(from)} to ${place(to)}`
      }),
    })),
  )
  await page.context().close()
  return {
    shift: found.reduce((sum, { value }) => sum + value, 0),
    moved: found.flatMap(({ moved }) => moved).join(' | '),
  }
}

type Shift = {
  value: number
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/**
 * Opens a page whose requests are held back until the page has nothing more to do, and then answered together: so
 * many rounds are needed until the element is there, however fast machine and network are.
 */
async function roundsUntil(page: Page, path: string, selector: string): Promise<string[][]> {
  const held: Route[] = []
  const rounds: string[][] = []
  let isOpen = false
  await page.route('**/*', (route) => (isOpen ? route.continue() : void held.push(route)))
  const going = page.goto(path)
  while (rounds.length < 10) {
    if (rounds.length) {
      if (await page.locator(selector).count()) break
      await idle(page)
    } else while (!held.length) await new Promise((resolve) => setTimeout(resolve, 10))
    if (!held.length) continue
    const round = held.splice(0)
    rounds.push(round.map((route) => new URL(route.request().url()).pathname))
    await Promise.all(round.map((route) => answer(page, route)))
  }
  isOpen = true
  for (const route of held.splice(0)) await route.continue()
  await going
  return rounds
}

/** Lets a request go on, and waits for its answer; the live stream has no end. */
async function answer(page: Page, route: Route): Promise<void> {
  const request = route.request()
  if (request.url().includes('/api/stream/')) return route.continue()
  const isIt = (each: Request) => each === request
  const done = Promise.race([
    page.waitForEvent('requestfinished', isIt),
    page.waitForEvent('requestfailed', isIt),
  ])
  await route.continue()
  await done
}

/** Until the page has had nothing to do for two turns. */
function idle(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        // a page whose styles are held back is never idle
        const idle = (next: () => void) => requestIdleCallback(next, { timeout: 1500 })
        idle(() => idle(resolve))
      }),
  )
}
