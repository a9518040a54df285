import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanTask } from '../data/project-plan.ts'
import { lateTasks } from './late.ts'

test('late tasks are open and of a day before today, the oldest first', () => {
  const task = (title: string, due_date: string | null, is_completed = false) =>
    ({ title, due_date, is_completed }) as PlanTask
  const tasks = [
    task('today', '2026-05-02'),
    task('yesterday', '2026-05-01'),
    task('done', '2026-04-01', true),
    task('never', null),
    task('long ago', '2025-12-31'),
  ]
  assert.deepEqual(
    lateTasks(tasks, '2026-05-02').map(({ title }) => title),
    ['long ago', 'yesterday'],
  )
})
