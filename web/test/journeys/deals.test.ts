import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { byKeysAlone, pressAt, tabTo } from '../support/keyboard.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// A deal goes along its pipeline: by the pointer, by its menu, by keys, and out of it with a reason.

describe('deals', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>
  let made = 0

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  async function deal() {
    const project_name = `Merlin deal ${++made}`
    await call('POST', '/api/project/info/', {
      project_name,
      project_type: 'deal',
      expected_deal_value: 5000,
    })
    const q = encodeURIComponent(project_name)
    const [found] = await call(
      'GET',
      `/api/project/info/?page=1&items_per_page=1&project_type=deal&sort=creation_time&reverse=true&q=${q}`,
    )
    const id: string = found.project_id
    return { id, name: project_name, path: `/deals?q=${q}` }
  }
  const stageOf = async (id: string) => {
    const { current_stage: stage, lost_reason: reason } = await call(
      'GET',
      `/api/project/info/${id}/`,
    )
    return { stage: stage.stage_name, reason }
  }
  const card = (page: Page, name: string) => page.locator('[data-card]', { hasText: name })
  const lane = (page: Page, name: string) => page.locator('[data-lane]', { hasText: name }).first()

  /** What a colleague does in the moment before the page's first move reaches the service. */
  async function beforeMove(page: Page, act: () => Promise<unknown>) {
    let isDone = false
    await page.route('**/move/', async (route) => {
      if (!isDone) {
        isDone = true
        await act()
      }
      await route.continue()
    })
  }

  test('by the pointer, and back by Undo', async () => {
    const { id, name, path } = await deal()
    const page = await workspace.open('admin', { path })
    await card(page, name).waitFor()
    await card(page, name).dragTo(lane(page, 'Proposal'))
    await page.getByText(`${name} moved to Proposal`).first().waitFor()
    assert.equal((await stageOf(id)).stage, 'Proposal')
    await page.getByRole('button', { name: 'Undo' }).click()
    await lane(page, 'Qualification').locator('[data-card]').waitFor()
  })

  test('one that a colleague has moved meanwhile is not moved silently, but can be', async () => {
    const { id, name, path } = await deal()
    const page = await workspace.open('admin', { path })
    await card(page, name).waitFor()
    const leila = await workspace.as('manager')
    const { pipeline_stages: stages } = await leila('GET', `/api/project/info/${id}/`)
    const { stage_id } = (stages as { stage_id: string; stage_name: string }[]).find(
      ({ stage_name }) => stage_name === 'Discovery',
    )!
    await beforeMove(page, () =>
      leila('POST', `/api/project/info/${id}/move/`, { set: { stage_id } }),
    )
    await card(page, name).dragTo(lane(page, 'Proposal'))
    await page.getByText(/ moved it to Discovery meanwhile/).waitFor()
    await lane(page, 'Discovery').locator('[data-card]', { hasText: name }).waitFor()
    assert.equal((await stageOf(id)).stage, 'Discovery')
    await page.getByRole('button', { name: 'Move to Proposal' }).click()
    await page.getByText(`${name} moved to Proposal`).first().waitFor()
    assert.equal((await stageOf(id)).stage, 'Proposal')
    expectFaults(page, /412/)
  })

  test('one whose value a colleague has changed meanwhile is moved, and both changes stay', async () => {
    const { id, name, path } = await deal()
    const page = await workspace.open('admin', { path })
    await card(page, name).waitFor()
    const leila = await workspace.as('manager')
    await beforeMove(page, () =>
      leila('PUT', `/api/project/info/${id}/`, { expected_deal_value: 7000 }),
    )
    await card(page, name).dragTo(lane(page, 'Proposal'))
    await page.getByText(`${name} moved to Proposal`).first().waitFor()
    assert.equal((await stageOf(id)).stage, 'Proposal')
    assert.equal((await call('GET', `/api/project/info/${id}/`)).expected_deal_value, 7000)
    expectFaults(page, /412/)
  })

  test('by its menu to lost, which asks why, by keyboard alone', async () => {
    const { id, name, path } = await deal()
    const page = await byKeysAlone(await workspace.open('admin', { path }))
    await tabTo(page, card(page, name).getByRole('link'))
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Closed lost' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    // the focus is where it was
    await card(page, name).locator('a:focus').waitFor()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Closed lost' }).waitFor()
    await page.keyboard.type('Closed l')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    assert.equal((await stageOf(id)).stage, 'Qualification')
    await pressAt(page, dialog.getByRole('combobox'))
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await pressAt(page, dialog.getByRole('button', { name: 'Mark as lost' }))
    await page.getByText(`${name} moved to Closed lost`).first().waitFor()
    const now = await stageOf(id)
    assert.equal(now.stage, 'Closed lost')
    assert.ok(now.reason)
  })

  test('on its page by the bar and by its keys, until it is won and becomes a project', async () => {
    const { id, name } = await deal()
    const page = await workspace.open('admin', { path: `/deals/${id}` })
    const stage = (label: string) =>
      page.getByRole('list', { name: 'Stage' }).getByRole('button', { name: label })
    await stage('Discovery').click()
    await page.getByText('Moved to Discovery').waitFor()
    await page.keyboard.press(']')
    await page.getByText('Moved to Proposal').waitFor()
    assert.equal(await stage('Proposal').getAttribute('aria-current'), 'step')
    const stored = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.keyboard.press('[')
    await stored
    assert.equal((await stageOf(id)).stage, 'Discovery')
    // its ends are acts beside the stages
    assert.equal(await stage('Closed won').count(), 0)
    await page.getByRole('button', { name: 'Mark as lost' }).click()
    const dialog = page.getByRole('dialog', { name: 'Why was it lost?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await stageOf(id)).stage, 'Discovery')
    await page.getByRole('button', { name: 'Mark as won' }).click()
    // a won deal asks for its project
    await page.getByRole('button', { name: 'Without a template' }).click()
    await page.waitForURL(/\/projects\//)
    await page.getByRole('heading', { level: 1, name }).waitFor()

    // the plan of the project: a milestone and its task typed in, and ticked
    await page.getByRole('textbox', { name: 'New milestone' }).fill('Kick-off')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'New task' }).fill('Say hello')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    const tick = page.getByRole('checkbox', { name: 'Complete Say hello' })
    await tick.click()
    await page.getByText('Say hello completed').waitFor()
    await page
      .locator('[role=progressbar][aria-label="Tasks completed"][aria-valuenow="1"]')
      .waitFor()
  })
})
