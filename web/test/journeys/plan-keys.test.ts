import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { byKeysAlone, focusIsAt, tabTo } from '../support/keyboard.ts'
import { isStored, planCell as cell, planProject } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What the keys of a plan's grid do to many rows, and what words in its fields mean.

describe('the keys of a plan', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const six = ['Export', 'Import', 'Check', 'Access', 'Rooms', 'Forms']

  test('six tasks are selected, linked in order and moved across a holiday; an undo restores each', async () => {
    const plan = await planProject(call, 'Six in order', { Data: six })
    // from Monday, November 4; the Monday after it is a holiday of the demonstration
    for (const [at, title] of six.entries()) {
      const day = `2030-11-${String(4 + at).padStart(2, '0')}`
      const weekday = at < 5 ? day : '2030-11-12'
      await call('PUT', `/api/tasks/${await plan.idOf(title)}/`, {
        start_date: weekday,
        due_date: weekday,
      })
    }
    const holidays = [{ name: 'Armistice Day', date: '2030-11-11', is_repeat_annually: true }]
    await call('POST', '/api/holidays/holinfo/', { country: 'FR', state: 'Six', holidays })
    const sets = await call('GET', '/api/holidays/holinfo/?page=1&items_per_page=100')
    const { holidays_id } = sets.find(({ state }: { state: string }) => state === 'Six')
    await call('PUT', `/api/project/info/${plan.project_id}/`, { holidays_id })
    const state = async () => {
      const { tasks, milestones, dependencies } = await plan.read()
      const bare = (row: object) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'version'))
      return [tasks.map(bare), milestones.map(bare), dependencies]
    }
    const was = await state()
    const days = async () => (await plan.outline('due_date')).slice(1).map(([, day]) => day)
    const page = await byKeysAlone(await workspace.open('admin', { path: plan.path }))
    const { keyboard } = page
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    for (let n = 0; n < 5; n++) await keyboard.press('Shift+ArrowDown')
    const bar = page.getByRole('toolbar', { name: '6 rows selected' })
    await bar.waitFor()
    assert.equal(await page.locator('tr[aria-selected="true"]').count(), 6)
    await tabTo(page, bar.getByRole('button', { name: 'Link in order' }))
    await keyboard.press('Enter')
    await page.getByText('Dependencies changed').waitFor()
    assert.equal((await plan.read()).dependencies.length, 5)
    const linked = await state()
    await tabTo(page, bar.getByRole('button', { name: 'Dates' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('menuitem', { name: 'Move by working days' }))
    await keyboard.press('Enter')
    await focusIsAt(page, page.getByLabel('Working days'))
    await keyboard.press('Control+a')
    await keyboard.type('3')
    await keyboard.press('Enter')
    await page.getByText('Moved 6 tasks', { exact: true }).waitFor()
    await isStored(days, [
      '2030-11-07',
      '2030-11-08',
      '2030-11-12',
      '2030-11-13',
      '2030-11-14',
      '2030-11-15',
    ])
    await keyboard.press('Control+z')
    await isStored(state, linked)
    await keyboard.press('Control+z')
    await isStored(state, was)
    await keyboard.press('Control+Shift+z')
    await isStored(state, linked)
  })

  test('a selection gets an owner, a status and a priority, is shared and deleted, each with one undo', async () => {
    const plan = await planProject(call, 'In bulk', { Data: six.slice(0, 3), Training: ['Teach'] })
    const page = await byKeysAlone(await workspace.open('admin', { path: plan.path }))
    const { keyboard } = page
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('x')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('x')
    await page.getByRole('toolbar', { name: '2 rows selected' }).waitFor()
    const fields = async (name: string) =>
      (await plan.outline(name)).slice(1, 4).map(([, value]) => value?.label ?? value)
    await keyboard.press('p')
    const dialog = page.getByRole('dialog', { name: 'Change the priority of 2 rows' })
    await tabTo(page, dialog.getByRole('combobox', { name: 'Priority' }))
    await keyboard.press('Enter')
    await focusIsAt(page, page.getByRole('option').first())
    await keyboard.press('h')
    await focusIsAt(page, page.getByRole('option', { name: 'High' }))
    await keyboard.press('Enter')
    await tabTo(page, dialog.getByRole('button', { name: 'Change 2 rows' }))
    await keyboard.press('Enter')
    await isStored(() => fields('priority'), ['High', null, 'High'])
    await focusIsAt(page, cell(page, 'Check'))
    await keyboard.press('h')
    await isStored(() => fields('is_shared'), [true, false, true])
    await keyboard.press('Control+z')
    await isStored(() => fields('is_shared'), [false, false, false])
    await keyboard.press('Delete')
    await page.getByText('Deleted 2 tasks', { exact: true }).waitFor()
    await isStored(plan.outline, ['1 Data', '1.1 Import', '2 Training', '2.1 Teach'])
    await keyboard.press('Control+z')
    await isStored(() => fields('priority'), ['High', null, 'High'])
    await keyboard.press('Control+z')
    await isStored(() => fields('priority'), [null, null, null])
    await keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: '6 rows selected' }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await keyboard.press('Escape')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
  })

  test('a selection moves in and out as one, and all rows are closed and opened', async () => {
    const plan = await planProject(call, 'Together', { Data: six.slice(0, 4) })
    const page = await byKeysAlone(await workspace.open('admin', { path: plan.path }))
    const { keyboard } = page
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Shift+ArrowDown')
    await keyboard.press('Alt+ArrowRight')
    const inside = ['1 Data', '1.1 Export', '1.1.1 Import', '1.1.2 Check', '1.2 Access']
    await isStored(plan.outline, inside)
    await keyboard.press('<')
    await isStored(plan.outline, ['1 Data', '1.1 Export', '1.2 Import', '1.3 Check', '1.4 Access'])
    await keyboard.press('Control+z')
    await isStored(plan.outline, inside)
    await keyboard.press('Escape')
    await keyboard.press('_')
    await cell(page, 'Export').waitFor({ state: 'detached' })
    await focusIsAt(page, cell(page, 'Data'))
    await keyboard.press('*')
    await cell(page, 'Import').waitFor()
  })

  test('days are words; a day off offers the next working day; = is the day after what it waits for', async () => {
    const plan = await planProject(call, 'Day words', { Data: ['Export', 'Import'] })
    const [first, second] = [await plan.idOf('Export'), await plan.idOf('Import')]
    await call('PUT', `/api/tasks/${first}/`, { start_date: '2030-11-18', due_date: '2030-11-22' })
    await call('POST', `/api/tasks/${second}/dependencies/`, { predecessor_id: first })
    const page = await byKeysAlone(
      await workspace.open('admin', { path: plan.path, language: 'en-US' }),
    )
    const { keyboard } = page
    const dates = async () => (await plan.outline('start_date', 'due_date')).at(-1)?.slice(1)
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowRight')
    await keyboard.press('ArrowRight')
    await keyboard.press('=')
    await focusIsAt(page, page.getByLabel('Start of Import'))
    await keyboard.press('Enter')
    await isStored(dates, ['2030-11-25', null])
    await focusIsAt(page, cell(page, 'Import', 'start'))
    await keyboard.press('d')
    await keyboard.type('nov 30 2030')
    await keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/Sat.*is not a working day.*Mon/)
      .waitFor()
    assert.deepEqual(await dates(), ['2030-11-25', null])
    await keyboard.press('Enter')
    await isStored(dates, ['2030-11-25', '2030-12-02'])
    await keyboard.press('d')
    await keyboard.press('Control+a')
    await keyboard.type('soon')
    await keyboard.press('Enter')
    await page.getByRole('alert').getByText('“soon” is no day').waitFor()
    await keyboard.press('Escape')
    assert.deepEqual(await dates(), ['2030-11-25', '2030-12-02'])
  })

  test('words at the end of a title are chips, which Backspace takes back to text', async () => {
    const plan = await planProject(call, 'Chips', { Data: ['Export'] })
    const page = await byKeysAlone(await workspace.open('admin', { path: plan.path }))
    const { keyboard } = page
    const people = await call(
      'GET',
      '/api/users/profile/?page=1&items_per_page=200&fields=user_id,full_name',
    )
    const [{ full_name, user_id }] = people
    const word = `@${full_name.replaceAll(' ', '')}`
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('c')
    const line = page.getByRole('textbox', { name: 'New task' })
    await focusIsAt(page, line)
    await page.locator('[data-people]').waitFor()
    await keyboard.type(`Letterheads ${word} !high `)
    await page.locator('tr', { has: line }).getByText(full_name).waitFor()
    assert.equal(await line.inputValue(), 'Letterheads ')
    await keyboard.press('Backspace')
    assert.equal(await line.inputValue(), 'Letterheads !high')
    await keyboard.press('Control+Backspace')
    await keyboard.press('Backspace')
    await keyboard.type(' !low 2d')
    await keyboard.press('Enter')
    const stored = async () => {
      const { tasks } = await plan.read()
      return tasks
        .slice(1)
        .map((task: { [name: string]: any }) => [
          task.title,
          task.owner?.user_id,
          task.priority?.label,
          task.duration_days,
        ])
    }
    await isStored(stored, [['Letterheads', user_id, 'Low', 2]])
    await page.getByRole('checkbox', { name: 'Complete Letterheads', disabled: false }).waitFor()
    // an empty line is removed, and the caret is in the line above
    await focusIsAt(page, line)
    await keyboard.press('Backspace')
    await focusIsAt(page, page.getByRole('textbox', { name: 'Title of Letterheads' }))
    await keyboard.press('Escape')
    await keyboard.press('Control+z')
    await isStored(stored, [])
    await keyboard.press('Control+Shift+z')
    await isStored(stored, [['Letterheads', user_id, 'Low', 2]])
  })

  test('rows are copied, cut, pasted and duplicated', async () => {
    const plan = await planProject(call, 'Copied', {
      Data: ['Export', 'Import'],
      Training: ['Teach'],
    })
    const page = await byKeysAlone(await workspace.open('admin', { path: plan.path }))
    const { keyboard } = page
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('Control+d')
    await isStored(
      async () => (await plan.outline()).slice(0, 4),
      ['1 Data', '1.1 Export', '1.2 Export', '1.3 Import'],
    )
    await keyboard.press('Control+z')
    await isStored(
      async () => (await plan.outline()).slice(0, 3),
      ['1 Data', '1.1 Export', '1.2 Import'],
    )
    await page
      .getByRole('row', { name: /Export/ })
      .nth(1)
      .waitFor({ state: 'detached' })
    await focusIsAt(page, cell(page, 'Export'))
    await keyboard.press('Control+x')
    for (let n = 0; n < 3; n++) await keyboard.press('ArrowDown')
    await focusIsAt(page, cell(page, 'Teach'))
    await keyboard.press('Control+v')
    await isStored(plan.outline, ['1 Data', '1.1 Import', '2 Training', '2.1 Teach', '2.2 Export'])
  })

  test('t starts and stops the timer of a task', async () => {
    const plan = await planProject(call, 'Timed', { Data: ['Export'] })
    const page = await byKeysAlone(await workspace.open('admin', { path: plan.path }))
    const { keyboard } = page
    const isRunning = async () => (await plan.outline('is_timer_running')).at(-1)?.[1]
    await tabTo(page, cell(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('t')
    await page.getByText('Timer started: Export').waitFor()
    assert.equal(await isRunning(), true)
    await keyboard.press('t')
    await page.getByText('Timer stopped: Export').waitFor()
    assert.equal(await isRunning(), false)
  })

  test('38 lines of a spreadsheet are pasted, one of them with an unknown person; one undo takes all back', async () => {
    const plan = await planProject(call, 'Spreadsheet', { Data: ['Export'] })
    const [{ full_name, user_id }] = await call(
      'GET',
      '/api/users/profile/?page=1&items_per_page=1&fields=user_id,full_name',
    )
    const lines = Array.from({ length: 38 }, (_, n) => {
      const title = n === 3 ? '"Two\nlines"' : `Line ${n}`
      const owner = n === 7 ? 'Nobody Known' : full_name
      return [title, owner, n === 5 ? '' : '2030-11-18', n % 2 ? '2' : ''].join('\t')
    })
    const text = ['Title\tOwner\tDue\tDays', ...lines].join('\n')
    const page = await workspace.open('admin', { path: plan.path })
    await cell(page, 'Export').focus()
    await page.evaluate((pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      const init = { clipboardData: data, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', init))
    }, text)
    const dialog = page.getByRole('dialog', { name: 'Paste 38 lines' })
    await dialog.getByText('1 value could not be read.').waitFor()
    await dialog.getByText('Nobody Known – unknown').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    const writes: string[] = []
    page.on('request', (request) => {
      const isWrite = request.method() !== 'GET'
      if (isWrite) writes.push(new URL(request.url()).pathname)
    })
    await dialog.getByRole('button', { name: 'Add 38 tasks' }).click()
    await page.getByText('38 tasks added', { exact: true }).waitFor()
    assert.deepEqual(writes.splice(0), [`/api/project/info/${plan.project_id}/plan/lines/`])
    const tasks = async () => (await plan.read()).tasks
    const added = (await tasks()).slice(1)
    assert.equal(added.length, 38)
    assert.equal(added[3].title, 'Two lines')
    assert.equal(
      added.filter((task: { [name: string]: any }) => task.owner?.user_id === user_id).length,
      37,
    )
    assert.deepEqual([added[1].start_date, added[1].due_date], ['2030-11-15', '2030-11-18'])
    const ids = async () => (await tasks()).map((task: { item_id: string }) => task.item_id)
    const was = await ids()
    await page.keyboard.press('Control+z')
    await isStored(async () => (await ids()).length, 1)
    assert.deepEqual(writes, ['/api/tasks/bulk/'])
    await page.getByText('Undone: 38 tasks added').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await isStored(ids, was)
  })
})
