import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { enginePlan } from '../../src/projects/engine-plan.ts'
import { movedHere } from '../../src/projects/timeline/engine.ts'
import { byKeysAlone, focusIsAt, tabTo } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// What a slip moves is seen before it moves: by the pointer, by keys alone, on a phone, and by others.

describe('the timeline of a project', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  /** Export, import, check and training one after the other, and a task beside them that has room. */
  async function project(project_name: string) {
    await call('POST', '/api/project/info/', {
      project_name,
      start_date: '2031-03-03',
      due_date: '2031-03-21',
    })
    const q = encodeURIComponent(project_name)
    const [{ project_id }] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&project_type=project&q=${q}`,
    )
    const read = () => call('GET', `/api/project/info/${project_id}/plan/`)
    const milestone = async (name: string, more: object = {}) => {
      await call('POST', `/api/project/info/${project_id}/milestones/`, { name, ...more })
      return (await read()).milestones.at(-1).milestone_id as string
    }
    const task = async (
      title: string,
      milestone_id: string,
      start_date: string,
      due_date: string,
    ) => {
      await call('POST', '/api/tasks/', { title, milestone_id, project_id, start_date, due_date })
      return (await read()).tasks.find((each: { title: string }) => each.title === title).item_id
    }
    const data = await milestone('Data')
    const live = await milestone('Go-live', { kind: 'go_live' })
    const ids = [
      await task('Export', data, '2031-03-03', '2031-03-07'),
      await task('Import', data, '2031-03-10', '2031-03-12'),
      await task('Check', data, '2031-03-13', '2031-03-14'),
      await task('Switch', live, '2031-03-17', '2031-03-18'),
      await task('Poster', data, '2031-03-10', '2031-03-10'),
    ]
    const link = (to: number, from: number) =>
      call('POST', `/api/tasks/${ids[to]}/dependencies/`, { predecessor_id: ids[from] })
    await link(1, 0)
    await link(2, 1)
    await link(3, 2)
    const due = async () =>
      Object.fromEntries(
        (await read()).tasks.map((each: { title: string; due_date: string }) => [
          each.title,
          each.due_date,
        ]),
      )
    return { project_id, path: `/projects/${project_id}/timeline`, read, due, ids }
  }

  const bar = (page: Page, title: string) => page.locator(`[data-bar][aria-label*=" ${title}, "]`)

  /** Waits until the days on which tasks are due are stored as they should be. */
  async function isDue(of: { due: () => Promise<object> }, expected: object) {
    const deadline = performance.now() + 15_000
    for (;;) {
      const found = await of.due()
      try {
        return assert.deepEqual({ ...found, ...expected }, found)
      } catch (error) {
        if (performance.now() > deadline) throw error
      }
    }
  }

  /** Drags a bar, or one of its ends, by pixels. */
  async function dragBy(page: Page, title: string, grip: string, x: number) {
    const box = await bar(page, title).locator(`[data-grip="${grip}"]`).boundingBox()
    assert.ok(box)
    const [from, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(from, y)
    await page.mouse.down()
    await page.mouse.move(from + x / 2, y)
    await page.mouse.move(from + x, y)
    return () => page.mouse.up()
  }

  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
  /** Once the service has counted what follows. */
  const counted = (page: Page) =>
    preview(page).and(page.locator(':not([aria-busy])')).getByText('Go-live').waitFor()

  test('what is counted under the pointer is what the service counts', async () => {
    const of = await project('Counted twice')
    const plan = await of.read()
    const engine = enginePlan(plan)
    const days = ['2031-02-27', '2031-03-06', '2031-03-12', '2031-03-20']
    for (const id of of.ids) {
      for (const day of days) {
        for (const follow of ['use_gaps', 'keep_gaps'] as const) {
          const ops = [{ op: 'set' as const, id, set: { start_date: day, due_date: day } }]
          const path = `/api/project/info/${of.project_id}/plan/changes/`
          const { moved } = await call('POST', path, { ops, follow, dry_run: true })
          const there = moved.map(({ id: one, to }: any) => [
            one,
            to.start ?? to.due,
            to.due ?? to.start,
          ])
          const here = [...movedHere(engine, ops, follow)].map(([one, to]) => [
            one,
            to.start,
            to.due,
          ])
          assert.deepEqual(here, there, `${id} to ${day}, ${follow}`)
        }
      }
    }
  })

  test('an end that is dragged shows what follows and when it goes live; applied it is one undo', async () => {
    const of = await project('Dragged by its end')
    const page = await workspace.open('admin', { path: of.path })
    await bar(page, 'Export').focus()
    // a week of the scale of weeks
    const drop = await dragBy(page, 'Export', 'end', 7 * 16)
    await page.getByText('+5 d').first().waitFor()
    await drop()
    await preview(page).getByText('Export: due').waitFor()
    await preview(page).getByText('3 tasks move').waitFor()
    await preview(page).getByText('Mar 25, 2031', { exact: true }).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await preview(page).getByRole('button', { name: 'Show all 4' }).click()
    await preview(page).getByRole('row').filter({ hasText: 'after Export' }).waitFor()
    await isDue(of, { Export: '2031-03-07' })
    await preview(page).getByRole('button', { name: 'Move 4 tasks' }).click()
    await isDue(of, {
      Export: '2031-03-14',
      Import: '2031-03-19',
      Check: '2031-03-21',
      Switch: '2031-03-25',
      Poster: '2031-03-10',
    })
    await preview(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await isDue(of, {
      Export: '2031-03-07',
      Import: '2031-03-12',
      Check: '2031-03-14',
      Switch: '2031-03-18',
    })
  })

  test('a bar that moves alone is stored at once, and what is dropped with Escape is not', async () => {
    const of = await project('Moved alone')
    const page = await workspace.open('admin', { path: of.path })
    await bar(page, 'Poster').focus()
    const leave = await dragBy(page, 'Poster', 'move', 16)
    await page.keyboard.press('Escape')
    await leave()
    const drop = await dragBy(page, 'Poster', 'move', 16)
    await drop()
    await isDue(of, { Poster: '2031-03-11' })
    assert.equal(await preview(page).count(), 0)
  })

  test('a dependency is drawn from one bar to another', async () => {
    const of = await project('Drawn')
    const page = await workspace.open('admin', { path: of.path })
    await bar(page, 'Check').focus()
    const target = await bar(page, 'Poster').boundingBox()
    assert.ok(target)
    await bar(page, 'Check').hover()
    const from = await bar(page, 'Check').locator('[data-grip="link-end"]').boundingBox()
    assert.ok(from)
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(target.x + 3, target.y + 9, { steps: 3 })
    await page.mouse.up()
    await isDue(of, { Poster: '2031-03-17' })
    const { dependencies } = await of.read()
    assert.ok(
      dependencies.some(
        (each: any) =>
          each.task_id === of.ids[4] && each.predecessor_id === of.ids[2] && each.type === 'FS',
      ),
    )
  })

  test('by keys alone: days, weeks and ends, what follows, Enter, Escape, and dates that are fixed', async () => {
    const of = await project('By keys alone')
    const page = await byKeysAlone(await workspace.open('admin', { path: of.path, theme: 'dark' }))
    const { keyboard } = page
    await tabTo(page, bar(page, 'Data'))
    await keyboard.press('ArrowDown')
    await keyboard.press('Shift+ArrowRight')
    await preview(page).getByText('due Mar 7').waitFor()
    for (let n = 1; n < 5; n++) await keyboard.press('Shift+ArrowRight')
    await preview(page).getByText('due Mar 7, 2031 → Mar 14, 2031').waitFor()
    await preview(page).getByText('3 tasks move').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await keyboard.press('Escape')
    await preview(page).waitFor({ state: 'detached' })
    await keyboard.press('Control+ArrowRight')
    await preview(page).getByText('3 tasks move').waitFor()
    await counted(page)
    await keyboard.press('Enter')
    await isDue(of, { Export: '2031-03-14', Switch: '2031-03-25' })
    await preview(page).waitFor({ state: 'detached' })
    await keyboard.press('Shift+d')
    await bar(page, 'Export').and(page.locator('[aria-label$="fixed"]')).waitFor()
    await keyboard.press('End')
    await keyboard.press('l')
    await page.getByRole('textbox', { name: 'After' }).waitFor()
    await keyboard.press('Escape')
    await keyboard.press('o')
    await page.getByRole('complementary', { name: 'Switch' }).waitFor()
  })

  test('another person who finishes what would follow is counted again', async () => {
    const of = await project('Recounted')
    const page = await workspace.open('admin', { path: of.path })
    await bar(page, 'Export').focus()
    await page.keyboard.press('Control+ArrowRight')
    await preview(page).getByText('3 tasks move').waitFor()
    const other = await workspace.as('manager')
    await other('PUT', `/api/tasks/${of.ids[3]}/`, { is_completed: true })
    await preview(page).getByText('2 tasks move').waitFor()
    await preview(page).getByText('The plan changed while you looked').waitFor()
    await counted(page)
    await page.keyboard.press('Enter')
    await isDue(of, { Export: '2031-03-14', Check: '2031-03-21', Switch: '2031-03-18' })
  })

  test('dragged by a week: of the seven that follow another person finishes one meanwhile; one undo takes all back', async () => {
    await call('POST', '/api/project/info/', {
      project_name: 'Clairval in a week',
      start_date: '2031-03-03',
      due_date: '2031-03-26',
    })
    const [{ project_id }] = await call(
      'GET',
      '/api/project/info/?page=1&items_per_page=1&project_type=project&q=Clairval%20in%20a%20week',
    )
    const read = () => call('GET', `/api/project/info/${project_id}/plan/`)
    const live = { name: 'Go-live', kind: 'go_live' }
    await call('POST', `/api/project/info/${project_id}/milestones/`, live)
    const { milestone_id } = (await read()).milestones[0]
    // each on the two working days after the one before
    const days = [3, 5, 7, 11, 13, 17, 19, 21]
    const ids: string[] = []
    for (const [at, day] of days.entries()) {
      const title = at ? `Follows ${at}` : 'Export of appointments'
      const [start_date, due_date] = [day, day === 7 ? 10 : day === 21 ? 24 : day + 1].map(
        (of) => `2031-03-${String(of).padStart(2, '0')}`,
      )
      const place = { project_id, milestone_id, position: at }
      await call('POST', '/api/tasks/', { title, start_date, due_date, ...place })
      const found = (await read()).tasks.find((task: { title: string }) => task.title === title)
      ids.push(found.item_id)
      if (at) {
        const after = { predecessor_id: ids[at - 1] }
        await call('POST', `/api/tasks/${ids[at]}/dependencies/`, after)
      }
    }
    const due = async () =>
      (await read()).tasks.map(({ due_date }: { due_date: string }) => due_date)
    const before = await due()
    const page = await workspace.open('admin', { path: `/projects/${project_id}/timeline` })
    const title = 'Export of appointments'
    await bar(page, title).focus()
    const week = await bar(page, title).evaluate((element) => {
      const { width } = element.getBoundingClientRect()
      return (width / 2) * 7
    })
    const drop = await dragBy(page, title, 'move', week)
    await drop()
    await preview(page).getByText('7 tasks move').waitFor()
    await preview(page)
      .getByText(/Go-live .* → /)
      .waitFor()
    const other = await workspace.as('manager')
    await other('PUT', `/api/tasks/${ids[7]}/`, { is_completed: true })
    await preview(page).getByText('6 tasks move').waitFor()
    await preview(page).getByText('The plan changed while you looked').waitFor()
    await counted(page)
    await preview(page).getByRole('button', { name: 'Move 7 tasks' }).click()
    await isDue(
      { due: async () => Object.fromEntries((await due()).entries()) },
      {
        0: '2031-03-11',
        7: before[7],
      },
    )
    const undone = page.waitForResponse((response) => response.url().endsWith('/undo/'))
    await page.getByRole('button', { name: 'Undo' }).click()
    const answer = await (await undone).json()
    assert.deepEqual(answer.kept ?? [], [])
    assert.deepEqual(await due(), before)
    const { tasks } = await read()
    assert.equal(tasks.find((task: any) => task.item_id === ids[7]).is_completed, true)
  })

  test('is read on a phone, without a handle', async () => {
    const of = await project('Read alone')
    const page = await workspace.open('admin', { path: of.path, screen: 'phone' })
    await page.locator('[data-bar]').first().waitFor()
    assert.equal(await page.locator('[data-grip]').count(), 0)
    assert.deepEqual(await problemsOf(page), [])
    const scale = (name: string) => page.getByRole('radio', { name, checked: true })
    await scale('Week').waitFor()
    const chart = await page.getByRole('treegrid', { name: 'Timeline' }).boundingBox()
    assert.ok(chart)
    const y = chart.y + 120
    const touch = await page.context().newCDPSession(page)
    const fingers = (type: string, ...xs: number[]) =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: xs.map((x, id) => ({ x, y, id })),
      })
    const pinch = async (from: [number, number], to: [number, number]) => {
      await fingers('touchStart', ...from)
      await fingers('touchMove', ...to)
      await fingers('touchEnd')
    }
    await pinch([150, 200], [130, 230])
    await scale('Day').waitFor()
    await pinch([100, 260], [150, 210])
    await scale('Week').waitFor()
    await pinch([100, 260], [150, 210])
    await scale('Month').waitFor()
  })

  test('/ goes to a day, or to a task, whose milestone opens', async () => {
    const of = await project('Sought')
    const page = await byKeysAlone(await workspace.open('admin', { path: of.path }))
    const { keyboard } = page
    await tabTo(page, bar(page, 'Data'))
    // closes the milestone
    await keyboard.press('-')
    await bar(page, 'Import').waitFor({ state: 'detached' })
    await keyboard.press('/')
    const field = page.getByRole('searchbox', { name: 'Go to a day or task' })
    await focusIsAt(page, field)
    await keyboard.type('nothing of this')
    await keyboard.press('Enter')
    await page.getByText('No such day or task').waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('impo')
    await keyboard.press('Enter')
    await focusIsAt(page, bar(page, 'Import'))
    await keyboard.press('/')
    await keyboard.type('2032-02-03')
    await keyboard.press('Enter')
    await page.getByText('The plan has nothing near that day').waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('2029-05-10')
    await keyboard.press('Enter')
    await page.waitForFunction(() => {
      const months = [...document.querySelectorAll('[role=treegrid] *')]
      const month = months.find((each) => !each.children.length && each.textContent === 'May 2029')
      const x = month?.getBoundingClientRect().left ?? -1
      return x > 0 && x < innerWidth
    })
    assert.deepEqual(await problemsOf(page), [])
  })

  test('many projects stand on their days by keys: groups, milestones, and the way into one', async () => {
    await project('A first of many')
    await call('POST', '/api/project/info/', { project_name: 'Nothing planned yet' })
    const page = await byKeysAlone(await workspace.open('admin', { path: '/projects?as=timeline' }))
    const { keyboard } = page
    const line = (name: string) => page.getByRole('row').filter({ hasText: name })
    await line('A first of many').getByText('Mar 21, 2031').waitFor()
    await line('A first of many').getByText('3 days early').waitFor()
    await line('Nothing planned yet').getByText('No dates').waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await tabTo(page, page.getByRole('row').nth(1))
    for (let n = 0; n < 40; n++) {
      if (await line('A first of many').evaluate((row) => row === document.activeElement)) break
      await keyboard.press('ArrowDown')
      await page.waitForFunction(() => document.activeElement?.hasAttribute('data-line'))
    }
    await keyboard.press('ArrowRight')
    await page
      .getByRole('row')
      .filter({ hasText: 'Go-live' })
      .filter({ has: page.locator('[role="rowheader"]') })
      .first()
      .waitFor()
    await keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
  })
})
