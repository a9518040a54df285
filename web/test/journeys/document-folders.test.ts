import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// The list of documents by folder: a tree beside it, a field on a phone, and both in the address.

describe('the folders of documents', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let account: string

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    const all = await call('GET', '/api/account/info/?page=1&items_per_page=1&q=Clairval')
    account = all[0].account_id
    const paper = (document_name: string, more: object) =>
      call('POST', '/api/documents/', { document_name, ...more })
    await paper('Framework contract', { account_id: account, menu_type: 'Osprey contracts' })
    await paper('Order form', { account_id: account, menu_type: 'Osprey contracts' })
    await paper('Osprey price list', { menu_type: 'Osprey price lists' })
  })

  test('lead to their documents, by pointer and by key, and tabs stay in them', async () => {
    const page = await workspace.open('admin', { path: '/documents' })
    const tree = page.getByRole('navigation', { name: 'Folders' })
    const { account_name: name } = await call('GET', `/api/account/info/${account}/`)
    await tree.getByRole('button', { name: new RegExp(`^${name} \\d+$`) }).click()
    await tree.getByRole('button', { name: 'Osprey contracts 2' }).click()
    const rows = page.locator('tbody tr')
    await page.getByRole('link', { name: 'Order form' }).first().waitFor()
    await page.getByText('Osprey price list', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 2)
    assert.match(page.url(), /menu_type/)
    assert.deepEqual(await problemsOf(page), [])

    // the tab keeps the folder, where nothing waits for anybody
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Waiting for others' }).click()
    await page.getByText('No documents match').waitFor()
    await views.getByRole('button', { name: 'All documents' }).click()
    await page.getByRole('link', { name: 'Order form' }).first().waitFor()
    assert.equal(await rows.count(), 2)
    await page.goBack()
    await page.getByText('No documents match').waitFor()
    await page.goForward()

    const folder = tree.getByRole('button', { name: 'Osprey contracts 2' })
    await folder.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await folder.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    await folder.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Osprey price list' }).first().waitFor()
    assert.equal(await rows.count(), 1)
  })

  test('have one’s favourites', async () => {
    const { attach_id: id } = await call('POST', '/api/documents/', { document_name: 'At hand' })
    const page = await workspace.open('admin', { path: `/documents/${id}` })
    const star = page.getByRole('button', { name: 'Favorite: At hand' })
    await star.click()
    await page.locator('[aria-pressed=true][aria-label="Favorite: At hand"]').waitFor()
    await page.goto(`${workspace.url}/documents`)
    const tree = page.getByRole('navigation', { name: 'Folders' })
    await tree.getByRole('button', { name: 'Favorites 1' }).click()
    await page.getByRole('link', { name: 'At hand' }).first().waitFor()
    assert.equal(await page.locator('tbody tr').count(), 1)
  })

  test('are a field on a phone', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await workspace.open('admin', { path: '/documents', screen: 'phone', theme })
      await page.getByRole('combobox', { name: 'Folder' }).click()
      await page.getByRole('option', { name: /Osprey price lists/ }).click()
      await page.getByText('Osprey price list', { exact: true }).first().waitFor()
      await page.getByText('Framework contract', { exact: true }).waitFor({ state: 'detached' })
      assert.deepEqual(await problemsOf(page), [])
      await page.context().close()
    }
  })
})
