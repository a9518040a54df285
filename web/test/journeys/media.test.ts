import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// The screens on paper, in the system's own colors, and in a window with little height.

describe('other media', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let company: string

  before(async () => {
    workspace = await startWorkspace()
    const call = await workspace.as('admin')
    const [found]: { company_id: string }[] = await call(
      'GET',
      '/api/company/?page=1&items_per_page=1&sort=company_name',
    )
    company = found?.company_id ?? ''
  })

  test('a record is printed whole, without the navigation', async () => {
    const page = await workspace.open('admin', { path: `/companies/${company}` })
    await page.getByRole('tab', { name: 'Activity' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 794, height: 500 })
    assert.equal(await page.getByRole('navigation', { name: 'Workspace' }).isVisible(), false)
    // nothing scrolls in itself, which would be cut off on paper
    const scrolling = await page.evaluate(
      () =>
        [...document.querySelectorAll('main, main div')].filter(
          (each) =>
            each.scrollHeight > each.clientHeight + 1 &&
            ['auto', 'scroll', 'hidden'].includes(getComputedStyle(each).overflowY),
        ).length,
    )
    assert.equal(scrolling, 0)
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    assert.ok(height > 500, `${height} px`)
    await page.context().close()
  })

  test('with forced colors a switch shows its state, and the navigation where one is', async () => {
    const page = await workspace.open('admin', { path: '/settings/sharing' })
    await page.emulateMedia({ forcedColors: 'active' })
    const background = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.getByRole('switch').first().waitFor()
    assert.notEqual(await background('[role=switch] > span'), await background('[role=switch]'))
    for (const name of ['Settings', 'Views'] as const) {
      if (name === 'Views') await page.goto('/companies')
      const nav = page.getByRole('navigation', { name })
      const current = nav.locator('[aria-current]').first()
      await current.waitFor()
      const colors = await current.evaluate((element) => [
        getComputedStyle(element).backgroundColor,
        getComputedStyle(document.body).backgroundColor,
      ])
      assert.notEqual(colors[0], colors[1], name)
    }
    await page.context().close()
  })

  test('in a window of little height, as at 400 %, a list has room for its rows', async () => {
    const page = await workspace.open('admin', { path: '/companies' })
    const row = page.getByRole('row').nth(3)
    // rows that arrive later would move what has been scrolled to
    await row.waitFor()
    await page.setViewportSize({ width: 320, height: 256 })
    await row.scrollIntoViewIfNeeded()
    const room = await page
      .getByRole('table')
      .evaluate((table) => table.parentElement?.clientHeight ?? 0)
    assert.ok(room > 180, `${room} px`)
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    assert.equal(isWide, false)
    await page.context().close()
  })
})
