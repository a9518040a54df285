import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TimelineEntry } from '../../data/timeline.ts'
import { daysOf } from '../days.ts'
import { toldTogether } from './days.ts'

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

test('what somebody changes of a record within ten minutes is told together', () => {
  const change = (minute: number, more: object = {}) =>
    ({
      kind: 'change',
      at: `2026-03-02T10:${String(minute).padStart(2, '0')}:00Z`,
      actor: { user_id: 'emeka' },
      record: { id: 'deal' },
      ...more,
    }) as TimelineEntry
  const told = toldTogether([
    change(30),
    change(25),
    change(20),
    // later than ten minutes before the newest
    change(19),
    change(18, { actor: { user_id: 'felix' } }),
    change(17, { actor: { user_id: 'felix' }, record: { id: 'other' } }),
    change(16, { kind: 'stage', actor: { user_id: 'felix' }, record: { id: 'other' } }),
    // nobody knows who these were
    change(15, { actor: { user_id: null } }),
    change(14, { actor: { user_id: null } }),
  ])
  assert.deepEqual(
    told.map(({ more }) => more.length),
    [2, 0, 0, 0, 0, 0, 0],
  )
})
