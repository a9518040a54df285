import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../../server/src/kit/ground/ids.ts'
import { noBrowser } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// From the first page to a contact found, edited in place and undone, by keyboard alone.

describe('the palette', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let contact: { contact_id: string; full_name: string; job_title: string }

  before(async () => {
    workspace = await startWorkspace()
    const call = await workspace.as('admin')
    const fields = 'fields=contact_id,full_name,job_title'
    ;[contact] = await call('GET', `/api/contact/?page=1&items_per_page=1&sort=full_name&${fields}`)
  })

  test('leads to a contact, whose job title is changed and undone, within a minute', async (t) => {
    const page = await workspace.open('admin')
    const began = performance.now()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.keyboard.press('Control+k')
    // typed at once: what comes before the field is there goes into it
    await page.keyboard.type(contact.full_name)
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const field = palette.getByRole('combobox')
    await field.waitFor()
    assert.equal(await field.inputValue(), contact.full_name)
    await palette.getByRole('option', { name: contact.full_name }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: contact.full_name }).waitFor()
    const edit = page.getByRole('button', { name: 'Edit Job title' })
    await edit.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Job title' }).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Head of Everything')
    await page.keyboard.press('Enter')
    await page.getByText('Job title changed').waitFor()
    assert.match(await edit.innerText(), /Head of Everything/)
    await page.keyboard.press('Control+z')
    await edit.filter({ hasText: contact.job_title }).waitFor()
    const seconds = (performance.now() - began) / 1000
    t.diagnostic(`found, edited and undone in ${seconds.toFixed(1)} s`)
    assert.ok(seconds < 60, `took ${seconds} s`)
    const call = await workspace.as('admin')
    const after = await call('GET', `/api/contact/${contact.contact_id}/`)
    assert.equal(after.job_title, contact.job_title)
  })

  test('finds meetings and milestones, too, and leads to where they are', async () => {
    const call = await workspace.as('admin')
    const calendar_id = newId()
    const range = { start: '2040-03-01T09:00:00Z', end: '2040-03-01T10:00:00Z' }
    await call('POST', '/api/calendar/info/', { calendar_id, title: 'Quokka review', ...range })
    const [project]: { project_id: string; project_name: string }[] = await call(
      'GET',
      '/api/project/info/?page=1&items_per_page=1',
    )
    assert.ok(project)
    const { project_id, project_name } = project
    await call('POST', `/api/project/info/${project_id}/milestones/`, { name: 'Quokka go-live' })
    const page = await workspace.open('admin')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('quokka')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.getByRole('option', { name: `Quokka go-live ${project_name}` }).waitFor()
    await palette.getByRole('option', { name: 'Quokka review' }).click()
    await page.waitForURL(`**/meetings/${calendar_id}`)
  })

  test('remembers what was looked at, and runs commands', async () => {
    const page = await workspace.open('admin', { path: `/contacts/${contact.contact_id}` })
    await page.getByRole('heading', { level: 1, name: contact.full_name }).waitFor()
    await page.goto('/companies')
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    const recent = palette.getByRole('group', { name: 'Recent' })
    await recent.getByRole('option', { name: contact.full_name }).waitFor()
    await page.keyboard.type('>dark')
    await palette.getByRole('option', { name: 'Dark theme' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new con')
    await palette.getByRole('option', { name: 'New contact' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /new contact/i }).waitFor()
  })

  test('offers nobody what they may not do', async () => {
    const page = await workspace.open('observer')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.getByRole('option', { name: 'Sign out' }).waitFor()
    for (const name of ['New contact', 'New deal', 'Open developers', 'Invite a colleague']) {
      assert.equal(await palette.getByRole('option', { name }).count(), 0, name)
    }
  })
})
