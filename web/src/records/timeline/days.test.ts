import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TimelineEntry } from '../../data/timeline.ts'
import { daysOf } from './days.ts'

const entry = (at: string) => ({ at }) as TimelineEntry

describe('the days of a timeline', () => {
  test('are those of the person’s zone', () => {
    const now = new Date('2026-03-02T01:00:00Z')
    const entries = ['2026-03-02T00:30:00Z', '2026-03-01T23:30:00Z', '2026-02-20T12:00:00Z'].map(
      entry,
    )
    const utc = daysOf(entries, { locale: 'en', timezone: 'UTC', currency: 'USD' }, now)
    assert.deepEqual(
      utc.map(({ label, entries: all }) => [label, all.length]),
      [
        ['Today', 1],
        ['Yesterday', 1],
        ['Feb 20, 2026', 1],
      ],
    )
    const oslo = daysOf(entries, { locale: 'en', timezone: 'Europe/Oslo', currency: 'USD' }, now)
    assert.deepEqual(oslo[0]?.entries.length, 2)
  })
})
