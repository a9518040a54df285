import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { byKeysAlone, focusIsAt, pressAt, tabTo, typeAt } from '../support/keyboard.ts'
import type { Look, TestWorkspace, Who } from '../support/workspace.ts'
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
  const open = async (who: Who, look: Look) => byKeysAlone(await workspace.open(who, look))
  function fullName(role: string): string {
    const person = workspace.demo.people.find((each) => each.role === role)
    assert.ok(person)
    return person.full_name
  }
  const read = (id: string) => call('GET', `/api/company/${id}/`)

  test('an edit that another caller crossed is kept by "Use mine", and undone', async () => {
    const { id, word, path } = await company()
    const page = await open('admin', { path })
    await pressAt(page, page.getByRole('button', { name: /^Edit Domain/ }))
    const field = page.getByRole('complementary').getByRole('textbox', { name: 'Domain' })
    await typeAt(page, field, `${word.toLowerCase()}-mine.example`)
    await call('PUT', `/api/company/${id}/`, { domain: `${word.toLowerCase()}-theirs.example` })
    await page.keyboard.press('Enter')
    const note = page.getByRole('alert').filter({ hasText: 'Use mine' })
    await note.getByText(`${fullName('admin')} changed Domain meanwhile`).waitFor()
    await note.getByText(`${word.toLowerCase()}-theirs.example`).waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Use mine' }))
    await page.getByText('Domain changed').waitFor()
    assert.equal((await read(id)).domain, `${word.toLowerCase()}-mine.example`)
    expectFaults(page, /412/)
  })

  test('a record is deleted from its panel and comes back', async () => {
    const { id, word, path } = await company()
    const page = await open('admin', { path })
    await pressAt(page, page.getByRole('complementary').getByRole('button', { name: 'More' }))
    await page.getByRole('menuitem', { name: 'Delete company' }).waitFor()
    await page.keyboard.type('Delete')
    await page.keyboard.press('Enter')
    await page.getByText('No companies match').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('link', { name: word }).waitFor()
    assert.equal((await read(id)).company_name, word)
  })

  test('a filter holds what was typed when Escape closes it at once', async () => {
    const { word } = await company()
    const page = await open('admin', { path: '/companies' })
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('f')
    const popup = page.getByRole('dialog', { name: 'Add a filter' })
    await popup.waitFor()
    await page.keyboard.type('Company name')
    await page.keyboard.press('Enter')
    const value = page.getByRole('dialog').getByRole('textbox', { name: 'Value' })
    await typeAt(page, value, word)
    await page.keyboard.press('Escape')
    await value.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: new RegExp(`^Company name .*${word}`) }).waitFor()
  })

  test('offline, what was typed waits in its field and is stored by "Try again"', async () => {
    const { id, path } = await company()
    const page = await open('admin', { path })
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
    const page = await open('admin', { path: '/companies' })
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

  test('two browsers: the other shows an edit of the table, and what is typed there stays', async () => {
    const { id, word, path } = await company()
    const one = await open('admin', { path: `/companies?q=${word}` })
    const two = await open('manager', { path })
    await pressAt(two, two.getByRole('button', { name: /^Edit Domain/ }))
    const typed = two.getByRole('complementary').getByRole('textbox', { name: 'Domain' })
    await focusIsAt(two, typed)
    await two.keyboard.type('half-typ')
    await tabTo(one, one.getByRole('rowheader', { name: word }))
    await one.keyboard.press('e')
    await focusIsAt(one, one.getByRole('textbox', { name: 'Company name' }))
    await one.keyboard.press('Control+a')
    await one.keyboard.type(`${word} Ltd`)
    await one.keyboard.press('Enter')
    await two.getByRole('rowheader', { name: `${word} Ltd` }).waitFor()
    assert.equal(await typed.inputValue(), 'half-typ')
    await focusIsAt(two, typed)
    await two.keyboard.type('ed.example')
    await two.keyboard.press('Enter')
    await two.getByText('Domain changed').waitFor()
    const now = await read(id)
    assert.equal(now.company_name, `${word} Ltd`)
    // another field was changed meanwhile: nobody is asked
    assert.equal(now.domain, 'half-typed.example')
    expectFaults(two, /412/)
  })

  test('a mention is chosen from the list, and opened in the other’s inbox', async () => {
    const manager = fullName('manager')
    const { id, word } = await company()
    const theirs = await open('manager', { path: '/inbox' })
    await theirs.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    const mine = await open('admin', { path: `/companies/${id}/comments` })
    // the plain box becomes the editor, which has the focus then
    await tabTo(mine, mine.getByRole('textbox', { name: 'Write a comment' }))
    const editor = mine.locator('[contenteditable=true][aria-label="Write a comment"]')
    await focusIsAt(mine, editor)
    const [first = ''] = manager.split(' ')
    await mine.keyboard.type(`Ask @${first}`)
    const option = mine.getByRole('option', { name: manager })
    await option.waitFor()
    const active = await editor.getAttribute('aria-activedescendant')
    assert.equal(active, await mine.locator('[role=option][aria-selected=true]').getAttribute('id'))
    // Escape closes the list alone, and the next @ opens it again
    await mine.keyboard.press('Escape')
    await option.waitFor({ state: 'detached' })
    await focusIsAt(mine, editor)
    assert.equal(await editor.getAttribute('aria-activedescendant'), null)
    for (const _ of `@${first}`) await mine.keyboard.press('Backspace')
    await mine.keyboard.type(`@${first}`)
    await option.waitFor()
    await mine.keyboard.press('Enter')
    await mine.keyboard.type('about the offer')
    // without Ctrl+Enter: the button is the last stop of the box
    await pressAt(mine, mine.getByRole('button', { name: 'Comment', exact: true }))
    await mine.getByRole('article').getByText('about the offer').waitFor()
    const notice = theirs.getByRole('button', { name: /mentioned you.*about the offer/s })
    await notice.waitFor()
    await pressAt(theirs, notice)
    const panel = theirs.getByRole('complementary', { name: word })
    await panel.getByRole('article').getByText('about the offer').waitFor()
    await theirs.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await focusIsAt(theirs, notice)
  })

  test('the box for comments takes the focus from nobody who has gone on', async () => {
    const { id } = await company()
    const page = await open('admin', { path: `/companies/${id}/comments` })
    // the editor's code waits until the focus is elsewhere
    const { promise: go, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/editor-*.js', async (route) => {
      await go
      await route.continue()
    })
    await tabTo(page, page.getByRole('textbox', { name: 'Write a comment' }))
    await page.keyboard.press('Tab')
    const next = await page.evaluateHandle(() => document.activeElement)
    resolve()
    await page.locator('[contenteditable=true]').waitFor()
    assert.ok(await next.evaluate((element) => element === document.activeElement))
  })

  test('the search leads into the list, a new condition to its value, and a moved card has the focus', async () => {
    const page = await byKeysAlone(await workspace.open('admin', { path: '/companies' }))
    await page.getByRole('row').nth(5).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('rowheader').first())
    await page.keyboard.press('f')
    await page.getByRole('searchbox', { name: 'Search fields' }).waitFor()
    await page.keyboard.type('Industry')
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('combobox', { name: 'Values' }))
    await page.goto('/deals')
    const card = page.locator('[data-card] a').first()
    await card.waitFor()
    const address = await card.getAttribute('href')
    await card.focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.locator(`[data-card] a[href="${address}"]`))
    await page.context().close()
  })

  test('Escape closes what has been opened before its code has come', async () => {
    const page = await open('admin', { path: '/inbox' })
    const { promise: go, resolve } = Promise.withResolvers<void>()
    await page.route('**/assets/dialogs-*.js', async (route) => {
      await go
      await route.continue()
    })
    // what the page before has loaded is there at once
    await page.reload()
    await pressAt(page, page.getByRole('link', { name: 'Companies', exact: true }))
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('c')
    await page.waitForURL(/new=true/)
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.searchParams.has('new'))
    const loaded = page.waitForResponse(/dialogs-/)
    resolve()
    await loaded
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New company' }).waitFor()
  })
})
