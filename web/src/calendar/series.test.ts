import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Moved } from './series.ts'
import { dateOf, parted, ruleMoved, shifted, withAnswers } from './series.ts'

const zone = 'Europe/Paris'

/** A meeting of a series that moves; it lasts an hour. */
function move(rrule: string, from: string, to: string, more: Partial<Moved['meeting']> = {}) {
  const end = (start: string) => new Date(Date.parse(start) + 3_600_000).toISOString()
  const start = new Date(from).toISOString()
  const times = { start: new Date(to).toISOString(), end: end(to) }
  const repeat = { rrule, exdates: [] }
  return { meeting: { start, end: end(start), series_start: start, repeat, ...more }, times, zone }
}

test('a series that moves ends as much later, by the clock that it follows', () => {
  const until = (rrule: string, from: string, to: string) =>
    /UNTIL=(\w+)/.exec(shifted(move(rrule, from, to)).repeat.rrule)?.[1]
  const [monday, tuesday] = ['2031-09-01T08:00:00Z', '2031-09-02T08:00:00Z']
  const weekly = 'FREQ=WEEKLY;BYDAY=MO;UNTIL='
  assert.equal(until(`${weekly}20310929`, monday, tuesday), '20310930')
  assert.equal(until(`${weekly}20310929`, tuesday, monday), '20310928')
  assert.equal(until(`${weekly}20310929`, monday, '2031-09-01T09:30:00Z'), '20310929')
  // an instant, across a change of clocks, and a time of the series' own clock
  assert.equal(until(`${weekly}20311103T090000Z`, monday, tuesday), '20311104T090000Z')
  assert.equal(until('FREQ=DAILY;UNTIL=20311025T080000Z', monday, tuesday), '20311026T090000Z')
  assert.equal(
    until(`${weekly}20310929T080000Z`, monday, '2031-09-01T09:30:00Z'),
    '20310929T093000Z',
  )
  assert.equal(until(`${weekly}20310929T235959`, monday, '2031-09-02T09:00:00Z'), '20311001T005959')
  assert.equal(
    shifted(move('FREQ=DAILY;COUNT=3', monday, tuesday)).repeat.rrule,
    'FREQ=DAILY;COUNT=3',
  )
})

test('a rule moves with its weekdays, or not at all', () => {
  assert.equal(ruleMoved('FREQ=WEEKLY;BYDAY=MO,SU', 1), 'FREQ=WEEKLY;BYDAY=TU,MO')
  assert.equal(ruleMoved('FREQ=WEEKLY;BYDAY=MO', -1), 'FREQ=WEEKLY;BYDAY=SU')
  assert.equal(ruleMoved('FREQ=MONTHLY;BYDAY=2TU', 1), undefined)
  assert.equal(ruleMoved('FREQ=MONTHLY;BYDAY=2TU', 0), 'FREQ=MONTHLY;BYDAY=2TU')
})

test('a series that is parted keeps what comes before, and moves what comes after with its end', () => {
  const rrule = 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20310929'
  const third = move(rrule, '2031-09-15T08:00:00Z', '2031-09-16T08:00:00Z')
  assert.deepEqual(parted({ rrule, exdates: ['2031-09-08', '2031-09-22'] }, third, 1), {
    rest: { rrule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20310914', exdates: ['2031-09-08'] },
    own: { rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20310930', exdates: ['2031-09-23'] },
  })
  // what a rule counts is shared out, with the dates that are left out
  const counted = { rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=5', exdates: ['2031-09-08'] }
  assert.match(parted(counted, third, 1).own.rrule, /COUNT=3/)
})

test('of several meetings on a day those before it stay, and one is left out by its time', () => {
  const hourly = { rrule: 'FREQ=HOURLY;COUNT=6', exdates: [] }
  const start = '2031-09-15T10:00:00.000Z'
  const { rest } = parted(hourly, move(hourly.rrule, start, '2031-09-15T10:30:00Z'), 2)
  assert.equal(rest.rrule, 'FREQ=HOURLY;UNTIL=20310915T095959Z')
  assert.equal(dateOf(hourly, start, zone), start)
  assert.equal(
    dateOf({ rrule: 'FREQ=DAILY', exdates: [] }, '2031-09-15T23:00:00Z', zone),
    '2031-09-16',
  )
})

test('answers come back to those who are still invited', () => {
  const person = (id: string, response: 'accepted' | 'declined' | 'needs_action') =>
    ({ type: 'user', id, email: `${id}@a.test`, name: id, is_optional: false, response }) as const
  const before = [person('ann', 'accepted'), person('bob', 'declined'), person('eve', 'accepted')]
  const now = [person('ann', 'needs_action'), person('bob', 'declined'), person('new', 'accepted')]
  assert.deepEqual(withAnswers(now, before), [before[0], before[1], now[2]])
})
