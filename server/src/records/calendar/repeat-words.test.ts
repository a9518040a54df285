import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../../model/languages/language.ts'
import { voiceOf } from '../../model/languages/language.ts'
import { repeatWords } from './repeat-words.ts'

const said = (rule: string, language: Language = 'en', zone = 'UTC', start = '2030-01-15') =>
  repeatWords(rule, start, zone, voiceOf(language, 'UTC'))

test('a rule is said in words: how often, on which days, and how long', () => {
  assert.equal(said('FREQ=DAILY'), 'every day')
  assert.equal(said('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'), 'every 2 weeks: Monday, Wednesday')
  assert.equal(said('FREQ=MONTHLY;BYDAY=2TU;COUNT=5'), 'every month, 5 times')
  assert.equal(said('FREQ=YEARLY;UNTIL=20301231'), 'every year, until Tuesday, 31 December 2030')
  assert.equal(said('FREQ=WEEKLY;BYDAY=DI,TU;COUNT=3', 'de'), 'jede Woche: Dienstag, 3-mal')
})

test('a day that some months do not have is said with these months', () => {
  const on = (start: string, rule: string, language: Language = 'en') =>
    said(rule, language, 'UTC', start)
  const of31 = 'on the 31st: not in months of 30 days or February'
  assert.equal(on('2030-01-31', 'FREQ=MONTHLY'), `every month, ${of31}`)
  assert.equal(
    on('2030-01-01', 'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=9'),
    `every month, ${of31}, 9 times`,
  )
  assert.equal(on('2030-01-30', 'FREQ=MONTHLY'), 'every month, on the 30th: not in February')
  assert.match(on('2030-01-29', 'FREQ=MONTHLY;BYMONTHDAY=1,29')!, /in February, but in leap years$/)
  assert.match(on('2030-01-31', 'FREQ=MONTHLY', 'de')!, /^jeden Monat, am 31\.: nicht in Monaten/)
  for (const [start, rule] of [
    ['2030-01-28', 'FREQ=MONTHLY'],
    ['2030-01-31', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    ['2030-01-31', 'FREQ=MONTHLY;BYDAY=2TU'],
    ['2030-01-31', 'FREQ=MONTHLY;BYMONTH=1,3'],
    ['2030-01-31', 'FREQ=MONTHLY;INTERVAL=12'],
    ['2030-03-31', 'FREQ=WEEKLY'],
  ] as const)
    assert.doesNotMatch(on(start, rule)!, /not in/, rule)
})

test('the last day of a series is that of the meeting’s zone', () => {
  const rule = 'FREQ=DAILY;UNTIL=20301231T030000Z'
  assert.match(said(rule, 'en', 'America/New_York')!, /until Monday, 30 December 2030/)
  assert.match(said(rule, 'en', 'Europe/Berlin')!, /until Tuesday, 31 December 2030/)
})

test('what has no words is left out', () => {
  for (const rule of ['FREQ=HOURLY', '', 'BYDAY=MO']) assert.equal(said(rule), undefined)
})
