import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Results and sharing of a survey, and the forms of a project: by day and at night, on a desk and on a phone.

type Row = { [field: string]: any }

const looks = [
  { screen: 'wide', theme: 'light' },
  { screen: 'wide', theme: 'dark' },
  { screen: 'phone', theme: 'light' },
  { screen: 'phone', theme: 'dark' },
] as const

describe('surveys and forms', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  /** Nothing is wider than the screen, and axe finds nothing. */
  async function fits(page: Page, name: string): Promise<void> {
    // all of it at once
    const { width = 0 } = page.viewportSize() ?? {}
    await page.setViewportSize({ width, height: 2600 })
    const wider = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.equal(wider, 0, name)
    assert.deepEqual(await problemsOf(page), [], name)
    await wholePicture(page, name)
  }

  test('results and sharing are read in every look', async () => {
    const id = await answered()
    for (const { screen, theme } of looks) {
      const name = `${screen}-${theme}`
      const page = await workspace.open('admin', { path: `/surveys/${id}/results`, screen, theme })
      await page.getByText('How was the training?').first().waitFor()
      await page.getByText('The import was slow').first().waitFor()
      await fits(page, `results-${name}`)
      await page.goto(`/surveys/${id}/responses`)
      await page.getByText('guest0@looks.example').first().waitFor()
      await fits(page, `answers-${name}`)
      await page.goto(`/surveys/${id}/share`)
      await page.getByRole('heading', { name: 'Link for everybody' }).waitFor()
      await fits(page, `share-${name}`)
      await page.close()
    }
  })

  async function answered(): Promise<string> {
    const survey: Row = await call('POST', '/api/surveys/', {
      name: 'After the go-live of all clinics',
      status: 'published',
      form_structure: [
        {
          id: 'p1',
          title: '',
          fields: [
            { id: 'nps', type: 'nps', label: 'How likely are you to recommend us?' },
            { id: 'why', type: 'long-text', label: 'What is the main reason?' },
            {
              id: 'training',
              type: 'single-select',
              label: 'How was the training?',
              options: ['Far too short for what had to be learned', 'Just right', 'Too long'],
            },
            { id: 'ease', type: 'ratings', label: 'How easy was it?' },
          ],
        },
      ],
    })
    const id = survey.survey_id as string
    const reasons = ['The import was slow', 'Everybody helped', 'Easy to learn', 'Slow on Mondays']
    for (let n = 0; n < 36; n++) {
      const answers = {
        nps: [10, 9, 9, 7, 3, 8][n % 6],
        why: reasons[n % 4],
        training: survey.form_structure.pages[0].fields[2].options[n % 3].value,
        ease: 1 + (n % 5),
      }
      const respondent_email = `guest${n}@looks.example`
      await call('POST', `/api/surveys/${id}/fill/`, { answers, respondent_email })
    }
    return id
  }

  async function project(project_name: string): Promise<string> {
    await call('POST', '/api/project/info/', { project_name })
    const query = `page=1&items_per_page=1&q=${encodeURIComponent(project_name)}`
    const [found] = (await call('GET', `/api/project/info/?${query}`)) as Row[]
    return found?.project_id
  }

  test('a project lists the forms of its tasks, and each leads to its questions or answers', async () => {
    const fields = [
      { id: 'goal', type: 'short-text', label: 'What is the goal?', required: true },
      { id: 'note', type: 'long-text', label: 'Anything else?' },
    ]
    const form: Row = await call('POST', '/api/surveys/', {
      name: 'Kick-off form',
      item_type: 'form',
      form_structure: [{ id: 'p1', title: '', fields }],
    })
    const { user_id: owner } = (await call('GET', '/api/session/')) as Row
    const project_id = await project('Fourteen clinics')
    const made = async (title: string, more: object = {}): Promise<Row> =>
      call('POST', '/api/tasks/', { title, project_id, form_id: form.survey_id, ...more })
    const begun = await made('Say what the go-live needs', { due_date: '2027-02-01', owner })
    await made('Name the people who decide in each of the clinics', { due_date: '2027-02-02' })
    const page = await workspace.open('admin', { path: `/projects/${project_id}/forms` })
    const list = page.getByRole('region', { name: 'Forms' })
    await list.getByText('0 of 2 answered').waitFor()
    await list.getByRole('link', { name: /^Answer the form Say what/ }).click()
    await page.getByLabel('What is the goal?').fill('Live in May')
    await page.getByText(/^Saved \d/).waitFor()
    await page.goBack()
    await list.getByText('Begun').waitFor()
    await list.getByText(/^1 answer by/).waitFor()
    await call('PUT', `/api/tasks/${begun.item_id}/`, { is_completed: true })
    await list.getByText('1 of 2 answered').waitFor()
    await list.getByRole('link', { name: /^Read the answers/ }).waitFor()
    for (const look of looks) {
      const name = `forms-${look.screen}-${look.theme}`
      const other = await workspace.open('admin', {
        path: `/projects/${project_id}/forms`,
        ...look,
      })
      await other.getByText('1 of 2 answered').waitFor()
      await fits(other, name)
      await other.close()
    }
    await page.goto(`/projects/${await project('Without forms')}/forms`)
    await page.getByText('No task has a form yet').waitFor()
  })
})
