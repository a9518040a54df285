import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { byKeysAlone, focusIsAt, pressAt, typeAt } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Values of a record's page, by the types of their fields: shown, edited where they stand, and refused.

describe('fields', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let made = 0

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    await call('PUT', '/api/modules/companies/fields/', {
      fields: [
        { key: 'sponsor', label: 'Sponsor', type: 'user' },
        { key: 'go_live', label: 'Go-live', type: 'datetime' },
        { key: 'motto', label: 'Motto', type: 'text' },
      ],
    })
  })

  async function company(custom_fields: object = {}) {
    const word = `Merganser${++made}x`
    await call('POST', '/api/company/', { company_name: word, custom_fields })
    const [found]: { company_id: string }[] = await call(
      'GET',
      `/api/company/?page=1&items_per_page=1&q=${word}`,
    )
    const id = found?.company_id ?? ''
    return { id, path: `/companies/${id}` }
  }
  const read = (id: string) => call('GET', `/api/company/${id}/`)

  test('a time is edited by the clock of the person, and stored as the instant', async () => {
    const { id, path } = await company({ go_live: '2026-06-10T10:20:00Z' })
    const { user }: { user: { user_id: string } } = await call('GET', '/api/session/')
    await call('PUT', `/api/users/profile/${user.user_id}/`, { timezone: 'America/New_York' })
    const page = await workspace.open('admin', { path })
    await page.getByRole('button', { name: /^Edit Go-live: Jun 10, 2026, 6:20/ }).click()
    const field = page.getByLabel('Go-live', { exact: true })
    assert.equal(await field.inputValue(), '2026-06-10T06:20')
    await field.fill('2026-12-10T07:30')
    await field.press('Enter')
    await page.getByText('Go-live changed').waitFor()
    assert.equal((await read(id)).custom_fields.go_live, '2026-12-10T12:30:00.000Z')
    await page.getByRole('button', { name: /^Edit Go-live: Dec 10, 2026, 7:30/ }).waitFor()
    await call('PUT', `/api/users/profile/${user.user_id}/`, { timezone: null })
  })

  test('a number is typed as the person writes numbers, whatever the language of the browser', async () => {
    const { id, path } = await company()
    await call('PUT', `/api/company/${id}/`, { estimated_arr: 1000.5 })
    const { user }: { user: { user_id: string } } = await call('GET', '/api/session/')
    await call('PUT', `/api/users/profile/${user.user_id}/`, { locale: 'de-DE' })
    const page = await workspace.open('admin', { path })
    await page.getByRole('button', { name: /^Edit Estimated ARR: 1.000,5/ }).click()
    const field = page.getByRole('textbox', { name: 'Estimated ARR' })
    assert.equal(await field.inputValue(), '1000,5')
    await field.fill('1234,5')
    await field.press('Enter')
    await page.getByText('Estimated ARR changed').waitFor()
    assert.equal((await read(id)).estimated_arr, 1234.5)

    // a separator of another language is refused rather than left out, and the text stays
    await page.getByRole('button', { name: /^Edit Estimated ARR/ }).click()
    await field.fill('99.5')
    await field.press('Enter')
    assert.equal(await field.inputValue(), '99.5')
    const hint = await field.evaluate((input: HTMLInputElement) => input.validationMessage)
    assert.match(hint, /^Type a number/)
    await field.fill('99,5')
    await field.press('Enter')
    await field.waitFor({ state: 'detached' })
    assert.equal((await read(id)).estimated_arr, 99.5)
    await call('PUT', `/api/users/profile/${user.user_id}/`, { locale: null })
    await page.context().close()
  })

  test('a new record is not created while a number in its form is none', async () => {
    const page = await workspace.open('admin', { path: '/companies?new=true' })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Company name' }).fill('Smew without a number')
    const seats = dialog.getByRole('textbox', { name: 'Seats' })
    await seats.fill('about 50')
    await dialog.getByRole('button', { name: 'Create company' }).click()
    assert.ok(await seats.evaluate((input) => input === document.activeElement))
    await seats.fill('50')
    await dialog.getByRole('button', { name: 'Create company' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [found]: { custom_fields: { seats: number } }[] = await call(
      'GET',
      '/api/company/?page=1&items_per_page=1&q=Smew without',
    )
    assert.equal(found?.custom_fields.seats, 50)
    await page.context().close()
  })

  test('a person in a field of one’s own is shown by name, and chosen in the form of a new record', async () => {
    const manager = workspace.demo.people.find(({ role }) => role === 'manager')
    assert.ok(manager)
    const [user]: { user_id: string }[] = await call(
      'GET',
      `/api/users/profile/?page=1&items_per_page=1&q=${manager.email}`,
    )
    const { path } = await company({ sponsor: user?.user_id })
    const page = await workspace.open('admin', { path })
    const value = page.getByRole('button', {
      name: new RegExp(`^Edit Sponsor: .*${manager.full_name}`),
    })
    await value.click()
    await page.getByRole('combobox', { name: 'Sponsor' }).getByText(manager.full_name).waitFor()
    await page.goto('/companies?new=true')
    const dialog = page.getByRole('dialog', { name: 'New company' })
    await dialog.getByRole('combobox', { name: 'Sponsor' }).click()
    await page.keyboard.type(manager.full_name)
    await page.getByRole('option', { name: manager.full_name }).click()
    await dialog.getByRole('combobox', { name: 'Sponsor' }).getByText(manager.full_name).waitFor()
  })

  test('what was refused in a field of one’s own stays as it was typed', async () => {
    const { id, path } = await company({ motto: 'Before' })
    const page = await workspace.open('admin', { path })
    await page.route(`**/api/company/${id}/`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 500,
            json: { message: 'It was not stored; nothing has changed.' },
          })
        : route.continue(),
    )
    await page.getByRole('button', { name: /^All fields/ }).click()
    await page.getByRole('button', { name: /^Edit Motto/ }).click()
    const field = page.getByRole('textbox', { name: 'Motto' })
    await field.fill('After')
    await field.press('Enter')
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    assert.equal(await field.inputValue(), 'After')
    const isWhole = await page.getByRole('alert').evaluate((note) => {
      const facts = note.closest('dl')?.getBoundingClientRect()
      return note.getBoundingClientRect().right <= (facts?.right ?? 0)
    })
    assert.ok(isWhole, 'the facts cut off what was refused')
    await page.unroute(`**/api/company/${id}/`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Motto changed').waitFor()
    assert.equal((await read(id)).custom_fields.motto, 'After')
    expectFaults(page, /500/)
  })

  test('after an edit by keys the value has the focus again, stored or not', async () => {
    const { path } = await company()
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const value = page.getByRole('button', { name: /^Edit Motto/ })
    const field = page.getByRole('textbox', { name: 'Motto' })
    await page.getByRole('tab', { name: 'Activity' }).waitFor()
    await page.keyboard.press('Shift+I')
    const drawer = page.getByRole('dialog', { name: 'All fields' })
    // it has no value, so that only the search shows it
    await typeAt(page, drawer.getByRole('searchbox', { name: 'Search fields' }), 'motto')
    await pressAt(page, value)
    await focusIsAt(page, field)
    await page.keyboard.press('Escape')
    await focusIsAt(page, value)
    await page.keyboard.press('Enter')
    await typeAt(page, field, 'Slowly, but well')
    await page.keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('button', { name: 'Edit Motto: Slowly, but well' }))
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    const industry = page.getByRole('button', { name: /^Edit Industry/ })
    await pressAt(page, industry)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Industry changed').waitFor()
    await focusIsAt(page, industry)
  })

  test('a name from right to left is cut at its end, and leaves the sentence around it in its order', async () => {
    const short = 'שלום עולם'
    const long = `${short} ${'עולם '.repeat(20)}סוף`
    for (const company_name of [short, long]) {
      await call('POST', '/api/company/', { company_name })
    }
    const q = encodeURIComponent(short)
    const [first]: { company_id: string }[] = await call(
      'GET',
      `/api/company/?page=1&items_per_page=1&sort=company_name&q=${q}`,
    )
    const page = await workspace.open('admin', { path: `/companies/${first?.company_id}` })
    const sentence = page.getByText(/created the company/)
    const boxes = [sentence.getByText(short), sentence.locator('time')].map((each) =>
      each.last().boundingBox(),
    )
    const [name, time] = await Promise.all(boxes)
    assert.ok(name && time && time.x >= name.x + name.width)
    await page.goto(`/companies?q=${q}`)
    const link = page.getByRole('link', { name: long })
    await link.waitFor()
    const isBeginningSeen = await link.evaluate((element) => {
      const range = document.createRange()
      const text = element.firstChild as Text
      range.setStart(text, 0)
      range.setEnd(text, 1)
      const [first, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
      return first.left >= box.left - 1 && first.right <= box.right + 1
    })
    assert.ok(isBeginningSeen)
  })
})
