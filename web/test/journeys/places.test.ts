import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { focusIsAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// From place to place: where the focus is then, what asks before it is lost, and addresses that are wrong.

describe('places', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let made = 0

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function company() {
    const word = `Dotterel${++made}x`
    await call('POST', '/api/company/', { company_name: word })
    const [found]: { company_id: string }[] = await call(
      'GET',
      `/api/company/?page=1&items_per_page=1&q=${word}`,
    )
    const id = found?.company_id ?? ''
    return { id, word }
  }

  /** The form of a new company, with a name that is not stored yet. */
  async function halfFilled(page: Page) {
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New company' })
    const field = form.getByRole('textbox', { name: 'Company name' })
    await focusIsAt(page, field)
    await page.keyboard.type('Half typed')
    return { form, field }
  }

  /** What the browser asks when the page is loaded again; it is then left as it is. */
  async function askedOnReload(page: Page): Promise<string | null> {
    let asked: string | null = null
    page.once('dialog', (dialog) => {
      asked = dialog.type()
      void dialog.dismiss()
    })
    await page.reload({ timeout: 2000 }).catch(() => {})
    return asked
  }

  test('Escape closes the form of a new record from within a field, and its button has the focus again', async () => {
    const page = await workspace.open('admin', { path: '/companies' })
    await page.locator('tbody tr').first().waitFor()
    const button = page.getByRole('button', { name: 'New company' })
    await button.focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New company' })
    await focusIsAt(page, form.getByRole('textbox', { name: 'Company name' }))
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await focusIsAt(page, button)
  })

  test('a form that is half filled is left by Back and by closing the tab only after a question', async () => {
    const page = await workspace.open('admin', { path: '/companies' })
    const { form, field } = await halfFilled(page)
    assert.equal(await askedOnReload(page), 'beforeunload')
    await page.goBack({ timeout: 2000 }).catch(() => {})
    const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await field.inputValue(), 'Half typed')
    await page.goBack({ timeout: 2000 }).catch(() => {})
    await question.getByRole('button', { name: 'Discard' }).click()
    await form.waitFor({ state: 'detached' })
    await page.waitForURL((url) => !url.searchParams.has('new'))
  })

  test('a value that is being typed is stored when the tab is loaded again, which asks first', async () => {
    const { id, word } = await company()
    const domain = `${word.toLowerCase()}.example`
    const page = await workspace.open('admin', { path: `/companies/${id}` })
    await page.getByRole('button', { name: /^Edit Domain/ }).click()
    await focusIsAt(page, page.getByRole('textbox', { name: 'Domain' }))
    await page.keyboard.type(domain)
    assert.equal(await askedOnReload(page), 'beforeunload')
    await page.getByText('Domain changed').waitFor()
    assert.equal((await call('GET', `/api/company/${id}/`)).domain, domain)
  })

  test('the heading of a record has the focus once its page is there, and a tab keeps it', async () => {
    const { word } = await company()
    const page = await workspace.open('admin', { path: '/inbox' })
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type(word)
    await page
      .getByRole('option', { name: new RegExp(word) })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('heading', { level: 1, name: word }))
    const tab = (name: string) => page.getByRole('tab', { name })
    await tab('Activity').focus()
    for (const name of ['Comments', 'Contacts', 'Deals', 'Projects', 'Files']) {
      await page.keyboard.press('ArrowRight')
      await page.waitForURL(new RegExp(`/${name.toLowerCase()}$`))
      await focusIsAt(page, tab(name))
    }
  })

  test('Back closes the panel, as Escape does, and leaves no step behind', async () => {
    const page = await workspace.open('admin', { path: '/contacts' })
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await page.getByRole('link', { name: 'Companies', exact: true }).click()
    const names = page.getByRole('rowheader').getByRole('link')
    const panel = page.getByRole('complementary')
    await names.nth(0).click()
    await panel.waitFor()
    const second = await names.nth(1).innerText()
    await names.nth(1).click()
    await panel.getByRole('heading', { name: second, exact: true }).waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/companies')
    await names.nth(0).click()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.goBack()
    await page.waitForURL('**/contacts')
    await page.context().close()
  })

  test('a record that somebody else deletes says so where it is open, and is restored there', async () => {
    const { id } = await company()
    const page = await workspace.open('admin', { path: `/companies/${id}` })
    await page.getByRole('button', { name: /^Edit Domain/ }).waitFor()
    await call('DELETE', `/api/company/${id}/`)
    const note = page.getByRole('status').filter({ hasText: 'This company is not here any more' })
    await note.getByRole('button', { name: 'Restore' }).click()
    await note.waitFor({ state: 'detached' })
    await call('GET', `/api/company/${id}/`)
    expectFaults(page, /404/)
  })

  test('what is typed in the side panel stays when the record cannot be read again', async () => {
    const { id, word } = await company()
    const page = await workspace.open('admin', { path: `/companies?q=${word}&peek=${id}` })
    await page.getByRole('button', { name: /^Edit Domain/ }).click()
    const field = page.getByRole('complementary').getByRole('textbox', { name: 'Domain' })
    await field.fill('half-typ')
    const address = `**/api/company/${id}/`
    // the read and its two repetitions
    const { promise: refused, resolve } = Promise.withResolvers<void>()
    let count = 0
    await page.route(address, async (route) => {
      await route.fulfill({ status: 500 })
      if (++count === 3) resolve()
    })
    await call('PUT', `/api/company/${id}/`, { industry: 'software' })
    await refused
    await page.unroute(address)
    assert.equal(await field.inputValue(), 'half-typ')
    await field.press('Escape')
    expectFaults(page, /500/)
  })

  test('an address with conditions that are none shows the list, and a page beyond the last one the last', async () => {
    const page = await workspace.open('admin', { path: '/companies?f=none&size=77&as=tree' })
    await page.getByRole('row').nth(5).waitFor()
    await page.goto('/companies?page=999')
    await page.waitForURL((url) => Number(url.searchParams.get('page')) < 10)
    await page.getByRole('row').nth(1).waitFor()
    await page.goto('/tags?page=999')
    await page.waitForURL((url) => !url.searchParams.has('page'))
  })

  test('of cells that are pasted from a spreadsheet a comment has the rows, and no picture', async () => {
    const { id } = await company()
    const page = await workspace.open('admin', { path: `/companies/${id}/comments` })
    await page.getByRole('textbox', { name: 'Write a comment' }).click()
    const editor = page.locator('[contenteditable=true]')
    await focusIsAt(page, editor)
    await editor.evaluate((element) => {
      const clipboardData = new DataTransfer()
      const cells = '<tr><td>Plan</td><td>Seats</td></tr><tr><td>Team</td><td>12</td></tr>'
      clipboardData.setData('text/html', `<html><body><table>${cells}</table></body></html>`)
      clipboardData.setData('text/plain', 'Plan\tSeats\nTeam\t12')
      clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
      const options = { clipboardData, bubbles: true, cancelable: true }
      element.dispatchEvent(new ClipboardEvent('paste', options))
    })
    await editor.getByText('Team | 12').waitFor()
    assert.equal(await editor.innerText(), 'Plan | Seats\n\nTeam | 12')
    assert.equal(await page.getByRole('list', { name: 'Attached files' }).count(), 0)
  })
})
