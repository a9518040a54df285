import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { byKeysAlone, pressAt, tabTo, typeAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

describe('settings', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace

  before(async () => {
    workspace = await startWorkspace()
  })

  test('what a role may do changes on the screens of its people at once', async () => {
    const member = await workspace.open('member', { path: '/companies' })
    const create = member.getByRole('button', { name: /new company/i }).first()
    await create.waitFor()
    const admin = await workspace.open('admin', { path: '/settings/roles' })
    await admin.getByRole('button', { name: 'Member' }).click()
    await admin.getByRole('heading', { name: 'Member', level: 1 }).waitFor()
    await choose(admin, 'Companies: create', 'None')
    await create.waitFor({ state: 'detached', timeout: 3000 })
    // the notice takes it back, there too
    await admin.getByRole('button', { name: 'Undo' }).click()
    await create.waitFor({ timeout: 3000 })
  })

  test('by the keyboard alone, too', async () => {
    const member = await workspace.open('member', { path: '/contacts' })
    const create = member.getByRole('button', { name: /new contact/i }).first()
    await create.waitFor()
    const admin = await byKeysAlone(await workspace.open('admin', { path: '/settings/roles' }))
    await pressAt(admin, admin.getByRole('button', { name: 'Member' }))
    await admin.getByRole('heading', { name: 'Member', level: 1 }).waitFor()
    await pressAt(admin, admin.getByLabel('Contacts: create', { exact: true }))
    await admin.getByRole('option', { name: 'None', exact: true }).waitFor()
    await admin.keyboard.type('None')
    await admin.keyboard.press('Enter')
    await create.waitFor({ state: 'detached' })
    // the other screen may be faster than the answer to this one
    await admin.getByRole('button', { name: 'Undo' }).waitFor()
    await admin.keyboard.press('Control+z')
    await create.waitFor()
  })

  test('a new field is in the table, the panel, the form and the filters', async () => {
    const page = await workspace.open('admin', { path: '/settings/fields?module=companies' })
    await page.getByRole('button', { name: 'New field' }).click()
    await page.getByLabel('Label').fill('Renewal plan')
    await choose(page, 'Type', 'Single select')
    await page.getByLabel('Options').fill('Monthly\nYearly')
    await page.getByRole('dialog').getByRole('button', { name: 'Create field' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Renewal plan', exact: true }).waitFor()

    await page.getByRole('link', { name: 'Companies' }).click()
    await page.getByRole('heading', { name: 'Companies', level: 1 }).waitFor()
    await page
      .getByRole('button', { name: /new company/i })
      .first()
      .click()
    await page.getByRole('dialog').getByText('Renewal plan').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('button', { name: /filter/i })
      .first()
      .click()
    await page.keyboard.type('Renewal')
    await page.getByText('Renewal plan').first().waitFor()
    await page.keyboard.press('Escape')
    const call = await workspace.as('admin')
    const [company] = await call('GET', '/api/company/?page=1&items_per_page=1&fields=company_id')
    const { company_id: id } = company
    await call('PUT', `/api/company/${id}/`, { custom_fields: { renewal_plan: 'yearly' } })
    await page.goto(`/companies/${id}`)
    await page.getByText('Renewal plan').first().waitFor()
    await page.getByText('Yearly').first().waitFor()
    await page.goto('/companies?cols=company_name,custom_fields.renewal_plan')
    await page.getByRole('columnheader', { name: /Renewal plan/ }).waitFor()
  })

  test('deleting a field says which views use it, and these say afterwards what is gone', async () => {
    const call = await workspace.as('admin')
    await call('PUT', '/api/organization/settings/fields/contacts/', {
      fields: [{ key: 'shoe_size', label: 'Shoe size', type: 'number' }],
    })
    const { filter_id } = await call('POST', '/api/filters/filter/', {
      name: 'Big feet',
      module: 'contacts',
      conditions: [{ field: 'custom_fields.shoe_size', operator: 'gt', value: 44 }],
      sort: '-custom_fields.shoe_size',
    })
    const page = await workspace.open('admin', {
      path: '/settings/fields?module=contacts&field=shoe_size',
    })
    await page.getByRole('button', { name: 'Delete field' }).click()
    const asked = page.getByRole('alertdialog')
    await asked.getByText('Big feet').first().waitFor()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await asked.waitFor({ state: 'detached' })
    const rows = `/api/contact/?page=1&items_per_page=5&filter_id=${filter_id}`
    assert.deepEqual(await call('GET', rows), [])
    await page.goto('/contacts')
    await page.getByRole('navigation', { name: 'Views' }).getByText('Big feet').click()
    await page.getByText('This view needs repair: the field “shoe_size” is gone.').waitFor()
  })

  test('a setting saves by itself, is taken back, and a refusal stands at its field', async () => {
    const page = await workspace.open('admin', { path: '/settings/organization' })
    const name = page.getByLabel('Name', { exact: true })
    const before = await name.inputValue()
    await name.fill('Larkspur Ltd')
    await name.press('Enter')
    await page.getByText('Name saved').waitFor()
    await page.getByText('Larkspur Ltd').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(
      ([label, value]) =>
        [...document.querySelectorAll('input')].some((input) => input.value === value) && label,
      ['Name', before] as const,
    )
    const color = page.getByLabel('Main color as hexadecimal')
    await color.fill('green')
    await color.press('Tab')
    await page
      .getByText(/must be a color/i)
      .first()
      .waitFor()
    expectFaults(page, /400/)
  })

  test('pipelines, options and preferences by the keyboard alone', async () => {
    const page = await byKeysAlone(await workspace.open('admin', { path: '/settings/pipelines' }))
    const first = page.getByLabel('Name of Qualification')
    await tabTo(page, first)
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Qualification moved').waitFor()
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLInputElement>('input[aria-label^="Name of"]')]
          .map(({ value }) => value)
          .slice(0, 2)
          .join() === 'Discovery,Qualification',
    )
    const call = await workspace.as('admin')
    const stages = async () =>
      (await call('GET', '/api/pipelines/'))[0].stages.map(
        ({ stage_name: stage }: { stage_name: string }) => stage,
      )
    await until(async () => (await stages())[0] === 'Discovery')
    await typeAt(page, page.getByLabel('New stage'), 'Legal review')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of Legal review').waitFor()
    await until(async () => (await stages()).includes('Legal review'))
  })

  test('whoever may not change it reads it, and learns who can', async () => {
    const page = await workspace.open('member', { path: '/settings/organization' })
    await page.getByText(/Only admins can change/).waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).isDisabled(), true)
    assert.equal(await page.getByRole('button', { name: 'Upload logo' }).count(), 0)
  })

  test('somebody who leaves hands over what hangs on them', async () => {
    const page = await workspace.open('admin', { path: '/settings/people' })
    const member = workspace.demo.people.findLast(({ role }) => role === 'member')
    assert.ok(member)
    await page.getByLabel('Search people').fill(member.email)
    const menu = page.getByRole('button', { name: /^Actions for/ })
    await page.waitForFunction(
      () => document.querySelectorAll('[aria-label^="Actions for"]').length === 1,
    )
    await menu.click()
    await page.getByRole('menuitem', { name: 'Deactivate…' }).click()
    await page.getByText(/is responsible for/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click()
    await page.getByText('Inactive').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Inactive').waitFor({ state: 'detached' })
  })
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 50; i++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.fail('it did not come about within 5 s')
}
