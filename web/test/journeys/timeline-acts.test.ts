import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { byKeysAlone } from '../support/keyboard.ts'
import { isStored } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What a timeline is compared to, and the acts that move a plan without dragging a bar.

describe('acts on a timeline', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  /** Export and import after it, in a project that is to go live on a Friday. */
  async function project(project_name: string) {
    await call('POST', '/api/project/info/', {
      project_name,
      start_date: '2031-03-03',
      due_date: '2031-03-14',
    })
    const q = encodeURIComponent(project_name)
    const [{ project_id }] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&project_type=project&q=${q}`,
    )
    const read = () => call('GET', `/api/project/info/${project_id}/plan/`)
    const task = async (title: string, start_date: string | null, due_date: string | null) => {
      await call('POST', '/api/tasks/', { title, project_id, start_date, due_date })
      const { tasks } = await read()
      return tasks.find((each: { title: string }) => each.title === title).item_id as string
    }
    const first = await task('Export', '2031-03-03', '2031-03-07')
    const second = await task('Import', '2031-03-10', '2031-03-14')
    await call('POST', `/api/tasks/${second}/dependencies/`, { predecessor_id: first })
    const due = async (title: string) =>
      (await read()).tasks.find((each: { title: string }) => each.title === title).due_date
    const agreed = async () => (await read()).go_live.agreed
    return { project_id, path: `/projects/${project_id}/timeline`, read, task, due, agreed, first }
  }

  const bar = (page: Page, title: string) => page.locator(`[data-bar][aria-label*=" ${title}, "]`)
  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
  const more = (page: Page) =>
    page.getByRole('tabpanel', { name: 'Timeline' }).getByRole('button', { name: 'More' })
  const picture = async (page: Page, name: string) => {
    const folder = process.env.PICTURES
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
  }

  test('a baseline keeps the dates: what slips since then says by how much, and it is taken back', async () => {
    const of = await project('Kept once')
    const page = await workspace.open('admin', { path: of.path, theme: 'dark' })
    await bar(page, 'Import').waitFor()
    await more(page).click()
    await page.getByRole('menuitem', { name: 'Set baseline…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Agreed with the customer')
    await page.getByRole('button', { name: 'Set baseline' }).click()
    await page.getByText('Baseline: Agreed with the customer').waitFor()
    const ops = [{ op: 'set', id: of.first, set: { due_date: '2031-03-14' } }]
    await call('POST', `/api/project/info/${of.project_id}/plan/changes/`, { ops })
    await page.getByText('+5 d').first().waitFor()
    await page.locator('[data-bar][aria-label*="+5 d since the baseline"]').first().waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'baseline')
    await more(page).click()
    await page.getByRole('menuitem', { name: 'Delete baseline Agreed with the customer' }).click()
    await isStored(async () => (await of.read()).baselines, [])
    await page.getByText('+5 d').first().waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a move that passes the agreed day proposes a new one, which is a part of it and of its undo', async () => {
    const of = await project('Promised')
    const page = await workspace.open('admin', { path: of.path })
    await byKeysAlone(page)
    await bar(page, 'Import').focus()
    for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+ArrowRight')
    await preview(page).getByRole('button', { name: 'Propose Mar 19' }).focus()
    await picture(page, 'propose')
    await page.keyboard.press('Enter')
    await preview(page).getByText('Agreed go-live becomes Mar 19').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await preview(page).and(page.locator(':not([aria-busy])')).waitFor()
    await preview(page).getByRole('button', { name: 'Move' }).focus()
    await page.keyboard.press('Enter')
    await isStored(of.agreed, '2031-03-19')
    assert.equal(await of.due('Import'), '2031-03-19')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Control+z')
    await isStored(of.agreed, '2031-03-14')
    await isStored(() => of.due('Import'), '2031-03-14')
    await page.context().close()
  })

  test('a task without dates is scheduled, and one that is too early is repaired', async () => {
    const of = await project('Undated')
    const last = await of.task('Check', null, null)
    const { tasks } = await of.read()
    const idOf = (title: string) =>
      tasks.find((each: { title: string }) => each.title === title).item_id
    await call('POST', `/api/tasks/${last}/dependencies/`, { predecessor_id: idOf('Import') })
    const page = await workspace.open('admin', { path: of.path })
    await page.getByRole('button', { name: 'No dates · Schedule from start' }).click()
    await preview(page).and(page.locator(':not([aria-busy])')).waitFor()
    await preview(page).getByRole('button', { name: /^Move/ }).click()
    await isStored(() => of.due('Check'), '2031-03-17')
    await call('PUT', `/api/tasks/${last}/`, { start_date: '2031-03-12', due_date: '2031-03-12' })
    await page.getByText('starts 3 days before').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'repair')
    await page.getByRole('button', { name: 'Repair' }).click()
    await preview(page).and(page.locator(':not([aria-busy])')).waitFor()
    await preview(page).getByRole('button', { name: /^Move/ }).click()
    await isStored(() => of.due('Check'), '2031-03-17')
    await page.context().close()
  })

  test('a project moves by working days from the timeline of all, after a preview', async () => {
    const of = await project('Moved as a whole')
    await call('PUT', `/api/project/info/${of.project_id}/`, { due_date: '2031-04-30' })
    const page = await workspace.open('admin', {
      path: '/projects?as=timeline&q=Moved%20as%20a%20whole',
    })
    await byKeysAlone(page)
    await page.locator(`[data-line="${of.project_id}"]`).focus()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move Moved as a whole' })
    await dialog.getByText('2 tasks move').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await picture(page, 'move-project')
    await dialog.getByRole('button', { name: 'Move 2 tasks' }).focus()
    await page.keyboard.press('Enter')
    await isStored(() => of.due('Import'), '2031-03-21')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Moved 2 tasks').waitFor()
    await page.keyboard.press('Control+z')
    await isStored(() => of.due('Import'), '2031-03-14')
    await page.context().close()
  })
})
