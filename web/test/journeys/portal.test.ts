import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// The portal of customers and partners, as they come to it: sent there from every screen of the workspace, on a wide
// screen and on a phone, in their language.

describe('the portal', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let project: { project_id: string; project_name: string }
  let me: { user_id: string; full_name: string }

  before(async () => {
    workspace = await startWorkspace()
    const own = await workspace.as('customer')
    const [first] = await own('GET', '/api/project/info/?page=1&items_per_page=1&sort=project_name')
    assert.ok(first, 'the demonstration shares a project with its customer')
    project = first
    me = (await own('GET', '/api/session/')).user
  })

  /** A task of the customer, made by a colleague of ours. */
  async function task(title: string, more: object = {}): Promise<string> {
    const call = await workspace.as('admin')
    const { project_id } = project
    const body = { title, project_id, owner: me.user_id, is_shared: true, due_date: '2026-01-05' }
    const made = await call('POST', '/api/tasks/', { ...body, ...more })
    return made.item_id as string
  }

  test('is where customers and partners are sent from every screen', async () => {
    for (const role of ['customer', 'partner'] as const) {
      const page = await workspace.open(role, { path: '/companies' })
      await page.waitForURL('**/portal')
      await page.goto(`/projects/${project.project_id}/plan`)
      await page.waitForURL('**/portal/projects/**')
      // it is the customer's, and does not exist for the partner
      if (role === 'partner') expectFaults(page, /404/)
      await page.goto('/settings')
      await page.getByRole('heading', { name: 'Profile' }).first().waitFor()
      assert.equal(await page.getByRole('link', { name: 'Companies' }).count(), 0)
      await page.getByRole('link', { name: workspace.demo.name }).click()
      await page.waitForURL('**/portal')
      await page.context().close()
    }
  })

  test('asks whoever is not signed in for an address, and mails a link', async () => {
    const page = await workspace.open(null, { path: '/portal' })
    await page.waitForURL('**/portal/sign-in')
    await page.getByLabel('E-mail').fill('nobody@nowhere.example')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('a link is on its way').waitFor()
    await page.context().close()
  })

  test('shows what is next, which is done and taken back', async () => {
    await task('Send the list of sites', { due_date: '2020-01-06' })
    const page = await workspace.open('customer')
    const next = page.locator('.card.first')
    await next.getByRole('heading', { name: 'Send the list of sites' }).waitFor()
    await next.getByText(/It was due on Monday, 6 January 2020/).waitFor()
    await next.getByRole('button', { name: 'Mark as done' }).click()
    await page.getByText('Done: Send the list of sites').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Send the list of sites' }).count(), 0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await next.getByRole('heading', { name: 'Send the list of sites' }).waitFor()
    await page.context().close()
  })

  test('takes files of a task that asks for them, by the keyboard too', async () => {
    const id = await task('Upload the export', { due_date: '2018-01-08', asks_for_file: true })
    const page = await workspace.open('customer')
    const next = page.locator('.card.first')
    await next.getByRole('heading', { name: 'Upload the export' }).waitFor()
    const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('a,b') })
    await picture(page, 'portal-upload')
    await next.getByLabel('Choose files').setInputFiles([file('Lyon.csv'), file('Bron.csv')])
    await next.getByRole('button', { name: 'Upload' }).press('Enter')
    await page.waitForURL(`**/portal/tasks/${id}?uploaded=1*`)
    await page.getByText('Mark it as done when nothing is missing').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'portal-files')
    await page.getByRole('button', { name: /^Remove.*Bron\.csv/ }).press('Enter')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByRole('link', { name: 'Bron.csv' }).waitFor()
    await page.getByLabel('Choose files').setInputFiles([])
    await page.getByRole('button', { name: 'Mark as done' }).click()
    await page.getByText('Done: Upload the export').waitFor()
    await page.context().close()
  })

  test('takes the answers of a form, in part and whole', async () => {
    const pages = [
      {
        fields: [
          { id: 'seats', type: 'number', label: 'How many seats?', required: true },
          { id: 'note', type: 'short-text', label: 'Anything else?' },
        ],
      },
    ]
    const id = await task('Tell us about your seats', {
      item_type: 3,
      form_structure: { pages },
      due_date: '2019-01-07',
    })
    const page = await workspace.open('customer')
    await page.getByText('0 of 2 questions answered').waitFor()
    await page.getByRole('link', { name: 'Open the form' }).click()
    await page.getByLabel('Anything else?').fill('No')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('#q-seats-wrong').waitFor()
    expectFaults(page, /400/)
    assert.equal(await page.getByLabel('Anything else?').inputValue(), 'No')
    await page.getByRole('button', { name: 'Save and finish later' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByLabel('How many seats?').fill('40')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Done: Tell us about your seats').waitFor()
    const call = await workspace.as('admin')
    const { form_responses, is_completed } = await call('GET', `/api/tasks/${id}/`)
    assert.deepEqual([form_responses, is_completed], [{ seats: 40, note: 'No' }, true])
    await page.context().close()
  })

  test('asks how a completed milestone went, by the keyboard, and the team has the answer', async () => {
    const call = await workspace.as('admin')
    const at = `/api/project/info/${project.project_id}/milestones/`
    const name = 'Data of the first site'
    const made = await call('POST', at, { name, is_shared: true })
    await call('PUT', `${at}${made.milestone_id}/`, { status: 'completed' })
    const page = await workspace.open('customer', {
      path: `/portal?project=${project.project_id}`,
      screen: 'phone',
    })
    await page
      .getByRole('link', { name: new RegExp(`^Rate.*${name}`) })
      .first()
      .press('Enter')
    await page.waitForURL(`**/portal/milestones/${made.milestone_id}`)
    await page.getByRole('heading', { name }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'portal-rating-phone')
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'portal-rating-phone-dark')
    const scale = page.getByRole('group', { name: 'How satisfied are you?' })
    await scale.getByLabel('4', { exact: true }).press('Space')
    await page.getByLabel('A word about it').fill('Quick, and <friendly>')
    await page.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    await page.getByText('The team has your rating').waitFor()
    assert.equal(await page.getByRole('link', { name: new RegExp(`^Rate.*${name}`) }).count(), 0)
    await page.context().close()

    const team = await workspace.open('admin', { path: `/projects/${project.project_id}/plan` })
    const rated = team.getByText('Rated 4 of 5 by 1 person')
    await rated.waitFor({ state: 'attached' })
    await rated.scrollIntoViewIfNeeded()
    await picture(team, 'plan-rating')
    await team.goto(`/projects/${project.project_id}/activity`)
    await team.getByText(`${me.full_name} rated`).first().waitFor()
    await team.getByText('4/5 · Quick, and <friendly>').first().waitFor()
    await picture(team, 'timeline-rating')
    await team.context().close()
  })

  test('tells the team who needs more time, and what is said shows without a reload', async () => {
    const id = await task('Choose a date for the training', { due_date: '2018-01-08' })
    const page = await workspace.open('customer', { path: `/portal/tasks/${id}` })
    await page.getByLabel('Until when?').fill('2018-01-01')
    await page.getByRole('button', { name: 'Ask for it' }).click()
    await page.getByText('Choose a day from today on').first().waitFor()
    expectFaults(page, /400/)
    await page.getByLabel('Until when?').fill('2199-01-01')
    await page.getByLabel('Why?').fill('Our <trainer> is away')
    await page.getByRole('button', { name: 'Ask for it' }).click()
    await page.getByText('The team has been told').waitFor()
    const call = await workspace.as('admin')
    const query = `module_name=tasks&reference_id=${id}`
    const { results } = await call('GET', `/api/interactions/info/?${query}`)
    assert.match(results[0].content, /I need until .*2199.*Our &lt;trainer&gt; is away/s)

    await page.goto('/portal')
    await page.getByLabel('Write to the team').fill('When do we start?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('When do we start?').waitFor()
    const { project_id } = project
    await call('POST', '/api/interactions/info/', {
      module_name: 'projects',
      reference_id: project_id,
      content: 'On Monday.',
      is_shared: true,
    })
    await page.getByText('On Monday.').waitFor()
    await call('POST', '/api/interactions/info/', {
      module_name: 'projects',
      reference_id: project_id,
      content: 'They are late.',
      is_shared: false,
    })
    await page.reload()
    await page.getByText('On Monday.').waitFor()
    assert.equal(await page.getByText('They are late.').count(), 0)
    await page.context().close()
  })

  test('speaks the language that one chooses', async () => {
    const page = await workspace.open('customer', { language: 'fr-FR' })
    await page.getByText('À vous de jouer').waitFor()
    await page.getByLabel('Langue').selectOption('de')
    await page.getByText('Ihr nächster Schritt').waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByText('What is next for you').waitFor()
    await page.context().close()
  })

  test('is told about nothing that is not there', async () => {
    const secret = await task('Not for the customer', { is_shared: false, owner: undefined })
    const page = await workspace.open('customer')
    for (const path of [
      `/portal/tasks/${secret}`,
      '/portal/projects/nothing',
      '/portal/documents/x',
    ]) {
      const reply = await page.request.get(path)
      assert.equal(reply.status(), 404, path)
      assert.ok(!(await reply.text()).includes('Not for the customer'))
    }
    // another site's form is refused
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const form = { act: 'done' }
    const sent = await page.request.post(`/portal/tasks/${secret}`, { headers, form })
    assert.equal(sent.status(), 403)
    await page.context().close()
  })

  test('is seen by an administrator as a customer sees it, by keyboard, and nothing is done', async () => {
    const id = await task('Not done by looking', { due_date: '2017-01-09' })
    const page = await workspace.open('admin', { path: `/projects/${project.project_id}` })
    await page.getByRole('button', { name: 'More', exact: true }).first().press('Enter')
    await page.getByRole('menuitem', { name: 'Preview as customer' }).press('Enter')
    await page.waitForURL('**/portal/preview?**')
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'portal-preview-choose')
    await page.getByRole('link', { name: me.full_name }).press('Enter')
    await page.getByText(`You see what ${me.full_name} sees`).waitFor()
    const next = page.locator('.card.first')
    await next.getByRole('heading', { name: 'Not done by looking' }).waitFor()
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `portal-preview-${width}-${colorScheme}`)
    }
    await next.getByRole('button', { name: 'Mark as done' }).click()
    await next.getByRole('heading', { name: 'Not done by looking' }).waitFor()
    const call = await workspace.as('admin')
    assert.equal((await call('GET', `/api/tasks/${id}/`)).is_completed, false)
    await page.getByRole('button', { name: 'Close the preview' }).press('Enter')
    await page.waitForURL(`**/projects/${project.project_id}**`)
    await page.context().close()
    await call('DELETE', `/api/tasks/${id}/`)
  })

  for (const [screen, theme, language] of [
    ['wide', 'light', 'en-GB'],
    ['wide', 'dark', 'en-GB'],
    ['phone', 'light', 'de-DE'],
  ] as const) {
    test(`has no findings of axe, ${screen}, ${theme}`, async () => {
      const id = await task(`Read the plan ${screen} ${theme}`)
      const page = await workspace.open('customer', { screen, theme, language })
      for (const path of [
        '/portal',
        `/portal/projects/${project.project_id}`,
        `/portal/tasks/${id}`,
      ]) {
        await page.goto(path)
        assert.deepEqual(await problemsOf(page), [])
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        assert.equal(wider, 0, path)
        await picture(
          page,
          `portal${path.split('/')[2] ? `-${path.split('/')[2]}` : ''}-${screen}-${theme}`,
        )
      }
      await page.context().close()
    })
  }
})

async function picture(page: Page, name: string): Promise<void> {
  const { PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
