import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersWith, conditionsIn, filtersOf } from './place.ts'

test('a choice becomes a condition, and one on the same question gives way', () => {
  const first = answersWith(undefined, 'nps', 9)
  assert.deepEqual(conditionsIn(first), [{ field: 'answers.nps', operator: 'eq', value: 9 }])
  const both = answersWith(first, 'like', ['fast'])
  assert.deepEqual(
    conditionsIn(both).map(({ field, operator, value }) => [field, operator, value]),
    [
      ['answers.nps', 'eq', 9],
      ['answers.like', 'contains', 'fast'],
    ],
  )
  assert.equal(conditionsIn(answersWith(both, 'nps', 3)).length, 2)
})

test('what is broken is no condition', () => {
  for (const broken of ['[', '{}', '7', '[null]', '[7]', '[{}]', '[{"field":1}]'])
    assert.deepEqual(conditionsIn(broken), [])
})

test('only filters are sent to the parts', () => {
  const place = { since: '2026-01-01', compare: 'previous', unit: 'week' }
  assert.deepEqual(filtersOf(place), { since: '2026-01-01' })
})
