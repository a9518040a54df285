import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { patient } from '../../../server/test/support/until.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, screens, startWorkspace } from '../support/workspace.ts'

// Automations of a survey: written as sentences, tried, switched on, ordered, deleted, and what they have done.

const form_structure = [
  {
    id: 'p1',
    title: 'One',
    fields: [
      { id: 'nps', type: 'nps', label: 'Would you recommend us?' },
      {
        id: 'site',
        type: 'single-select',
        label: 'Which site?',
        options: [
          { value: 'lyon', label: 'Lyon' },
          { value: 'bron', label: 'Bron' },
        ],
      },
    ],
  },
]

describe('the automations of a survey', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function survey(): Promise<string> {
    const made = await call('POST', '/api/surveys/', { name: 'Pulse', form_structure })
    const { survey_id } = made as { survey_id: string }
    await call('POST', `/api/surveys/${survey_id}/publish/`, {})
    return survey_id
  }
  const answer = (id: string, nps: number, site: string, respondent_email?: string) =>
    call('POST', `/api/surveys/${id}/fill/`, { answers: { nps, site }, respondent_email })
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  test('an automation is written, tried, switched on, and leads to the answer and its task', async () => {
    const id = await survey()
    const [account] = (await call('GET', '/api/account/info/?items_per_page=50&page=1')).filter(
      (each: any) => each.account_owner && each.company_id,
    )
    const company_id = account.company_id.company_id ?? account.company_id
    const email = 'unhappy@guest.example'
    await call('POST', '/api/contact/', {
      full_name: 'Una Happy',
      primary_email: email,
      company_id,
    })
    await answer(id, 3, 'lyon', email)
    await answer(id, 9, 'lyon')
    await answer(id, 2, 'bron')
    const page = await workspace.open('admin', { path: `/surveys/${id}/automations` })
    const panel = page.getByRole('tabpanel')
    const button = (name: string) => panel.getByRole('button', { name, exact: true })
    await panel.getByText('No automations yet').waitFor()
    await button('New automation').click()
    // what lacks something is not tried, and says beside the field what
    await button('Try with the last 100 answers').click()
    await panel.getByText('Say what is to be done').waitFor()
    await panel.getByLabel('Name').fill('Call them')
    await choose(page, 'What starts it', 'a score is below a number')
    await button('Save').click()
    await panel.getByText('Say which number').waitFor()
    await panel.getByLabel('Below').fill('7')
    await button('Add condition').click()
    await choose(page, 'Condition 1, question', 'Which site?')
    await choose(page, 'Condition 1, comparison', 'is')
    await choose(page, 'Value', 'Lyon')
    await panel.getByLabel('What is to be done').fill('Call about the score')
    await button('Add step').click()
    await choose(page, 'Step 2', 'send a mail')
    await panel.getByLabel('Subject').fill('We are sorry')
    await panel.getByLabel('Message').fill('We call you tomorrow.')
    await button('Try with the last 100 answers').click()
    await panel
      .getByText(
        'With the last 3 answers it would have made 1 task and mailed 1 person. Nothing was done.',
      )
      .waitFor()
    const tried = panel.getByRole('region', { name: 'Dry run' }).getByRole('row')
    assert.equal(await tried.count(), 2)
    const row = tried.filter({ hasText: 'Una Happy' })
    await row.getByText(account.account_name).waitFor()
    await row.getByText(`Task for ${account.account_owner.full_name}, due`).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'automation-editor')
    for (const [screen, theme] of [
      ['wide', 'dark'],
      ['phone', 'light'],
      ['phone', 'dark'],
    ] as const) {
      await page.setViewportSize(screens[screen])
      await page.emulateMedia({ colorScheme: theme })
      // controls have the colors of the other theme a frame later
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      assert.deepEqual(await problemsOf(page), [], `${screen} ${theme}`)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(overflow <= 0, `${screen}: ${overflow} px wider than the screen`)
      await wholePicture(page, `automation-editor-${screen}-${theme}`)
    }
    await page.setViewportSize(screens.wide)
    await page.emulateMedia({ colorScheme: 'light' })
    await button('Save').click()
    await page.getByText('Saved. It is off until you switch it on.').waitFor()
    const card = panel.getByRole('article', { name: 'Call them' })
    await card
      .getByText(
        'When somebody answers with a score below 7 and “Which site?” is “Lyon”, create the task “Call about the score” for the account’s owner and mail “We are sorry” to who answered.',
      )
      .waitFor()
    const turn = card.getByRole('switch', { name: 'Call them, on' })
    assert.equal(await turn.isChecked(), false)
    await turn.click()
    await card.getByText('off', { exact: true }).waitFor({ state: 'detached' })
    await answer(id, 1, 'lyon', email)
    for (const patience = patient(); ; patience()) {
      if ((await call('GET', `/api/surveys/${id}/automations/runs/`)).length) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await page.reload()
    const runs = panel.getByRole('region', { name: 'Last runs' })
    await runs.getByText('Done').waitFor()
    await runs.getByRole('button', { name: email }).click()
    const dialog = page.getByRole('dialog', { name: email })
    await dialog.getByText('Lyon').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'automation-answer')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await wholePicture(page, 'automations')
    await runs.getByRole('link', { name: 'Task: Call about the score' }).click()
    await page.getByRole('heading', { name: 'Call about the score' }).waitFor()
  })

  test('one asks about the account, notifies its owner and writes a comment', async () => {
    const id = await survey()
    const [account] = (await call('GET', '/api/account/info/?items_per_page=50&page=1')).filter(
      (each: any) => each.account_owner && each.company_id,
    )
    const company_id = account.company_id.company_id ?? account.company_id
    const email = 'commented@guest.example'
    await call('POST', '/api/contact/', {
      full_name: 'Cora Mented',
      primary_email: email,
      company_id,
    })
    await answer(id, 3, 'lyon', email)
    await answer(id, 9, 'lyon')
    const page = await workspace.open('admin', { path: `/surveys/${id}/automations` })
    const panel = page.getByRole('tabpanel')
    const button = (name: string) => panel.getByRole('button', { name, exact: true })
    await button('New automation').click()
    await panel.getByLabel('Name').fill('Look after them')
    await button('Add condition').click()
    await choose(page, 'Condition 1, question', 'Name of the account')
    await choose(page, 'Condition 1, comparison', 'is')
    await panel.getByLabel('Value', { exact: true }).fill(account.account_name)
    await button('Add condition').click()
    await choose(page, 'Condition 2, question', 'Owner of the account')
    await choose(page, 'Condition 2, comparison', 'is not empty')
    await choose(page, 'Step 1', 'notify people')
    await panel.getByRole('switch', { name: 'The account’s owner' }).click()
    await button('Add step').click()
    await choose(page, 'Step 2', 'write a comment')
    await choose(page, 'On', 'the account')
    await panel.getByLabel('Text', { exact: true }).fill('Please call')
    await button('Try with the last 100 answers').click()
    const sentence = /would have notified people 1 time and written 1 comment/
    await panel.getByText(sentence).waitFor()
    await panel.getByText(`Comment on ${account.account_name}`).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await wholePicture(page, 'automation-account')
    await button('Save').click()
    await panel
      .getByText('notify the account’s owner and comment on the account: “Please call”')
      .waitFor()
  })

  test('automations are ordered by keys, deleted and brought back, and a half-written one is not lost unasked', async () => {
    const id = await survey()
    const save = (name: string, more: object = {}) =>
      call('POST', `/api/surveys/${id}/automations_save/`, {
        name,
        actions: [{ type: 'add_tag', config: { tag: 'seen' } }],
        ...more,
      })
    await save('First')
    await save('Second', { trigger: { type: 'closed' }, is_active: false })
    const page = await workspace.open('admin', { path: `/surveys/${id}/automations` })
    const panel = page.getByRole('tabpanel')
    const names = () => panel.getByRole('article').locator('h3').allTextContents()
    const card = (name: string) => panel.getByRole('article', { name })
    await card('Second').waitFor()
    assert.deepEqual(await names(), ['First', 'Second off'])
    await card('Second').getByRole('button', { name: 'Edit' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').filter({ hasText: 'Second, 1 of 2' }).waitFor()
    assert.deepEqual(await names(), ['Second off', 'First'])
    assert.deepEqual(await problemsOf(page), [])
    await card('First').getByRole('button', { name: 'Actions for First' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await card('First').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await card('First').waitFor()
    assert.deepEqual(await names(), ['Second off', 'First'])
    // one that follows no answer cannot be tried
    await card('Second').getByRole('button', { name: 'Edit' }).click()
    await panel.getByText('It follows no answer, so there is none to try it with.').waitFor()
    await panel.getByLabel('Tag', { exact: true }).fill('changed')
    await page.getByRole('tab', { name: 'Share' }).click()
    await panel.getByLabel('Address of the survey').waitFor()
    await page.getByRole('tab', { name: 'Automations' }).click()
    await panel.getByLabel('Name').waitFor()
    assert.equal(await panel.getByLabel('Tag', { exact: true }).inputValue(), 'changed')
    // leaving the survey asks
    await page.getByRole('link', { name: 'Inbox' }).click()
    const question = page.getByRole('alertdialog', { name: 'Discard what you changed?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    // somebody else changes it meanwhile
    const [{ automation_id }] = await call('GET', `/api/surveys/${id}/automations/`)
    await (
      await workspace.as('manager')
    )('PUT', `/api/surveys/automations/${automation_id}/`, {
      actions: [{ type: 'add_tag', config: { tag: 'theirs' } }],
    })
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByText(/changed it meanwhile\. Save again/).waitFor()
    expectFaults(page, /412/)
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await card('Second').getByText('tag the contact “changed”').waitFor()
    const [stored] = await call('GET', `/api/surveys/${id}/automations/`)
    assert.equal(stored.actions[0].config.tag, 'changed')
  })

  test('who may only read sees them, and changes nothing', async () => {
    const id = await survey()
    await call('POST', `/api/surveys/${id}/automations_save/`, {
      name: 'Tell us',
      actions: [{ type: 'add_tag', config: { tag: 'seen' } }],
    })
    const page = await workspace.open('member', { path: `/surveys/${id}/automations` })
    const panel = page.getByRole('tabpanel')
    await Promise.race([
      panel.getByText('You can read these automations, and not change them.').waitFor(),
      page.getByRole('heading', { name: /not|may/i }).waitFor(),
    ])
    assert.equal(await page.getByRole('button', { name: 'New automation' }).count(), 0)
  })
})
