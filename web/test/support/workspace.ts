import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import type { Demo } from '../../../server/src/demo/credentials.ts'
import { makeDemo } from '../../../server/src/demo/make.ts'
import { webFolder } from '../../../server/src/workspace/stamp.ts'
import { openWorkspace } from '../../../server/src/workspace/workspace.ts'
import { launchBrowser } from '../../../server/test/support/browser.ts'
import { atEnd } from '../../../server/test/support/finally.ts'
import type { TestService } from '../../../server/test/support/service.ts'
import { startService } from '../../../server/test/support/service.ts'

/** The widths and heights at which screens are tested. */
export const screens = {
  wide: { width: 1440, height: 900 },
  phone: { width: 360, height: 740 },
} as const

/** The viewer: a role of the demonstration, whose first person signs in, or an e-mail. */
export type Who =
  | 'admin'
  | 'manager'
  | 'member'
  | 'observer'
  | 'customer'
  | 'partner'
  | `${string}@${string}`

export type Look = {
  screen?: keyof typeof screens
  theme?: 'light' | 'dark'
  /** where the page opens; `/` where nothing is said */
  path?: string
  /** time zone and language of the browser */
  timezone?: string
  language?: string
}

/** The real service with its demonstration and the built screens, and a real browser before it. */
export type TestWorkspace = {
  service: TestService
  url: string
  demo: Demo
  browser: Browser
  /** opens a page in a browser of its own, signed in as somebody, or as nobody */
  open(who: Who | null, look?: Look): Promise<Page>
  /** calls the API as a person of the demonstration; the parsed body, and fails on a refusal */
  as(who: Who): Promise<(method: string, path: string, body?: unknown) => Promise<any>>
}

/** Builds `web/dist` unless it is built of these sources; test files that run at once share the build. */
export async function buildScreens(): Promise<string> {
  const script = join(webFolder, 'scripts/build.ts')
  return (await promisify(execFile)(process.execPath, [script])).stdout
}

/**
 * Starts the service and a browser for this test file, and stops them at its end. A console error, an
 * uncaught error or a breach of the content policy in any of its pages fails the file, unless
 * `expectFaults` has taken it.
 */
export async function startWorkspace(
  options: { jobs?: boolean; settings?: Parameters<typeof startService>[0] } = {},
): Promise<TestWorkspace> {
  await buildScreens()
  const nowhere = { info() {}, warn() {}, error() {} }
  const workspace = openWorkspace('build', nowhere)
  await workspace.settled
  const service = await startService(
    options.settings ?? {},
    undefined,
    options.jobs ?? true,
    workspace,
  )
  const demo = await makeDemo(service.runtime, { keep() {} })
  assert.ok(demo)
  const browser = await launchBrowser()
  const { url } = service
  const emailOf = (who: Who) => {
    const person = demo.people.find(({ role, email }) => role === who || email === who)
    assert.ok(person, `the demonstration has no ${who}`)
    return person.email
  }
  const signedIn = { 'sec-fetch-site': 'same-origin' }
  return {
    service,
    url,
    demo,
    browser,
    async open(who, { screen = 'wide', theme = 'light', path = '/', timezone, language } = {}) {
      const context = await browser.newContext({
        baseURL: url,
        viewport: screens[screen],
        colorScheme: theme,
        hasTouch: screen === 'phone',
        reducedMotion: 'reduce',
        timezoneId: timezone ?? 'UTC',
        locale: language ?? 'en-GB',
      })
      atEnd(() => context.close())
      if (who) {
        const reply = await context.request.post('/api/session/', {
          data: { email: emailOf(who), password: demo.password },
          headers: signedIn,
        })
        assert.equal(reply.status(), 200, await reply.text())
      }
      const page = await context.newPage()
      watch(page)
      await page.goto(path)
      return page
    },
    async as(who) {
      const body = { email: emailOf(who), password: demo.password }
      const login = await service.call('POST', '/api/login/', { body })
      const token = login.body.access_token as string
      return async (method, path, sent) => {
        const reply = await service.call(method, path, { token, body: sent })
        assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
        return reply.body
      }
    },
  }
}

/** Faults of pages that no test has expected. */
const faults = new Map<Page, string[]>()

/** What went wrong in a page so far: console errors, uncaught errors, breaches of the policy. */
export function faultsOf(page: Page): string[] {
  return faults.get(page) ?? []
}

/** Takes the faults that match, of which there must be one: a test brought them about. */
export function expectFaults(page: Page, pattern: RegExp): void {
  const all = faultsOf(page)
  const rest = all.filter((fault) => !pattern.test(fault))
  assert.ok(rest.length < all.length, `no fault matches ${pattern}: ${all.join('\n')}`)
  faults.set(page, rest)
}

/** Watches a page that a test has opened itself; those of `open` are watched already. */
export function watch(page: Page): void {
  const add = (fault: string) => faultsOf(page).push(`${page.url()}: ${fault}`)
  if (!faults.size) atEnd(noFaults)
  faults.set(page, [])
  page.on('pageerror', (error) => add(`uncaught ${error.stack ?? error.message}`))
  // breaches of the content policy are console errors too
  page.on('console', (message) => {
    if (message.type() === 'error') add(`${message.text()} (${message.location().url})`)
  })
}

async function noFaults() {
  const all = [...faults.values()].flat()
  faults.clear()
  assert.deepEqual(all, [], 'pages had faults')
}
