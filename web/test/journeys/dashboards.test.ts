import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { whenSettled } from '../support/settled.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// The numbers of the team are seen, filtered, read by keys and as tables, and are those of the API.

describe('dashboards', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let shipped: { dashboard_id: string; dashboard_name: string }[]

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    shipped = await call('GET', '/api/dashboards/info/')
  })

  const pathOf = (name: string) =>
    `/dashboards/${shipped.find(({ dashboard_name: each }) => each === name)?.dashboard_id}`
  const card = (page: Page, name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name }) })

  test('show every widget with its numbers, in both themes and on a phone', async () => {
    for (const [screen, theme] of [
      ['wide', 'light'],
      ['wide', 'dark'],
      ['phone', 'light'],
    ] as const) {
      const page = await workspace.open('admin', { screen, theme })
      const settled = whenSettled(page)
      for (const { dashboard_id, dashboard_name } of shipped) {
        await page.goto(`/dashboards/${dashboard_id}`)
        await page.getByRole('heading', { level: 1, name: dashboard_name }).waitFor()
        await page.locator('figure, section p').first().waitFor()
        await settled()
        await wholePicture(page, `dashboard-${dashboard_name}-${screen}-${theme}`)
        assert.deepEqual(await problemsOf(page), [])
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${dashboard_name} scrolls sideways by ${wide}`)
        const high = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
        assert.ok(high <= 0, `the page of ${dashboard_name} scrolls by ${high} beside its numbers`)
        // names, never ids or the words of programs
        const text = await page.locator('main').innerText()
        assert.doesNotMatch(text, /\b[0-9a-z]{25}\b|\b[a-z]+_[a-z_]+\b/)
      }
      await page.context().close()
    }
  })

  test('are read by keys, and as a table', async () => {
    const page = await workspace.open('admin', { path: pathOf('Deals') })
    const chart = card(page, 'Deals by stage').getByRole('group', { name: /^Deals by stage/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    const body = {
      widgets: [{ widget_id: 'a', widget_type: 'deals_by_stage' }],
      time_filter: '30_days',
    }
    const { widgets } = await call('POST', '/api/dashboards/widgets/', body)
    const { series } = widgets[0].data
    const [first] = series.filter((each: any) => each.count || each.category === 'open')
    await page
      .getByRole('status')
      .filter({ hasText: `${first.stage_name}: ${first.count}` })
      .waitFor()
    await page.keyboard.press('t')
    const table = card(page, 'Deals by stage').getByRole('table')
    await table.getByRole('rowheader', { name: first.stage_name }).waitFor()
    assert.equal(
      await table
        .getByRole('row', { name: first.stage_name })
        .getByRole('cell')
        .first()
        .innerText(),
      String(first.count),
    )
    await page.getByRole('button', { name: 'Deals by stage: show as chart' }).click()
    await chart.waitFor()
  })

  test('are filtered by the address, which says what is not', async () => {
    const page = await workspace.open('admin', { path: pathOf('Overview') })
    await page
      .getByRole('button', { name: 'Time' })
      .or(page.getByRole('combobox', { name: 'Time' }))
      .first()
      .click()
    await page.getByRole('option', { name: 'Last 12 months' }).click()
    await page.waitForURL(/range=12_months/)
    const body = {
      widgets: [{ widget_id: 'a', widget_type: 'new_companies' }],
      time_filter: '12_months',
    }
    const { widgets } = await call('POST', '/api/dashboards/widgets/', body)
    const { count } = widgets[0].data.totals
    await card(page, 'New companies')
      .getByText(count.toLocaleString('en-GB'), { exact: true })
      .first()
      .waitFor()
    await page.getByText('in the 12 months before').first().waitFor()
    const [{ pipeline_id }] = await call('GET', '/api/pipelines/')
    await page.goto(`${pathOf('Overview')}?pipeline=${pipeline_id}`)
    await card(page, 'New companies').getByText('Not filtered by pipeline').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.waitForURL((url) => url.search === '')
    await page.getByText('Not filtered by pipeline').first().waitFor({ state: 'detached' })
  })

  test('are opened where one was, and lead to the projects behind', async () => {
    const page = await workspace.open('admin', { path: pathOf('Projects') })
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Dashboards' }).click()
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    const chart = card(page, 'Milestones').getByRole('group', { name: /^Milestones/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/(projects|deals)\/\w+/)
  })

  test('show an observer what is shared, and say what is not for them; customers have their portal', async () => {
    const theirs = await (await workspace.as('observer'))('GET', '/api/dashboards/info/')
    assert.equal(theirs.length, 1)
    const page = await workspace.open('observer', { path: '/dashboards' })
    await page.getByRole('heading', { level: 1, name: theirs[0].dashboard_name }).waitFor()
    await page.locator('figure, section p').first().waitFor()
    await wholePicture(page, 'dashboard-observer')
    const outside = await workspace.open('customer', { path: '/dashboards' })
    assert.equal(new URL(outside.url()).pathname, '/portal')
  })
})
