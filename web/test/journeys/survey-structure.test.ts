import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { until } from '../../../server/test/support/until.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What a survey asks is built on the screens: new kinds, values in texts, conditions of pages, and languages.

type Row = { [field: string]: any }

describe('the structure of surveys', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const rows = (page: Page) => page.getByRole('treeitem', { level: 2 })
  const frameOf = (page: Page) => page.frameLocator('iframe[title="Preview of the survey"]')
  const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor()
  async function made(pages: object[]): Promise<string> {
    const body = { name: 'Kick-off', language: 'en', form_structure: pages }
    return ((await call('POST', '/api/surveys/', body)) as Row).survey_id
  }
  const draftOf = async (id: string): Promise<Row> => call('GET', `/api/surveys/${id}/draft/`)

  test('a calculated value, a value in a text and a group of conditions are built and previewed', async () => {
    const id = await made([
      {
        id: 'p1',
        title: '',
        fields: [
          { id: 'seats', type: 'number', label: 'Seats?' },
          { id: 'name', type: 'short-text', label: 'Your product?' },
        ],
      },
      { id: 'p2', title: 'More', fields: [{ id: 'why', type: 'long-text', label: 'Why?' }] },
    ])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await rows(page).nth(1).click()
    await page.keyboard.press('/')
    await page.getByRole('menuitem', { name: 'Calculated value' }).click()
    await page.getByLabel('Question', { exact: true }).fill('A year')
    await page.getByLabel('Formula').fill('{1} * 12')
    await rows(page).nth(3).click()
    await page.getByRole('button', { name: 'Insert a value' }).click()
    await page.getByRole('menuitem', { name: '2 Your product?' }).click()
    await page.getByLabel('Question', { exact: true }).fill('Why {{2|it}}?')
    await page.getByRole('treeitem', { level: 1 }).nth(1).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByLabel('Condition 2, joined by').click()
    await page.getByRole('option', { name: 'or' }).click()
    await page.getByText(/only if .* or /).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'survey-structure')
    await until(async () => {
      const { form_structure } = await draftOf(id)
      return form_structure.pages[1].show_if?.[0]?.any?.length === 2
    })
    const { form_structure } = await draftOf(id)
    assert.equal(form_structure.pages[0].fields[2].formula, '{seats} * 12')
    assert.equal(form_structure.pages[1].fields[0].label, 'Why {{answers.name|it}}?')
    await rows(page).nth(2).click()
    await frameOf(page).getByLabel('Seats?').fill('3')
    await frameOf(page).locator('output').getByText('36').waitFor()
  })

  test('texts are translated side by side, sent as a table and taken back', async () => {
    const id = await made([
      {
        id: 'p1',
        title: 'Start',
        fields: [
          { id: 'who', type: 'contact', label: 'Who are you?' },
          { id: 'day', type: 'dropdown', label: 'Which day?', options: ['Mon', 'Tue'] },
        ],
      },
    ])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Languages' }).click()
    const dialog = page.getByRole('dialog', { name: 'Languages' })
    await dialog.getByLabel('Translated into').click()
    await page.getByRole('option', { name: 'Français' }).click()
    await dialog.getByLabel('Who are you?, in Français').fill('Qui êtes-vous ?')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('Quel jour ?')
    await dialog.getByText('Only missing ones (4)').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'survey-languages')
    await until(
      async () =>
        (await draftOf(id)).form_structure.pages[0].fields[1].translations?.fr?.label ===
        'Quel jour ?',
    )
    const csv = 'key,fr\nsurvey.name,Démarrage\nquestion.day.options.Mon,lundi\n'
    const chosen = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Take a CSV back' }).click()
    await (
      await chosen
    ).setFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await dialog.getByText('Only missing ones (2)').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await saved(page)
    await page.getByLabel('Language of the page').click()
    await page.getByRole('option', { name: 'Français' }).click()
    await frameOf(page).getByText('Qui êtes-vous ?').waitFor()
    await frameOf(page).getByText('Démarrage').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Français lacks 2 texts').waitFor()
  })

  test('endings by condition are built, ordered, previewed, published and shown', async () => {
    const fields = [{ id: 'score', type: 'nps', label: 'Recommend us?' }]
    const id = await made([{ id: 'p1', title: '', fields }])
    const page = await workspace.open('admin', { path: `/surveys/${id}/edit` })
    const row = (name: string | RegExp) => page.getByRole('treeitem', { name })
    const settings = page.getByRole('complementary', { name: 'Settings' })
    const add = async (heading: string) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('menuitem', { name: 'New ending' }).click()
      await settings.getByLabel('Heading').fill(heading)
    }
    await rows(page).first().click()
    await add('We are sorry')
    await row(/Ending 1 We are sorry only if question 1 is at most 6/).waitFor()
    await settings.getByLabel('Text').fill('Somebody calls you.')
    await add('Lovely')
    await settings.getByLabel('Condition 1, comparison').click()
    await page.getByRole('option', { name: 'is at least' }).click()
    await settings.getByLabel('Condition 1, answer').click()
    await page.getByRole('option', { name: '9', exact: true }).click()
    await settings.getByLabel('Leads on to').fill('reviews')
    await settings.getByText('Must be a whole web address').waitFor()
    await row(/Its link is no web address/).waitFor()
    await settings.getByLabel('Leads on to').fill('https://reviews.example.com/')
    await settings.getByLabel('Words of the link').fill('Write a review')
    await saved(page)
    await frameOf(page).getByRole('heading', { name: 'Lovely' }).waitFor()
    await frameOf(page).getByRole('link', { name: 'Write a review' }).waitFor()
    await row(/Ending 2 Lovely/).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await row(/Ending 1 Lovely/).waitFor()
    await page.keyboard.press('Control+z')
    await row(/Ending 2 Lovely/).waitFor()
    await row(/Ending 2 Lovely/).dragTo(row(/Ending 1/), { targetPosition: { x: 80, y: 4 } })
    await row(/Ending 1 Lovely/).waitFor()
    await row(/Last ending/).click()
    await settings.getByLabel('Heading').fill('All done')
    await frameOf(page).getByRole('heading', { name: 'All done' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'survey-endings')
    await row(/Ending 1 Lovely/).click()
    await picture(page, 'survey-ending')
    await until(async () => {
      const { form_structure, closing_title } = await draftOf(id)
      return form_structure.endings.length === 2 && closing_title === 'All done'
    })
    await saved(page)
    // answered in the preview as on the page
    await rows(page).first().click()
    await frameOf(page).getByRole('radio', { name: '10' }).check()
    await frameOf(page).getByRole('button', { name: 'Send' }).click()
    await frameOf(page).getByRole('heading', { name: 'Lovely' }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'What changes' })
    await dialog.getByText('Ending: Lovely').waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Kick-off published').waitFor()
    const { form_structure } = (await call('GET', `/api/surveys/${id}/`)) as Row
    assert.deepEqual(
      form_structure.endings.map(({ title }: Row) => title),
      ['Lovely', 'We are sorry'],
    )
    const { url } = (await call('POST', `/api/surveys/${id}/link/`, {})) as Row
    for (const [score, heading] of [
      ['2', 'We are sorry'],
      ['8', 'All done'],
    ] as const) {
      const visitor = await workspace.open(null, { path: new URL(url).pathname })
      await visitor.getByRole('radio', { name: score, exact: true }).check()
      await visitor.getByRole('button', { name: 'Send' }).click()
      await visitor.getByRole('heading', { name: heading }).waitFor()
      assert.deepEqual(await problemsOf(visitor), [])
      await visitor.close()
    }
    // a question that endings need is gone: said at them, and nothing is published
    await rows(page).first().focus()
    await page.keyboard.press('Delete')
    await row(/It depends on a question that is deleted/)
      .first()
      .waitFor()
  })
})
