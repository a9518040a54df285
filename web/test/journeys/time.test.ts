import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Time is measured and entered on a task, put right there, and summed up for everybody who may read it.

describe('the time of tasks', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let task: string

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
    const q = encodeURIComponent('Import the data')
    const [found] = await call('GET', `/api/tasks/?page=1&items_per_page=1&q=${q}`)
    const { project_id } = found
    await call('POST', '/api/tasks/', { title: 'Map the columns', project_id })
    const [made] = await call(
      'GET',
      `/api/tasks/?items_per_page=1&q=${encodeURIComponent('Map the columns')}`,
    )
    task = made.item_id
  })

  const spent = async () => (await call('GET', `/api/tasks/${task}/`)).total_elapsed_time

  test('is added, changed, deleted and brought back on the page of a task', async () => {
    const page = await workspace.open('admin', { path: `/tasks/${task}/time` })
    await page.getByText('No time yet').waitFor()
    await page.getByRole('button', { name: 'Add time' }).click()
    const form = page.getByRole('form', { name: 'Add time' })
    await form.getByLabel('Time', { exact: true }).fill('soon')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByText('Such as 2h 30m, 90m, 1.5 or 2d').waitFor()
    await form.getByLabel('Time', { exact: true }).fill('2h 30m')
    await form.getByLabel('Note').fill('Columns of the old system')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Columns of the old system').waitFor()
    assert.equal(await spent(), 9000)
    await page.getByRole('button', { name: /^Change 2 hr 30 min/ }).click()
    const change = page.getByRole('form', { name: 'Change the time' })
    await change.getByLabel('Time', { exact: true }).fill('1:45')
    await change.getByRole('checkbox', { name: 'Billable' }).click()
    await change.getByLabel('Time', { exact: true }).press('Enter')
    await page.getByText('Not billable').waitFor()
    assert.equal(await spent(), 6300)
    await page.getByRole('button', { name: /^Delete 1 hr 45 min/ }).click()
    await page.getByText('No time yet').waitFor()
    assert.equal(await spent(), 0)
    // the newest notice is the first
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await page.getByText('Columns of the old system').waitFor()
    assert.equal(await spent(), 6300)
    await page.getByRole('button', { name: 'Estimate: No estimate' }).click()
    await page.getByRole('textbox', { name: 'Estimate' }).fill('1.5')
    // it is shown before it is stored
    const stored = page.waitForResponse(
      (each) => each.request().method() === 'PUT' && each.url().endsWith(`/api/tasks/${task}/`),
    )
    await page.getByRole('textbox', { name: 'Estimate' }).press('Enter')
    await page.getByText('+15 min').waitFor()
    await stored
    assert.equal((await call('GET', `/api/tasks/${task}/`)).estimate_minutes, 90)
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'time-task')
  })

  test('is measured by one’s own timer, beside the list too', async () => {
    const page = await workspace.open('member', { path: `/tasks?peek=${task}` })
    const panel = page.getByRole('complementary', { name: 'Map the columns' })
    await panel.getByRole('button', { name: 'Start timer' }).click()
    await panel.getByRole('button', { name: 'Stop timer' }).waitFor()
    // nobody else's runs
    assert.equal((await call('GET', `/api/tasks/${task}/`)).is_timer_running, false)
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'time-panel')
    await panel.getByRole('button', { name: 'Stop timer' }).click()
    await panel.getByRole('button', { name: 'Start timer' }).waitFor()
    const entries = await call('GET', `/api/time-entries/?task_id=${task}`)
    assert.equal(entries.length, 2)
  })

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`is summed up by person, project and week, ${screen}, ${theme}`, async () => {
      const page = await workspace.open('admin', { path: '/time', screen, theme })
      const table = page.getByRole('table')
      await table.getByRole('rowheader', { name: 'Total' }).waitFor()
      const report = await call('GET', '/api/time-entries/report/')
      assert.equal(await table.locator('tbody tr').count(), report.rows.length)
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `time-${screen}-${theme}`)
      await page.getByRole('radio', { name: 'Projects' }).click()
      await table.getByRole('columnheader', { name: 'Project' }).waitFor()
      await page.getByRole('radio', { name: 'Weeks' }).click()
      await table.getByRole('columnheader', { name: 'Week of' }).waitFor()
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.ok(sideways <= 0, `${sideways} px too wide`)
      assert.deepEqual(await problemsOf(page), [])
    })
  }

  test('is a file, of what is shown', async () => {
    const page = await workspace.open('admin', { path: '/time?billable=false' })
    await page.getByRole('table').waitFor()
    const link = page.getByRole('link', { name: 'Export CSV' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.match(download.suggestedFilename(), /^time-.*\.csv$/)
    await page.getByRole('radio', { name: 'Weeks' }).click()
    assert.match(page.url(), /group=week/)
  })

  test('is filtered by person, project and week, and its file with it', async () => {
    const { project_id, project_name } = await call('GET', `/api/tasks/${task}/`)
    const other = workspace.demo.people.find(({ role }) => role === 'manager')!.full_name
    const page = await workspace.open('admin', { path: '/time' })
    await page.getByRole('table').waitFor()
    await page.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: project_name }).click()
    await page.waitForURL((url) => url.searchParams.get('project') === project_id)
    await page.getByRole('combobox', { name: 'Week' }).click()
    await page.getByRole('option', { name: /This week/ }).click()
    await page.waitForURL((url) => url.searchParams.has('from'))
    const { searchParams } = new URL(page.url())
    const query = new URLSearchParams({
      from: searchParams.get('from') ?? '',
      to: searchParams.get('to') ?? '',
      project_id,
    })
    const report = await call('GET', `/api/time-entries/report/?${query}`)
    assert.equal(report.weeks.length, 1)
    assert.ok(report.rows.length > 0)
    const rows = page.getByRole('table').locator('tbody tr')
    await page.waitForFunction(
      (count) => document.querySelectorAll('tbody tr').length === count,
      report.rows.length,
    )
    assert.equal(await rows.count(), report.rows.length)
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'time-filtered')
    const file = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
    for (const [name, value] of query) {
      assert.equal(new URL(file ?? '', workspace.url).searchParams.get(name), value)
    }
    // a reload shows the same, by their names
    await page.reload()
    await page.getByRole('combobox', { name: 'Project' }).getByText(project_name).waitFor()
    await page.getByRole('combobox', { name: 'Person' }).click()
    await page.getByRole('option', { name: other }).click()
    await page.waitForURL((url) => url.searchParams.has('person'))
    await page.getByText('No time in these days').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('table').waitFor()
    assert.doesNotMatch(page.url(), /(person|project)=\w/)
  })

  test('says where there is none', async () => {
    const page = await workspace.open('admin', { path: '/time?from=2019-01-01&to=2019-01-31' })
    await page.getByText('No time in these days').waitFor()
    assert.deepEqual(await problemsOf(page), [])
  })

  test('of finished ones says when a project goes live, on its page and among all', async () => {
    const make = async (path: string, body: object, find: string) => {
      await call('POST', path, body)
      const [found] = await call(
        'GET',
        `${path}?page=1&items_per_page=1&q=${encodeURIComponent(find)}`,
      )
      return found
    }
    const day = { start_date: '2026-01-05', due_date: '2026-01-05' }
    const project_name = 'Forecast of Olmeda'
    const project = await make('/api/project/info/', { project_name }, project_name)
    const { project_id } = project
    for (let n = 0; n < 20; n++) {
      await call('POST', '/api/tasks/', {
        title: `Done ${n}`,
        project_id,
        ...day,
        is_completed: true,
      })
    }
    const dates = { start_date: '2040-03-05', due_date: '2040-03-06' }
    await call('POST', '/api/tasks/', { title: 'Switch over', project_id, ...dates })
    const [found] = (await call('GET', `/api/projects/forecasts/?project_ids=${project_id}`)).rows
    assert.ok(found.p85 > '2040-03-06', JSON.stringify(found))
    assert.equal(found.driver.title, 'Switch over')
    const page = await workspace.open('admin', { path: `/projects/${project_id}` })
    await page.getByRole('link', { name: /^85 %: by .*Held up most by Switch over/ }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'forecast-project')
    await page.goto('/projects?as=timeline')
    await page
      .getByText(/85 %: by/)
      .first()
      .waitFor({ state: 'attached' })
    await picture(page, 'forecast-portfolio')
  })
})
