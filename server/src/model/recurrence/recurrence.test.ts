import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import type * as Rrule from 'rrule'
import { depth } from '../../../test/support/depth.ts'
import { daysOfRule } from './rule.ts'

// its types declare an ES module, but it is none
const { rrulestr } = createRequire(import.meta.url)('rrule') as typeof Rrule

// The library that computes series is held against another implementation of RFC 5545.

const runs = depth(1000, 10_000)
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const day = fc
  .integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 11, 31) })
  .map((time) => new Date(time).toISOString().slice(0, 10))
const some = (values: string[]) => fc.subarray(values, { minLength: 1 })
const monthDays = ['1', '5', '15', '28', '29', '30', '31', '-1']

const parts = fc.oneof(
  fc.constant('FREQ=DAILY'),
  some(weekdays).map((days) => `FREQ=WEEKLY;BYDAY=${days.join()}`),
  fc.constant('FREQ=WEEKLY'),
  some(monthDays).map((days) => `FREQ=MONTHLY;BYMONTHDAY=${days.join()}`),
  fc
    .tuple(fc.constantFrom('1', '2', '3', '-1'), some(weekdays))
    .map(([n, days]) => `FREQ=MONTHLY;BYDAY=${days.map((each) => n + each).join()}`),
  fc
    .tuple(fc.constantFrom('1', '2', '-1'), some(weekdays))
    .map(([n, days]) => `FREQ=MONTHLY;BYDAY=${days.join()};BYSETPOS=${n}`),
  fc.constant('FREQ=YEARLY'),
)
const rule = fc
  .tuple(parts, fc.integer({ min: 1, max: 5 }), fc.option(fc.integer({ min: 1, max: 30 })))
  .map(([text, interval, count]) => `${text};INTERVAL=${interval}${count ? `;COUNT=${count}` : ''}`)

test(`series agree with another implementation on ${runs} rules`, () => {
  fc.assert(
    fc.property(rule, day, fc.integer({ min: 0, max: 800 }), (text, start, later) => {
      const after = new Date(Date.parse(start) + later * 86_400_000).toISOString().slice(0, 10)
      const sought = { rrule: text, start, after, count: 1, mustCome: false }
      const ours = daysOfRule(sought)[0] ?? null
      const dtstart = `${start.replaceAll('-', '')}T000000Z`
      const theirs = rrulestr(`DTSTART:${dtstart}\nRRULE:${text}`).after(new Date(after))
      assert.equal(ours, theirs?.toISOString().slice(0, 10) ?? null, `${text} from ${start}`)
    }),
    { numRuns: runs },
  )
})
