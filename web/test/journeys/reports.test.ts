import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { whenSettled } from '../support/settled.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// A question about a list is asked, read as a chart and a table, followed into the list, saved and taken away as a file.

const pictures = process.env.PICTURES

describe('reports', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  /** Chooses an option of a select by its name. */
  async function choose(page: Page, name: string, option: string) {
    await page.getByRole('combobox', { name, exact: true }).first().click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  test('begin with those that come with the product, in both themes and on a phone', async () => {
    for (const [screen, theme] of [
      ['wide', 'light'],
      ['wide', 'dark'],
      ['phone', 'light'],
    ] as const) {
      const page = await workspace.open('admin', { screen, theme, path: '/reports' })
      const settled = whenSettled(page)
      await page.getByRole('heading', { name: 'Shipped' }).waitFor()
      await settled()
      await wholePicture(page, `reports-${screen}-${theme}`)
      assert.deepEqual(await problemsOf(page), [])
      for (const name of ['Pipeline by stage and month', 'Lost by reason', 'Load by person']) {
        await page.getByRole('link', { name }).click()
        await page.getByRole('heading', { level: 2, name: 'Table' }).waitFor()
        await settled()
        await wholePicture(page, `report-${name}-${screen}-${theme}`)
        assert.deepEqual(await problemsOf(page), [])
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${name} scrolls sideways by ${wide}`)
        // names, never ids or the words of programs
        const text = await page.locator('main').innerText()
        assert.doesNotMatch(text, /\b[0-9a-z]{25}\b|\b[a-z]+_[a-z_]+\b/)
        await page.getByRole('link', { name: 'Reports' }).last().click()
        await page.getByRole('heading', { name: 'Shipped' }).waitFor()
      }
      await page.context().close()
    }
  })

  test('show what the list adds up to, and each number leads to its records', async () => {
    const page = await workspace.open('admin', { path: '/reports?of=tasks&by=status&then=owner' })
    const { groups, total } = await call(
      'GET',
      '/api/tasks/groups/?by=status&then=owner&measures=count',
    )
    const table = page.getByRole('table')
    const cells = table.getByRole('row', { name: /^Total/ }).getByRole('cell')
    await cells.first().waitFor()
    assert.equal(await cells.last().innerText(), total.toLocaleString('en-GB'))
    const [first] = groups
    const line = table.getByRole('row', { name: first.label })
    await line.getByRole('link').last().click()
    await page.waitForURL(/\/tasks\?f=/)
    await page.getByText(first.count.toLocaleString('en-GB'), { exact: true }).first().waitFor()
    await page.goBack()
    // by keys: the chart is one stop, and Enter opens what its mark says
    const chart = page.getByRole('group', { name: /Arrow keys read the values/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('status').filter({ hasText: 'Enter opens it' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tasks\?f=/)
  })

  test('are built, saved, found again and taken away as files', async () => {
    const page = await workspace.open('admin', { path: '/reports' })
    await choose(page, 'What', 'Deals')
    await page.getByText('Choose what the records are grouped by').waitFor()
    await choose(page, 'In groups of', 'Created')
    await choose(page, 'Length of time', 'Quarter')
    await choose(page, 'Measure', 'Sum')
    await page.getByRole('radio', { name: 'Lines' }).click()
    await page.waitForURL(/by=creation_time.*unit=quarter|unit=quarter.*by=creation_time/)
    const chart = page.getByRole('group', { name: /Arrow keys read the values/ })
    await chart.waitFor()
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n')
    const show = new URL(page.url()).searchParams.get('show')
    const query = `by=creation_time&unit=quarter&measures=${show}&project_type=deal`
    const found = await call('GET', `/api/project/info/groups/?${query}`)
    assert.equal(lines.length, found.groups.length + 2)
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).click(),
    ])
    const bytes = await readFile(await png.path())
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
    assert.ok(bytes.length > 5000)
    if (pictures) await png.saveAs(join(pictures, 'report-file.png'))
    await page.getByRole('button', { name: 'Save report…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Deals by quarter')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('heading', { level: 1, name: 'Deals by quarter' }).waitFor()
    await page.reload()
    await chart.waitFor()
    await page.getByRole('radio', { name: 'Bars' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Reports' }).last().click()
    await page.getByRole('link', { name: /Deals by quarter/ }).click()
    await page.waitForURL(/as=bars/)
    // it is no view of the list
    await page.goto('/deals')
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    const views = page.getByRole('navigation', { name: 'Views' })
    assert.equal(await views.getByText('Deals by quarter').count(), 0)
  })

  test('of one pipeline are counted once', async () => {
    const [pipeline] = await call('GET', '/api/pipelines/?page=1&items_per_page=1')
    const page = await workspace.open('admin', { path: '/reports' })
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/reports/funnel/')) asked.push(request.url())
    })
    await page.goto(`${workspace.url}/reports/funnel?pipeline=${pipeline.pipeline_id}`)
    await page.getByRole('heading', { level: 2, name: 'Table' }).waitFor()
    assert.deepEqual(
      asked.map((url) => new URL(url).searchParams.get('pipeline_id')),
      [pipeline.pipeline_id],
    )
  })

  test('count what groups of a list cannot, in both themes and on a phone', async () => {
    const names: { [report: string]: string } = {
      funnel: 'Deals through the stages',
      cohorts: 'Conversion by month',
      forecast: 'Forecast and what came',
      go_live: 'Time to go-live',
      plan: 'Plan against actual',
      health: 'Health over time',
      nps: 'Net promoter score by segment',
    }
    for (const [screen, theme] of [
      ['wide', 'light'],
      ['wide', 'dark'],
      ['phone', 'light'],
    ] as const) {
      const page = await workspace.open('admin', { screen, theme, path: '/reports' })
      const settled = whenSettled(page)
      for (const [report, name] of Object.entries(names)) {
        await page.getByRole('link', { name }).click()
        await page.waitForURL(new RegExp(`/reports/${report}`))
        await page.getByRole('heading', { level: 1, name }).waitFor()
        const table = page.getByRole('table').or(page.getByText('Nothing to count in this time'))
        await table.first().waitFor()
        await settled()
        await wholePicture(page, `report-${report}-${screen}-${theme}`)
        assert.deepEqual(await problemsOf(page), [])
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wide <= 0, `${name} scrolls sideways by ${wide}`)
        const text = await page.locator('main').innerText()
        assert.doesNotMatch(text, /\b[0-9a-z]{25}\b|\b[a-z]+_[a-z_]+\b/)
        await page.getByRole('link', { name: 'Reports' }).last().click()
        await page.getByRole('heading', { name: 'Shipped' }).waitFor()
      }
      await page.context().close()
    }
  })

  test('lead from a number of theirs to its records', async () => {
    const page = await workspace.open('admin', { path: '/reports/cohorts' })
    const found = await call('GET', '/api/reports/cohorts/')
    const at = found.rows.findIndex(({ values }: any) => values[0])
    assert.ok(at >= 0)
    const row = page
      .getByRole('table')
      .getByRole('row')
      .nth(at + 1)
    await row.getByRole('link').first().click()
    await page.waitForURL(/\/deals\?.*f=/)
    await page.getByText(String(found.rows[at].values[0]), { exact: true }).first().waitFor()
  })

  test('are grouped by what records lead to and by ranges, drawn as a funnel, and mailed', async () => {
    const page = await workspace.open('admin', { path: '/reports?of=deals' })
    await choose(page, 'In groups of', 'Account: Segment')
    await page.waitForURL(/by=account_id\.segment/)
    const table = page.getByRole('table')
    await table.getByRole('row', { name: /^Total/ }).waitFor()
    await choose(page, 'In groups of', 'Deal value')
    const size = page.getByRole('textbox', { name: 'Size of the ranges' })
    await size.fill('50000')
    await size.press('Enter')
    await page.waitForURL(/width=%2250000%22/)
    await table.getByRole('row', { name: '0 to 50,000' }).waitFor()
    await choose(page, 'In groups of', 'Stage')
    await page.getByRole('radio', { name: 'Funnel' }).click()
    await page.getByText('of the step before').first().waitFor()
    await page.getByRole('button', { name: 'Save report…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Stages')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stages' }).waitFor()
    await page.getByRole('button', { name: 'More about Stages' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Mail on Mondays' }).click()
    await page.getByText('You get Stages by mail every Monday').waitFor()
    const id = new URL(page.url()).searchParams.get('report')
    assert.deepEqual(await call('GET', `/api/filters/filter/${id}/mail/`), { is_on: true })
  })

  test('drop what an address asks for that is not there', async () => {
    const page = await workspace.open('admin', {
      path: '/reports?of=tasks&by=status&show=sum:title',
    })
    const table = page.getByRole('table')
    await table.getByRole('columnheader', { name: 'Number of records' }).waitFor()
    await page.goto('/reports?of=nothing')
    await page.getByRole('heading', { name: 'Shipped' }).waitFor()
  })
})
