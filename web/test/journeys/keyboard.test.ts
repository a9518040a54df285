import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { pressAt, typeAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// What other journeys do with the pointer, by Tab, Enter and the keys of the pages alone: nothing here is
// clicked, filled or focused by the test.

describe('by the keyboard alone', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let made = 0

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function company() {
    const word = `Kestrel${++made}x`
    await call('POST', '/api/company/', { company_name: word })
    const [found] = await call('GET', `/api/company/?page=1&items_per_page=1&q=${word}`)
    const id: string = found.company_id
    return { id, word, path: `/companies?q=${word}&peek=${id}` }
  }
  const read = (id: string) => call('GET', `/api/company/${id}/`)

  test('an edit that another caller crossed is kept by "Use mine", and undone', async () => {
    const { id, word, path } = await company()
    const page = await workspace.open('admin', { path })
    await pressAt(page, page.getByRole('button', { name: /^Edit Domain/ }))
    const field = page.getByRole('complementary').getByRole('textbox', { name: 'Domain' })
    await typeAt(page, field, `${word.toLowerCase()}-mine.example`)
    await call('PUT', `/api/company/${id}/`, { domain: `${word.toLowerCase()}-theirs.example` })
    await page.keyboard.press('Enter')
    await pressAt(page, page.getByRole('button', { name: 'Use mine' }))
    await page.getByText('Domain changed').waitFor()
    assert.equal((await read(id)).domain, `${word.toLowerCase()}-mine.example`)
    expectFaults(page, /412/)
  })

  test('a record is deleted from its panel and comes back', async () => {
    const { id, word, path } = await company()
    const page = await workspace.open('admin', { path })
    await pressAt(page, page.getByRole('complementary').getByRole('button', { name: 'More' }))
    await page.getByRole('menuitem', { name: 'Delete company' }).waitFor()
    await page.keyboard.type('Delete')
    await page.keyboard.press('Enter')
    await page.getByText('No companies match').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('link', { name: word }).waitFor()
    assert.equal((await read(id)).company_name, word)
  })

  test('offline, what was typed waits in its field and is stored by "Try again"', async () => {
    const { id, path } = await company()
    const page = await workspace.open('admin', { path })
    await pressAt(page, page.getByRole('button', { name: /^Edit Domain/ }))
    const field = page.getByRole('complementary').getByRole('textbox', { name: 'Domain' })
    await page.context().setOffline(true)
    await typeAt(page, field, 'later.example')
    await page.keyboard.press('Enter')
    await page.getByText('Perennial cannot be reached').first().waitFor()
    assert.equal(await field.inputValue(), 'later.example')
    await page.context().setOffline(false)
    await pressAt(page, page.getByRole('button', { name: 'Try again' }))
    await page.getByText('Domain changed').waitFor()
    assert.equal((await read(id)).domain, 'later.example')
    expectFaults(page, /ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to load resource/)
  })

  test('signed out elsewhere, one signs in above the form and it is stored as it was typed', async () => {
    const page = await workspace.open('admin', { path: '/companies' })
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    const name = `Kestrel${++made}x`
    await typeAt(page, dialog.getByRole('textbox', { name: 'Company name' }), name)
    const gone = await page.context().request.delete('/api/session/', {
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    assert.ok(gone.ok())
    await page.keyboard.press('Enter')
    const again = page.getByRole('dialog', { name: 'You were signed out' })
    await typeAt(page, again.getByLabel('Password'), workspace.demo.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await page.getByText(name).first().waitFor()
    const path = `/api/company/?page=1&items_per_page=5&q=${name}`
    // what waited for the session is sent once
    assert.equal((await call('GET', path)).length, 1)
    expectFaults(page, /401/)
  })
})
