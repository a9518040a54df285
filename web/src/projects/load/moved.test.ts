import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Load, LoadPerson, LoadTask } from '../../data/load.ts'
import { addedBy, daysAfter } from './moved.ts'

// Wednesday, December 2; Friday, December 11 is a holiday
const load: Load = {
  weeks: ['2026-11-30', '2026-12-07', '2026-12-14'].map((week) => ({ week, working_days: 5 })),
  people: [],
  projects: {},
  calendar: { working_days: [1, 2, 3, 4, 5], holidays: ['2026-12-11'] },
  today: '2026-12-02',
  is_complete: true,
}

const task = (start_date: string | null, due_date: string | null, hours = 10): LoadTask => ({
  item_id: 'task',
  title: 'Export',
  project_id: null,
  project_name: null,
  start_date,
  due_date,
  minutes: 60 * hours,
  estimate_minutes: 60 * hours,
  version: 1,
  may_update: true,
})
const person = (user_id: string): LoadPerson => ({
  user: { user_id, full_name: user_id, designation: null, reports_to: null, weekly_hours: null },
  weeks: [],
})

test('a task keeps weekday and working days, past holidays, and never comes before today', () => {
  const days = (of: LoadTask, weeks: number) => Object.values(daysAfter(load, of, weeks))
  assert.deepEqual(days(task('2026-12-02', '2026-12-04'), 1), ['2026-12-09', '2026-12-14'])
  assert.deepEqual(days(task('2026-12-04', '2026-12-04'), 1), ['2026-12-14', '2026-12-14'])
  assert.deepEqual(days(task(null, '2026-12-03'), 1), [null, '2026-12-10'])
  assert.deepEqual(days(task('2026-12-03', null), 1), ['2026-12-10', null])
  // what is late counts from today, as its load does
  assert.deepEqual(days(task('2026-11-02', '2026-11-03'), 1), ['2026-12-09', '2026-12-10'])
  assert.deepEqual(days(task('2026-12-07', '2026-12-08'), -1), ['2026-12-02', '2026-12-03'])
  assert.deepEqual(days(task('2026-12-02', '2026-12-04'), 0), ['2026-12-02', '2026-12-04'])
})

test('a move takes from all weeks of a task and adds to all that it will be in', () => {
  const [leila, noah] = [person('Leila'), person('Noah')]
  const added = (weeks: number, to = noah) =>
    Object.fromEntries(
      addedBy(load, { task: task('2026-12-04', '2026-12-07'), from: leila, to, weeks }),
    )
  assert.deepEqual(added(0), { 'Leila 0': -300, 'Leila 1': -300, 'Noah 0': 300, 'Noah 1': 300 })
  assert.deepEqual(added(1, leila), { 'Leila 0': -300, 'Leila 1': -300, 'Leila 2': 600 })
})
