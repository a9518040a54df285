import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { pngOf } from '../../../server/test/support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, faultsOf, startWorkspace } from '../support/workspace.ts'

// Documents that are written: alone, by two at once, and after a tab was killed.

describe('a written document', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the document' })
  const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor()
  const made = async (editor_html_content: string, more: object = {}) => {
    const body = { document_name: 'Agreement', editor_html_content, ...more }
    return (await call('POST', '/api/documents/', body)).attach_id as string
  }
  const stored = async (id: string) =>
    (await call('GET', `/api/documents/${id}/`)).editor_html_content as string
  /** Waits until what is stored has a text. */
  const storedWith = async (page: Page, id: string, pattern: RegExp) => {
    for (;;) {
      const next = page
        .waitForResponse((reply) => reply.url().includes(`/api/documents/${id}/`))
        .catch(() => {})
      const html = await stored(id)
      if (pattern.test(html)) return html
      await next
    }
  }

  test('is begun from the list, by the keyboard: headings, lists, a table, a value, a picture', async () => {
    const page = await workspace.open('admin', { path: '/documents' })
    await page
      .getByRole('button', { name: /new document/i })
      .first()
      .click()
    await page.getByRole('button', { name: 'Write a document' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the document' })
    await name.fill('Service agreement')
    await name.press('Enter')
    const text = textOf(page)
    await page.keyboard.type('## Parties')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Between us and **you** of')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/tab')
    await page.getByRole('option', { name: 'Table' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Item')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Amount')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Year')
    await text.locator('th').nth(2).getByText('Year').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('navigation', { name: 'Contents' }).getByText('Parties').waitFor()

    await text.locator('p').first().click()
    await page.keyboard.press('End')
    await page.keyboard.type(' {{organ')
    await page.getByRole('option', { name: /Our organization/ }).waitFor()
    await page.keyboard.press('Enter')
    const value = text.locator('[data-value="organization.name"]')
    await value.waitFor()
    await page.getByRole('radio', { name: 'As names' }).click()
    await value.getByText('Document: Our organization').waitFor()

    await page.locator('input[type=file][accept^="image/"]').setInputFiles({
      name: 'plan.png',
      mimeType: 'image/png',
      buffer: pngOf(40, 20),
    })
    // the editor puts images of its own beside values, which have no address
    await text.locator('img[src]').click()
    await page.getByLabel('What the picture shows').fill('The plan')
    await saved(page)
    const id = /documents\/(\w+)\/edit/.exec(page.url())?.[1] ?? ''
    const html = await storedWith(page, id, /alt="The plan"/)
    assert.match(
      html,
      /<h2>Parties<\/h2>\s*<p>Between us and <strong>you<\/strong> of \{\{organization.name\}\}<\/p>/,
    )
    assert.match(html, /<ul><li><p>One<\/p><\/li><li><p>Two<\/p><\/li><\/ul>/)
    assert.match(html, /<table><tbody><tr><th><p>Item<\/p><\/th><th><p>Amount<\/p><\/th>/)
    assert.match(html, /<img src="\/api\/documents\/\w+\/images\/\w+\/" alt="The plan" \/>/)
    assert.deepEqual(await problemsOf(page), [])

    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish the document?' })
    await dialog.getByText('Values stay as they are now.').waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'detached' })
    await value.waitFor({ state: 'detached' })
    assert.doesNotMatch(await stored(id), /\{\{/)

    // what is published stays, and the next change makes the next version
    await text.locator('h2').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' of the agreement')
    await page.waitForURL((url) => !url.pathname.includes(id))
    await saved(page)
    const next = /documents\/(\w+)\/edit/.exec(page.url())?.[1] ?? ''
    assert.match(await storedWith(page, next, /of the agreement/), /Parties of the agreement/)
    assert.doesNotMatch(await stored(id), /of the agreement/)
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Compare' }).first().click()
    const compared = page.getByRole('dialog', { name: 'Since version 1' })
    await compared.getByText('1 paragraph changed').waitFor()
    await compared.locator('ins').getByText('of the agreement').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await compared.getByRole('button', { name: 'Restore this version' }).click()
    await text.getByText('Parties', { exact: true }).waitFor()
    await page.goto(`${workspace.url}/documents/${next}`)
    await page.getByRole('img', { name: 'The plan' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
  })

  test('by two at once: both are kept, and of the same paragraph both are shown to choose', async () => {
    const id = await made('<p>First</p><p>Second</p><p>Third</p>')
    const path = `/documents/${id}/edit`
    const [one, other] = [
      await workspace.open('admin', { path }),
      await workspace.open('manager', { path }),
    ]
    for (const page of [one, other]) await textOf(page).getByText('Third').waitFor()
    await textOf(one).getByText('First').click()
    await one.keyboard.press('End')
    await one.keyboard.type(' by Ada')
    await textOf(other).getByText('Third').click()
    await other.keyboard.press('End')
    await other.keyboard.type(' by Bob')
    for (const page of [one, other]) {
      await textOf(page).getByText('First by Ada').waitFor()
      await textOf(page).getByText('Third by Bob').waitFor()
    }
    assert.match(await storedWith(one, id, /Bob/), /First by Ada[^]*Second[^]*Third by Bob/)

    // both write in the same paragraph before either hears of the other
    await other.context().setOffline(true)
    await textOf(one).getByText('Second').click()
    await one.keyboard.press('End')
    await one.keyboard.type(' of Ada')
    await storedWith(one, id, /Second of Ada/)
    await textOf(other).getByText('Second').click()
    await other.keyboard.press('End')
    await other.keyboard.type(' of Bob')
    await other.getByText('Offline · your changes wait').waitFor()
    await other.context().setOffline(false)
    const choice = textOf(other).getByRole('group', { name: 'Two people changed this' })
    await choice.getByText('Second of Ada').waitFor()
    await choice.getByText('Second of Bob').waitFor()
    assert.match(await storedWith(other, id, /choice/), /Second of Bob[^]*Second of Ada/)
    assert.deepEqual(await problemsOf(other), [])
    await other.getByRole('button', { name: 'Publish' }).click()
    const dialog = other.getByRole('dialog', { name: 'Publish the document?' })
    await dialog.getByText('1 choice is open.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await choice.getByRole('button', { name: 'Keep both' }).click()
    await choice.waitFor({ state: 'detached' })
    // the other one sees it, too
    await textOf(one).getByText('Second of Bob').waitFor()
    const html = await storedWith(other, id, /^(?![^]*choice)[^]*Bob/)
    assert.match(html, /First by Ada[^]*Second of Ada[^]*Second of Bob[^]*Third by Bob/)
    // who was first to store depends on the moment
    expectFaults(other, /DISCONNECTED/)
    for (const page of [one, other]) {
      if (faultsOf(page).some((each) => each.includes('412'))) expectFaults(page, /412/)
    }
  })

  test('that was not stored when the tab was killed is offered again', async () => {
    const id = await made('<p>Begun</p>')
    const path = `/documents/${id}/edit`
    const page = await workspace.open('admin', { path })
    await textOf(page).getByText('Begun').waitFor()
    await page.route('**/api/documents/**', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await textOf(page).getByText('Begun').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' and never stored')
    await page.getByText('Offline · your changes wait').waitFor()
    await page.waitForFunction(
      (key) => localStorage.getItem(key)?.includes('never stored'),
      `draft:document:${id}`,
    )
    const context = page.context()
    // without what a page does when it is left
    const crashed = page.waitForEvent('crash')
    const devtools = await context.newCDPSession(page)
    void devtools.send('Page.crash').catch(() => {})
    await crashed
    expectFaults(page, /ERR_FAILED/)
    assert.equal(await stored(id), '<p>Begun</p>')
    const again = await context.newPage()
    await again.goto(path)
    await again.getByText(/^Changes from \d.* on this device were not saved\.$/).waitFor()
    assert.deepEqual(await problemsOf(again), [])
    await again.getByRole('button', { name: 'Save them' }).click()
    await textOf(again).getByText('Begun and never stored').waitFor()
    assert.match(await storedWith(again, id, /never stored/), /<p>Begun and never stored<\/p>/)
  })
})
