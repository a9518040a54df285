import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { byKeysAlone, focusIsAt, tabTo } from '../support/keyboard.ts'
import { isStored, planCell as cell, planProject } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// A plan is typed, read and corrected in its grid, by keys alone where they say so.

describe('the grid of a plan', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const project = (name: string, milestones?: { [name: string]: string[] }) =>
    planProject(call, name, milestones)

  const tree = [
    '1 Kick-off',
    '1.1 Invite the team',
    '1.2 Agree on the goals',
    '2 Data',
    '2.1 Export',
    '2.1.1 Six clinics',
    '2.2 Import',
    '3 Go-live',
    '3.1 Switch',
  ]

  test('is typed by keys alone: milestones, tasks and subtasks, and days; a reload shows the same', async () => {
    const { path, outline, read } = await project('Typed by keys')
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const { keyboard } = page
    const line = async (title: string, ...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
      await keyboard.type(title)
      await keyboard.press('Enter')
    }
    await tabTo(page, page.getByRole('textbox', { name: 'New milestone' }))
    await line('Kick-off')
    await line('Invite the team', 'Tab')
    await line('Agree on the goals')
    // an empty line goes out a level
    await line('Data', 'Enter')
    await line('Export', 'Tab')
    await line('Six clinics', 'Tab')
    await line('Import', 'Shift+Tab')
    await line('Go-live', 'Enter')
    await line('Switch', 'Tab')
    await keyboard.press('Escape')
    await isStored(outline, tree)
    await focusIsAt(page, cell(page, 'Switch'))

    // days need a start
    await keyboard.press('Home')
    await focusIsAt(page, cell(page, 'Switch'))
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    await keyboard.press('e')
    await focusIsAt(page, page.getByLabel('Start of Switch'))
    await keyboard.type('nov 4 2030')
    await keyboard.press('Tab')
    await focusIsAt(page, cell(page, 'Switch', 'due'))
    await cell(page, 'Switch', 'start').getByText('Nov 4, 2030').waitFor()
    await keyboard.press('ArrowRight')
    await keyboard.press('3')
    await keyboard.press('Enter')
    await cell(page, 'Switch', 'due').getByText('Nov 6, 2030').waitFor()
    const { tasks } = await read()
    assert.deepEqual(
      tasks.flatMap((task: { due_date: string | null }) => task.due_date ?? []),
      ['2030-11-06'],
    )

    await page.reload()
    await page.getByRole('row', { name: /Switch/ }).waitFor()
    const numbers = await page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('td')?.innerText.trim(), row.ariaLevel]),
      )
    assert.deepEqual(
      numbers,
      tree.map((row) => {
        const [number = ''] = row.split(' ')
        return [number, String(number.split('.').length)]
      }),
    )
  })

  test('a milestone is renamed, completed, opened again, moved and deleted, each with its undo', async () => {
    const { path, outline } = await project('Milestones', { Data: ['Export'], Training: ['Teach'] })
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const { keyboard } = page
    const undo = () => keyboard.press('Control+z')
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('textbox', { name: 'Title of Data' }))
    await keyboard.press('Control+a')
    await keyboard.type('Data and access')
    await keyboard.press('Enter')
    await page.getByText('Milestone renamed').waitFor()
    await keyboard.press('Escape')
    await focusIsAt(page, cell(page, 'Data and access'))

    const categories = async () =>
      (await outline('status', 'completed_at')).map(([, status, at]) => [
        (status as { category: string } | null)?.category,
        Boolean(at),
      ])
    await keyboard.press('Space')
    await page.getByText('Data and access completed').waitFor()
    assert.deepEqual((await categories())[0], ['completed', true])
    await keyboard.press('Space')
    await page.getByText('Data and access opened again').waitFor()
    assert.deepEqual((await categories())[0], ['not_started', false])

    await keyboard.press('Alt+ArrowDown')
    await page.getByText('Moved 2 of 2').first().waitFor()
    await isStored(outline, ['1 Training', '1.1 Teach', '2 Data and access', '2.1 Export'])
    await focusIsAt(page, cell(page, 'Data and access'))
    await undo()
    await isStored(outline, ['1 Data and access', '1.1 Export', '2 Training', '2.1 Teach'])

    await tabTo(page, cell(page, 'Data and access'), 'Shift+Tab')
    await keyboard.press('Delete')
    await page.getByText('Deleted Data and access and 1 task below').waitFor()
    await isStored(outline, ['1 Training', '1.1 Teach'])
    await focusIsAt(page, cell(page, 'Training'))
    await undo()
    await isStored(outline, ['1 Data and access', '1.1 Export', '2 Training', '2.1 Teach'])
    await cell(page, 'Export').waitFor()
  })

  test('tasks move by keys and by the menu: among siblings, in and out, to another milestone, and back', async () => {
    const plan = { Data: ['Export', 'Import', 'Check'], Training: ['Teach'], Live: [] }
    const { path, outline } = await project('Moving tasks', plan)
    const page = await workspace.open('admin', { path })
    const { keyboard } = page
    await cell(page, 'Import').focus()
    await keyboard.press('Alt+ArrowRight')
    await page.getByText('Moved to Export, 1 of 1').first().waitFor()
    await isStored(
      async () => (await outline()).slice(0, 4),
      ['1 Data', '1.1 Export', '1.1.1 Import', '1.2 Check'],
    )
    await focusIsAt(page, cell(page, 'Import'))
    await keyboard.press('Alt+ArrowLeft')
    await isStored(
      async () => (await outline()).slice(1, 4),
      ['1.1 Export', '1.2 Import', '1.3 Check'],
    )
    await cell(page, 'Check').focus()
    await keyboard.press('Alt+ArrowDown')
    await page.getByText('Moved to Training, 1 of 2').first().waitFor()
    await isStored(
      async () => (await outline()).slice(3),
      ['2 Training', '2.1 Check', '2.2 Teach', '3 Live'],
    )
    await page.getByRole('button', { name: 'More for Export' }).click()
    await page.getByRole('menuitem', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Live' }).click()
    await page.getByText('Moved to Live, 1 of 1').first().waitFor()
    await isStored(async () => (await outline()).slice(-2), ['3 Live', '3.1 Export'])
    await page.keyboard.press('Control+z')
    await isStored(outline, [
      '1 Data',
      '1.1 Export',
      '1.2 Import',
      '2 Training',
      '2.1 Check',
      '2.2 Teach',
      '3 Live',
    ])
  })

  test('a dependency is typed by its number; a circle is refused in the field by its names', async () => {
    const { path, read } = await project('Dependencies', { Data: ['Export', 'Import', 'Check'] })
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    const { keyboard } = page
    const links = async () =>
      (await read()).dependencies.map(({ type, lag_days }: { type: string; lag_days: number }) => [
        type,
        lag_days,
      ])
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('l')
    await focusIsAt(page, page.getByRole('textbox', { name: 'After of Import' }))
    await keyboard.type('1.1+2')
    await keyboard.press('Enter')
    await cell(page, 'Import', 'after').getByText('1.1+2').waitFor()
    assert.deepEqual(await links(), [['FS', 2]])

    await tabTo(page, cell(page, 'Check', 'after'))
    await keyboard.press('Home')
    await keyboard.press('ArrowUp')
    await keyboard.press('ArrowUp')
    await focusIsAt(page, cell(page, 'Export'))
    await keyboard.press('l')
    await keyboard.type('1.2')
    await keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/^This would be a cycle: (Export → Import → Export|Import → Export → Import)$/)
      .waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'After of Export' }).inputValue(), '1.2')
    await keyboard.press('Control+a')
    await keyboard.type('9.9')
    await keyboard.press('Enter')
    await page.getByRole('alert').getByText('There is no task 9.9').waitFor()
    await keyboard.press('Escape')
    assert.deepEqual(await links(), [['FS', 2]])
    expectFaults(page, /409/)
  })

  test('a date that moves others asks first; one that moves none is stored at once', async () => {
    const { path, idOf, outline } = await project('Dates', { Data: ['Export', 'Import'] })
    const [first, second] = [await idOf('Export'), await idOf('Import')]
    const dates = (start_date: string, due_date: string) => ({ start_date, due_date })
    await call('PUT', `/api/tasks/${first}/`, dates('2030-11-04', '2030-11-08'))
    await call('PUT', `/api/tasks/${second}/`, dates('2030-11-11', '2030-11-15'))
    await call('POST', `/api/tasks/${second}/dependencies/`, { predecessor_id: first })
    const due = async () => (await outline('due_date')).slice(1).map(([, day]) => day)
    const page = await workspace.open('admin', { path })
    await cell(page, 'Import', 'due').dblclick()
    await page.getByLabel('Due of Import').fill('2030-11-18')
    await page.keyboard.press('Enter')
    await isStored(due, ['2030-11-08', '2030-11-18'])
    await cell(page, 'Export', 'due').dblclick()
    await page.getByLabel('Due of Export').fill('2030-11-12')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move Export' })
    await dialog.getByText('2 tasks move.').waitFor()
    assert.deepEqual(await due(), ['2030-11-08', '2030-11-18'])
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).click()
    await page.getByText('Moved 2 tasks').waitFor()
    assert.deepEqual(await due(), ['2030-11-12', '2030-11-20'])
    await page.keyboard.press('Control+z')
    await isStored(due, ['2030-11-08', '2030-11-18'])
  })

  test('a task opens beside the plan, which stays; what others change is seen', async () => {
    const { path, idOf } = await project('Beside', { Data: ['Export', 'Import'] })
    const page = await workspace.open('admin', { path })
    await cell(page, 'Export').focus()
    await page.keyboard.press('o')
    const panel = page.getByRole('complementary', { name: 'Export' })
    await panel.waitFor()
    await cell(page, 'Import').waitFor()
    const colleague = await workspace.as('manager')
    await colleague('PUT', `/api/tasks/${await idOf('Import')}/`, { title: 'Import the data' })
    await cell(page, 'Import the data').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('pasted lines are milestones’ tasks with their levels, and one undo takes them back', async () => {
    const { path, outline } = await project('Pasted', { Data: ['Export'] })
    const page = await workspace.open('admin', { path })
    await cell(page, 'Export').focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'Import\n\tSix clinics\n\tTwo labs\nCheck\n')
      const event = new ClipboardEvent('paste', {
        clipboardData: data,
        bubbles: true,
        cancelable: true,
      })
      document.activeElement?.dispatchEvent(event)
    })
    await page.getByText('4 lines added', { exact: true }).waitFor()
    await isStored(outline, [
      '1 Data',
      '1.1 Export',
      '1.2 Import',
      '1.2.1 Six clinics',
      '1.2.2 Two labs',
      '1.3 Check',
    ])
    await page.keyboard.press('Control+z')
    await isStored(outline, ['1 Data', '1.1 Export'])
  })

  test('who may only read sees the same plan, and no cell opens', async () => {
    const reader = await workspace.as('observer')
    const [{ project_id }] = await reader(
      'GET',
      '/api/project/info/?page=1&items_per_page=1&project_type=project',
    )
    const { tasks } = await reader('GET', `/api/project/info/${project_id}/plan/`)
    const page = await workspace.open('observer', { path: `/projects/${project_id}/plan` })
    const title = cell(page, tasks[0].title)
    await title.waitFor()
    assert.equal(await page.getByRole('button', { name: /^New / }).count(), 0)
    await title.focus()
    for (const key of ['Enter', 'c', 'Delete', 'Space', 'Alt+ArrowDown'])
      await page.keyboard.press(key)
    assert.equal(await page.getByRole('textbox', { name: /^(Title of|New) / }).count(), 0)
    await title.waitFor()
  })

  test('on a phone it is a list to tick and to add to, as wide as the screen', async () => {
    const { path, outline } = await project('Phone', { Data: ['Export'] })
    for (const theme of ['light', 'dark'] as const) {
      const page = await workspace.open('admin', { path, screen: 'phone', theme })
      await page.getByRole('textbox', { name: 'New task in Data' }).fill(`Added ${theme}`)
      await page.keyboard.press('Enter')
      await page.getByText(`Added ${theme}`, { exact: true }).waitFor()
      await page.getByRole('checkbox', { name: 'Complete Export' }).click()
      await page.getByText(/Export (completed|opened again)/).waitFor()
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(over <= 0, `${over} px too wide`)
      assert.deepEqual(await problemsOf(page), [])
    }
    await isStored(outline, ['1 Data', '1.1 Export', '1.2 Added light', '1.3 Added dark'])
  })
})
