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
    const shows = (label: string, figure: string) =>
      panel
        .locator('dt', { hasText: label })
        .locator('xpath=../dd')
        .getByText(figure, { exact: true })
        .waitFor()
    await shows('Finished', '1')
    await shows('Net promoter score', '+100')
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
    await shows('Net promoter score', '0')
    if (pictures) await page.screenshot({ path: join(pictures, 'results.png'), fullPage: true })
    assert.deepEqual(await problemsOf(page), [])
    // an answer of a chart restricts all parts, by keys too
    await panel.getByRole('group', { name: /^How was it\?\. Arrow keys/ }).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await panel.getByText('How was it?: 2').waitFor()
    await panel.getByText('Slow', { exact: true }).waitFor({ state: 'detached' })
    await shows('Finished', '1')
    assert.match(new URL(page.url()).search, /answers=/)
    await page.reload()
    await panel.getByText('How was it?: 2').waitFor()
    const link = panel.getByRole('link', { name: 'Export as CSV' })
    assert.match((await link.getAttribute('href')) ?? '', /answers=/)
    await panel.getByRole('button', { name: 'Clear filters' }).click()
    await panel.getByText('Slow', { exact: true }).waitFor()
    await panel.getByLabel('From').fill('2999-01-01')
    await panel.getByText('No answers match').waitFor()
    await panel.getByRole('button', { name: 'Clear filters' }).first().click()
    await panel.getByText('Slow', { exact: true }).waitFor()
    assert.doesNotMatch(new URL(page.url()).search, /since/)
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.match(download.suggestedFilename(), /^survey-responses-.*\.csv$/)
  })

  test('a survey is sent by mail, and what waits is stopped and brought back', async () => {
    const id = await survey()
    const page = await workspace.open('admin', { path: `/surveys/${id}/share` })
    const panel = page.getByRole('tabpanel')
    const send = panel.getByRole('button', { name: /^(Send|Schedule)/ })
    assert.equal(await send.isDisabled(), true)
    await panel
      .getByLabel('To', { exact: true })
      .fill('Sam <sam@guest.example>, sam@guest.example; ana@guest.example oops@')
    await panel.getByText('Left out, since they are no addresses: oops@').waitFor()
    await panel.getByLabel('Later, at').fill('2031-06-02T09:00')
    await panel.getByRole('combobox', { name: 'Remind whoever has not answered' }).click()
    await page.getByRole('option', { name: 'Once, after a week' }).click()
    await panel.getByRole('button', { name: 'Schedule for 2 people' }).click()
    const row = panel.getByRole('row').filter({ hasText: '2 people, waits' })
    await row.getByText('Reminders after 7 days, at most 1').waitFor()
    if (pictures) await page.screenshot({ path: join(pictures, 'share.png'), fullPage: true })
    assert.deepEqual(await problemsOf(page), [])
    await row.getByRole('button', { name: 'Stop' }).click()
    await row.waitFor({ state: 'detached' })
    const undo = (notice: string) =>
      page
        .getByRole('dialog')
        .filter({ hasText: notice })
        .getByRole('button', { name: 'Undo' })
        .click()
    await undo('Stopped: it is not sent')
    await row.waitFor()
    // what goes out now can be taken back, too, and its addresses stand there again
    await panel.getByLabel('To', { exact: true }).fill('now@guest.example')
    await panel.getByRole('button', { name: 'Send to 1 person' }).click()
    const now = panel.getByRole('row').filter({ hasText: '1 person, waits' })
    await now.waitFor()
    await undo('Goes out in 30 seconds')
    await now.waitFor({ state: 'detached' })
    assert.equal(await panel.getByLabel('To', { exact: true }).inputValue(), 'now@guest.example')
    const url = await panel.getByLabel('Address of the survey').inputValue()
    assert.match(url, /\/s\/[\w-]+$/)
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
