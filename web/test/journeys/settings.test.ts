import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Tasks of administrators: restoring deleted records, viewing as another person, personal data.

describe('settings of an administrator', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  test('what was deleted comes back from the bin', async () => {
    await call('POST', '/api/company/', { company_name: 'Gannet & Sons' })
    const path = '/api/company/?page=1&items_per_page=1&q=Gannet&fields=company_id'
    const [{ company_id: id }] = await call('GET', path)
    await call('DELETE', `/api/company/${id}/`)
    const page = await workspace.open('admin', { path: '/settings/bin' })
    await page.getByText('Gannet & Sons').waitFor()
    await page.getByRole('button', { name: 'Restore' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Gannet & Sons is back').waitFor()
    await page.getByText('No companies in the bin').waitFor()
    assert.equal((await call('GET', path)).length, 1)
  })

  test('several of what was deleted come back together, by search and by keyboard', async () => {
    const ids: string[] = []
    for (const name of ['Plover North', 'Plover South', 'Plover West']) {
      await call('POST', '/api/company/', { company_name: name })
      const path = `/api/company/?page=1&items_per_page=1&q=${name}&fields=company_id`
      const [{ company_id: id }] = await call('GET', path)
      await call('DELETE', `/api/company/${id}/`)
      ids.push(id)
    }
    const page = await workspace.open('admin', { path: '/settings/bin' })
    await page.getByRole('searchbox', { name: 'Search the bin' }).fill('Plover')
    for (const name of ['Plover North', 'Plover West']) {
      await page.getByRole('checkbox', { name: `Select ${name}` }).focus()
      await page.keyboard.press('Space')
    }
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Restore 2 selected' }).click()
    await page.getByText('2 companies restored').waitFor()
    await page.getByText('Plover North').waitFor({ state: 'detached' })
    await page.getByText('Plover South').waitFor()
    await call('GET', `/api/company/${ids[0]}/`)
    await page.context().close()
  })

  test('the bin has every record that screens delete', async () => {
    const made: [label: string, path: string, body: object, name: string][] = [
      ['Accounts', '/api/account/info/', { name: 'Gone account' }, 'Gone account'],
      ['Documents', '/api/documents/', { document_name: 'Gone document' }, 'Gone document'],
      ['Surveys', '/api/surveys/', { name: 'Gone survey' }, 'Gone survey'],
      ['Tags', '/api/tags/info/', { name: 'gone tag' }, 'gone tag'],
      [
        'Meetings',
        '/api/calendar/info/',
        { title: 'Gone meeting', start: '2031-01-06T09:00:00Z', end: '2031-01-06T10:00:00Z' },
        'Gone meeting',
      ],
    ]
    const page = await workspace.open('admin', { path: '/settings/bin' })
    for (const [label, path, body, name] of made) {
      const answer = await call('POST', path, body)
      const id = Object.entries(answer).find(([key]) => key === 'id' || key.endsWith('_id'))?.[1]
      await call('DELETE', `${path}${String(id)}/`)
      await page.getByRole('combobox', { name: 'What was deleted' }).click()
      await page.getByRole('option', { name: label, exact: true }).click()
      await page.getByText(name, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Restore' }).first().click()
      await page.getByText(`${name} is back`).waitFor()
    }
  })

  test('tags of one name say which module they are for, and a field says in a sentence what is wrong', async () => {
    await call('POST', '/api/tags/info/', { name: 'Two of a name', tag_type: 4 })
    await call('POST', '/api/tags/info/', { name: 'Two of a name', tag_type: 5 })
    const page = await workspace.open('admin', { path: '/settings/tags' })
    await page.getByRole('searchbox', { name: 'Search tags' }).fill('Two of a name')
    await page.getByText('At risk', { exact: true }).waitFor({ state: 'detached' })
    for (const module of ['Companies', 'Contacts']) {
      await page.getByRole('main').getByText(module, { exact: true }).waitFor()
    }
    await page.goto('/settings/people')
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^E-mail/).fill('nobody')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.getByText('Must be a valid e-mail address').waitFor()
    expectFaults(page, /400/)
    await page.context().close()
  })

  test('an access token is created by keyboard, shown once, used and revoked', async () => {
    const page = await workspace.open('admin', { path: '/developers' })
    await page.getByRole('link', { name: 'access token' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No access tokens yet').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Create token' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create access token' })
    await dialog.waitFor()
    assert.deepEqual(await problemsOf(page), [])
    // without a name it is refused beside the field, and nothing that was chosen is lost
    await page.getByRole('radio', { name: /Only some modules/ }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('combobox', { name: 'Modules' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Read companies')
    await page.getByRole('option', { name: 'Read companies' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const name = page.getByRole('textbox', { name: 'What it is for' })
    await name.focus()
    await page.keyboard.type('Weekly report')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Weekly report is created' })
    const token = (await shown.locator('pre').first().innerText()).trim()
    assert.match(token, /^pat_/)
    assert.deepEqual(await problemsOf(page), [])
    const done = page.getByRole('button', { name: 'Done' })
    assert.equal(await done.isDisabled(), true)
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: /I have saved it/ }).focus()
    await page.keyboard.press('Space')
    await done.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Not used yet').waitFor()
    await page.getByText('Read companies').waitFor()
    assert.equal(await page.getByText(token).count(), 0)
    assert.deepEqual(await problemsOf(page), [])

    const ask = (path: string) => workspace.service.call('GET', path, { token })
    assert.equal((await ask('/api/company/?page=1&items_per_page=5')).status, 200)
    assert.equal((await ask('/api/contact/?page=1&items_per_page=5')).status, 403)
    await page.getByRole('button', { name: 'Revoke Weekly report' }).focus()
    await page.keyboard.press('Enter')
    const sure = page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' })
    await sure.focus()
    await page.keyboard.press('Enter')
    await page.getByText('No access tokens yet').waitFor()
    assert.equal((await ask('/api/company/?page=1&items_per_page=5')).status, 401)
  })

  test('an administrator sees as somebody else does, changes nothing, and stops', async () => {
    const member = workspace.demo.people.find(({ role }) => role === 'member')
    assert.ok(member)
    const page = await workspace.open('admin', { path: '/settings/people' })
    await page.getByLabel('Search people').fill(member.email)
    await page.getByRole('button', { name: `Actions for ${member.full_name}` }).click()
    await page.getByRole('menuitem', { name: `See as ${member.full_name}` }).click()
    await page.getByText(`You see what ${member.full_name} sees`).waitFor()
    const [first = ''] = member.full_name.split(' ')
    await page.getByRole('heading', { level: 1, name: new RegExp(`, ${first}$`) }).waitFor()
    await page.getByRole('link', { name: 'Companies', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Companies' }).waitFor()
    await page.locator('tbody tr').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /new company/i }).count(), 0)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await page.getByRole('link', { name: 'Companies', exact: true }).click()
    await page
      .getByRole('button', { name: /new company/i })
      .first()
      .waitFor()
  })

  test('data of a person is exported, and erased once their name is typed again', async () => {
    await call('POST', '/api/contact/', {
      full_name: 'Isolde Marchetti',
      primary_email: 'isolde@marchetti.example',
    })
    const page = await workspace.open('admin', { path: '/settings/personal-data' })
    await page.getByRole('button', { name: 'Export a person’s data' }).click()
    await page.getByRole('textbox', { name: 'E-mail' }).fill('isolde@marchetti.example')
    await page.keyboard.press('Enter')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    assert.match((await download).suggestedFilename(), /\.(zip|json)/)

    await page.getByRole('button', { name: 'Erase a person' }).click()
    await page
      .getByRole('textbox', { name: 'E-mail', exact: true })
      .fill('isolde@marchetti.example')
    const again = page.getByLabel(/Repeat the e-mail/)
    await again.fill('somebody else')
    await page.getByRole('button', { name: 'Erase for good' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase a person' })
    await dialog
      .getByText(/confirm|repeat|must/i)
      .first()
      .waitFor()
    await again.fill('Isolde Marchetti')
    await page.getByRole('button', { name: 'Erase for good' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByText(/rows? changed or removed/)
      .first()
      .waitFor()
    const left = await call('GET', '/api/contact/?page=1&items_per_page=1&q=Isolde')
    assert.deepEqual(left, [])
    expectFaults(page, /400/)
  })

  test('holidays of a country come with it, and own days are added and taken away', async () => {
    const page = await workspace.open('admin', { path: '/settings/holidays' })
    await page.getByRole('button', { name: 'Add a country' }).click()
    await page.getByRole('textbox', { name: 'Country' }).fill('de')
    await page.getByRole('textbox', { name: 'Year' }).fill('2027')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Germany' }).waitFor()
    await page.getByLabel('New holiday of Germany', { exact: true }).fill('Summer party')
    await page.getByLabel('Day of the new holiday of Germany').fill('2027-07-02')
    await page.keyboard.press('Enter')
    await page.getByText('Summer party added').waitFor()
    await page.getByRole('button', { name: /^Remove Summer party/ }).click()
    await page.getByText('Summer party removed').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: /^Remove Summer party/ }).waitFor()
  })

  test('the feedback form, the calendar’s address and a provider that cannot be reached', async () => {
    const page = await workspace.open('admin', { path: '/settings/feedback' })
    const heading = page.getByLabel('Heading')
    await heading.fill('Was this useful?')
    await heading.press('Enter')
    await page.getByText('Heading saved').waitFor()
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByText('Question added').waitFor()
    await page.getByRole('button', { name: 'Remove Question 4' }).click()
    await page.getByText('Question 4 removed').waitFor()
    const { form } = await call('GET', '/api/widget-config')
    assert.deepEqual([form.title, form.fields.length], ['Was this useful?', 3])

    await page.goto('/settings/calendar')
    const address = page.locator('pre')
    const before = await address.innerText()
    await page.getByRole('button', { name: 'Renew address' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew address' }).click()
    await page.getByText('The calendar has a new address').waitFor()
    assert.notEqual(await address.innerText(), before)

    await page.goto('/settings/openid')
    await page.getByLabel('Issuer').fill('https://127.0.0.1:9/')
    await page.getByLabel('Client id').fill('perennial')
    await page.getByLabel('Client secret').fill('not a secret')
    await page.keyboard.press('Enter')
    await page
      .getByText(/reach|private|public|allowed/i)
      .first()
      .waitFor()
    expectFaults(page, /40\d|422|502/)
  })
})
