import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../../../server/test/support/until.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, faultsOf, startWorkspace } from '../support/workspace.ts'

// A survey is begun, built, previewed and published, by the pointer and by keys alone.

type Row = { [field: string]: any }

describe('the builder of surveys', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor()
  const frameOf = (page: Page) => page.frameLocator('iframe[title="Preview of the survey"]')
  const rows = (page: Page) => page.getByRole('treeitem', { level: 2 })
  const labels = async (id: string) => {
    const draft: Row = await call('GET', `/api/surveys/${id}/draft/`)
    return draft.form_structure.pages.flatMap(({ fields }: Row) =>
      fields.map(({ label }: Row) => label),
    )
  }
  async function made(fields: object[]): Promise<string> {
    const form_structure = [{ id: 'p1', title: '', fields }]
    const survey: Row = await call('POST', '/api/surveys/', { name: 'Pulse', form_structure })
    return survey.survey_id
  }
  const score = { id: 'score', type: 'nps', label: 'Recommend us?' }
  const why = { id: 'why', type: 'long-text', label: 'Why?' }

  test('begins with a score, shows the real page, and publishes', async () => {
    const page = await workspace.open('admin', { path: '/surveys?new=true' })
    const dialog = page.getByRole('dialog', { name: 'New survey' })
    await dialog.getByLabel('Name').fill('After the start')
    await dialog.getByRole('radio', { name: /^NPS/ }).check()
    await picture(page, 'new-survey')
    await dialog.getByRole('button', { name: 'Create survey' }).click()
    await page.waitForURL(/\/surveys\/\w+\/edit$/)
    const id = String(/surveys\/(\w+)\/edit/.exec(page.url())?.[1])
    await frameOf(page).getByText('What is the main reason?').waitFor()
    await rows(page).nth(1).click()
    await page.getByLabel('Question', { exact: true }).fill('What would have made it a 10?')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await rows(page).getByText('only if question 1 is at most 6').waitFor()
    await saved(page)
    await frameOf(page).locator('[data-show-if]').waitFor({ state: 'attached' })
    await frameOf(page).getByRole('radio', { name: '3' }).check()
    await frameOf(page).getByLabel('What would have made it a 10?').click()
    await page.getByRole('treeitem', { name: /2 What would/, selected: true }).waitFor()
    await picture(page, 'builder')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Publish' }).click()
    const publish = page.getByRole('dialog', { name: 'What changes' })
    await publish.getByText('when it is asked').waitFor()
    await publish.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('After the start published').waitFor()
    const survey: Row = await call('GET', `/api/surveys/${id}/`)
    assert.equal(survey.status, 'published')
    assert.equal(survey.form_structure.pages[0].fields[1].label, 'What would have made it a 10?')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until(async () => (await call('GET', `/api/surveys/${id}/draft/`)).is_draft)
    assert.equal((await labels(id)).at(-1), 'What would have made it a 10?')
    const undone: Row = await call('GET', `/api/surveys/${id}/`)
    assert.equal(undone.status, 'draft')
    assert.equal(undone.form_structure.pages[0].fields[1].label, 'What is the main reason?')
  })

  test('is built by keys alone, and taken back', async () => {
    const id = await made([score, why])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await rows(page).first().focus()
    await page.keyboard.press('/')
    await page.getByRole('menuitem', { name: 'Date', exact: true }).waitFor()
    await page.keyboard.type('Date')
    await page.keyboard.press('Enter')
    await rows(page).nth(2).waitFor()
    await page.getByRole('treeitem', { name: /Without a text/, selected: true }).waitFor()
    await page.getByLabel('Question', { exact: true }).fill('From which day?')
    await rows(page).nth(1).filter({ hasText: 'From which day?' }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await saved(page)
    await rows(page).nth(2).filter({ hasText: 'From which day?' }).waitFor()
    await page.keyboard.press('Control+z')
    await rows(page).nth(1).filter({ hasText: 'From which day?' }).waitFor()
    await page.keyboard.press('Control+Shift+z')
    await rows(page).nth(2).filter({ hasText: 'From which day?' }).focus()
    await page.keyboard.press('Delete')
    await page.getByText('From which day? deleted').waitFor()
    assert.equal(await rows(page).count(), 2)
  })

  test('is ordered by the pointer, and refuses what conditions need', async () => {
    const show_if = [{ field_id: 'score', operator: 'lte', value: 6 }]
    const id = await made([score, { ...why, show_if }, { ...why, id: 'more', label: 'More?' }])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await rows(page)
      .nth(2)
      .dragTo(rows(page).nth(0), { targetPosition: { x: 80, y: 4 } })
    await rows(page).nth(0).filter({ hasText: 'More?' }).waitFor()
    await saved(page)
    assert.deepEqual(await labels(id), ['More?', 'Recommend us?', 'Why?'])
    await rows(page).nth(2).click()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Question 3 is only asked after the one that it depends on').waitFor()
    assert.deepEqual(await labels(id), ['More?', 'Recommend us?', 'Why?'])
  })

  test('loses nothing when it is left at once, and says that a name is missing', async () => {
    const id = await made([score, why])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await rows(page).nth(1).click()
    await page.getByLabel('Question', { exact: true }).fill('Left at once?')
    await page.getByRole('link', { name: 'Back to the survey' }).click()
    await until(async () => (await labels(id)).at(-1) === 'Left at once?')
    await page.goto(`${workspace.url}/surveys/${id}/edit`)
    await rows(page).nth(1).click()
    await page.getByLabel('Question', { exact: true }).fill('Closed at once?')
    await page.goto('about:blank')
    await until(async () => (await labels(id)).at(-1) === 'Closed at once?')
    await page.goto(`${workspace.url}/surveys/${id}/edit`)
    await page.getByRole('treeitem', { name: 'Introduction, colors' }).click()
    await page.getByLabel('Name', { exact: true }).fill('')
    await page.getByText('Not saved: the name is empty').waitFor()
    assert.equal(await page.getByLabel('Changed since it was published').count(), 0)
    await picture(page, 'builder-no-name')
    assert.deepEqual(await problemsOf(page), [])
  })

  test('keeps its draft when it is reopened, and a newer one when publishing is undone', async () => {
    const id = await made([score, why])
    await call('POST', `/api/surveys/${id}/publish/`)
    await call('POST', `/api/surveys/${id}/close/`)
    const pages = (label: string) => [{ id: 'p1', title: '', fields: [score, { ...why, label }] }]
    await call('PUT', `/api/surveys/${id}/draft/`, { form_structure: pages('Drafted?') })
    const survey = async (): Promise<Row> => call('GET', `/api/surveys/${id}/`)
    const asked = ({ form_structure }: Row) => form_structure.pages[0].fields[1].label
    const page = await workspace.open('admin', { path: `/surveys/${id}` })
    await page.getByRole('button', { name: 'Reopen survey' }).click()
    await page.getByText('Reopened').waitFor()
    assert.deepEqual([(await survey()).status, asked(await survey())], ['published', 'Why?'])
    await page.getByRole('button', { name: 'Close survey' }).click()
    await until(async () => (await survey()).status === 'closed')
    await page.goto(`${workspace.url}/surveys/${id}/edit`)
    await page.getByRole('treeitem', { name: /Drafted/ }).click()
    await page.getByLabel('Changed since it was published').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'What changes' })
      .getByRole('button', { name: 'Publish' })
      .click()
    await page.getByText('Pulse published').waitFor()
    assert.deepEqual([(await survey()).status, asked(await survey())], ['published', 'Drafted?'])
    await page.getByLabel('Question', { exact: true }).fill('Newer?')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until(async () => (await survey()).status === 'closed')
    assert.equal(asked(await survey()), 'Why?')
    assert.equal((await labels(id)).at(-1), 'Newer?')
    await page.getByRole('treeitem', { name: /Newer/ }).waitFor()
  })

  test('shows conditions by their names, and keeps what a question is', async () => {
    const choice = {
      id: 'site',
      type: 'dropdown',
      label: 'Where?',
      options: [{ value: 'x1', label: 'North' }],
    }
    const from = { id: 'from', type: 'date', label: 'From when?' }
    const show_if = [
      { field_id: 'site', operator: 'eq', value: 'x1' },
      { field_id: 'from', operator: 'eq', value: '2026-03-01' },
    ]
    const id = await made([choice, from, { ...why, show_if }])
    await call('POST', `/api/surveys/${id}/publish/`)
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await rows(page).getByText('only if question 1 is “North” and question 2').waitFor()
    await rows(page).nth(2).click()
    assert.equal(await page.getByLabel('Condition 2, answer').getAttribute('type'), 'date')
    await picture(page, 'builder-conditions')
    assert.deepEqual(await problemsOf(page), [])
    const ids = async () => {
      const { form_structure }: Row = await call('GET', `/api/surveys/${id}/draft/`)
      return form_structure.pages[0].fields.map((each: Row) => `${each.id} ${each.type}`)
    }
    const change = async (kind: string) => {
      await page.getByLabel('Kind', { exact: true }).click()
      await page.getByRole('option', { name: kind }).click()
      await page.getByRole('heading', { name: kind }).waitFor()
    }
    await change('Short text')
    await until(async () => String((await ids()).at(-1)).endsWith('short-text'))
    assert.notEqual((await ids()).at(-1), 'why short-text')
    await change('Long text')
    await until(async () => (await ids()).at(-1) === 'why long-text')
    await rows(page).nth(2).focus()
    await page.keyboard.press('Delete')
    await page.getByText('Why? deleted').waitFor()
    // what stands in its place is selected, so that keys go on
    assert.equal(await page.getByRole('treeitem', { selected: true }).count(), 1)
    await page.keyboard.press('Control+z')
    await rows(page).nth(2).filter({ hasText: 'Why?' }).waitFor()
  })

  test('takes questions of another survey, cut or copied by keys', async () => {
    const show_if = [{ field_id: 'score', operator: 'lte', value: 6 }]
    const from = await made([score, { ...why, show_if }])
    const to = await made([{ ...score, label: 'Ours?' }])
    const page = await workspace.open('admin', { path: `/surveys/${from}/edit` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await rows(page).nth(1).click()
    await rows(page).nth(1).focus()
    await page.keyboard.press('Control+c')
    await page.getByText('Copied: paste it here or in another survey').waitFor()
    await page.goto(`${workspace.url}/surveys/${to}/edit`)
    await rows(page).first().focus()
    await page.keyboard.press('Control+v')
    await rows(page).nth(1).getByText('only if question 1 is at most 6').waitFor()
    await saved(page)
    assert.deepEqual(await labels(to), ['Ours?', 'Why?'])
    await page.keyboard.press('Control+x')
    await page.getByText('Why? deleted').waitFor()
    await rows(page).first().focus()
    await page.keyboard.press('Control+v')
    await rows(page).nth(1).getByText('Why?').waitFor()
    // text from elsewhere is a list
    await page.evaluate(() => navigator.clipboard.writeText('1. One?\n2. Two? (yes/no)'))
    await rows(page).first().focus()
    await page.keyboard.press('Control+v')
    const dialog = page.getByRole('dialog', { name: 'Paste a list' })
    await dialog.getByRole('combobox', { name: 'Kind of “One?”' }).click()
    await page.getByRole('option', { name: 'Long text' }).click()
    await dialog.getByRole('button', { name: 'Add 2 questions' }).click()
    await rows(page).nth(3).waitFor()
    const kinds = async () => {
      const { form_structure }: Row = await call('GET', `/api/surveys/${to}/draft/`)
      return form_structure.pages[0].fields.map(({ type }: Row) => type).join(' ')
    }
    await until(async () => /long-text yes-no/.test(await kinds()))
    await saved(page)
    // who signs out leaves none of them in this browser
    const kept = () => page.evaluate(() => localStorage.getItem('copied-questions'))
    assert.match((await kept()) ?? '', /Why\?/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await page.getByRole('option', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.equal(await kept(), null)
    // reads may have been on their way when the session ended
    if (faultsOf(page).length) expectFaults(page, /401/)
  })

  test('takes a pasted list', async () => {
    const id = await made([])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await page.getByRole('button', { name: 'Paste a list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paste a list' })
    await dialog.getByLabel('Lines').fill('1. Recommend us? (0–10)*\n2. Which?\n  - A\n  - B')
    await dialog.getByRole('button', { name: 'Add 2 questions' }).click()
    await saved(page)
    assert.deepEqual(await labels(id), ['Recommend us?', 'Which?'])
    await frameOf(page).getByText('Which?').waitFor()
  })

  test('stands on a phone, and in the dark', async () => {
    const id = await made([score, why])
    const page = await workspace.open('admin', {
      path: `/surveys/${id}/edit`,
      screen: 'phone',
      theme: 'dark',
    })
    await rows(page).first().waitFor()
    await picture(page, 'builder-phone')
    assert.deepEqual(await problemsOf(page), [])
  })
})
