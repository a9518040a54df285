import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarMeeting } from '../data/calendar.ts'
import { entriesOf, isThere } from './entries.ts'
import { carried, later } from './shift.ts'
import { shownSlot } from './hours.ts'
import { timeWords } from './words.ts'

const format = { locale: 'en-GB', timezone: 'America/Los_Angeles', currency: 'EUR' }

function entryOf(meeting: Partial<CalendarMeeting>, timezone = format.timezone) {
  const looking = { user: 'me', timezone, organization: 'Europe/Paris', now: 0 }
  const [start, end] = ['2031-05-14T08:00:00.000Z', '2031-05-14T09:00:00.000Z']
  const whole = {
    calendar_id: 'm',
    start,
    end,
    attendees: [],
    timezone: null,
    ...meeting,
  } as CalendarMeeting
  const [entry] = entriesOf([whole], looking)
  assert.ok(entry)
  return entry
}

test('whole days are those of the meeting, whoever looks from wherever', () => {
  const [start, end] = ['2031-05-13T22:00:00.000Z', '2031-05-14T22:00:00.000Z']
  const entry = entryOf({ start, end, all_day: true })
  assert.deepEqual(
    [entry.first, entry.last, entry.zone],
    ['2031-05-14', '2031-05-15', 'Europe/Paris'],
  )
  assert.match(timeWords(entry.meeting, entry.zone, format), /14.*15 May/)
  assert.equal(later(entry, { days: 1 }).start, '2031-05-14T22:00:00.000Z')
  const timed = entryOf({ start, end: '2031-05-13T23:00:00.000Z', all_day: false })
  assert.match(timeWords(timed.meeting, timed.zone, format), /13 May.*15:00/)
})

test('a meeting of several days moves by as many days as the pointer, wherever it is held', () => {
  const at = (day: string, minute: number) => ({ day, minute })
  // over midnight, held on its second day
  const night = { first: '2031-05-14', from: 22 * 60 }
  assert.deepEqual(
    carried(night, at('2031-05-15', 60), at('2031-05-15', 90)),
    at('2031-05-14', 1350),
  )
  assert.deepEqual(
    carried(night, at('2031-05-15', 60), at('2031-05-16', 67)),
    at('2031-05-15', 1320),
  )
  // not beyond the hours of its day
  assert.deepEqual(
    carried(night, at('2031-05-14', 1330), at('2031-05-14', 1438)),
    at('2031-05-14', 1425),
  )
})

test('a declined meeting is gone from one’s own calendar alone', () => {
  const people = (...ids: string[]) =>
    ids.map((id) => ({ type: 'user', id, response: 'declined' })) as CalendarMeeting['attendees']
  const declined = {
    meeting: entryOf({ attendees: people('me', 'ann') }).meeting,
    response: 'declined',
  }
  const own = { people: [], projects: [], isTeam: false }
  assert.equal(isThere(declined, own), false)
  assert.equal(isThere({ ...declined, response: 'accepted' }, own), true)
  assert.equal(isThere(declined, { ...own, people: ['bob'] }), false)
  assert.equal(isThere(declined, { ...own, people: ['ann'] }), true)
  assert.equal(isThere(declined, { ...own, isTeam: true }), true)
})

test('the slot stands on a day that is shown', () => {
  const shown = ['2031-05-12', '2031-05-13', '2031-05-14', '2031-05-15', '2031-05-16']
  const place = { view: 'week', isNarrow: false, day: '2031-05-18', shown } as const
  const dayOf = (day: string, more: Partial<Parameters<typeof shownSlot>[1]> = {}) =>
    shownSlot({ day, from: 540, to: 570 }, { ...place, ...more }).day
  assert.equal(dayOf('2031-05-13'), '2031-05-13')
  assert.equal(dayOf('2031-05-17'), '2031-05-16')
  assert.equal(dayOf('2031-05-01', { day: '2031-05-14' }), '2031-05-14')
  assert.equal(dayOf('2031-05-13', { view: 'list' }), '2031-05-18')
})
