import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// A template is written, corrected and published, by the pointer and by keys; two people share its draft.

type Row = { [field: string]: any }

describe('the editor of templates', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function made(template_name: string) {
    await call('POST', '/api/templates/template/', {
      template_name,
      roles: [
        { key: 'integration', name: 'Integration', side: 'ours' },
        { key: 'customer_it', name: 'Customer: IT', side: 'customer' },
      ],
      template_config: {
        stages: [
          {
            stage_id: 'kick',
            name: 'Kick-off',
            tasks: [
              { id: 'meet', title: 'Meet', duration_days: 2, assignee_role: 'project_owner' },
              { id: 'dates', title: 'Agree on the dates', start_offset_days: 2 },
            ],
          },
          {
            stage_id: 'data',
            name: 'Data and access',
            start_offset_days: 3,
            tasks: [
              {
                id: 'export',
                title: 'Export',
                duration_days: 5,
                assignee_role: 'customer_it',
                is_shared: true,
                depends_on: ['dates'],
              },
              {
                id: 'import',
                title: 'Import',
                start_offset_days: 5,
                duration_days: 3,
                assignee_role: 'integration',
                depends_on: ['export'],
              },
            ],
          },
        ],
      },
    })
    const all = await call('GET', '/api/templates/template/?page=1&items_per_page=100')
    return String(all.find((each: Row) => each.template_name === template_name).template_id)
  }

  const cell = (page: Page, id: string, column: string) =>
    page.locator(`[data-cell="${id} ${column}"]`)
  const draftOf = (id: string) => call('GET', `/api/templates/template/${id}/draft/`)
  const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor()
  const tasksIn = ({ template_config }: Row) =>
    template_config.stages.flatMap((stage: Row) =>
      (stage.tasks ?? []).map((task: Row) => ({
        ...task,
        day: stage.start_offset_days + task.start_offset_days + 1,
      })),
    )
  const daysIn = async (id: string) =>
    tasksIn(await draftOf(id)).map((task: Row) => `${task.title} ${task.day} ${task.duration_days}`)

  test('pushes what follows, refuses a day against it, and takes back', async () => {
    const id = await made('Days')
    const page = await workspace.open('admin', { path: `/templates/${id}` })
    await page.getByRole('treegrid', { name: 'Template' }).waitFor()
    assert.equal(await cell(page, 'data', 'day').innerText(), '4–11')
    await cell(page, 'export', 'days').dblclick()
    await page.getByLabel('Days of Export').fill('7')
    await page.keyboard.press('Enter')
    await cell(page, 'import', 'day').getByText('11–13').waitFor()
    assert.equal(await cell(page, 'data', 'day').innerText(), '4–13')
    await saved(page)
    assert.deepEqual(await daysIn(id), [
      'Meet 1 2',
      'Agree on the dates 3 1',
      'Export 4 7',
      'Import 11 3',
    ])
    // nothing uses the draft
    const { template_config } = await call('GET', `/api/templates/template/${id}/`)
    assert.equal(template_config.stages[1].tasks[0].duration_days, 5)
    await cell(page, 'import', 'day').focus()
    await page.keyboard.press('8')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('2.1 ends on day 10: not before day 11').waitFor()
    await page.keyboard.press('Escape')
    await cell(page, 'dates', 'after').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('2.2')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/Would close a circle/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await cell(page, 'import', 'day').getByText('9–11').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await cell(page, 'import', 'day').getByText('11–13').waitFor()
  })

  test('is written by keys alone, and published with a note', async () => {
    await call('POST', '/api/templates/template/', { template_name: 'By keys' })
    const all = await call('GET', '/api/templates/template/?page=1&items_per_page=100')
    const id = all.find((each: Row) => each.template_name === 'By keys').template_id
    const page = await workspace.open('admin', { path: `/templates/${id}` })
    const line = page.getByLabel(/^New (milestone|task|subtask)$/)
    await line.focus()
    for (const key of [
      'Kick-off',
      'Enter',
      'Tab',
      'Meet',
      'Enter',
      'Plan',
      'Enter',
      'Tab',
      'List',
      'Enter',
    ]) {
      if (['Enter', 'Tab'].includes(key)) await page.keyboard.press(key)
      else await page.keyboard.type(key)
    }
    for (let n = 0; n < 3; n++) await page.keyboard.press('Enter')
    await saved(page)
    const { template_config } = await draftOf(id)
    assert.deepEqual(
      template_config.stages.map(({ name, tasks }: Row) => [
        name,
        tasks.map(({ title, parent }: Row) => [title, parent !== undefined]),
      ]),
      [
        [
          'Kick-off',
          [
            ['Meet', false],
            ['Plan', false],
            ['List', true],
          ],
        ],
      ],
    )
    await page.getByRole('button', { name: 'Publish version 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish version 2' })
    await dialog.getByText('Kick-off').waitFor()
    await dialog.getByLabel('What changed').fill('First steps')
    await page.keyboard.press('Enter')
    await page.getByText('Version 2 of By keys published').waitFor()
    const versions = await call('GET', `/api/templates/template/${id}/versions/`)
    assert.deepEqual([versions[0].number, versions[0].note], [2, 'First steps'])
    await page.getByRole('region', { name: 'Versions' }).getByText('First steps').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Publish/ }).count(), 0)
  })

  test('keeps what two people change at once', async () => {
    const id = await made('Shared draft')
    const page = await workspace.open('admin', { path: `/templates/${id}` })
    await page.getByRole('treegrid', { name: 'Template' }).waitFor()
    await cell(page, 'meet', 'title').dblclick()
    const other = await draftOf(id)
    other.template_config.stages[1].tasks[1].title = 'Import everything'
    await call('PUT', `/api/templates/template/${id}/draft/`, {
      template_config: other.template_config,
    })
    // seen while the other cell is open, which keeps its text
    await page.getByText('Import everything').waitFor()
    await page.getByLabel('Title of Meet').fill('Meet in person')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await saved(page)
    const titles = tasksIn(await draftOf(id)).map(({ title }: Row) => title)
    assert.deepEqual(titles, [
      'Meet in person',
      'Agree on the dates',
      'Export',
      'Import everything',
    ])
  })

  test('waits while there is no network, and says so', async () => {
    const id = await made('Offline')
    const page = await workspace.open('admin', { path: `/templates/${id}` })
    await page.getByRole('treegrid', { name: 'Template' }).waitFor()
    await page.route('**/draft/', (route) => route.abort())
    await cell(page, 'meet', 'days').dblclick()
    await page.getByLabel('Days of Meet').fill('4')
    await page.keyboard.press('Enter')
    await page.getByText('Offline · your changes wait').waitFor()
    await page.unroute('**/draft/')
    await saved(page)
    expectFaults(page, /ERR_FAILED/)
    assert.equal(tasksIn(await draftOf(id))[0].duration_days, 4)
  })

  test('has a new role, and only shows a template that one may not change', async () => {
    const id = await made('Roles')
    const page = await workspace.open('admin', { path: `/templates/${id}` })
    await page.getByRole('button', { name: 'New role' }).click()
    const dialog = page.getByRole('dialog', { name: 'New role' })
    await dialog.getByLabel('Name').fill('Customer: sponsor')
    await dialog.getByRole('radio', { name: 'Customer' }).click()
    await dialog.getByRole('button', { name: 'Add' }).click()
    await saved(page)
    const roles = (await draftOf(id)).roles.map(({ key, side }: Row) => [key, side])
    assert.ok(
      roles.some(([key, side]: string[]) => key === 'customer:_sponsor' && side === 'customer'),
    )
    const shipped = (await call('GET', '/api/templates/template/?page=1&items_per_page=100')).find(
      (each: Row) => each.is_predefined,
    )
    await page.goto(`/templates/${shipped.template_id}`)
    await page.getByText('It comes with the product. Duplicate it to change it.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'New task' }).count(), 0)
    await page.goto('/templates/unknown')
    await page.getByText('The template could not be read').waitFor()
    await page.goto('/templates')
    await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor()
    expectFaults(page, /404/)
  })

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`has no findings of axe, ${screen}, ${theme}`, async () => {
      const id = await made(`Clinic onboarding ${screen} ${theme}`)
      const page = await workspace.open('admin', { path: `/templates/${id}`, screen, theme })
      if (screen === 'wide')
        await page
          .getByRole('region', { name: 'Preview' })
          .getByText(/Live on/)
          .waitFor()
      else await page.getByText('2.2 Import').waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `template-editor-${screen}-${theme}`)
    })
  }
})
