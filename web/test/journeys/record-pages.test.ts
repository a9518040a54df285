import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { firstRows } from '../support/first-rows.ts'
import { byKeysAlone, focusIsAt, pressAt } from '../support/keyboard.ts'
import { whenSettled } from '../support/settled.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// The page of a record of each type: its figures, its details beside the work, and all its fields.

type Field = { name: string; label: string; place: string; is_shown: boolean }

const addresses = {
  companies: '/companies',
  contacts: '/contacts',
  accounts: '/accounts',
  deals: '/deals',
  projects: '/projects',
  tasks: '/tasks',
  documents: '/documents',
  calendar: '/meetings',
  surveys: '/surveys',
  tags: '/tags',
}

describe('record pages', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let made = 0

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function first(module: keyof typeof addresses) {
    const described = await call('GET', `/api/modules/${module}/`)
    const [row] = await call('GET', firstRows(module, described, 1))
    const id: string = row[described.key]
    return { fields: described.fields as Field[], path: `${addresses[module]}/${id}` }
  }
  const labels = (page: Page, place: string) => page.locator(`${place} dt`).allTextContents()
  const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'All fields' })

  test('have every field that one may read once among all fields, and no system field beside the work', async (t) => {
    for (const module of Object.keys(addresses) as (keyof typeof addresses)[]) {
      await t.test(module, async () => {
        const { fields, path } = await first(module)
        const page = await workspace.open('admin', { path })
        await page.getByRole('heading', { level: 1 }).waitFor()
        const systems = fields.filter(({ place }) => place === 'system').map(({ label }) => label)
        const toggle = page.getByRole('button', { name: 'Details', exact: true })
        if ((await toggle.count()) && (await toggle.getAttribute('aria-pressed')) === 'false') {
          await toggle.click()
        }
        const rail = await labels(page, module === 'tags' ? 'main' : 'aside[aria-label=Details]')
        assert.ok(rail.length <= 8, rail.join())
        const named = fields.filter(({ place }) => place !== 'system').map(({ label }) => label)
        for (const label of rail) {
          assert.ok(named.includes(label) || !systems.includes(label), `${module}: ${label}`)
        }
        await page.keyboard.press('Shift+I')
        const drawer = drawerOf(page)
        await drawer.getByText('About this record').click()
        await drawer.getByRole('switch', { name: 'Show empty' }).click()
        assert.deepEqual(
          (await labels(page, '[role=dialog]')).toSorted(),
          fields.map(({ label }) => label).toSorted(),
        )
        await page.context().close()
      })
    }
  })

  test('say each figure once, and offer what is missing in one line', async () => {
    const word = `Whimbrel${++made}x`
    await call('POST', '/api/company/', { company_name: word, industry: 'software' })
    const [found] = await call('GET', `/api/company/?page=1&items_per_page=1&q=${word}`)
    const page = await workspace.open('admin', { path: `/companies/${found.company_id}` })
    const rail = page.getByRole('complementary', { name: 'Details' })
    await rail.getByText('Industry').waitFor()
    assert.equal(await page.getByRole('heading', { name: word }).count(), 1)
    assert.deepEqual(await rail.locator('dt').allTextContents(), ['Industry'])
    const missing = rail.getByText(/^\+ Add/)
    assert.match(await missing.innerText(), /domain, /)
    await rail.getByRole('button', { name: 'Edit Domain' }).click()
    await rail.getByRole('textbox', { name: 'Domain' }).fill(`${word.toLowerCase()}.example`)
    await page.keyboard.press('Enter')
    await page.getByText('Domain changed').waitFor()
    assert.deepEqual(await rail.locator('dt').allTextContents(), ['Domain', 'Industry'])
    assert.doesNotMatch(await missing.innerText(), /domain/)
    // a fact that is emptied stays where it is until the page is left
    await rail.getByRole('button', { name: /^Edit Domain/ }).click()
    await rail.getByRole('textbox', { name: 'Domain' }).fill('')
    await page.keyboard.press('Enter')
    await rail.getByRole('button', { name: 'Edit Domain: Empty' }).waitFor()
    await page.context().close()
  })

  test('open and close the details by their key, for all records of the type and for the next visit', async () => {
    const { path } = await first('contacts')
    const page = await workspace.open('member', { path })
    const rail = page.getByRole('complementary', { name: 'Details' })
    await rail.waitFor()
    const stored = page.waitForResponse((reply) => reply.url().includes('/api/preferences/'))
    await page.keyboard.press('i')
    await rail.waitFor({ state: 'detached' })
    await stored
    await page.reload()
    await page.getByRole('tab', { name: 'Activity' }).waitFor()
    assert.equal(await rail.count(), 0)
    await page.keyboard.press('i')
    await rail.waitFor()
    // the plan of a project has the whole width
    const project = await first('projects')
    await page.goto(project.path)
    await page.getByRole('tab', { name: 'Plan', selected: true }).waitFor()
    assert.equal(await rail.count(), 0)
    await page.context().close()
  })

  test('find and edit any field by keys alone, and leave the focus where it was', async () => {
    const { path } = await first('accounts')
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const all = page.getByRole('button', { name: /^All fields/ })
    await pressAt(page, all)
    const drawer = drawerOf(page)
    await pressAt(page, drawer.getByRole('searchbox', { name: 'Search fields' }), 'End')
    await page.keyboard.type('descr')
    const edit = drawer.getByRole('button', { name: /^Edit Description/ })
    await pressAt(page, edit)
    const field = drawer.getByRole('textbox', { name: 'Description' })
    await focusIsAt(page, field)
    // Escape leaves the field first, and then the drawer
    await page.keyboard.press('Escape')
    await focusIsAt(page, edit)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await focusIsAt(page, all)
    await page.context().close()
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`are without findings with all fields open, on a phone too, ${theme}`, async () => {
      for (const screen of ['wide', 'phone'] as const) {
        const { path } = await first('deals')
        const page = await workspace.open('admin', { path, theme, screen })
        const settled = whenSettled(page)
        await page.getByRole('tab', { name: 'Activity' }).waitFor()
        if (screen === 'phone') {
          // the tabs are in sight before the details
          const box = await page.getByRole('tab', { name: 'Activity' }).boundingBox()
          assert.ok(box && box.y + box.height < 740, `the tabs are at ${box?.y}`)
          await page.getByRole('tab', { name: 'Details' }).click()
          await page.getByRole('tabpanel').getByText('Account', { exact: true }).waitFor()
        }
        await page.getByRole('button', { name: /^All fields/ }).click()
        await drawerOf(page).getByText('About this record').click()
        await settled()
        assert.deepEqual(await problemsOf(page), [])
        await page.context().close()
      }
    })
  }
})
