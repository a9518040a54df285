import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depth } from '../../test/support/depth.ts'
import { naiveDays } from '../../test/support/naive-plan.ts'
import { randomOf } from '../../test/support/random.ts'
import type { Share, Weeks, Work } from './load.ts'
import { capacityIn, sharesOf } from './load.ts'
import { dayNumber, WorkDays } from './workdays.ts'

const monday = dayNumber('2026-11-02')

/** The same by walking from day to day, each of which gets its part. */
function naiveShares(work: Work, weeks: Weeks, isOff: (day: number) => boolean, today: number) {
  const named = [work.start, work.due].flatMap((day) => day ?? [])
  if (!named.length) return []
  const isOver = (work.due ?? work.start)! < today
  const from = isOver ? today : Math.min(...named)
  const to = isOver ? today : (work.due ?? work.start)!
  const days: number[] = []
  for (let day = from; day <= to; day++) if (!isOff(day)) days.push(day)
  if (!days.length) days.push(to)
  const shares: Share[] = []
  for (let week = 0; week < weeks.count; week++) {
    const first = weeks.first + 7 * week
    const inside = days.flatMap((day, at) => (day >= first && day < first + 7 ? at : []))
    if (!inside.length) continue
    const upTo = (at: number) => Math.floor(((work.minutes ?? 0) * at) / days.length)
    const sum = inside.reduce((total, at) => total + upTo(at + 1) - upTo(at), 0)
    shares.push({ week, minutes: work.minutes === null ? null : sum })
  }
  return shares
}

test('the work of a task falls into weeks as if its days were walked one by one, and nothing of it is lost', () => {
  for (let seed = 1; seed <= depth(1000, 10_000); seed++) {
    const random = randomOf(seed)
    const calendar = {
      working_days: [1, 2, 3, 4, 5, 6, 7].filter((day) => day === 3 || random(7) < 5),
      holidays: Array.from({ length: random(4) }, () => `2026-11-${10 + random(20)}`),
    }
    const { isOff } = naiveDays({ calendar })
    const today = monday + random(30)
    const start = random(6) ? monday + random(40) - 10 : null
    const due = random(6) ? (start ?? monday) + random(20) : null
    const work = { start, due, minutes: random(5) ? random(5000) : null }
    const weeks = { first: monday - 7 * random(3) + random(7), count: 1 + random(6) }
    const workdays = new WorkDays(calendar, today)
    const shares = sharesOf(work, weeks, workdays, today)
    assert.deepEqual(shares, naiveShares(work, weeks, isOff, today), `seed ${seed}`)
    const whole = sharesOf(work, { first: monday - 70, count: 40 }, workdays, today)
    const sum = whole.reduce((total, share) => total + (share.minutes ?? 0), 0)
    assert.equal(sum, whole.length ? (work.minutes ?? 0) : 0, `seed ${seed}`)
  }
})

test('the time of a person in a week is without holidays and days away, which count once', () => {
  const calendar = { working_days: [1, 2, 3, 4, 5], holidays: ['2026-11-11', '12-25'] }
  const workdays = new WorkDays(calendar, monday)
  const of = (week: string, weekly_hours: number | null, ...absences: [string, string][]) => {
    const away = absences.map(([from, to]) => ({ from: dayNumber(from), to: dayNumber(to) }))
    const { capacity, off_days } = capacityIn(
      dayNumber(week),
      { weekly_hours, absences: away },
      workdays,
      5,
    )
    return [capacity / 60, off_days]
  }
  assert.deepEqual(of('2026-11-02', 38), [38, 0])
  assert.deepEqual(of('2026-11-02', null), [40, 0])
  assert.deepEqual(of('2026-11-09', 38), [30.4, 0])
  assert.deepEqual(of('2026-12-21', 40, ['2026-12-20', '2026-12-22']), [16, 2])
  assert.deepEqual(
    of('2026-12-21', 40, ['2026-12-01', '2027-01-05'], ['2026-12-21', '2026-12-25']),
    [0, 4],
  )
})
