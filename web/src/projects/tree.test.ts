import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanMilestone, PlanTask } from '../data/project-plan.ts'
import { movedIn, placeBehind, placeOf, placeToward } from './places.ts'
import { loose, rowsOf } from './tree.ts'

const milestone = (milestone_id: string) => ({ milestone_id, name: milestone_id }) as PlanMilestone
const task = (item_id: string, milestone_id: string | null, parent_id: string | null = null) =>
  ({ item_id, title: item_id, milestone_id, parent_id }) as PlanTask

/** A with a1 (a11, a12 (a121)) and a2; B, empty; C with c1; and x, y without a milestone. */
const plan = {
  milestones: ['A', 'B', 'C'].map(milestone),
  tasks: [
    task('a1', 'A'),
    task('a11', 'A', 'a1'),
    task('x', null),
    task('a12', 'A', 'a1'),
    task('a121', 'A', 'a12'),
    task('a2', 'A'),
    task('c1', 'C'),
    task('y', 'hidden'),
  ],
}
const rows = rowsOf(plan)
const outline = (of: Parameters<typeof rowsOf>[0]) =>
  rowsOf(of)
    .map(({ id, number }) => `${number || '–'} ${id}`)
    .join(', ')

test('a plan is rows with numbers, levels and places; what is below closed ones is left out', () => {
  assert.equal(
    outline(plan),
    '1 A, 1.1 a1, 1.1.1 a11, 1.1.2 a12, 1.1.2.1 a121, 1.2 a2, 2 B, 3 C, 3.1 c1, – loose, 0.1 x, 0.2 y',
  )
  const closed = rowsOf(plan, new Set(['a1', 'C', loose]))
  assert.deepEqual(
    closed.map(({ id, level, at, of, isOpen, children }) => [id, level, at, of, isOpen, children]),
    [
      ['A', 1, 1, 4, true, 2],
      ['a1', 2, 1, 2, false, 2],
      ['a2', 2, 2, 2, true, 0],
      ['B', 1, 2, 4, true, 0],
      ['C', 1, 3, 4, false, 1],
      ['loose', 1, 4, 4, false, 2],
    ],
  )
})

test('something new behind a row has its place by its level', () => {
  const at = (id: string | null, level: number) => {
    const { kind, milestone_id, parent_id, after, before } = placeBehind(rows, id, level)
    return [kind, milestone_id, parent_id, after, before]
  }
  assert.deepEqual(at('A', 2), ['task', 'A', null, null, 'a1'])
  assert.deepEqual(at('a1', 2), ['task', 'A', null, 'a1', 'a2'])
  assert.deepEqual(at('a121', 3), ['task', 'A', 'a1', 'a12', null])
  assert.deepEqual(at('a121', 2), ['task', 'A', null, 'a1', 'a2'])
  assert.deepEqual(at('a2', 1), ['milestone', null, null, 'A', 'B'])
  assert.deepEqual(at('B', 9), ['task', 'B', null, null, null])
  assert.deepEqual(at('c1', 1), ['milestone', null, null, 'C', null])
  assert.deepEqual(at('y', 1), ['milestone', null, null, 'C', null])
  assert.deepEqual(at('y', 2), ['task', null, null, 'y', null])
  assert.deepEqual(at(null, 3), ['milestone', null, null, null, 'A'])
})

test('rows move among their siblings, to the next parent, in and out, and back to where they were', () => {
  const after = (id: string, to: 'up' | 'down' | 'in' | 'out') => {
    const place = placeToward(rows, id, to)
    if (!place) return undefined
    const moved = movedIn(plan, id, place)
    assert.equal(outline(movedIn(moved, id, placeOf(rows, id))), outline(plan), `${id} ${to}, back`)
    return outline(moved)
      .replace(/, – loose.*/, '')
      .replaceAll(/[\d.]+ /g, '')
  }
  assert.equal(after('a2', 'up'), 'A, a2, a1, a11, a12, a121, B, C, c1')
  assert.equal(after('a2', 'down'), 'A, a1, a11, a12, a121, B, a2, C, c1')
  assert.equal(after('a1', 'down'), 'A, a2, a1, a11, a12, a121, B, C, c1')
  assert.equal(after('c1', 'up'), 'A, a1, a11, a12, a121, a2, B, c1, C')
  assert.equal(after('a2', 'in'), 'A, a1, a11, a12, a121, a2, B, C, c1')
  assert.equal(after('a12', 'out'), 'A, a1, a11, a12, a121, a2, B, C, c1')
  assert.equal(after('B', 'up'), 'B, A, a1, a11, a12, a121, a2, C, c1')
  assert.equal(after('C', 'down'), undefined)
  assert.equal(after('a1', 'in'), undefined)
  assert.equal(after('a2', 'out'), undefined)
  assert.equal(placeToward(rows, loose, 'up'), undefined)
})

test('subtasks go with their task, into its milestone too, and no deeper than five levels', () => {
  const { tasks } = movedIn(plan, 'a1', placeBehind(rows, 'C', 2))
  assert.deepEqual(
    tasks.filter(({ milestone_id }) => milestone_id === 'C').map(({ item_id }) => item_id),
    ['a11', 'a12', 'a121', 'a1', 'c1'],
  )
  const deep = { milestones: [milestone('M')], tasks: [task('0', 'M'), task('t1', 'M')] }
  for (let n = 2; n <= 5; n++) deep.tasks.push(task(`t${n}`, 'M', `t${n - 1}`))
  assert.equal(placeToward(rowsOf(deep), 't1', 'in'), undefined)
})
