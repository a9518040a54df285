import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaleOf } from '../records/answers/scale.ts'
import { typeWords } from './structure.ts'

test('types of questions are shown as words, and their abbreviations in capitals', () => {
  assert.deepEqual(['short-text', 'nps', 'csat', 'ratings'].map(typeWords), [
    'Short text',
    'NPS',
    'CSAT',
    'Ratings',
  ])
})

test('a scale has all its numbers, also those that nobody chose', () => {
  assert.equal(scaleOf('nps')?.length, 11)
  assert.deepEqual(scaleOf('csat'), [1, 2, 3, 4, 5])
  assert.deepEqual(scaleOf('ratings', { maxRating: 3 }), [1, 2, 3])
  assert.equal(scaleOf('long-text'), undefined)
})
