import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { until } from '../../../server/test/support/until.ts'
import { whenSettled } from '../support/settled.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Who did what is read by everybody who may, field by field, and restricted by the address.

const pictures = process.env.PICTURES

describe('the activity log', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let company: string

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    await call('POST', '/api/company/', { company_name: 'Fjord & Sons' })
    const [made] = await call('GET', '/api/company/?page=1&items_per_page=1&q=Fjord')
    company = made.company_id
    await call('PUT', `/api/company/${company}/`, { company_name: 'Fjord & Daughters' })
  })

  test('says what was changed, before and after, in both themes and on a phone', async () => {
    for (const [screen, theme] of [
      ['wide', 'light'],
      ['wide', 'dark'],
      ['phone', 'light'],
    ] as const) {
      const page = await workspace.open('admin', { screen, theme, path: '/activity' })
      const entry = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: 'Fjord & Daughters' }) })
        .filter({ has: page.getByRole('button', { name: '1 change' }) })
        .first()
      await entry.getByRole('button', { name: '1 change' }).click()
      const row = entry.getByRole('row', { name: 'Company name' })
      await row.getByRole('cell', { name: 'Fjord & Sons' }).waitFor()
      await row.getByRole('cell', { name: 'Fjord & Daughters' }).waitFor()
      await whenSettled(page)()
      if (pictures)
        await page.screenshot({ path: join(pictures, `activity-${screen}-${theme}.png`) })
      assert.deepEqual(await problemsOf(page), [])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `it scrolls sideways by ${wide}`)
      await page.context().close()
    }
  })

  test('is read by keys, and saved as a file', async () => {
    const page = await workspace.open('admin', { path: '/activity?module=companies' })
    await page.getByText('Fjord & Daughters').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: 'Company name' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: 'Company name' }).waitFor({ state: 'detached' })
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const text = await readFile(await csv.path(), 'utf8')
    assert.match(text, /Company name,Fjord & Sons,Fjord & Daughters/)
  })

  test('shows which customers are silent, in both themes and on a phone', async () => {
    const found = await call('GET', '/api/activity/customers/')
    for (const [screen, theme] of [
      ['wide', 'light'],
      ['wide', 'dark'],
      ['phone', 'light'],
    ] as const) {
      const page = await workspace.open('admin', { screen, theme, path: '/activity' })
      await page.getByRole('radio', { name: 'Customers' }).click()
      await page.waitForURL(/view=customers/)
      const table = page.getByRole('region', { name: 'Customers by day' }).getByRole('table')
      const rows = table.getByRole('row')
      await rows.nth(1).waitFor()
      assert.equal(await rows.count(), found.accounts.length + 1)
      assert.match(await rows.nth(1).innerText(), new RegExp(found.accounts[0].account_name))
      await whenSettled(page)()
      if (pictures)
        await page.screenshot({ path: join(pictures, `activity-customers-${screen}-${theme}.png`) })
      assert.deepEqual(await problemsOf(page), [])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wide <= 0, `it scrolls sideways by ${wide}`)
      await page.context().close()
    }
  })

  test('is restricted by the address, and leads to the record', async () => {
    const page = await workspace.open('admin', { path: '/activity' })
    await page.getByRole('combobox', { name: 'What' }).click()
    await page.getByRole('option', { name: 'Created' }).click()
    await page.waitForURL(/action=created/)
    await page.getByText('Fjord & Daughters').first().waitFor()
    await page.getByRole('button', { name: '1 change' }).first().waitFor({ state: 'detached' })
    await page.goto('/activity?source=import&action=restored')
    await page.getByText('Nothing of this kind').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Fjord & Daughters' }).first().click()
    await page.waitForURL(new RegExp(`/companies/${company}`))
  })

  test('is searched, restricted to a record and a field, and a change is taken back', async () => {
    const before = 'The clinics go live one after another, each with a week of training before it.'
    const description = `${before} The last one is Rennes, in March.`
    await call('PUT', `/api/company/${company}/`, { description: before })
    await call('PUT', `/api/company/${company}/`, { description, industry: 'Health' })
    const page = await workspace.open('admin', { path: '/activity' })
    await page.getByRole('searchbox', { name: /the log/i }).fill('Fjord & Daughters')
    await page.waitForURL(/q=Fjord/)
    await page.getByText('Fjord & Daughters').first().waitFor()
    await page.getByRole('button', { name: '2 changes' }).first().click()
    // a long text as what is different
    await page.locator('ins').filter({ hasText: 'The last one is Rennes' }).waitFor()
    await page.getByRole('button', { name: 'Only this record' }).first().click()
    await page.waitForURL(new RegExp(`record=${company}`))
    await page.getByRole('button', { name: 'Only Fjord & Daughters' }).waitFor()
    await page.getByRole('button', { name: '2 changes' }).first().click()
    await whenSettled(page)()
    if (pictures) await page.screenshot({ path: join(pictures, 'activity-opened.png') })
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Take back…' }).first().click()
    await page.getByText('As before again: ').waitFor()
    await page.getByRole('button', { name: 'Take back', exact: true }).click()
    await page.getByText('Taken back: ').waitFor()
    const { description: now, industry } = await call('GET', `/api/company/${company}/`)
    assert.deepEqual([now, industry], [before, null])
    await page.goto(`/activity?module=companies&record=${company}&field=company_name`)
    await page.getByRole('button', { name: '1 change' }).first().waitFor()
    // of four changes and their way back those are left that set the name: the first and the second
    assert.equal(await page.locator('main ol > li').count(), 2)
  })

  test('offers nothing as new that is shown already, such as a change taken back', async () => {
    await call('PUT', `/api/company/${company}/`, { industry: 'Shipping' })
    const page = await workspace.open('admin', { path: '/activity' })
    const first = page.locator('main ol > li').first()
    await first.getByRole('button', { name: '1 change' }).click()
    const at = await first.getByRole('time').getAttribute('datetime')
    await page.getByRole('button', { name: 'Take back…' }).click()
    await page.getByRole('button', { name: 'Take back', exact: true }).click()
    await page.getByText('Taken back: ').waitFor()
    await until(async () => (await first.getByRole('time').getAttribute('datetime')) !== at)
    assert.equal(await page.getByRole('button', { name: /\d new$/ }).count(), 0)
  })

  test('goes on where the page ends, each entry once', async () => {
    const page = await workspace.open('admin', { path: '/activity' })
    const { results } = await call('GET', '/api/activity/feed/?limit=60')
    const last = results[59]
    await page.getByRole('button', { name: 'Show earlier' }).click()
    await page.locator(`time[datetime="${last.at}"]`).first().waitFor()
    const entries = await page.locator('main ol > li').count()
    assert.equal(entries, 100)
  })
})
