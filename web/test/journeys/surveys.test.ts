import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What was answered, on the page of a survey.

const choices = [
  { value: 'fast', label: 'Speed' },
  { value: 'help', label: 'Support' },
]
const fields = [
  { id: 'nps', type: 'nps', label: 'Would you recommend us?' },
  { id: 'stars', type: 'ratings', label: 'How was it?', maxRating: 3 },
  { id: 'like', type: 'multi-select', label: 'What do you like?', options: choices },
  { id: 'order', type: 'ranking', label: 'What comes first?', options: choices },
  { id: 'terms', type: 'consent', label: 'Do you agree?' },
  {
    id: 'grid',
    type: 'matrix',
    label: 'By topic',
    options: choices,
    rows: [{ value: 'setup', label: 'Set-up' }],
  },
  { id: 'why', type: 'long-text', label: 'Why?' },
]

const pictures = process.env.PICTURES

describe('the results of a survey', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function survey(): Promise<string> {
    const form_structure = [{ id: 'p1', title: 'One', fields }]
    const made = await call('POST', '/api/surveys/', { name: 'Pulse', form_structure })
    const { survey_id } = made as { survey_id: string }
    await call('POST', `/api/surveys/${survey_id}/publish/`, {})
    return survey_id
  }
  const answer = (id: string, answers: object) =>
    call('POST', `/api/surveys/${id}/fill/`, { answers, respondent_email: 'sam@guest.example' })

  test('say that there are none, and show each answer as it comes', async () => {
    const id = await survey()
    const page = await workspace.open('admin', { path: `/surveys/${id}` })
    await page.getByText('No answers yet').waitFor()
    await answer(id, {
      nps: 9,
      stars: 2,
      like: ['fast', 'help'],
      order: ['help', 'fast'],
      terms: true,
      grid: { setup: 'help' },
      why: 'Quick and friendly',
    })
    await page.getByText('Quick and friendly').waitFor()
    const panel = page.getByRole('tabpanel')
    const shown = async (label: string) =>
      panel.locator('dt', { hasText: label }).locator('xpath=../dd').textContent()
    assert.equal(await shown('Finished'), '1')
    assert.equal(await shown('Net promoter score'), '100')
    await panel.getByText('Promoters 100%').waitFor()
    const columns = (question: string) =>
      panel.locator('li', { has: page.getByRole('heading', { name: question }) }).locator('ol > li')
    // each number of a scale with how often it was chosen
    const counts = async (question: string) => {
      await panel.getByRole('button', { name: `${question}: show as table` }).click()
      const table = panel.getByRole('region', { name: `${question}, as a table` })
      await table.waitFor()
      return table
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => cell.textContent).join(': ')),
        )
    }
    assert.equal((await counts('Would you recommend us?')).length, 11)
    assert.deepEqual(await counts('How was it?'), ['1: 0', '2: 1', '3: 0'])
    await panel.getByRole('button', { name: 'How was it?: show as chart' }).click()
    await panel.getByRole('group', { name: /^How was it\?\. Arrow keys/ }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('status').filter({ hasText: '2: 1' }).waitFor()
    assert.deepEqual(await columns('What comes first?').allTextContents(), [
      'Supportmean position 1',
      'Speedmean position 2',
    ])
    await panel.getByText('Agreed').waitFor()
    await panel.getByRole('heading', { name: 'Set-up' }).waitFor()
    await panel.getByText('sam@guest.example').waitFor()

    await answer(id, { nps: 0, why: 'Slow' })
    await panel.getByText('Slow', { exact: true }).waitFor()
    assert.equal(await shown('Net promoter score'), '0')
    if (pictures) await page.screenshot({ path: join(pictures, 'results.png'), fullPage: true })
    assert.deepEqual(await problemsOf(page), [])
    const link = panel.getByRole('link', { name: 'Export as CSV' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.match(download.suggestedFilename(), /^survey-responses-.*\.csv$/)
  })

  test('a survey is published, shared by its link, closed and reopened on its page', async () => {
    const form_structure = [{ id: 'p1', title: 'One', fields }]
    const made = await call('POST', '/api/surveys/', { name: 'Pulse', form_structure })
    const { survey_id: id } = made as { survey_id: string }
    const page = await workspace.open('admin', { path: `/surveys/${id}` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Publish').click()
    await button('Copy survey link').click()
    await page.getByText('Link to the survey copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const outside = await page.context().newPage()
    await outside.goto(new URL(new URL(link).pathname, page.url()).href)
    await outside.getByText('Would you recommend us?').waitFor()
    await outside.close()
    await button('Close survey').click()
    await page.getByText('Closed: it takes no more answers').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await button('Close survey').waitFor()
    await button('Close survey').click()
    await button('Reopen survey').click()
    await button('Copy survey link').waitFor()
  })
})
