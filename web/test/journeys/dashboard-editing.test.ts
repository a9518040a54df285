import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { whenSettled } from '../support/settled.ts'
import { wholePicture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Dashboards of one's own are made, arranged by pointer and keys, shared, and lead into lists.

describe('dashboards of one’s own', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  /** Chooses an option of a select by its name. */
  async function choose(page: Page, name: string, option: string) {
    await page.getByRole('combobox', { name, exact: true }).first().click()
    await page.getByRole('option', { name: option }).first().click()
  }

  let count = 0
  /** A dashboard of the administrator with widgets below and beside each other. */
  async function dashboard(types: string[], more: object = {}) {
    const dashboard_id = `made${++count}`
    await call('POST', '/api/dashboards/info/', {
      dashboard_id,
      dashboard_name: `Numbers ${count}`,
      widgets: types.map((widget_type, at) => ({
        widget_id: widget_type,
        widget_type,
        position: { x: (at % 2) * 6, y: Math.floor(at / 2) * 4, w: 6, h: 4 },
      })),
      ...more,
    })
    return dashboard_id
  }
  const placesOf = async (id: string) => {
    const { widgets } = await call('GET', `/api/dashboards/info/${id}/`)
    return Object.fromEntries(
      widgets.map(({ widget_type, position: { x, y, w, h } }: any) => [
        widget_type,
        [x, y, w, h].join(' '),
      ]),
    )
  }
  const group = (page: Page, name: string) =>
    page.getByRole('group', { name: new RegExp(`^${name}, column`) })

  test('hold a report that was built, are shared, and a bar leads to its records', async () => {
    const page = await workspace.open('admin', { path: '/reports?of=tasks&by=status' })
    await page.getByRole('heading', { level: 2, name: 'Table' }).waitFor()
    await page.getByRole('button', { name: 'Save report…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Tasks by status, as saved')
    await choose(page, 'Who sees it', 'Everyone')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tasks by status, as saved' }).waitFor()
    await page.getByRole('button', { name: 'Add to a dashboard' }).click()
    await page.getByRole('menuitem', { name: 'New dashboard' }).click()
    await page.waitForURL(/\/dashboards\/\w+/)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const chart = page.getByRole('group', { name: /^Tasks by status, as saved/ })
    await chart.waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await choose(page, 'Who sees it', 'Chosen people')
    await choose(page, 'Add a role', 'Member')
    await wholePicture(page, 'dashboard-share')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const stored = await call('GET', `/api/dashboards/info/${id}/`)
    assert.equal(stored.visibility, 'restricted')
    assert.equal(stored.access_list[0].access_type, 'role')
    // others see it, with the records that they may see
    const other = await workspace.open('member', { path: `/dashboards/${id}` })
    const theirs = other.getByRole('group', { name: /^Tasks by status, as saved/ })
    await theirs.waitFor()
    assert.equal(await other.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
    await theirs.focus()
    await other.keyboard.press('ArrowRight')
    await other.keyboard.press('Enter')
    await other.waitForURL(/\/tasks\?/)
    const filter = new URL(other.url()).searchParams.get('f') ?? ''
    const as = await workspace.as('member')
    const [first] = (await as('GET', '/api/tasks/groups/?by=status&measures=count')).groups
    assert.deepEqual(JSON.parse(filter), first.filter)
    await other.getByText(first.count.toLocaleString('en-GB'), { exact: true }).first().waitFor()
  })

  test('hold a shipped report as it was asked, which is explained, set and opened again', async () => {
    const page = await workspace.open('admin', { path: '/reports/nps?by=owner' })
    await page.getByRole('heading', { level: 2, name: 'Table' }).waitFor()
    await page.getByRole('button', { name: 'Add to a dashboard' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'New dashboard' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dashboards\/\w+/)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const name = 'Net promoter score by segment'
    await page.getByRole('group', { name: new RegExp(`^${name}`) }).waitFor()
    const { widgets } = await call('GET', `/api/dashboards/info/${id}/`)
    assert.deepEqual(widgets[0].config, { report_id: 'nps', by: 'owner' })
    assert.deepEqual(await problemsOf(page), [])
    // that of the widget, below that of the dashboard
    const more = page.getByRole('button', { name: `More about ${name}` }).last()
    await more.click()
    await page.getByRole('menuitem', { name: 'Explain this number' }).click()
    await page.getByText('The score of answers by the segment').waitFor()
    await page.keyboard.press('Escape')
    await more.click()
    await page.getByRole('menuitem', { name: 'Open the report' }).click()
    await page.waitForURL(/\/reports\/nps\?by=owner/)
  })

  test('filter the reports that they hold, or say what these are not filtered by', async () => {
    const saved = async (module: string, by: string) => {
      const report = { by, measures: 'count' }
      const body = { module, name: `Our ${module}`, layout: 'report', report }
      return (await call('POST', '/api/filters/filter/', body)).filter_id as string
    }
    const reports = [
      ['tasks', await saved('tasks', 'status')],
      ['accounts', await saved('accounts', 'segment')],
    ]
    await call('POST', '/api/dashboards/info/', {
      dashboard_id: 'filtered',
      dashboard_name: 'Filtered',
      widgets: reports.map(([module, report_id], at) => ({
        widget_id: module,
        widget_type: module === 'tasks' ? 'tasks_by_status' : 'accounts_health',
        config: { report_id },
        position: { x: at * 6, y: 0, w: 6, h: 4 },
      })),
    })
    const { groups } = await call('GET', '/api/tasks/groups/?by=owner&measures=count')
    const [{ value: owner, count: theirs }] = groups
    const [{ pipeline_id }] = await call('GET', '/api/pipelines/')
    const query = `?owner=${owner}&pipeline=${pipeline_id}`
    const page = await workspace.open('admin', { path: `/dashboards/filtered${query}` })
    const of = (module: string) =>
      page.locator('section').filter({
        has: page.getByRole('heading', { name: `Our ${module}` }),
      })
    await of('accounts').getByText('Not filtered by pipeline').waitFor()
    const conditions = [
      { field: 'owner', operator: 'eq', value: owner },
      { field: 'project_id.pipeline_id', operator: 'eq', value: pipeline_id },
    ]
    const totalOf = async (filter: object[]) => {
      const asked = `by=status&measures=count&filter=${encodeURIComponent(JSON.stringify(filter))}`
      return (await call('GET', `/api/tasks/groups/?${asked}`)).total as number
    }
    const both = await totalOf(conditions)
    const said = both ? new RegExp(`^${both} tasks?$`) : 'No records of this kind'
    await of('tasks').getByText(said).first().waitFor()
    assert.equal(await of('tasks').getByText('Not filtered by').count(), 0)
    await page.goto(`/dashboards/filtered?owner=${owner}`)
    await of('tasks')
      .getByText(new RegExp(`^${theirs} tasks?$`))
      .first()
      .waitFor()
    await wholePicture(page, 'dashboard-filtered-reports')
    const explain = async (name: string) => {
      await page.getByRole('button', { name: `More about Our ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Explain this number' }).click()
      await page.getByRole('dialog').getByText('Owner is').waitFor()
      await wholePicture(page, `dashboard-explained-${name}`)
      assert.deepEqual(await problemsOf(page), [])
      await page.getByRole('button', { name: 'Close' }).last().click()
    }
    await explain('tasks')
    const chart = of('tasks').getByRole('group', { name: /^Our tasks/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tasks\?/)
    const filter = JSON.parse(new URL(page.url()).searchParams.get('f') ?? '[]')
    assert.deepEqual(filter[0], conditions[0])
  })

  test('say of shipped reports what time they count and what they leave out, and open them as they stand', async () => {
    const widgets = ['forecast', 'plan'].map((report_id, at) => ({
      widget_id: report_id,
      widget_type: 'activities',
      config: { report_id, ...(at ? {} : { currency_unit: 'JPY' }) },
      position: { x: at * 6, y: 0, w: 6, h: 4 },
    }))
    const body = { dashboard_id: 'counted', dashboard_name: 'Counted', widgets }
    await call('POST', '/api/dashboards/info/', body)
    const [{ pipeline_id }] = await call('GET', '/api/pipelines/')
    const path = `/dashboards/counted?pipeline=${pipeline_id}`
    const page = await workspace.open('admin', { path })
    const of = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name }) })
    await of('Forecast and what came').getByText('Last 12 months').waitFor()
    await of('Forecast and what came').getByText('and not in the amounts').waitFor()
    await of('Plan against actual').getByText('Not filtered by pipeline').waitFor()
    assert.equal(await of('Plan against actual').getByText('Last 12 months').count(), 0)
    await wholePicture(page, 'dashboard-shipped-reports')
    await page.getByRole('button', { name: 'More about Forecast and what came' }).click()
    await page.getByRole('menuitem', { name: 'Open the report' }).click()
    await page.waitForURL(/\/reports\/forecast\?/)
    assert.equal(new URL(page.url()).searchParams.get('pipeline'), pipeline_id)
  })

  test('are arranged by keys alone, and every step can be taken back', async () => {
    const id = await dashboard(['new_companies', 'new_contacts', 'overdue_tasks'])
    const page = await workspace.open('admin', { path: `/dashboards/${id}` })
    await page.getByRole('heading', { name: 'Overdue tasks' }).waitFor()
    await page.keyboard.press('e')
    const companies = group(page, 'New companies')
    await companies.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('status').filter({ hasText: 'column 1, row 5, 6 × 4' }).waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('status').filter({ hasText: 'column 1, row 5, 7 × 4' }).waitFor()
    await wholePicture(page, 'dashboard-edit-keys')
    assert.deepEqual(await problemsOf(page), [])
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'New companies, column 1, row 1, 6 × 4' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'New companies, column 1, row 5, 6 × 4' }).waitFor()
    await page.keyboard.press('Control+d')
    // the copy has the focus as soon as it stands
    await page.locator('[data-widget="new_companies"]:not(:focus)').waitFor()
    assert.equal(await page.getByRole('group', { name: /^New companies, column/ }).count(), 2)
    await group(page, 'New contacts').focus()
    await page.keyboard.press('Delete')
    await group(page, 'New contacts').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await group(page, 'New contacts').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await group(page, 'New contacts').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    assert.equal(await page.getByRole('group', { name: /^New companies, column/ }).count(), 1)
    const add = page.getByRole('button', { name: /^Deals by stage/ })
    await add.focus()
    await page.keyboard.press('Enter')
    await group(page, 'Deals by stage').waitFor()
    // nobody sees it yet
    assert.deepEqual(Object.keys(await placesOf(id)), [
      'new_companies',
      'new_contacts',
      'overdue_tasks',
    ])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    assert.deepEqual(await placesOf(id), {
      overdue_tasks: '0 0 6 4',
      new_contacts: '6 0 6 4',
      new_companies: '0 4 6 4',
      deals_by_stage: '6 4 6 4',
    })
  })

  test('are arranged by the pointer, in both themes, and on a phone by buttons', async () => {
    const id = await dashboard(['new_companies', 'new_contacts', 'overdue_tasks', 'meetings'])
    for (const theme of ['light', 'dark'] as const) {
      const page = await workspace.open('admin', { theme, path: `/dashboards/${id}?edit=1` })
      const settled = whenSettled(page)
      await group(page, 'Meetings').waitFor()
      await settled()
      await wholePicture(page, `dashboard-edit-${theme}`)
      assert.deepEqual(await problemsOf(page), [])
      if (theme === 'dark') continue
      const head = group(page, 'New companies').getByText('New companies', { exact: true })
      const from = await head.boundingBox()
      assert.ok(from)
      await page.mouse.move(from.x + 20, from.y + 8)
      await page.mouse.down()
      await page.mouse.move(from.x + 30, from.y + 200, { steps: 4 })
      await page.mouse.move(from.x + 20, from.y + 8 + 4 * 80, { steps: 4 })
      await page.mouse.up()
      await page.getByRole('group', { name: 'New companies, column 1, row 5, 6 × 4' }).waitFor()
      const box = await group(page, 'Overdue tasks').boundingBox()
      assert.ok(box)
      await page.mouse.move(box.x + box.width, box.y + box.height)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width - 160, box.y + box.height + 160, { steps: 5 })
      await page.mouse.up()
      const sized = page.getByRole('group', { name: /^Overdue tasks, column 1, row 1, \d × 6$/ })
      assert.match((await sized.getAttribute('aria-label')) ?? '', /[34] × 6$/)
      await page.getByRole('button', { name: 'New contacts: settings' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('People met')
      await page.getByRole('button', { name: 'Apply' }).click()
      await group(page, 'People met').waitFor()
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      assert.match((await placesOf(id)).overdue_tasks, /^0 0 [34] 6$/)
      await page.context().close()
    }
    const page = await workspace.open('admin', {
      screen: 'phone',
      path: `/dashboards/${id}?edit=1`,
    })
    await page.getByRole('button', { name: 'Meetings: move and size' }).click()
    await wholePicture(page, 'dashboard-edit-phone')
    assert.deepEqual(await problemsOf(page), [])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `scrolls sideways by ${wide}`)
    await page.getByRole('button', { name: 'Narrower' }).click()
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('group', { name: /^Meetings, column .* 5 × 4$/ }).waitFor()
  })

  test('are kept by two who change them at once', async () => {
    const id = await dashboard(['new_companies', 'new_contacts'], { visibility: 'public' })
    const page = await workspace.open('admin', { path: `/dashboards/${id}?edit=1` })
    await page.getByRole('button', { name: /^Account health/ }).click()
    await group(page, 'Account health').waitFor()
    const { widgets } = await call('GET', `/api/dashboards/info/${id}/`)
    const theirs = widgets.filter((each: any) => each.widget_type !== 'new_contacts')
    await call('PUT', `/api/dashboards/info/${id}/`, { widgets: theirs })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('changed this dashboard meanwhile').waitFor()
    expectFaults(page, /412/)
    await wholePicture(page, 'dashboard-edit-conflict')
    assert.deepEqual(await problemsOf(page), [])
    await page.getByRole('button', { name: 'Take both' }).click()
    await group(page, 'New contacts').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    assert.deepEqual(Object.keys(await placesOf(id)), ['new_companies', 'accounts_health'])
  })

  test('begin as a copy of what cannot be changed, with a draft that outlives the page', async () => {
    const all = await call('GET', '/api/dashboards/info/')
    const { dashboard_id } = all.find((each: any) => each.dashboard_name === 'Overview')
    const page = await workspace.open('admin', { path: `/dashboards/${dashboard_id}` })
    await page.getByRole('button', { name: 'Duplicate and edit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview (copy)' }).waitFor()
    await page.getByRole('button', { name: 'Activity: remove' }).click()
    await group(page, 'Activity').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Changes of an earlier visit were not saved').waitFor()
    await group(page, 'Net promoter score').waitFor()
    assert.equal(await group(page, 'Activity').count(), 0)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.getByRole('button', { name: 'More about Overview (copy)' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Deleted Overview (copy)').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Deleted Overview (copy)').waitFor({ state: 'detached' })
  })
})
