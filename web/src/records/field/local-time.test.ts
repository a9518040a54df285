import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantAt, localTime } from './local-time.ts'

test('a time is edited by the clock of a zone, and stored as the instant', () => {
  const cases: [local: string, timezone: string, instant: string][] = [
    ['2026-06-10T10:20', 'Europe/Paris', '2026-06-10T08:20:00.000Z'],
    ['2026-01-10T10:20', 'Europe/Paris', '2026-01-10T09:20:00.000Z'],
    ['2026-06-10T00:15', 'America/New_York', '2026-06-10T04:15:00.000Z'],
    ['2026-06-10T00:15', 'Asia/Kathmandu', '2026-06-09T18:30:00.000Z'],
    ['2026-12-31T23:59', 'Pacific/Kiritimati', '2026-12-31T09:59:00.000Z'],
    ['2026-06-10T10:20', 'UTC', '2026-06-10T10:20:00.000Z'],
    // an hour before and after the clocks are changed
    ['2026-03-29T01:30', 'Europe/Paris', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T03:30', 'Europe/Paris', '2026-10-25T02:30:00.000Z'],
  ]
  for (const [local, timezone, instant] of cases) {
    assert.equal(instantAt(local, timezone), instant)
    assert.equal(localTime(instant, timezone), local)
  }
})

test('of a time that is there twice the first is taken, and one that is left out is an hour later', () => {
  assert.equal(instantAt('2026-10-25T02:30', 'Europe/Paris'), '2026-10-25T00:30:00.000Z')
  assert.equal(instantAt('2026-03-29T02:30', 'Europe/Paris'), '2026-03-29T01:30:00.000Z')
})

test('seconds do not make a time another one', () => {
  assert.equal(localTime('2026-06-10T08:20:59.999Z', 'Europe/Paris'), '2026-06-10T10:20')
})
