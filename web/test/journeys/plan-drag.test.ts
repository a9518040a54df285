import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { isStored, planCell as cell, planProject } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Rows are dragged by their handle, with the same acts as by Alt and the arrows.

describe('rows of a plan are dragged', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  /** Drags a row by its handle down a share of another row's height, and so many pixels sideways. */
  async function drag(page: Page, title: string, over: string, share: number, sideways = 0) {
    await cell(page, title).hover()
    const grip = page
      .getByRole('row')
      .filter({ has: page.getByText(title, { exact: true }) })
      .locator('[draggable="true"]')
      .first()
    const from = await grip.boundingBox()
    const to = await cell(page, over).boundingBox()
    assert.ok(from && to)
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    const x = from.x + from.width / 2 + sideways
    await page.mouse.move(x, to.y + to.height * share + 4, { steps: 4 })
    await page.mouse.move(x, to.y + to.height * share, { steps: 2 })
    await page.mouse.up()
  }

  test('among siblings, into another milestone, and below a task, each with its undo', async () => {
    const plan = await planProject(call, 'Dragged', {
      Data: ['Export', 'Import', 'Check'],
      Training: ['Teach'],
    })
    const page = await workspace.open('admin', { path: plan.path })
    await drag(page, 'Check', 'Export', 0.1)
    const sorted = ['1 Data', '1.1 Check', '1.2 Export', '1.3 Import', '2 Training', '2.1 Teach']
    await isStored(plan.outline, sorted)
    await page.getByText('Moved to Data, 1 of 3').first().waitFor()
    await drag(page, 'Import', 'Teach', 0.5)
    await isStored(plan.outline, [
      '1 Data',
      '1.1 Check',
      '1.2 Export',
      '2 Training',
      '2.1 Teach',
      '2.1.1 Import',
    ])
    await page.keyboard.press('Control+z')
    await isStored(plan.outline, sorted)
    // a step sideways is a level
    await drag(page, 'Import', 'Export', 0.9, 20)
    await isStored(
      async () => (await plan.outline()).slice(0, 4),
      ['1 Data', '1.1 Check', '1.2 Export', '1.2.1 Import'],
    )
    await page.keyboard.press('Control+z')
    await isStored(plan.outline, sorted)
    await drag(page, 'Data', 'Teach', 0.9)
    await isStored(plan.outline, [
      '1 Training',
      '1.1 Teach',
      '2 Data',
      '2.1 Check',
      '2.2 Export',
      '2.3 Import',
    ])
  })

  test('a selection is dragged as one', async () => {
    const plan = await planProject(call, 'Dragged together', {
      Data: ['Export', 'Import', 'Check'],
      Training: ['Teach'],
    })
    const page = await workspace.open('admin', { path: plan.path })
    await cell(page, 'Export').click({ position: { x: 300, y: 10 } })
    await cell(page, 'Import').click({ position: { x: 300, y: 10 }, modifiers: ['Shift'] })
    await page.getByRole('toolbar', { name: '2 rows selected' }).waitFor()
    await drag(page, 'Import', 'Teach', 0.9)
    await isStored(plan.outline, [
      '1 Data',
      '1.1 Check',
      '2 Training',
      '2.1 Teach',
      '2.2 Export',
      '2.3 Import',
    ])
  })

  /** A task with three children, and far below it a task of another milestone. */
  async function family(name: string, between: number) {
    const plan = await planProject(call, name, {
      Data: ['Export'],
      Middle: Array.from({ length: between }, (_, n) => `Step ${n + 1}`),
      Training: ['Teach'],
    })
    const { milestones } = await plan.read()
    const parent_id = await plan.idOf('Export')
    for (const [position, title] of ['Sites', 'Names', 'Sample'].entries()) {
      const place = { milestone_id: milestones[0].milestone_id, parent_id, position }
      await call('POST', '/api/tasks/', { title, project_id: plan.project_id, ...place })
    }
    const tail = async () => (await plan.outline()).slice(-6)
    return { ...plan, tail }
  }
  const below = (milestone: number) =>
    ['', ' Teach', '.1 Export', '.1.1 Sites', '.1.2 Names', '.1.3 Sample'].map((rest, at) =>
      at ? `${milestone}.1${rest}` : `${milestone} Training`,
    )

  test('a task with three children is dragged out of sight, to the third level of another milestone', async () => {
    const plan = await family('Dragged far', 60)
    const before = await plan.outline()
    const page = await workspace.open('admin', { path: plan.path })
    await cell(page, 'Export').hover()
    const grip = page
      .getByRole('row')
      .filter({ has: page.getByText('Export', { exact: true }) })
      .locator('[draggable="true"]')
      .first()
    const from = await grip.boundingBox()
    const scroll = page.getByRole('treegrid', { name: 'Plan' }).locator('..')
    const box = await scroll.boundingBox()
    assert.ok(from && box)
    const x = from.x + from.width / 2
    await page.mouse.move(x, from.y + from.height / 2)
    await page.mouse.down()
    // held at the lower edge the plan goes on by itself
    const edge = box.y + box.height - 8
    await page.mouse.move(x, edge - 40, { steps: 4 })
    const teach = cell(page, 'Teach')
    const deadline = performance.now() + 30_000
    let to: Awaited<ReturnType<typeof teach.boundingBox>> = null
    for (let n = 0, at = 0; !to || to.y !== at || to.y + to.height > box.y + box.height; n++) {
      assert.ok(performance.now() < deadline, 'the plan did not go on')
      at = to?.y ?? 0
      await page.mouse.move(x + (n % 2), edge)
      to = (await teach.isVisible()) ? await teach.boundingBox() : null
    }
    await page.mouse.move(x, to.y + to.height * 0.5 - 2, { steps: 3 })
    await page.mouse.move(x, to.y + to.height * 0.5, { steps: 2 })
    await page.mouse.up()
    await isStored(plan.tail, below(3))
    await page.getByText('Moved to Teach, 1 of 1').first().waitFor()
    await page.keyboard.press('Control+z')
    await isStored(plan.outline, before)
  })

  test('the same by Alt and arrows, which say where', async () => {
    const plan = await family('Moved by keys', 0)
    const before = await plan.outline()
    const page = await workspace.open('admin', { path: plan.path })
    await cell(page, 'Export').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Moved to Middle, 1 of 1').first().waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Moved to Training, 1 of 2').first().waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Moved to Training, 2 of 2').first().waitFor()
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByText('Moved to Teach, 1 of 1').first().waitFor()
    await isStored(plan.tail, below(3))
    for (let n = 0; n < 4; n++) await page.keyboard.press('Control+z')
    await isStored(plan.outline, before)
  })
})
