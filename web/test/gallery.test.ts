import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { launchBrowser, noBrowser, problemsOf } from '../../server/test/support/browser.ts'
import { policy } from '../../server/src/surfaces/workspace/document.ts'

// Every component as the gallery shows it, built as the product is and under its policy.

describe('the gallery of components', { skip: noBrowser() }, () => {
  let browser: Browser
  let url: string
  const closers: (() => unknown)[] = []

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'perennial-gallery-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    process.env.WEB_GALLERY = '1'
    const root = join(import.meta.dirname, '..')
    await build({ root, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
    delete process.env.WEB_GALLERY
    const server = serve(folder).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close())
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gallery.html`
    browser = await launchBrowser()
  })

  after(async () => {
    for (const close of closers.toReversed()) await close()
  })

  for (const theme of ['light', 'dark']) {
    for (const width of [1440, 360]) {
      test(`is without findings: ${theme}, ${width} pixels`, async () => {
        await withPage({ theme, width }, async (page) => {
          assert.deepEqual(await problemsOf(page), [])
        })
      })
    }

    test(`has no findings where something is open: ${theme}`, async () => {
      await withPage({ theme }, async (page) => {
        for (const name of ['Mark as lost…', 'New company…', 'Delete…', 'Left', 'Bottom']) {
          await page.getByRole('button', { name, exact: true }).click()
          await page.getByRole(name === 'Delete…' ? 'alertdialog' : 'dialog').waitFor()
          assert.deepEqual(await openProblemsOf(page), [], name)
          await page.keyboard.press('Escape')
          await page.locator('[role$=dialog]').waitFor({ state: 'detached' })
        }
        for (const name of ['Stage', 'Lead status', 'Time zone', 'Related companies', 'Tags']) {
          await page.getByRole('main').getByLabel(name, { exact: true }).click()
          await page.getByRole('option').first().waitFor()
          assert.deepEqual(await openProblemsOf(page), [], name)
          await page.keyboard.press('Escape')
          await page.getByRole('option').first().waitFor({ state: 'detached' })
        }
        await page.getByRole('button', { name: 'Fault', exact: true }).click()
        await page.getByText('Not saved').first().waitFor()
        assert.deepEqual(await openProblemsOf(page), [])
      })
    })
  }

  test('a menu opens, moves, chooses and closes by keyboard', async () => {
    await withPage({}, async (page) => {
      const trigger = page.getByRole('button', { name: 'Actions', exact: true })
      await trigger.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menu').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
      await page.getByRole('menuitem', { name: 'Proposal' }).waitFor()
      await page.keyboard.press('ArrowLeft')
      await page.getByRole('menuitem', { name: 'Proposal' }).waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await focused(page, 'Actions')
      await page.keyboard.press('Enter')
      await page.getByRole('menu').waitFor()
      // typing goes to the item that begins so
      await page.keyboard.type('del')
      await page.keyboard.press('Enter')
      await page.getByText('Deleted', { exact: true }).first().waitFor()
      await focused(page, 'Actions')
    })
  })

  test('a dialog keeps the focus, begins in its first field, and gives it back', async () => {
    await withPage({}, async (page) => {
      await page.getByRole('button', { name: 'New company…' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await page.keyboard.type('Oakhaven')
      assert.equal(await dialog.getByLabel('Company name').inputValue(), 'Oakhaven')
      for (let i = 0; i < 7; i++) {
        await page.keyboard.press('Tab')
        // the guards at its ends pass the focus on
        await page.locator('[role=dialog] :focus').waitFor({ state: 'attached' })
      }
      await dialog.getByLabel('Company name').focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await focused(page, 'New company…')
    })
  })

  test('every control is reached by Tab, or by arrows from one that is', async () => {
    await withPage({}, async (page) => {
      assert.deepEqual(await page.evaluate(unreachable), [])
    })
  })

  test('Escape closes whatever has opened, the moment it is there', async () => {
    await withPage({}, async (page) => {
      for (const name of ['Mark as lost…', 'New company…', 'Delete…', 'Left', 'Bottom']) {
        await page.evaluate(escapeAtOnce)
        await page.getByRole('button', { name, exact: true }).click()
        await page.waitForFunction('globalThis.hasEscaped')
        await page.locator('[role$=dialog]').waitFor({ state: 'detached', timeout: 2000 })
      }
    })
  })

  test('a choice of many searches in its popup and takes all letters', async () => {
    await withPage({}, async (page) => {
      const field = page.getByRole('main').getByLabel('Lead status', { exact: true })
      await field.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.type('nurt')
      assert.deepEqual(await page.getByRole('option').allTextContents(), ['Nurturing'])
      await page.keyboard.press('Enter')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      assert.equal(await field.textContent(), 'Nurturing')
      await focused(page, 'Nurturing')
    })
  })

  test('a choice of few moves by arrows and by typing', async () => {
    await withPage({}, async (page) => {
      const field = page.getByRole('main').getByLabel('Stage', { exact: true })
      await field.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.type('neg')
      await page.keyboard.press('Enter')
      assert.equal(await field.textContent(), 'Negotiation')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      await page.keyboard.press('Enter')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      assert.equal(await field.textContent(), 'Negotiation')
    })
  })

  test('a reference is found by the search, and a tag is created by Enter', async () => {
    await withPage({}, async (page) => {
      const company = page.getByRole('main').getByLabel('Company', { exact: true })
      await company.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: 'Oakhaven Media' }).waitFor()
      await page.keyboard.type('otter')
      await page.getByRole('option', { name: 'Oakhaven Media' }).waitFor({ state: 'detached' })
      await page.keyboard.press('Enter')
      assert.match((await company.textContent()) ?? '', /Otterburn Finance/)
      const tags = page.getByRole('main').getByLabel('Tags', { exact: true })
      await tags.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.type('brand new')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      assert.match((await tags.textContent()) ?? '', /brand new/)
    })
  })

  test('Ctrl+Z undoes the newest toast, a fault stays, an icon has its tooltip', async () => {
    await withPage({}, async (page) => {
      await page.getByRole('button', { name: 'With undo' }).click()
      await page.getByText('Moved to Proposal').first().waitFor()
      await page.keyboard.press('Control+z')
      await page.getByText('Back in Discovery').first().waitFor()
      await page.getByRole('button', { name: 'Close panel' }).hover()
      await page.locator('[popover]:popover-open', { hasText: 'Close panel' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[popover]:popover-open').waitFor({ state: 'detached' })
    })
  })

  test('on a touch screen every control has 44 pixels', async () => {
    await withPage({ width: 360, touch: true }, async (page) => {
      assert.deepEqual(await page.evaluate(tooSmall), [])
    })
  })

  async function withPage(
    { theme = 'light', width = 1280, touch = false },
    use: (page: Page) => Promise<void>,
  ) {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
      ...(touch ? { hasTouch: true, isMobile: true } : {}),
    })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${url}?theme=${theme}`)
    await page.getByRole('main').waitFor()
    await page.evaluate('document.fonts.ready')
    await use(page)
    assert.deepEqual(faults, [])
    await context.close()
  }
})

/**
 * The findings while a popup is open, without two that are none: Base UI's focus guards, which pass the
 * focus on at once, and popups outside of the landmarks, which are where the focus is.
 */
async function openProblemsOf(page: Page): Promise<string[]> {
  const problems = await problemsOf(page)
  return problems.filter(
    (problem) =>
      !problem.startsWith('region:') &&
      !(problem.startsWith('aria-hidden-focus:') && problem.includes('data-base-ui-focus-guard')),
  )
}

/** Waits until the focus is there: what closes gives it back once it is gone. */
async function focused(page: Page, text: string) {
  const isThere = `document.activeElement.textContent === ${JSON.stringify(text)}`
  await page.waitForFunction(isThere, undefined, { timeout: 10_000 }).catch(async () => {
    assert.equal(await page.evaluate('document.activeElement.textContent'), text)
  })
}

/** Controls that no key reaches: not focusable, and in no group of which one is. */
const unreachable = `
  [...document.querySelectorAll('main :is(button, a[href], input, textarea, select, [role=checkbox], [role=switch], [role=combobox])')]
    .filter((element) => element.checkVisibility() && element.tabIndex < 0)
    .filter((element) => !element.matches(':disabled, [aria-disabled=true], [data-disabled], [aria-hidden=true] *, [aria-hidden=true]'))
    .filter((element) => !element.closest('[role=tablist], [role=radiogroup], [role=toolbar], [role=group], table')?.querySelector('[tabindex="0"]'))
    .map((element) => element.outerHTML.slice(0, 200))`

/** Presses Escape, in the page itself, as soon as a dialog is in the document. */
const escapeAtOnce = `
  globalThis.hasEscaped = false
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[role$=dialog]')) return
    observer.disconnect()
    globalThis.hasEscaped = true
    const { activeElement } = document
    activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  void observer.observe(document.body, { childList: true, subtree: true })`

/** Controls that are lower than 44 pixels, with what an `::after` adds to them or the label they are in. */
const tooSmall = `
  [...document.querySelectorAll('main :is(button, [role=tab], [role=radio], [role=checkbox], [role=switch])')]
    .map((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
      const added = parseFloat(getComputedStyle(element, '::after').height) || 0
      const name = element.getAttribute('aria-label') ?? element.textContent
      return { name, width, reach: Math.max(height, added) }
    })
    .filter(({ width, reach }) => width > 0 && reach < 43.5)
    .map(({ name, reach }) => name + ': ' + reach)`

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

function serve(folder: string) {
  return createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://gallery').pathname)
    if (!path.startsWith(folder) || !existsSync(path) || !extname(path)) {
      response.writeHead(404).end()
      return
    }
    response
      .writeHead(200, {
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': policy,
      })
      .end(readFileSync(path))
  })
}
