import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDay, workingDay } from './day-words.ts'

describe('words for days', () => {
  // a Tuesday
  const today = '2026-11-24'
  const calendar = { working_days: [1, 2, 3, 4, 5], holidays: ['2026-11-26', '12-25'] }
  const almanac = (locale: string) => ({ today, calendar, locale })

  test('are read by the calendar and the language of the person', () => {
    const words: [text: string, locale: string, day: string | null | undefined][] = [
      ['', 'en-US', null],
      ['today', 'en-US', today],
      ['Tomorrow', 'en-US', '2026-11-25'],
      ['fri', 'en-US', '2026-11-27'],
      ['Tuesday', 'en-US', '2026-12-01'],
      ['fr', 'en-US', undefined],
      ['Fr', 'de-DE', '2026-11-27'],
      ['freitag', 'de-DE', '2026-11-27'],
      ['dec 4', 'en-US', '2026-12-04'],
      ['4 december 2027', 'en-GB', '2027-12-04'],
      ['Dec 4, 2027', 'en-US', '2027-12-04'],
      ['4. Dez', 'de-DE', '2026-12-04'],
      ['jan 5', 'en-US', '2027-01-05'],
      ['nov 20', 'en-US', '2026-11-20'],
      ['12/4', 'en-US', '2026-12-04'],
      ['12/4', 'en-GB', '2027-04-12'],
      ['4.12.', 'de-DE', '2026-12-04'],
      ['4.12.27', 'de-DE', '2027-12-04'],
      ['2/30', 'en-US', undefined],
      ['+0', 'en-US', today],
      // Thursday is a holiday
      ['+2', 'en-US', '2026-11-27'],
      ['+3', 'en-US', '2026-11-30'],
      ['2026-12-04', 'en-US', '2026-12-04'],
      ['2026-13-04', 'en-US', undefined],
      ['soon', 'en-US', undefined],
    ]
    for (const [text, locale, day] of words) {
      assert.equal(readDay(text, almanac(locale)), day, `${text} in ${locale}`)
    }
    assert.equal(readDay('=', almanac('en-US'), '2026-12-02'), '2026-12-02')
    assert.equal(readDay('=', almanac('en-US'), null), undefined)
  })

  test('a day off has the working day after it', () => {
    assert.equal(workingDay('2026-12-05', calendar), '2026-12-07')
    assert.equal(workingDay('2026-12-25', calendar), '2026-12-28')
    assert.equal(workingDay('2026-12-04', calendar), '2026-12-04')
  })
})
