import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { workbookOfSheets } from '../../../server/test/spreadsheets/workbook.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { makeOrganization, password } from '../../../server/test/support/service.ts'
import { byKeysAlone, pressAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What a team brings on its first day: an address book, and a workbook of several sheets.

const people = new URL('../../../server/test/imports/files/people.vcf', import.meta.url)

/** A workbook whose second sheet has a row that exists already once the first one was imported. */
function workbook(name: string) {
  const header = ['Company name', 'Website']
  const buffer = workbookOfSheets([
    { name: 'About', rows: [['Written by a program']] },
    { name: 'Firms', rows: [header, [`${name} One`, `${name}-one.example`]] },
    {
      name: 'More firms',
      rows: [
        header,
        [`${name} One`, `${name}-one.example`],
        [`${name} Two`, `${name}-two.example`],
      ],
    },
  ])
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: `${name}.xlsx`, mimeType, buffer }
}

describe('bringing data', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace({ jobs: true })
  })

  /** A page of the administrator of an organization without records. */
  async function openFresh(path: string) {
    const { users } = await makeOrganization(workspace.service)
    const page = await workspace.open(null, { path: '/sign-in' })
    const reply = await page.context().request.post('/api/session/', {
      data: { email: users.admin.email, password },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(reply.status(), 200)
    await page.goto(path)
    return page
  }

  test('an empty organization is offered it first, and takes an address book', async () => {
    const page = await openFresh('/')
    const offer = page.getByRole('heading', { name: 'Bring your data' })
    await offer.waitFor()
    const first = page.getByRole('main').getByRole('heading', { level: 2 }).first()
    assert.equal(await first.innerText(), 'Bring your data')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('link', { name: 'Import contacts' }).click()
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    const buffer = await readFile(people)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.vcf', mimeType: 'text/vcard', buffer })
    await page.getByRole('button', { name: 'Create 2', exact: true }).waitFor()
    // a card has no header: a column is called as its field
    const columns = page.getByRole('list', { name: 'Columns of the file' })
    await columns.getByText('Primary email', { exact: true }).first().waitFor()
    assert.doesNotMatch(await columns.innerText(), /_|custom/)
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Create 2', exact: true }).click()
    await page.getByRole('link', { name: 'Show contacts' }).click()
    await page.getByRole('link', { name: 'Elin Sandvik', exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /day, / }).waitFor()
    await offer.waitFor({ state: 'detached' })
  })

  test('the sheet of a workbook is chosen, and the button says what becomes of its rows', async () => {
    const page = await workspace.open('admin', { path: '/import?module=companies' })
    await page.locator('input[type=file]').setInputFiles(workbook('Osprey'))
    await page.getByRole('button', { name: 'Create 1', exact: true }).click()
    await page.getByRole('link', { name: 'Show companies' }).waitFor()

    await page.goto('/import?module=companies')
    await page.locator('input[type=file]').setInputFiles(workbook('Osprey'))
    await sheetOf(page).click()
    await page.getByRole('option', { name: 'More firms' }).click()
    const start = page.getByRole('button', { name: 'Create 1, leave 1', exact: true })
    await start.waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await start.click()
    await page.getByRole('link', { name: 'Show companies' }).waitFor()
    const call = await workspace.as('admin')
    const found = await call('GET', '/api/company/?page=1&items_per_page=5&q=Osprey')
    assert.equal(found.length, 2)
  })

  test('by keyboard alone: the sheet of a workbook, its import, and its undo', async () => {
    const page = await byKeysAlone(
      await workspace.open('admin', { path: '/import?module=companies' }),
    )
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const chooser = page.waitForEvent('filechooser')
    await pressAt(page, button('Choose a file'))
    await (await chooser).setFiles(workbook('Merlin'))
    await button('Create 1').waitFor()
    await pressAt(page, sheetOf(page))
    await page.getByRole('option', { name: 'More firms' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await button('Create 2').waitFor()
    await pressAt(page, button('Create 2'))
    await page.getByRole('link', { name: 'Show companies' }).waitFor()
    await pressAt(page, button('Undo the import'))
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await pressAt(page, question.getByRole('button').last())
    await page.getByText('Undone', { exact: true }).first().waitFor()
    const call = await workspace.as('admin')
    assert.deepEqual(await call('GET', '/api/company/?page=1&items_per_page=5&q=Merlin'), [])
  })

  test('what a stage and a currency become is asked, and taken from the suggestions', async () => {
    const page = await openFresh('/import?module=deals')
    await page.locator('input[type=file]').setInputFiles(deals)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Create 1, leave 1').waitFor()
    const refused = page.getByRole('region', { name: 'Rows that cannot be imported' })
    await refused.getByText('Line 3').waitFor()
    const values = page.getByRole('list', { name: 'Values of Deal Stage' })
    await values.getByText('Decision Maker Bought-In').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await button('Take the suggestion').click()
    await button('Create 2').waitFor()
    await refused.waitFor({ state: 'detached' })
    const currencies = page.getByRole('region', { name: 'Amounts in other currencies' })
    await currencies.getByRole('radiogroup', { name: /2 amounts in EUR/ }).waitFor()
    await currencies.getByRole('radio', { name: /Convert/ }).click()
    await currencies.getByRole('textbox', { name: '1 EUR in your currency' }).fill('1.1')
    await page.keyboard.press('Tab')
    await page.getByText('It can be undone for 30 days.', { exact: true }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await button('Create 2').click()
    await page.getByRole('link', { name: 'Show deals' }).click()
    await page.getByText('$1,100.55').first().waitFor()
  })

  test('by keyboard alone: a stage is chosen, and a currency kept', async () => {
    const page = await byKeysAlone(await openFresh('/import?module=deals'))
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const chooser = page.waitForEvent('filechooser')
    await pressAt(page, button('Choose a file'))
    await (await chooser).setFiles(deals)
    await button('Create 1, leave 1').waitFor()
    const name = 'What Decision Maker Bought-In of Deal Stage becomes'
    await pressAt(page, page.getByRole('combobox', { name }))
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await button('Create 2').waitFor()
    const currencies = page.getByRole('region', { name: 'Amounts in other currencies' })
    await pressAt(page, currencies.getByRole('radio').first(), 'Space')
    await page.getByText('It can be undone for 30 days.', { exact: true }).waitFor()
    await pressAt(page, button('Create 2'))
    await page.getByText('Done', { exact: true }).first().waitFor()
  })
})

/** Deals with a stage of another product, and amounts in another currency than the organization's. */
const deals = {
  name: 'deals.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    'Deal Name,Deal Stage,Amount,Close Date\n' +
      'Renewal North,Closed Won,"1.000,50 €",2022-03-01\n' +
      'Pilot,Decision Maker Bought-In,"20,00 €",2027-03-01\n',
  ),
}

const sheetOf = (page: Page) => page.getByRole('combobox', { name: 'Sheet' })
