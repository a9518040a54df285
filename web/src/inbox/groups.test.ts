import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Notification } from '../data/inbox.ts'
import { daysOf } from './groups.ts'

const notification = (notification_id: string, notify_time: string, reference_id?: string) =>
  ({
    notification_id,
    notify_time,
    notification_obj: reference_id ? { module_id: 5, reference_id } : {},
  }) as unknown as Notification

describe('the inbox', () => {
  test('is by day in the person’s zone, and by what it is about', () => {
    const now = new Date('2026-03-02T01:00:00Z')
    const all = [
      notification('1', '2026-03-02T00:50:00Z', 'anna'),
      notification('2', '2026-03-02T00:40:00Z', 'bert'),
      notification('3', '2026-03-02T00:30:00Z', 'anna'),
      notification('4', '2026-03-01T20:00:00Z'),
      notification('5', '2026-03-01T19:00:00Z'),
    ]
    const days = daysOf(all, { locale: 'en', timezone: 'UTC', currency: 'USD' }, now)
    assert.deepEqual(
      days.map(({ label, bundles }) => [
        label,
        bundles.map((each) => each.notifications.map(({ notification_id: id }) => id)),
      ]),
      [
        ['Today', [['1', '3'], ['2']]],
        ['Yesterday', [['4'], ['5']]],
      ],
    )
    const west = daysOf(all, { locale: 'en', timezone: 'America/New_York', currency: 'USD' }, now)
    assert.deepEqual(
      west.map(({ label }) => label),
      ['Today'],
    )
  })
})
