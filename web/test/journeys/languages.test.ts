import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import de from '../../src/locales/de.json' with { type: 'json' }
import { pages } from '../pages/pages.ts'
import { firstRows } from '../support/first-rows.ts'
import { whenSettled } from '../support/settled.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

describe('the language of the screens', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace()
  })

  test('is chosen in the profile, and that of the browser where nobody is signed in', async () => {
    const page = await workspace.open('member', { path: '/settings' })
    await page.getByRole('combobox', { name: /^Language/ }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await page.goto('/tasks')
    await page.getByRole('heading', { level: 1, name: 'Aufgaben' }).waitFor()
    await page.getByRole('columnheader', { name: 'Fällig' }).first().waitFor()

    const stranger = await workspace.open(null, { language: 'de-AT' })
    await stranger.getByRole('heading', { level: 1, name: 'Anmelden' }).waitFor()
    const { email } = workspace.demo.people.find(({ role }) => role === 'manager') ?? {}
    await stranger.getByLabel('E-Mail').fill(email ?? '')
    await stranger.getByLabel('Passwort').fill(workspace.demo.password)
    await stranger.getByRole('button', { name: 'Anmelden', exact: true }).click()
    // whose language is English, whatever the browser's
    await stranger.getByRole('link', { name: 'Inbox' }).first().waitFor()
    assert.equal(await stranger.locator('html').getAttribute('lang'), 'en')
  })

  test('is that of the reader on every page, with no English between', async (t) => {
    const call = await workspace.as('admin')
    const { user } = await call('GET', '/api/session/')
    await call('PUT', `/api/users/profile/${user.user_id}/`, { language: 'de' })
    const page = await workspace.open('admin')
    const stored = storedIn(page)
    const english: string[] = []
    for (const { path, module, seenBy } of pages) {
      if (seenBy && !seenBy.includes('admin')) continue
      const to = module ? path.replace('$id', await firstOf(call, module)) : path
      const settled = whenSettled(page)
      await page.goto(to)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await settled()
      const left = (await textsOn(page)).filter((text) => isLeft(text) && !stored.has(text))
      english.push(...left.map((text) => `${path}: ${text}`))
    }
    t.diagnostic(`${english.length} texts in English`)
    assert.deepEqual(english, [])
  })
})

/** The id of the first record of a module, as its screens list them. */
async function firstOf(call: Awaited<ReturnType<TestWorkspace['as']>>, module: string) {
  const described = await call('GET', `/api/modules/${module}/`)
  const [first] = await call('GET', firstRows(module, described, 1))
  return first[described.key] as string
}

const german: { readonly [text: string]: string } = de

/** Whether a text is one of the screens in English, which German says in another way. */
function isLeft(text: string): boolean {
  return Object.hasOwn(german, text) && german[text] !== text
}

/** The texts that a page has read from the service, such as names of stages: what people have written stays. */
function storedIn(page: Page): Set<string> {
  const stored = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value === 'string') stored.add(value.trim())
    else if (value && typeof value === 'object') Object.values(value).forEach(visit)
  }
  page.on('response', (response) => {
    const isJson = response.headers()['content-type']?.includes('json') ?? false
    if (isJson) void response.json().then(visit, () => {})
  })
  return stored
}

/** What a page shows and what it tells screen readers. */
function textsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode.textContent?.trim() ?? '')
    for (const name of ['aria-label', 'placeholder', 'title'])
      for (const each of document.querySelectorAll(`[${name}]`))
        texts.push(each.getAttribute(name) ?? '')
    return [...new Set(texts)].filter(Boolean)
  })
}
