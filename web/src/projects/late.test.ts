import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanTask } from '../data/project-plan.ts'
import { troublesOf } from './late.ts'

const calendar = { working_days: [1, 2, 3, 4, 5], holidays: ['2026-11-11', '12-25'] }
const task = (item_id: string, due_date: string | null, more: Partial<PlanTask> = {}) =>
  ({
    item_id,
    title: item_id,
    due_date,
    start_date: null,
    parent_id: null,
    milestone_id: null,
    is_completed: false,
    owner: null,
    ...more,
  }) as PlanTask

test('what is late or should have begun says what it waits for, and whose that is', () => {
  const owner = { full_name: 'Maëlle Charpentier' } as PlanTask['owner']
  const tasks = [
    task('Export', '2026-11-20', { owner }),
    task('Import', '2026-11-26', { start_date: '2026-11-23', is_blocked: true }),
    task('Check', '2026-12-01', { start_date: '2026-11-27', is_blocked: true }),
    task('Sign', '2026-11-23', { is_blocked: true }),
    task('Hidden', '2026-11-25', { start_date: '2026-11-24', is_blocked: true }),
  ]
  const link = (task_id: string, predecessor_id: string) => ({
    task_id,
    predecessor_id,
    type: 'FS' as const,
    lag_days: 0,
  })
  const dependencies = [link('Import', 'Export'), link('Check', 'Import'), link('Sign', 'Import')]
  const numbers = new Map([
    ['Export', '2.2'],
    ['Import', '2.4'],
  ])
  const today = '2026-11-24'
  const go_live = { agreed: null, planned: null, forecast: null }
  const plan = { tasks, dependencies, calendar, milestones: [], go_live, today }
  const found = troublesOf(plan, numbers, today)
  assert.deepEqual(Object.fromEntries(found), {
    Export: { kind: 'late', text: '2 days late' },
    Import: {
      kind: 'blocked',
      text: 'after 2.2, which is 2 days late',
      title: 'waits for Export (Maëlle Charpentier)',
    },
    Sign: { kind: 'late', text: '1 day late · after 2.4', title: 'waits for Import' },
    Hidden: { kind: 'blocked', text: 'waits for another task' },
  })
})
