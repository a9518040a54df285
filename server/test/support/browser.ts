import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { depth } from './depth.ts'
import { atEnd } from './finally.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Why there is no real browser here, for a test's `skip`; false when there is one. */
export function noBrowser(): string | false {
  if (executable()) return false
  if (process.env.CI_BROWSER === 'required') {
    throw new Error(`CI_BROWSER=required, and none of ${names.join(', ')} is on the PATH`)
  }
  return `none of ${names.join(', ')} is on the PATH`
}

/** A real browser, closed when the test file is done. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: executable(),
    // a machine that others keep busy may need longer than the library's half a minute
    timeout: 120_000,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  atEnd(() => browser.close())
  return browser
}

export const sizes = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 640 },
}

/**
 * How pages are looked at: each colour scheme at each size, of which `npm test` plays light on a desk and dark on a
 * phone.
 */
export const looks = (
  [
    ['desktop', 'light'],
    ['phone', 'dark'],
    ['desktop', 'dark'],
    ['phone', 'light'],
  ] as const
)
  .slice(0, depth(2, 4))
  .map(([size, colorScheme]) => ({ size, viewport: sizes[size], colorScheme }))

/** What axe-core finds wrong with a page, in words; also what would make a phone scroll sideways. */
export async function problemsOf(page: Page): Promise<string[]> {
  // evaluated by the debugger, which the page's policy does not bind
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  const problems = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html})`)
  const isTooWide = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  return isTooWide ? [...problems, 'the page scrolls sideways'] : problems
}

function executable(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name)
  }
  return undefined
}
