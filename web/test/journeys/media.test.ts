import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
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

  // 1,280 × 1,024 at 400 %
  for (const theme of ['light', 'dark'] as const) {
    test(`plans, timelines, load and templates are read at 400 %, ${theme}`, async () => {
      const call = await workspace.as('admin')
      const [project] = await call(
        'GET',
        '/api/project/info/?page=1&items_per_page=1&project_type=project',
      )
      const [template] = await call(
        'GET',
        '/api/templates/template/?page=1&items_per_page=1&template_type=project',
      )
      const { template_config } = await call(
        'GET',
        `/api/templates/template/${template.template_id}/`,
      )
      const { stages } = template_config
      const { milestones } = await call('GET', `/api/project/info/${project.project_id}/plan/`)
      const { people } = await call('GET', '/api/load/')
      const shown: [string, string][] = [
        [`/projects/${project.project_id}/plan`, milestones[0].name],
        [`/projects/${project.project_id}/timeline`, milestones[0].name],
        ['/projects?as=timeline', project.project_name],
        ['/projects?as=load', people[0].user.full_name],
        ['/templates', template.template_name],
        [`/templates/${template.template_id}`, stages[0].name],
      ]
      const page = await workspace.open('admin', { theme, path: '/templates' })
      await page.setViewportSize({ width: 320, height: 256 })
      for (const [path, text] of shown) {
        await page.goto(path)
        const row = page.locator('main').getByText(text).first()
        await row.waitFor()
        assert.deepEqual(await problemsOf(page), [], path)
        // what comes later may move it out of sight again
        const deadline = performance.now() + 10_000
        for (;;) {
          await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
          const box = await row.boundingBox()
          if (box && box.y >= 0 && box.y + box.height <= 256) break
          assert.ok(performance.now() < deadline, `${path}: ${JSON.stringify(box)}`)
        }
      }
      await page.context().close()
    })
  }
})
