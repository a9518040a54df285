import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { byKeysAlone, pressAt, typeAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// A spreadsheet is imported, the list filtered, and the view shared: with the pointer and without it.

/** Twenty companies, and a row that cannot be one; amounts that two countries read in two ways. */
function sheet(name: string) {
  // the header has a column of its own: what was chosen for a header is remembered
  const rows = Array.from(
    { length: 20 },
    (_, at) => `${name} ${at + 1},${name.toLowerCase()}${at + 1}.example,Retail,${at + 1}.000,x`,
  )
  const header = `Company name,Website,Industry,Annual revenue,${name} code`
  const text = [header, ...rows, ',,Retail,1.000,x'].join('\n')
  return { name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) }
}

describe('importing a spreadsheet', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace({ jobs: true })
  })

  test('20 companies → filter → saved view → its address in another browser', async () => {
    const page = await workspace.open('admin', { path: '/companies' })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: /Import companies/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    await page.locator('input[type=file]').setInputFiles(sheet('Kestrel'))

    // ambiguous formats are asked for, and expected errors are reported by line and column
    const start = page.getByRole('button', { name: 'Create 20, leave 1' })
    await start.waitFor()
    assert.ok(await start.isDisabled())
    await page.getByRole('combobox', { name: 'How Annual revenue is read' }).click()
    await page.getByRole('option', { name: /Decimal comma/ }).click()
    await page.getByText('1 cell cannot be taken').click()
    await page.getByText('Line 22: empty cell is required').waitFor()
    const trial = page.locator('dl', { hasText: 'companies would be created' })
    await trial.getByText('20').first().waitFor()
    await start.click()

    await page.getByText('Done, with errors').waitFor()
    assert.equal(await numberOf(page, 'Created'), '20')
    assert.equal(await numberOf(page, 'Not imported'), '1')
    await page.getByText('Line 22').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the rows' }).click()
    assert.equal((await download).suggestedFilename(), 'errors.csv')

    await page.getByRole('link', { name: 'Show companies' }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Company name' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Kestrel 1')
    await page.getByText('1–11 of 11').waitFor()
    await page.keyboard.press('Escape')
    await saveView(page, 'Kestrels of the fair')

    const other = await workspace.open('manager', {
      path: new URL(page.url()).pathname + new URL(page.url()).search,
    })
    await other.getByText('1–11 of 11').waitFor()
    await other.getByRole('link', { name: 'Kestrel 11', exact: true }).waitFor()
  })

  test('a file that is empty is refused in a sentence', async () => {
    const page = await workspace.open('admin', { path: '/import' })
    const empty = { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') }
    await page.locator('input[type=file]').setInputFiles(empty)
    await page.getByText(/^The file is empty/).waitFor()
    expectFaults(page, /400/)
  })

  test('by keyboard alone: import → filter → saved view → its address, and the import undone', async () => {
    const page = await byKeysAlone(await workspace.open('admin', { path: '/companies' }))
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await pressAt(page, button('More'))
    await page.getByRole('menuitem', { name: /Import companies/ }).waitFor()
    await page.keyboard.type('Import')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
    const chooser = page.waitForEvent('filechooser')
    await pressAt(page, button('Choose a file'))
    await (await chooser).setFiles(sheet('Heron'))
    await page.getByRole('button', { name: 'Create 20, leave 1' }).waitFor()
    await pressAt(page, page.getByRole('combobox', { name: 'How Annual revenue is read' }))
    await page.getByRole('option', { name: /Decimal comma/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('It can be undone for 30 days.').waitFor()
    await pressAt(page, button('Create 20, leave 1'))
    await page.getByText('Done, with errors').waitFor()
    const ofImport = page.url()
    await pressAt(page, page.getByRole('link', { name: 'Show companies' }))
    const dialog = page.getByRole('dialog')
    await pressAt(page, button('Filter'))
    await pressAt(page, dialog.getByRole('button', { name: 'Company name' }))
    await typeAt(page, dialog.getByRole('textbox'), 'Heron 1')
    await page.getByText('1–11 of 11').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await pressAt(page, saveButton(page))
    await typeAt(page, dialog.getByRole('textbox', { name: /Name/ }), 'Herons')
    await pressAt(page, dialog.getByRole('combobox', { name: 'Who sees it' }))
    await page.getByRole('option', { name: /Everyone/ }).waitFor()
    await page.keyboard.type('Everyone')
    await page.keyboard.press('Enter')
    await pressAt(page, dialog.getByRole('button', { name: 'Save view' }))
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Herons' }).waitFor()
    const { pathname, search } = new URL(page.url())
    const other = await workspace.open('manager', { path: pathname + search })
    await other.getByRole('link', { name: 'Heron 11', exact: true }).waitFor()

    await page.goto(ofImport)
    await page.getByText('Done, with errors').waitFor()
    await pressAt(page, button('Undo the import'))
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await pressAt(page, question.getByRole('button').last())
    await page.getByText('Undone', { exact: true }).first().waitFor()
    const call = await workspace.as('admin')
    const left = await call('GET', '/api/company/?page=1&items_per_page=5&q=Heron')
    assert.deepEqual(left, [])
  })
})

async function numberOf(page: Page, label: string) {
  const box = page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })
  return box.locator('dd').textContent()
}

async function saveView(page: Page, name: string) {
  await saveButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /Name/ }).fill(name)
  await dialog.getByRole('combobox', { name: 'Who sees it' }).click()
  await page.getByRole('option', { name: /Everyone/ }).click()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).waitFor()
}

const saveButton = (page: Page) =>
  page.getByRole('button', { name: /Save (as )?(a )?(new )?view/i }).first()
