import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sendOverdue } from '../../../server/src/records/surveys/sending/schedule.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { asService } from '../../../server/test/support/contexts.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../server/test/support/mailbox.ts'
import { sql } from '../../../server/test/support/service.ts'
import { until } from '../../../server/test/support/until.ts'
import { byKeysAlone, pressAt, tabTo, typeAt } from '../support/keyboard.ts'
import { picture, wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace, watch } from '../support/workspace.ts'

// A score from the gallery, from its three languages to the task of a detractor; a kick-off form in a task; both by the
// pointer and by keys.

type Row = { [field: string]: any }

describe('a survey from the gallery to what follows', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    mailbox = await startMailbox()
    workspace = await startWorkspace({ settings: { smtpUrl: mailbox.url } })
    call = await workspace.as('admin')
  })

  const frameOf = (page: Page) => page.frameLocator('iframe[title="Preview of the survey"]')
  const idIn = (page: Page) => String(/\/(?:surveys|tasks)\/(\w+)/.exec(page.url())?.[1])
  const choose = async (page: Page, label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  /** Sends a mailing that waits for a time far away. */
  async function sendNow(survey: string): Promise<void> {
    const { organization_id: id, name } = workspace.demo
    await asService(workspace.service, { id, name }, async (ctx) => {
      await ctx.run(sql`update survey_schedules set scheduled_at = now() - interval '10 minutes'
        where organization_id = ${id} and survey_id = ${survey} and status = 'scheduled'`)
      assert.equal(await sendOverdue(ctx), 1)
    })
  }

  test('a score in three languages is sent to a view, answered in French on a phone, and acted on', async () => {
    const [account] = (await call('GET', '/api/account/info/?items_per_page=50&page=1')).filter(
      (each: Row) => each.account_owner && each.company_id,
    )
    const company_id = account.company_id.company_id ?? account.company_id
    const [una, otto] = ['una@pulse.example', 'otto@pulse.example']
    for (const [full_name, primary_email] of [
      ['Una Happy', una],
      ['Otto Bonheur', otto],
    ]) {
      await call('POST', '/api/contact/', { full_name, primary_email, company_id })
    }
    await call('POST', '/api/filters/filter/', {
      name: 'People of the pulse',
      module: 'contacts',
      conditions: [{ field: 'primary_email', operator: 'contains', value: '@pulse.example' }],
    })
    const healthOf = async () =>
      (await call('GET', `/api/account/info/${account.account_id}/`)).health_score as number
    const healthy = await healthOf()

    // from the gallery, in three languages
    const page = await workspace.open('admin', { path: '/surveys?new=true' })
    const gallery = page.getByRole('dialog', { name: 'New survey' })
    await gallery.getByRole('radio', { name: /^NPS/ }).check()
    await gallery.getByText('What is the main reason?').waitFor()
    await gallery.getByRole('checkbox', { name: 'Français' }).check()
    await gallery.getByRole('checkbox', { name: 'Deutsch' }).check()
    await picture(page, 'story-gallery')
    assert.deepEqual(await problemsOf(page), [])
    await gallery.getByRole('button', { name: 'Create survey' }).click()
    await page.waitForURL(/\/surveys\/\w+\/edit$/)
    const id = idIn(page)

    // previewed in French, and published without a text that is missing
    await frameOf(page).getByText('What is the main reason?').waitFor()
    await choose(page, 'Language of the page', 'Français')
    await frameOf(page).getByText('Quelle en est la raison principale ?').waitFor()
    await frameOf(page).getByRole('heading', { name: 'Votre recommandation' }).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const publish = page.getByRole('dialog', { name: 'What changes' })
    assert.equal(await publish.getByText(/lacks/).count(), 0)
    await publish.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Your recommendation published').waitFor()

    // what a low score makes
    await page.goto(`/surveys/${id}/automations`)
    const panel = page.getByRole('tabpanel')
    await panel.getByRole('button', { name: 'New automation', exact: true }).click()
    await panel.getByLabel('Name').fill('Call detractors')
    await choose(page, 'What starts it', 'a score is below a number')
    await panel.getByLabel('Below').fill('7')
    await panel.getByLabel('What is to be done').fill('Call about the low score')
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await panel.getByRole('switch', { name: 'Call detractors, on' }).click()

    // sent by schedule to the people of a view
    await page.goto(`/surveys/${id}/share`)
    await choose(page, 'Add the contacts of a view', 'People of the pulse')
    await panel.getByLabel('Later, at').fill('2031-06-02T09:00')
    await panel.getByRole('button', { name: 'Schedule for 2 people' }).click()
    await panel.getByRole('row').filter({ hasText: '2 people, waits' }).waitFor()
    await sendNow(id)
    const link = linkIn(await mailbox.next(una))

    // answered on a phone, in the second language
    const phone = await workspace.browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      locale: 'en-GB',
    })
    const answering = await phone.newPage()
    watch(answering)
    await answering.goto(`${workspace.url}${new URL(link).pathname}`)
    await answering.getByRole('button', { name: 'Français' }).tap()
    await answering.getByText('Quelle est la probabilité').waitFor()
    await answering.getByRole('radio', { name: '3', exact: true }).tap()
    await answering.getByLabel('Quelle en est la raison principale ?').fill('Trop lent')
    await picture(answering, 'story-phone')
    assert.deepEqual(await problemsOf(answering), [])
    await answering.getByRole('button', { name: 'Envoyer' }).tap()
    await answering.getByText('Merci').first().waitFor()
    await phone.close()

    // a task that leads back, and less health
    await until(async () => (await call('GET', `/api/surveys/${id}/automations/runs/`)).length > 0)
    await page.goto(`/accounts/${account.account_id}`)
    await page.getByText('Net promoter score of −100').first().waitFor()
    assert.ok((await healthOf()) < healthy, `${await healthOf()} of ${healthy}`)
    await page.goto(`/surveys/${id}/automations`)
    const runs = panel.getByRole('region', { name: 'Last runs' })
    await runs.getByRole('link', { name: 'Task: Call about the low score' }).click()
    await page.getByRole('heading', { name: 'Call about the low score' }).waitFor()

    // results: filtered, shared, exported
    const otto_s = { answers: { score: 9, why: 'Quick' }, respondent_email: otto }
    await call('POST', `/api/surveys/${id}/fill/`, otto_s)
    await page.goto(`/surveys/${id}`)
    await panel.getByText('Quick', { exact: true }).waitFor()
    await panel.getByRole('group', { name: /^How likely are you.*Arrow keys/ }).focus()
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']) {
      await page.keyboard.press(key)
    }
    await panel.getByText('Quick', { exact: true }).waitFor({ state: 'detached' })
    await panel.getByText('Trop lent').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('link', { name: 'Export as CSV' }).click(),
    ])
    assert.match(download.suggestedFilename(), /\.csv$/)
    await panel.getByRole('button', { name: /^Share/ }).click()
    const sharing = page.getByRole('dialog', { name: 'Share the results' })
    await sharing.getByRole('checkbox', { name: 'With answers in words' }).check()
    await sharing.getByRole('button', { name: 'Make a link' }).click()
    const address = await sharing.getByLabel('Address of the results').first().inputValue()
    const outside = await workspace.browser.newContext()
    const shared = await outside.newPage()
    watch(shared)
    await shared.goto(`${workspace.url}${new URL(address).pathname}`)
    await shared.getByText('Trop lent').waitFor()
    assert.equal(await shared.getByText('Quick', { exact: true }).count(), 0)
    assert.equal(await shared.getByText('Una Happy').count(), 0)
    assert.deepEqual(await problemsOf(shared), [])
    await outside.close()
  })

  test('the gallery and the builder are used by keys alone', async () => {
    const page = await workspace.open('admin', { path: '/surveys?new=true' })
    await byKeysAlone(page)
    const gallery = page.getByRole('dialog', { name: 'New survey' })
    await tabTo(page, gallery.getByRole('radio', { name: /^Empty/ }))
    for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowDown')
    await gallery.getByText('Which data, and from which system?').waitFor()
    await pressAt(page, gallery.getByRole('checkbox', { name: 'Deutsch' }), 'Space')
    await typeAt(page, gallery.getByLabel('Name'), 'Kick-off of the clinics')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/surveys\/\w+\/edit$/)
    const id = idIn(page)
    await frameOf(page).getByText('Shall we bring over existing data?').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Publish', exact: true }))
    const publish = page.getByRole('dialog', { name: 'What changes' })
    await pressAt(page, publish.getByRole('button', { name: 'Publish' }))
    await page.getByText('Kick-off of the clinics published').waitFor()
    const survey: Row = await call('GET', `/api/surveys/${id}/`)
    assert.deepEqual(
      [survey.status, survey.item_type, survey.language],
      ['published', 'form', 'en'],
    )
    assert.deepEqual(Object.keys(survey.form_structure.pages[0].fields[0].translations), ['de'])
  })

  test('a kick-off form is filled in in its task, with conditions and a file, and completes it', async () => {
    const form_structure = [
      {
        id: 'p1',
        title: 'About you',
        fields: [
          { id: 'who', type: 'short-text', label: 'Who decides?', required: true },
          { id: 'mail', type: 'email', label: 'Their address?' },
          { id: 'data', type: 'yes-no', label: 'Is there data?', required: true },
        ],
      },
      {
        id: 'p2',
        title: 'Your data',
        show_if: [{ field_id: 'data', operator: 'eq', value: true }],
        fields: [
          {
            id: 'which',
            type: 'long-text',
            label: 'Which data has {{answers.who|they}}?',
            required: true,
          },
          { id: 'sample', type: 'file', label: 'A sample' },
          { id: 'rows', type: 'number', label: 'How many rows?' },
          { id: 'hours', type: 'calculated', label: 'Hours', formula: '{rows} / 1000' },
          { id: 'sure', type: 'ratings', label: 'How sure are you?' },
        ],
      },
    ]
    const form: Row = await call('POST', '/api/surveys/', {
      name: 'Kick-off',
      item_type: 'form',
      form_structure,
    })
    const made: Row = await call('POST', '/api/tasks/', {
      title: 'Fill in the kick-off form',
      form_id: form.survey_id,
    })
    const id = made.item_id
    const stored = async (): Promise<Row> => {
      const { form_responses } = await call('GET', `/api/tasks/${id}/`)
      const answered = Object.entries(form_responses ?? {}).filter(([, value]) => value !== null)
      return Object.fromEntries(answered)
    }
    const page = await workspace.open('admin', { path: `/tasks/${id}` })
    const panel = page.getByRole('tabpanel', { name: 'Form' })
    await panel.getByText('0 of 3 answered').waitFor()
    assert.equal(await panel.getByText('Your data').count(), 0)
    await panel.getByRole('button', { name: 'Complete task' }).click()
    await panel.getByText('2 answers are missing').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'INPUT')
    await page.keyboard.type('Dr. Moreau')
    await panel.getByLabel('Their address?').fill('nobody')
    await panel.getByRole('radio', { name: 'Yes' }).check()
    await panel.getByText('This must be an e-mail address').waitFor()
    expectFaults(page, /400/)
    await until(async () => (await stored()).data === true)
    assert.deepEqual(await stored(), { who: 'Dr. Moreau', data: true })
    await panel.getByLabel('Their address?').fill('moreau@clairval.example')
    await panel.getByLabel('Which data has Dr. Moreau?').fill('Patients')
    const chosen = page.waitForEvent('filechooser')
    await panel.getByRole('button', { name: 'Add files' }).click()
    await (
      await chosen
    ).setFiles({ name: 'sample.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await panel.getByRole('link', { name: 'sample' }).waitFor()
    await panel.getByLabel('How many rows?').fill('2500')
    await panel.getByText('2.5', { exact: true }).waitFor()
    await panel.getByRole('radio', { name: '4', exact: true }).check()
    await panel.getByText('7 of 7 answered').waitFor()
    await wholePicture(page, 'story-task-form')
    assert.deepEqual(await problemsOf(page), [])
    await until(async () => (await stored()).sure === 4)
    const { which, mail, hours, sample } = await stored()
    assert.deepEqual([which, mail, hours], ['Patients', 'moreau@clairval.example', 2.5])
    assert.equal(sample.length, 1)
    // left at once, nothing is lost
    await panel.getByLabel('Which data has Dr. Moreau?').fill('Patients and visits')
    await page.goto('about:blank')
    await until(async () => (await stored()).which === 'Patients and visits')
    await page.goto(`${workspace.url}/tasks/${id}`)
    // an answer that is refused as the task is completed keeps it open
    await panel.getByLabel('Their address?').fill('nobody')
    await panel.getByRole('button', { name: 'Complete task' }).click()
    await until(async () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.type === 'email'),
    )
    await panel.getByText('This must be an e-mail address').waitFor()
    expectFaults(page, /400/)
    assert.equal((await call('GET', `/api/tasks/${id}/`)).is_completed, false)
    await panel.getByLabel('Their address?').fill('moreau@clairval.example')
    await panel.getByRole('button', { name: 'Complete task' }).click()
    await page.getByText('Fill in the kick-off form completed').waitFor()
    await panel.getByRole('button', { name: 'Change answers' }).waitFor()
    await panel.getByText('Patients and visits').waitFor()
    await wholePicture(page, 'story-task-form-done')
    assert.deepEqual(await problemsOf(page), [])
    // a hidden question has no answer
    await panel.getByRole('button', { name: 'Change answers' }).click()
    await panel.getByRole('radio', { name: 'No' }).check()
    await until(async () => (await stored()).data === false)
    assert.deepEqual(await stored(), {
      who: 'Dr. Moreau',
      mail: 'moreau@clairval.example',
      data: false,
    })
  })

  test('a form in a task is filled in by keys alone, beside its list on a phone, and follows its form', async () => {
    const fields = [
      { id: 'score', type: 'nps', label: 'How ready are you?', required: true },
      { id: 'site', type: 'single-select', label: 'Where?', options: ['Lyon', 'Bron'] },
    ]
    const form: Row = await call('POST', '/api/surveys/', {
      name: 'Readiness',
      item_type: 'form',
      form_structure: [{ id: 'p1', title: '', fields }],
    })
    const made: Row = await call('POST', '/api/tasks/', {
      title: 'Ready?',
      form_id: form.survey_id,
    })
    const page = await workspace.open('admin', { path: `/tasks/${made.item_id}` })
    await byKeysAlone(page)
    const panel = page.getByRole('tabpanel', { name: 'Form' })
    await tabTo(page, panel.getByRole('radio', { name: '0', exact: true }))
    for (let n = 0; n < 8; n++) await page.keyboard.press('ArrowRight')
    await tabTo(page, panel.getByRole('radio', { name: 'Lyon' }))
    await page.keyboard.press('ArrowDown')
    await panel.getByText('2 of 2 answered').waitFor()
    await until(async () => {
      const { form_responses } = await call('GET', `/api/tasks/${made.item_id}/`)
      return form_responses?.score === 8 && form_responses.site === 'Bron'
    })
    // the form has another question by now
    await call('PUT', `/api/surveys/${form.survey_id}/`, {
      form_structure: [
        {
          id: 'p1',
          title: '',
          fields: [...fields, { id: 'more', type: 'short-text', label: 'More?' }],
        },
      ],
    })
    await page.reload()
    await pressAt(page, panel.getByRole('button', { name: 'Take the new questions' }))
    await panel.getByLabel('More?').waitFor()
    await panel.getByText('2 of 3 answered').waitFor()
    await pressAt(page, panel.getByRole('button', { name: 'Complete task' }))
    await page.getByText('Ready? completed').waitFor()
    await page.context().close()
    const phone = await workspace.open('admin', {
      path: `/tasks/${made.item_id}`,
      screen: 'phone',
      theme: 'dark',
    })
    await phone.getByRole('button', { name: 'Change answers' }).click()
    await phone.getByLabel('More?').waitFor()
    await picture(phone, 'story-task-form-phone')
    assert.deepEqual(await problemsOf(phone), [])
  })

  test('publishing a form says which open tasks take its questions, and is taken back with them', async () => {
    const fields = [{ id: 'who', type: 'short-text', label: 'Who?' }]
    const pages = (all: object[]) => [{ id: 'p1', title: '', fields: all }]
    const form: Row = await call('POST', '/api/surveys/', {
      name: 'Hand-over',
      item_type: 'form',
      form_structure: pages(fields),
      status: 'published',
    })
    const task = async (title: string, more: object = {}): Promise<string> =>
      (await call('POST', '/api/tasks/', { title, form_id: form.survey_id, ...more })).item_id
    const open = await task('Not begun')
    const begun = await task('Begun', { form_responses: { who: 'Ada' } })
    const count = async (id: string) =>
      (await call('GET', `/api/tasks/${id}/`)).form_structure.pages[0].fields.length as number
    await call('PUT', `/api/surveys/${form.survey_id}/draft/`, {
      form_structure: pages([...fields, { id: 'when', type: 'date', label: 'When?' }]),
    })
    const page = await workspace.open('admin', { path: `/surveys/${form.survey_id}/edit` })
    // nothing is published before it is known which tasks that concerns
    const preview = '**/publish/preview/'
    await page.route(preview, (route) => route.abort())
    await page.getByRole('button', { name: 'Publish 1 change' }).click()
    const publish = page.getByRole('dialog', { name: 'What changes' })
    await publish.getByText('The tasks with this form could not be read').waitFor()
    expectFaults(page, /preview/)
    assert.equal(await publish.getByRole('button', { name: 'Publish' }).isEnabled(), false)
    await page.unroute(preview)
    await publish.getByRole('button', { name: 'Try again' }).click()
    await publish.getByText('2 open tasks use this form').waitFor()
    await publish.getByText('1 with the new questions, 1 unchanged').waitFor()
    await publish.getByText('Has 1 answer, which stays').waitFor()
    assert.equal(await publish.getByRole('checkbox', { name: /^Begun/ }).isChecked(), false)
    await picture(page, 'story-publish-tasks')
    assert.deepEqual(await problemsOf(page), [])
    await publish.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Hand-over published').waitFor()
    assert.deepEqual([await count(open), await count(begun)], [2, 1])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await until(async () => (await count(open)) === 1)
    const { is_draft }: Row = await call('GET', `/api/surveys/${form.survey_id}/draft/`)
    assert.equal(is_draft, true)
  })
})
