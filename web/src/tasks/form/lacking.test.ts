import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField, Page } from '../../../../server/src/model/forms/form-parts.ts'
import { isAnswered, lackingIn, questionsAsked, wrongWords } from './lacking.ts'

const pages = [
  {
    id: 'p',
    title: '',
    fields: [
      { id: 'data', type: 'yes-no', label: 'Data?', required: true },
      {
        id: 'which',
        type: 'long-text',
        label: 'Which?',
        required: true,
        show_if: [{ field_id: 'data', operator: 'eq', value: true }],
      },
      { id: 'who', type: 'contact', label: 'Who?', required: true, parts: ['first_name', 'phone'] },
      {
        id: 'grid',
        type: 'rating-matrix',
        label: 'How?',
        required: true,
        rows: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ],
      },
      { id: 'terms', type: 'consent', label: 'Terms', required: true },
      { id: 'note', type: 'statement', label: 'Note' },
      { id: 'free', type: 'short-text', label: 'Free' },
    ],
  },
] as Page[]

test('a form lacks what is required and asked, and parts of it', () => {
  const lacking = (answers: object) => [...lackingIn(pages, answers as never).keys()]
  assert.deepEqual(lacking({}), ['data', 'who', 'grid', 'terms'])
  assert.deepEqual(lacking({ data: true }), ['data', 'which', 'who', 'grid', 'terms'].slice(1))
  const half = { data: false, who: { phone: '1' }, grid: { a: 2 }, terms: false }
  assert.deepEqual(
    [...lackingIn(pages, half)],
    [
      ['who', '“First name” needs an answer, too'],
      ['grid', '“B” needs an answer, too'],
      ['terms', 'This must be agreed to'],
    ],
  )
  const whole = { data: false, who: { first_name: 'A' }, grid: { a: 2, b: 0 }, terms: true }
  assert.deepEqual(lacking(whole), [])
})

test('questions that are hidden do not count, nor does what cannot be answered', () => {
  const ids = (answers: object) => questionsAsked(pages, answers as never).map(({ id }) => id)
  assert.deepEqual(ids({}), ['data', 'who', 'grid', 'terms', 'free'])
  assert.ok(ids({ data: true }).includes('which'))
  const who = pages[0]?.fields[2]
  assert.ok(who)
  assert.equal(isAnswered(who, { who: { first_name: ' ' } }), false)
  assert.equal(isAnswered(who, { who: { first_name: 'A' } }), true)
})

test('an answer that is not taken is too short or too long, by its question', () => {
  const words = (field: object, value: unknown) => wrongWords(field as FormField, value)
  const several = { type: 'multi-select', min: 2, max: 3 }
  assert.equal(words(several, ['a']), 'At least 2 must be chosen')
  assert.equal(words(several, ['a', 'b', 'c', 'd']), 'At most 3 can be chosen')
  assert.equal(words(several, ['a', 'gone']), undefined)
  const short = { type: 'short-text', min: 2, max: 4 }
  assert.equal(words(short, 'a'), 'This needs at least 2 characters')
  assert.equal(words(short, 'abcde'), 'This may have at most 4 characters')
  assert.equal(
    words({ type: 'long-text' }, 'a'.repeat(20_001)),
    'This may have at most 20000 characters',
  )
  assert.equal(words({ type: 'file' }, Array(11)), 'At most 10 can be chosen')
  assert.equal(words({ type: 'consent' }, false), 'This must be agreed to')
})
