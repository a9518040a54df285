import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { InFlight, overloaded } from '../../src/surfaces/in-flight.ts'
import { launchBrowser, looks, noBrowser, problemsOf } from '../support/browser.ts'
import { startService } from '../support/service.ts'

/** A folder for pictures of the page, to look at. */
const pictures = process.env.PICTURES

test(
  'a page opened under overload opens by itself when there is room',
  { skip: noBrowser() },
  async (t) => {
    const service = await startService({ maxInFlight: 1000 })
    let seconds = 100
    const enter = t.mock.method(InFlight.prototype, 'enter', () => {
      throw overloaded(seconds)
    })
    const browser = await launchBrowser()
    for (const { size, viewport, colorScheme } of looks) {
      const context = await browser.newContext({ viewport, colorScheme })
      const page = await context.newPage()
      await page.goto(`${service.url}/reset`)
      assert.equal(await page.innerText('h1'), 'One moment, please')
      assert.deepEqual(await problemsOf(page), [])
      if (pictures) {
        await page.screenshot({ path: join(pictures, `overload.${size}.${colorScheme}.png`) })
      }
      await context.close()
    }

    seconds = 1
    const page = await (await browser.newContext()).newPage()
    // by the browser's clock: this process may learn of an answer late
    const tries: number[] = []
    page.on('response', (response) => {
      // not its font
      if (response.url().endsWith('/reset')) tries.push(response.request().timing().startTime)
    })
    await page.goto(`${service.url}/reset`)
    await page.waitForResponse('**/reset')
    await page.waitForResponse('**/reset')
    enter.mock.restore()
    await page.getByRole('textbox').waitFor({ timeout: 60_000 })
    const waits = tries.slice(1).map((at, i) => at - (tries[i] ?? 0))
    assert.ok(waits.length >= 3, String(waits))
    // never before the promised time, and later each time
    for (const [i, ms] of waits.slice(0, 3).entries()) {
      assert.ok(ms >= 1000 * 2 ** i, `${i}: ${ms} ms`)
    }
  },
)
