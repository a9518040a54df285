import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { byKeysAlone, focusIsAt, tabTo } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// A task of a plan slips: what follows is shown, moves with it, and comes back.

/** A cell of the grid by what its row is called. */
const cell = (page: Page, title: string, column: string) =>
  page.locator('tr').filter({ hasText: title }).locator(`[data-column="${column}"]`)

describe('a plan', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function plan(project_name: string) {
    await call('POST', '/api/project/info/', { project_name, due_date: '2030-11-15' })
    const q = encodeURIComponent(project_name)
    const [{ project_id }] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&project_type=project&q=${q}`,
    )
    const task = async (title: string, start_date: string, due_date: string) => {
      await call('POST', '/api/tasks/', { title, project_id, start_date, due_date })
      const { tasks } = await call('GET', `/api/project/info/${project_id}/plan/`)
      return (tasks as { title: string; item_id: string }[]).find((each) => each.title === title)!
        .item_id
    }
    const first = await task('Export of appointments', '2030-11-04', '2030-11-08')
    const second = await task('Import the data', '2030-11-11', '2030-11-15')
    await call('POST', `/api/tasks/${second}/dependencies/`, { predecessor_id: first })
    const dates = async () => {
      const { tasks } = await call('GET', `/api/project/info/${project_id}/plan/`)
      return tasks.map(({ due_date }: { due_date: string }) => due_date)
    }
    return { path: `/projects/${project_id}/plan`, dates, second }
  }

  test('moves by the pointer, with what follows, after a preview, and back by Undo', async () => {
    const { path, dates } = await plan('Clairval by the pointer')
    const page = await workspace.open('admin', { path })
    await page.getByRole('button', { name: 'More for Export of appointments' }).click()
    await page.getByRole('menuitem', { name: 'Move with what follows…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move Export of appointments' })
    await dialog.getByLabel('Due').fill('2030-11-13')
    await dialog.getByText('2 tasks move.').waitFor()
    await dialog.getByText('The plan ends 3 working days after the due date 2030-11-15').waitFor()
    await dialog
      .getByRole('row', { name: /Import the data after Export of appointments/ })
      .waitFor()
    assert.deepEqual(await dates(), ['2030-11-08', '2030-11-15'])
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await dates(), ['2030-11-13', '2030-11-20'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nov 8, 2030').first().waitFor()
    assert.deepEqual(await dates(), ['2030-11-08', '2030-11-15'])
  })

  test('moves alone by keys, if that is wanted', async () => {
    const { path, dates } = await plan('Clairval by keys')
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    await tabTo(page, cell(page, 'Without a milestone', 'title'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('m')
    await focusIsAt(page, page.getByRole('menu'))
    await page.keyboard.type('Move with')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move Export of appointments' })
    await tabTo(page, dialog.getByLabel('Due'))
    await page.keyboard.type('11132030')
    await dialog.getByText('2 tasks move.').waitFor()
    await tabTo(page, dialog.getByRole('radio', { name: 'Use up the gaps' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('1 task moves.').waitFor()
    await dialog.getByText(/is 3 working days too early for Export/).waitFor()
    await tabTo(page, dialog.getByRole('button', { name: 'Move', exact: true }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await dates(), ['2030-11-13', '2030-11-15'])
  })

  test('keeps what was changed since when it is undone, and says who did', async () => {
    const { path, dates, second } = await plan('Clairval changed since')
    const page = await workspace.open('admin', { path })
    await page.getByRole('button', { name: 'More for Export of appointments' }).click()
    await page.getByRole('menuitem', { name: 'Move with what follows…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move Export of appointments' })
    await dialog.getByLabel('Due').fill('2030-11-13')
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).click()
    await page.getByText('Moved 2 tasks').waitFor()
    const manager = workspace.demo.people.find(({ role }) => role === 'manager')
    const colleague = await workspace.as('manager')
    await colleague('PUT', `/api/tasks/${second}/`, { due_date: '2030-12-02' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`1 field stayed, because ${manager?.full_name} changed it since`).waitFor()
    assert.deepEqual(await dates(), ['2030-11-08', '2030-12-02'])
  })

  test('shows a refusal of the move that was refused, and not of the next one', async () => {
    const { path } = await plan('Clairval refused')
    const page = await workspace.open('admin', { path })
    await page.route('**/plan/changes/', (route) =>
      (route.request().postDataJSON() as { dry_run: boolean }).dry_run
        ? route.continue()
        : route.fulfill({
            status: 409,
            json: { status: 'error', message: 'Somebody was faster', code: 'plan_changed' },
          }),
    )
    await page.getByRole('button', { name: 'More for Export of appointments' }).click()
    await page.getByRole('menuitem', { name: 'Move with what follows…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move Export of appointments' })
    await dialog.getByLabel('Due').fill('2030-11-13')
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).click()
    await dialog.getByText('Somebody was faster').waitFor()
    await dialog.getByLabel('Due').fill('2030-11-14')
    await dialog.getByText('4 working days after the due date').waitFor()
    assert.equal(await dialog.getByText('Somebody was faster').count(), 0)
    expectFaults(page, /409/)
  })

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`shows what follows without findings of axe, ${screen}, ${theme}`, async () => {
      const { path } = await plan(`Clairval ${screen} ${theme}`)
      const page = await workspace.open('admin', { path, screen, theme })
      const more = page.getByRole('button', { name: 'More for Export of appointments' })
      await more.waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await more.click()
      await page.getByRole('menuitem', { name: 'Move with what follows…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Move Export of appointments' })
      await dialog.getByLabel('Due').fill('2030-11-13')
      await dialog.getByText('2 tasks move.').waitFor()
      await dialog.getByLabel('Due').fill('2030-11-01')
      await dialog.getByText('must not be before the start').waitFor()
      await dialog.getByLabel('Due').fill('2030-11-14')
      await dialog.getByText('4 working days after the due date').waitFor()
      const width = await dialog.evaluate((popup) => popup.scrollWidth - popup.clientWidth)
      assert.ok(width <= 0, `the dialog is ${width} px too narrow`)
      assert.deepEqual(await problemsOf(page), [])
    })
  }
})
