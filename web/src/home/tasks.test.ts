import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Task } from './tasks.ts'
import { byDue } from './tasks.ts'

describe('the tasks on Home', () => {
  test('stand under overdue, today, the next seven days and later', () => {
    const tasks = ['2026-03-01', '2026-03-02', '2026-03-09', '2026-03-10', null].map(
      (due_date) => ({ due_date }) as Task,
    )
    assert.deepEqual(
      byDue(tasks, '2026-03-02').map(({ label, tasks: all }) => [
        label,
        all.map((each) => each.due_date),
      ]),
      [
        ['Overdue', ['2026-03-01']],
        ['Today', ['2026-03-02']],
        ['Next 7 days', ['2026-03-09']],
        ['Later', ['2026-03-10', null]],
      ],
    )
    assert.deepEqual(byDue([], '2026-03-02'), [])
  })
})
