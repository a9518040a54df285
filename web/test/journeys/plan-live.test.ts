import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser } from '../../../server/test/support/browser.ts'
import { focusIsAt } from '../support/keyboard.ts'
import { isStored, planCell as cell, planProject } from '../support/plan.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { expectFaults, startWorkspace } from '../support/workspace.ts'

// Two people work on a plan at the same time, each in a browser.

describe('a plan that two people change', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  test('a title that both change says so in the cell; Enter takes mine', async () => {
    const plan = await planProject(call, 'Both', { Data: ['Export'] })
    const mine = await workspace.open('admin', { path: plan.path })
    await cell(mine, 'Export').dblclick()
    await mine.getByRole('textbox', { name: 'Title of Export' }).fill('Export of mine')
    const colleague = await workspace.as('manager')
    await colleague('PUT', `/api/tasks/${await plan.idOf('Export')}/`, { title: 'Theirs' })
    await mine.keyboard.press('Enter')
    await mine.keyboard.press('Escape')
    await mine
      .getByRole('alert')
      .getByText(/changed it meanwhile. Enter uses yours/)
      .waitFor()
    const again = mine.getByRole('textbox', { name: /^Title of/ })
    assert.equal(await again.inputValue(), 'Export of mine')
    await focusIsAt(mine, again)
    await mine.keyboard.press('Enter')
    await isStored(plan.outline, ['1 Data', '1.1 Export of mine'])
    expectFaults(mine, /412/)
  })

  test('an undo leaves what somebody else has changed since', async () => {
    const plan = await planProject(call, 'Undone late', { Data: ['Export'] })
    const mine = await workspace.open('admin', { path: plan.path })
    await cell(mine, 'Export').dblclick()
    await mine.getByRole('textbox', { name: 'Title of Export' }).fill('Export of mine')
    await mine.keyboard.press('Tab')
    await isStored(plan.outline, ['1 Data', '1.1 Export of mine'])
    await mine.getByText('Task renamed').waitFor()
    const colleague = await workspace.as('manager')
    await colleague('PUT', `/api/tasks/${await plan.idOf('Export of mine')}/`, { title: 'Theirs' })
    await cell(mine, 'Theirs').focus()
    await mine.keyboard.press('Control+z')
    await mine.getByText(/changed it meanwhile/).waitFor()
    assert.deepEqual(await plan.outline(), ['1 Data', '1.1 Theirs'])
    expectFaults(mine, /412/)
  })
})
