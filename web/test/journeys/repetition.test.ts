import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// A task is made to repeat, is read as a sentence, changes, goes on with its subtasks, and ends.

type Task = { item_id: string; title: string; due_date: string }

describe('the repetition of a task', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    workspace = await startWorkspace()
    call = await workspace.as('admin')
  })

  const tasksCalled = (title: string): Promise<Task[]> =>
    call('GET', `/api/tasks/?page=1&items_per_page=50&q=${encodeURIComponent(title)}`)

  async function made(title: string): Promise<string> {
    await call('POST', '/api/tasks/', { title, due_date: '2031-03-31' })
    const [task] = await tasksCalled(title)
    const id = String(task?.item_id)
    for (const each of ['Ask the clinics', 'Write it up']) {
      await call('POST', '/api/tasks/', { title: `${each} of ${title}`, parent_id: id })
    }
    return id
  }

  test('is set, said, changed, undone and ended on its page', async () => {
    const id = await made('Quarterly figures')
    const page = await workspace.open('admin', { path: `/tasks/${id}` })
    const part = page.getByRole('region', { name: 'Repetition' })
    await part.getByText('Does not repeat').waitFor()
    await part.getByRole('button', { name: 'Repeat' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repeat the task' })
    // March 31, 2031 is a Monday
    await dialog.getByText('Every week on Monday. The next one brings its 2 subtasks.').waitFor()
    await dialog.getByLabel('Every').fill('2')
    await dialog.getByRole('radio', { name: 'On a day' }).click()
    await dialog.getByLabel('Last day').fill('2031-06-30')
    await dialog.getByText(/^Every 2 weeks on Monday, until Jun 30/).waitFor()
    assert.deepEqual(await problemsOf(page), [])
    await dialog.getByRole('button', { name: 'Repeat' }).click()
    await part.getByText(/^Every 2 weeks on Monday, until Jun 30/).waitFor()
    await part
      .getByText(/next on Apr 14.*, once this one is done · the next one brings its 2 subtasks/)
      .waitFor()
    const { recurrence_pattern } = await call('GET', `/api/tasks/${id}/`)
    assert.equal(recurrence_pattern.rrule, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;UNTIL=20310630T235959Z')
    await part.getByRole('button', { name: 'Change' }).click()
    await dialog.getByRole('combobox', { name: 'Unit' }).click()
    await page.getByRole('option', { name: 'months' }).click()
    await dialog.getByText('Months without a 31st are left out').waitFor()
    await dialog.getByRole('button', { name: 'Change' }).click()
    await part.getByText(/^Every 2 months on the 31st/).waitFor()
    await part.getByText(/next on May 31.*Months without a 31st are left out/).waitFor()
    await part.getByRole('button', { name: 'End' }).click()
    await part.getByText('Does not repeat').waitFor()
    await page.getByText('The repetition ended').waitFor()
    const undone = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await undone
    await part.getByText(/^Every 2 months on the 31st/).waitFor()
  })

  test('goes on with the subtasks once the task is done', async () => {
    const id = await made('Monthly letter')
    await call('PUT', `/api/tasks/${id}/`, { recurrence_pattern: 'FREQ=MONTHLY;BYMONTHDAY=-1' })
    const page = await workspace.open('admin', { path: `/tasks?peek=${id}` })
    const part = page.getByRole('region', { name: 'Repetition' })
    await part.getByText('Every month on the last day').waitFor()
    await part.getByText(/next on Apr 30/).waitFor()
    await call('PUT', `/api/tasks/${id}/`, { is_completed: true })
    await part.getByText('the next one is there already').waitFor()
    const next = (await tasksCalled('Monthly letter')).find(
      (task) => task.title === 'Monthly letter' && task.item_id !== id,
    )
    assert.equal(next?.due_date, '2031-04-30')
    await page.goto(`/tasks/${next?.item_id}`)
    await part.getByText(/next on May 31.*brings its 2 subtasks/).waitFor()
  })

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
  ] as const) {
    test(`has no findings of axe, ${screen}, ${theme}`, async () => {
      const id = await made(`Letter ${screen} ${theme}`)
      await call('PUT', `/api/tasks/${id}/`, {
        recurrence_pattern: 'FREQ=MONTHLY;BYMONTHDAY=31',
      })
      const page = await workspace.open('admin', { path: `/tasks/${id}`, screen, theme })
      const part = page.getByRole('region', { name: 'Repetition' })
      await part.getByText('Every month on the 31st').waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `repetition-${screen}-${theme}`)
      await part.getByRole('button', { name: 'Change' }).click()
      const dialog = page.getByRole('dialog', { name: 'Repeat the task' })
      await dialog.getByText('Months without a 31st are left out').waitFor()
      const width = await dialog.evaluate((popup) => popup.scrollWidth - popup.clientWidth)
      assert.ok(width <= 0, `the dialog is ${width} px too narrow`)
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `repetition-dialog-${screen}-${theme}`)
    })
  }
})
