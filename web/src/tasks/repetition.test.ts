import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nthOf, ordinal, repetitionIn, rruleOf, sentenceOf, shortMonths } from './repetition.ts'

const day = (text: string) => text.slice(5)

test('a rule is a sentence, and becomes the same rule again', () => {
  for (const [rrule, sentence] of [
    ['FREQ=DAILY', 'Every day'],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;UNTIL=20270331T235959Z',
      'Every 2 weeks on Monday, until 03-31',
    ],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR', 'Every week on Monday, Wednesday and Friday'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every week from Monday to Friday'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', 'Every month on the 31st'],
    ['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1;COUNT=4', 'Every 3 months on the last day, 4 times'],
    ['FREQ=MONTHLY;BYDAY=2MO', 'Every month on the second Monday'],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=1', 'Every month on the last Friday, once'],
    ['FREQ=YEARLY', 'Every year'],
  ] as const) {
    const repetition = repetitionIn(rrule)
    assert.ok(repetition, rrule)
    assert.equal(sentenceOf(repetition, day), sentence)
    assert.equal(rruleOf(repetition), rrule)
  }
})

test('a rule that says more than can be set here is not taken for another one', () => {
  for (const rrule of [
    'FREQ=YEARLY;BYMONTH=3',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
    'FREQ=MONTHLY;BYDAY=1MO,3MO',
    'FREQ=DAILY;BYDAY=MO',
    'FREQ=HOURLY',
  ]) {
    assert.equal(repetitionIn(rrule), undefined, rrule)
  }
})

test('short months are said, and a fifth weekday is the last one', () => {
  const on = (rrule: string) => {
    const found = repetitionIn(rrule)
    return found ? shortMonths(found) : undefined
  }
  assert.equal(on('FREQ=MONTHLY;BYMONTHDAY=31'), 'Months without a 31st are left out')
  assert.equal(on('FREQ=MONTHLY;BYMONTHDAY=29'), 'A February without a 29th is left out')
  assert.equal(on('FREQ=MONTHLY;BYMONTHDAY=28'), null)
  assert.equal(on('FREQ=MONTHLY;BYMONTHDAY=-1'), null)
  assert.deepEqual(nthOf('2026-11-30'), { n: -1, weekday: 'MO' })
  assert.deepEqual(nthOf('2026-11-09'), { n: 2, weekday: 'MO' })
  assert.deepEqual(
    [1, 2, 3, 4, 11, 12, 13, 21, 22, 31].map(ordinal).join(' '),
    '1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 31st',
  )
})
