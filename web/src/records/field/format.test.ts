import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLeft, duration, percent } from './format.ts'

test('seconds are shown as hours and minutes, and as seconds below one minute', () => {
  const format = { locale: 'en', timezone: 'UTC', currency: 'EUR' }
  const cases: [seconds: number, text: string][] = [
    [0, '0 sec'],
    [29, '29 sec'],
    [60, '1 min'],
    [3599, '1 hr'],
    [7500, '2 hr 5 min'],
    [90_000, '25 hr'],
  ]
  for (const [seconds, text] of cases) assert.equal(duration(seconds, format), text)
})

test('the days left are shown with their unit, and as days late once they have passed', () => {
  const format = { locale: 'en', timezone: 'UTC', currency: 'EUR' }
  const cases: [days: number, text: string][] = [
    [12, '12 days'],
    [1, '1 day'],
    [0, 'due today'],
    [-1, '1 day late'],
    [-28, '28 days late'],
    [-1028, '1,028 days late'],
  ]
  for (const [days, text] of cases) assert.equal(daysLeft(days, format), text)
})

test('a percentage is written as its language does', () => {
  const format = { timezone: 'UTC', currency: 'EUR' }
  assert.equal(percent(62.5, { ...format, locale: 'en' }), '62.5%')
  assert.equal(percent(62.5, { ...format, locale: 'de' }), '62,5\u00a0%')
})
