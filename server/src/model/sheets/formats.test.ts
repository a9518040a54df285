import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyProfile, decimalOf, observe, orderOf } from './column.ts'
import { dayBy, readDate, serialDate } from './dates.ts'
import { addressOf, addressesOf } from './email.ts'
import { folded } from './header.ts'
import { readNumber, valueBy } from './numbers.ts'
import { ownDomain } from './website.ts'

describe('numbers in cells', () => {
  const certain: [text: string, value: number][] = [
    ['8', 8],
    ['1.234,56', 1234.56],
    ["1'234.50", 1234.5],
    ['1’234.50', 1234.5],
    ['1,234.56', 1234.56],
    ['1 234,56', 1234.56],
    ['1\u202f234,56', 1234.56],
    ['1\u00a0234', 1234],
    ['12,5', 12.5],
    ['12.50', 12.5],
    ['0.125', 0.125],
    ['0,125', 0.125],
    ['1.234.567', 1234567],
    ['1,234,567', 1234567],
    ['12,34,567.89', 1234567.89],
    ['1234.567', 1234.567],
    ['.5', 0.5],
    ['12 %', 12],
    ['12,5%', 12.5],
    ['€ 8.000,00', 8000],
    ['8.000,00 €', 8000],
    ["CHF 8'000.-", 8000],
    ["Fr. 8'000.—", 8000],
    ['$1,200.50', 1200.5],
    ['-$5.00', -5],
    ['$-5.00', -5],
    ['1.234,56-', -1234.56],
    ['(1,200.00)', -1200],
    ['($1,200.00)', -1200],
    ['−3', -3],
    ['1.5e3', 1500],
    ['EUR 12.000.000', 12000000],
    ['8.000,-', 8000],
  ]
  for (const [text, value] of certain) {
    test(text, () => {
      const reading = readNumber(text)
      assert.ok(reading && 'by' in reading)
      assert.equal(valueBy(reading, undefined), value)
      assert.equal(valueBy(reading, 'decimal_comma'), value)
      assert.equal(valueBy(reading, 'decimal_point'), value)
    })
  }

  for (const text of ['8.000', '1,200', '(1,200)', '€ 8.000', '12.000 %', '-1.500']) {
    test(`${text} is two numbers`, () => {
      const reading = readNumber(text)
      assert.ok(reading && 'by' in reading)
      assert.equal(valueBy(reading, undefined), undefined)
      const [a, b] = [valueBy(reading, 'decimal_comma'), valueBy(reading, 'decimal_point')]
      assert.equal(
        Math.max(Math.abs(a!), Math.abs(b!)),
        1000 * Math.min(Math.abs(a!), Math.abs(b!)),
      )
    })
  }

  for (const text of ['8k', '1.5 Mio.', '2M', '3 Mrd', '12 Tsd.']) {
    test(`${text} is refused`, () => assert.ok('refused' in (readNumber(text) ?? {})))
  }

  for (const text of [
    'many',
    '12 apples',
    '1,2,3',
    '1.23.4',
    "1'2",
    '1.234,567,8',
    '+49 30 123',
    '12-14',
    'A4',
  ])
    test(`${text} is none`, () => assert.equal(readNumber(text), undefined))
})

describe('days in cells', () => {
  const certain: [text: string, day: string, time?: string][] = [
    ['31.12.2026', '2026-12-31'],
    ['1.2.2026', '2026-02-01'],
    ['03.04.26', '2026-04-03'],
    ['12/31/2026', '2026-12-31'],
    ['31/12/2026', '2026-12-31'],
    ['2026-12-31', '2026-12-31'],
    ['2026/12/31', '2026-12-31'],
    ['20261231', '2026-12-31'],
    ['31-Dez-2026', '2026-12-31'],
    ['31-Dec-26', '2026-12-31'],
    ['31. Dezember 2026', '2026-12-31'],
    ['1er août 2026', '2026-08-01'],
    ['15 févr. 2026', '2026-02-15'],
    ['3 de marzo de 2026', '2026-03-03'],
    ['5 maggio 2026', '2026-05-05'],
    ['7 de outubro de 2026', '2026-10-07'],
    ['9 mrt 2026', '2026-03-09'],
    ['Dec 31, 2026', '2026-12-31'],
    ['December 31st, 2026', '2026-12-31'],
    ['Do, 31.12.2026', '2026-12-31'],
    ['04/04/2026', '2026-04-04'],
    ['31.12.2026 14:30', '2026-12-31', '14:30:00'],
    ['12/31/2026 2:30 PM', '2026-12-31', '14:30:00'],
    ['2026-12-31T14:30:05Z', '2026-12-31', '14:30:05Z'],
    ['2026-12-31 14:30:05.123+02:00', '2026-12-31', '14:30:05.123+02:00'],
    ['12/31/2026 12:05 AM', '2026-12-31', '00:05:00'],
  ]
  for (const [text, day, time] of certain) {
    test(text, () => {
      const reading = readDate(text)
      assert.ok(reading)
      assert.equal(dayBy(reading, undefined), day)
      assert.equal(reading.time, time)
    })
  }

  test('03/04/2026 is two days', () => {
    const reading = readDate('03/04/2026')
    assert.ok(reading)
    assert.equal(dayBy(reading, undefined), undefined)
    assert.equal(dayBy(reading, 'day_first'), '2026-04-03')
    assert.equal(dayBy(reading, 'month_first'), '2026-03-04')
  })

  for (const text of [
    '31.02.2026',
    '13/13/2026',
    '2026-02-30',
    'soon',
    '12',
    '1.2',
    '24:00',
    '31.12.2026 25:00',
    '1-2-3',
    'Foo 3, 2026',
  ])
    test(`${text} is none`, () => assert.equal(readDate(text), undefined))

  test('the numbers of Excel', () => {
    assert.equal(serialDate(46387), '2026-12-31')
    assert.equal(serialDate(46387.5), '2026-12-31T12:00:00')
    assert.equal(serialDate(44925, true), '2026-12-31')
    assert.equal(serialDate(12), undefined)
  })
})

describe('columns', () => {
  const profile = (...values: (string | number)[]) => {
    const found = emptyProfile()
    for (const value of values) observe(found, value)
    return found
  }
  test('one certain value decides for all', () => {
    assert.equal(decimalOf(profile('8.000', '12', '1.250,50')), 'decimal_comma')
    assert.equal(decimalOf(profile('8.000', '12.5')), 'decimal_point')
    assert.equal(orderOf(profile('03/04/2026', '31/12/2026')), 'day_first')
    assert.equal(orderOf(profile('03/04/2026', '12/31/2026')), 'month_first')
  })
  test('nothing or too much decides nothing', () => {
    assert.equal(decimalOf(profile('8.000', '12')), undefined)
    assert.equal(profile('12', '8.000').undecided.number, '8.000')
    assert.equal(decimalOf(profile('8.000', '1,5', '1.5')), undefined)
    assert.equal(orderOf(profile('03/04/2026')), undefined)
    assert.equal(orderOf(profile('31/12/2026', '12/31/2026')), undefined)
  })
  test('what a file holds as a number is no question', () => {
    assert.deepEqual(profile(8.125).numbers.ambiguous, 0)
  })
  test('empty words are no values', () => {
    assert.equal(profile('', ' ', '-', 'n/a', 'N/A', '#N/A', '#NV', 'k. A.').filled, 0)
    assert.equal(profile('NA', 'none', '0').filled, 3)
  })
})

describe('texts of a million characters', () => {
  const texts = {
    'accents out of order': `a${'\u0315\u0300\u05ae'.repeat(333_000)}`,
    brackets: '('.repeat(1_000_000),
    blanks: `x${' '.repeat(1_000_000)}x`,
    semicolons: '; '.repeat(500_000),
    dots: `www.${'\u00fc.'.repeat(500_000)}`,
  }
  for (const [kind, text] of Object.entries(texts)) {
    test(`cost nothing where they are compared: ${kind}`, () => {
      const start = process.threadCpuUsage().user
      assert.equal(folded(text), text)
      assert.equal(addressOf(text).email, text)
      assert.deepEqual(addressesOf(text), [text])
      assert.equal(ownDomain(text), undefined)
      assert.ok(process.threadCpuUsage().user - start < 50_000)
    })
  }
})
