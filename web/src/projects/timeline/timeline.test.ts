import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkDays, dayNumber, dayText } from '../../../../server/src/schedule/workdays.ts'
import { arrowsOf } from './arrows.ts'
import { daysBetween, draggedDates, steppedDates } from './bars.ts'
import { marksOf, offDaysOf, rangeOf, scaleBeside } from './scale.ts'

const rules = { working_days: [1, 2, 3, 4, 5], holidays: ['2026-11-11', '12-25'] }
const days = new WorkDays(rules, dayNumber('2026-11-24'))
const bar = { start: '2026-11-13', due: '2026-11-20' }

test('a bar that is moved keeps its working days, and begins and ends on such days', () => {
  assert.deepEqual(draggedDates(bar, 7, 'move', days), { start: '2026-11-20', due: '2026-11-27' })
  // onto a Saturday, and back over the holiday
  assert.deepEqual(draggedDates(bar, 1, 'move', days), { start: '2026-11-16', due: '2026-11-23' })
  assert.deepEqual(draggedDates(bar, -2, 'move', days), { start: '2026-11-10', due: '2026-11-18' })
  assert.deepEqual(draggedDates(bar, 2, 'end', days), { start: bar.start, due: '2026-11-23' })
  assert.deepEqual(draggedDates(bar, -30, 'end', days), { start: bar.start, due: bar.start })
  assert.deepEqual(draggedDates(bar, 30, 'start', days), { start: bar.due, due: bar.due })
  assert.deepEqual(draggedDates(bar, 2, 'start', days), { start: '2026-11-16', due: bar.due })
})

test('keys move by working days, around holidays', () => {
  assert.deepEqual(steppedDates(bar, 1, 'move', days), { start: '2026-11-16', due: '2026-11-23' })
  assert.deepEqual(steppedDates(bar, -2, 'move', days), { start: '2026-11-10', due: '2026-11-18' })
  assert.deepEqual(steppedDates(bar, 5, 'end', days), { start: bar.start, due: '2026-11-27' })
  assert.deepEqual(steppedDates(bar, -50, 'end', days), { start: bar.start, due: bar.start })
  assert.equal(daysBetween('2026-11-10', '2026-11-12', days), 1)
  assert.equal(daysBetween('2026-11-27', '2026-11-20', days), -5)
})

test('a timeline begins on a Monday, holds all its days and today, and fills what is seen', () => {
  for (const first of ['2026-11-02', '2026-11-04', '2026-11-08']) {
    const { from, to } = rangeOf([first, null, '2027-01-15'], '2026-11-24', 10)
    assert.equal(new Date(from * 86_400_000).getUTCDay(), 1)
    assert.ok(from <= dayNumber(first) - 7 && to >= dayNumber('2027-01-15'))
  }
  const { from, to } = rangeOf([], '2026-11-24', 500)
  assert.ok(to - from >= 500)
})

test('weekends are one piece each, holidays have their name', () => {
  const range = { from: dayNumber('2026-11-07'), to: dayNumber('2026-11-15') }
  const off = offDaysOf(range, days, { '2026-11-11': 'Armistice Day' })
  assert.deepEqual(
    off.map(({ day, days: length, holiday }) => [dayText(day), length, holiday]),
    [
      ['2026-11-07', 2, null],
      ['2026-11-11', 1, 'Armistice Day'],
      ['2026-11-14', 2, null],
    ],
  )
})

test('scales have their marks, and an end', () => {
  const range = { from: dayNumber('2026-11-30'), to: dayNumber('2026-12-13') }
  const format = { locale: 'en-GB', timezone: 'UTC', currency: 'EUR' }
  const { months, ticks } = marksOf(range, 'week', format)
  assert.deepEqual(
    months.map(({ label, days: length }) => [label, length]),
    [
      ['November 2026', 1],
      ['December 2026', 13],
    ],
  )
  assert.deepEqual(
    ticks.map(({ label }) => label),
    ['30', '7'],
  )
  assert.equal(marksOf(range, 'day', format).ticks.length, 14)
  assert.equal(marksOf(range, 'quarter', format).ticks.length, 0)
  assert.deepEqual(
    [scaleBeside('day', -1), scaleBeside('day', 1), scaleBeside('quarter', 1)],
    ['day', 'week', 'quarter'],
  )
})

test('arrows are drawn between bars that are there, at most 400, each once in its style', () => {
  const link = (
    predecessor_id: string,
    task_id: string,
    type: 'FS' | 'SS' | 'FF' | 'SF' = 'FS',
  ) => ({
    predecessor_id,
    task_id,
    type,
    lag_days: 0,
  })
  const boxes: { [id: string]: { x: number; end: number; y: number } } = {
    a: { x: 0, end: 50, y: 14 },
    b: { x: 50, end: 90, y: 42 },
    c: { x: 10, end: 20, y: 70 },
  }
  const types = (['FS', 'SS', 'FF', 'SF'] as const).map((type) => link('b', 'c', type))
  const found = arrowsOf(
    [link('a', 'b'), ...types, link('a', 'gone')],
    (id) => boxes[id],
    ({ task_id }) => (task_id === 'b' ? 'critical' : 'plain'),
  )
  const count = (path: string) => path.split('M').length - 1
  assert.deepEqual([count(found.critical.lines), count(found.plain.heads)], [1, 4])
  const many = arrowsOf(
    Array.from({ length: 1000 }, () => link('a', 'b')),
    (id) => boxes[id],
    () => 'plain',
  )
  assert.equal(count(many.plain.lines), 400)
})
