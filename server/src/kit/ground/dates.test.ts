import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DayWord } from './dates.ts'
import { dayRange, dayWords, endOfDay, isDay, parseInstant, startOfDay } from './dates.ts'

const at = (now: string, timezone = 'UTC') => ({ now: new Date(now), timezone })

test('each word means its days, weeks starting on Monday', () => {
  // a Thursday
  const clock = at('2026-05-14T12:00:00Z')
  const expected: { [word in DayWord]: [string, string] | null } = {
    show_all: null,
    today: ['2026-05-14', '2026-05-14'],
    tomorrow: ['2026-05-15', '2026-05-15'],
    yesterday: ['2026-05-13', '2026-05-13'],
    current_week: ['2026-05-11', '2026-05-17'],
    next_week: ['2026-05-18', '2026-05-24'],
    last_week: ['2026-05-04', '2026-05-10'],
    current_month: ['2026-05-01', '2026-05-31'],
    next_month: ['2026-06-01', '2026-06-30'],
    last_month: ['2026-04-01', '2026-04-30'],
    current_quarter: ['2026-04-01', '2026-06-30'],
    current_year: ['2026-01-01', '2026-12-31'],
    last_x_days: ['2026-05-08', '2026-05-14'],
    next_x_days: ['2026-05-14', '2026-05-20'],
  }
  for (const word of dayWords) {
    const days = expected[word] && { from: expected[word][0], to: expected[word][1] }
    assert.deepEqual(dayRange(word, clock, 7), days, word)
  }
})

test('weeks and months across their edges', () => {
  const range = (word: DayWord, now: string) => Object.values(dayRange(word, at(now))!).join(' ')
  assert.equal(range('current_week', '2026-05-11T00:00:00Z'), '2026-05-11 2026-05-17')
  assert.equal(range('current_week', '2026-05-17T23:59:59Z'), '2026-05-11 2026-05-17')
  assert.equal(range('current_week', '2027-01-01T00:00:00Z'), '2026-12-28 2027-01-03')
  assert.equal(range('next_month', '2026-01-31T00:00:00Z'), '2026-02-01 2026-02-28')
  assert.equal(range('last_month', '2024-03-31T00:00:00Z'), '2024-02-01 2024-02-29')
  assert.equal(range('next_month', '2026-12-31T00:00:00Z'), '2027-01-01 2027-01-31')
  assert.equal(range('current_quarter', '2026-12-31T00:00:00Z'), '2026-10-01 2026-12-31')
  assert.equal(range('last_x_days', '2026-01-01T00:00:00Z'), '2026-01-01 2026-01-01')
})

test('today is the day of the zone', () => {
  const now = '2026-05-14T22:30:00Z'
  assert.equal(dayRange('today', at(now, 'Asia/Kolkata'))!.from, '2026-05-15')
  assert.equal(dayRange('today', at(now, 'America/New_York'))!.from, '2026-05-14')
  assert.equal(dayRange('today', at(now, 'Pacific/Kiritimati'))!.from, '2026-05-15')
})

test('a day starts when its zone says so', () => {
  assert.equal(startOfDay('2026-05-14', 'UTC'), '2026-05-14T00:00:00.000Z')
  assert.equal(startOfDay('2026-05-14', 'Europe/Berlin'), '2026-05-13T22:00:00.000Z')
  // 23 and 25 hours long
  assert.equal(startOfDay('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z')
  assert.equal(endOfDay('2026-03-29', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z')
  assert.equal(endOfDay('2026-10-25', 'Europe/Berlin'), '2026-10-25T23:00:00.000Z')
  // midnight does not exist in Beirut on this day
  assert.equal(startOfDay('2026-03-29', 'Asia/Beirut'), '2026-03-28T22:00:00.000Z')
  assert.equal(endOfDay('9999-12-31', 'UTC'), '+010000-01-01T00:00:00.000Z')
})

test('days of any zone join without gap or overlap', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Pacific/Apia',
  )
  const day = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2040-01-01'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(zone, day, (timezone, now) => {
      const today = dayRange('today', { now, timezone })!.from
      const tomorrow = dayRange('tomorrow', { now, timezone })!.from
      assert.equal(endOfDay(today, timezone), startOfDay(tomorrow, timezone))
      assert.ok(startOfDay(today, timezone) <= now.toISOString())
      assert.ok(now.toISOString() < endOfDay(today, timezone))
    }),
  )
})

test('only real days are days', () => {
  for (const day of ['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'])
    assert.ok(isDay(day), day)
  const not = [
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '0000-01-01',
    '1900-02-29',
  ]
  for (const day of [...not, '', '20260101', '2026-01-01 ', '+002026-01-01', '2026-01-01T00:00']) {
    assert.ok(!isDay(day), day)
  }
})

test('instants with an offset, and without one in the zone', () => {
  const read = (text: string) => parseInstant(text, 'Europe/Berlin')
  assert.equal(read('2026-05-14T09:30:00Z'), '2026-05-14T09:30:00.000Z')
  assert.equal(read('2026-05-14t09:30:00.123456z'), '2026-05-14T09:30:00.123Z')
  assert.equal(read('2026-05-14T09:30:00+05:30'), '2026-05-14T04:00:00.000Z')
  assert.equal(read('2026-05-14T09:30:00-0800'), '2026-05-14T17:30:00.000Z')
  assert.equal(read('2026-05-14T09:30'), '2026-05-14T07:30:00.000Z')
  assert.equal(read('2026-05-14 09:30:00.5'), '2026-05-14T07:30:00.500Z')
  assert.equal(read('2026-01-14T09:30:00'), '2026-01-14T08:30:00.000Z')
  // 02:30 is skipped in spring and happens twice in autumn
  assert.equal(read('2026-03-29T02:30:00'), '2026-03-29T01:30:00.000Z')
  assert.equal(read('2026-10-25T02:30:00'), '2026-10-25T00:30:00.000Z')
})

test('what is no instant is undefined', () => {
  const not = [
    '',
    '2026-05-14',
    'now',
    '2026-02-30T00:00:00Z',
    '2026-05-14T24:00:00Z',
    '2026-05-14T09:60:00Z',
    '2026-05-14T09:30:60Z',
    '2026-05-14T09:30:00+25:00',
    '2026-05-14T09:30:00Z[UTC]',
    '1e3',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+002026-05-14T09:30:00Z',
    '2026-05-14T09:30:00Z\n',
    '2026-05-14T9:30Z',
  ]
  for (const text of not) assert.equal(parseInstant(text, 'UTC'), undefined, text)
  fc.assert(fc.property(fc.string(), (text) => parseInstant(text, 'UTC') === undefined))
})

test('what is printed is read back', () => {
  const instants = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instants, (instant) => {
      assert.equal(parseInstant(instant.toISOString(), 'Asia/Tokyo'), instant.toISOString())
    }),
  )
})
