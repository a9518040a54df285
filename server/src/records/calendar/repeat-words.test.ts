import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../../model/languages/language.ts'
import { voiceOf } from '../../model/languages/language.ts'
import { repeatWords } from './repeat-words.ts'

const said = (rule: string, language: Language = 'en', zone = 'UTC') =>
  repeatWords(rule, zone, voiceOf(language, 'UTC'))

test('a rule is said in words: how often, on which days, and how long', () => {
  assert.equal(said('FREQ=DAILY'), 'every day')
  assert.equal(said('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'), 'every 2 weeks: Monday, Wednesday')
  assert.equal(said('FREQ=MONTHLY;BYDAY=2TU;COUNT=5'), 'every month, 5 times')
  assert.equal(said('FREQ=YEARLY;UNTIL=20301231'), 'every year, until Tuesday, 31 December 2030')
  assert.equal(said('FREQ=WEEKLY;BYDAY=DI,TU;COUNT=3', 'de'), 'jede Woche: Dienstag, 3-mal')
})

test('the last day of a series is that of the meeting’s zone', () => {
  const rule = 'FREQ=DAILY;UNTIL=20301231T030000Z'
  assert.match(said(rule, 'en', 'America/New_York')!, /until Monday, 30 December 2030/)
  assert.match(said(rule, 'en', 'Europe/Berlin')!, /until Tuesday, 31 December 2030/)
})

test('what has no words is left out', () => {
  for (const rule of ['FREQ=HOURLY', '', 'BYDAY=MO']) assert.equal(said(rule), undefined)
})
