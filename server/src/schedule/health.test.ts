import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forecast } from './forecast.ts'
import { troublesOf } from './health.ts'
import type { Plan, PlanTask } from './plan.ts'
import { dayNumber } from './workdays.ts'

function task(id: string, start: string, due: string, more: Partial<PlanTask> = {}): PlanTask {
  return {
    id,
    parent: null,
    milestone: null,
    state: 'open',
    isPinned: false,
    isFixed: false,
    side: 'us',
    start: dayNumber(start),
    due: dayNumber(due),
    ...more,
  }
}

const fs = (id: string, predecessor: string) => ({
  task: id,
  predecessor,
  type: 'FS' as const,
  lag: 0,
})

/** An export that the customer owes, in two parts, and what waits for it. */
function plan(agreed: string | null, more: Partial<Plan> = {}): Plan {
  return {
    tasks: [
      task('agreement', '2026-11-09', '2026-11-12', { state: 'done' }),
      task('export', '2026-11-13', '2026-11-20', { state: 'started', side: 'customer' }),
      task('clinics', '2026-11-13', '2026-11-20', {
        state: 'started',
        parent: 'export',
        side: 'customer',
      }),
      task('sample', '2026-11-19', '2026-11-20', { parent: 'export', side: 'nobody' }),
      task('import', '2026-11-23', '2026-11-26'),
      task('check', '2026-11-27', '2026-12-04', { side: 'customer' }),
      task('training', '2026-12-07', '2026-12-11'),
      task('single sign-on', '2026-11-18', '2026-11-25', { state: 'started' }),
      task('overdue beside', '2026-11-18', '2026-11-23'),
    ],
    milestones: [],
    links: [
      fs('export', 'agreement'),
      fs('import', 'export'),
      fs('check', 'import'),
      fs('training', 'check'),
    ],
    calendar: { working_days: [1, 2, 3, 4, 5], holidays: [] },
    today: dayNumber('2026-11-24'),
    agreed: agreed === null ? null : dayNumber(agreed),
    goLive: null,
    ...more,
  }
}

const found = (of: Plan, more: { start?: string; isLive?: boolean } = {}) =>
  troublesOf(of, forecast(of), {
    start: more.start ? dayNumber(more.start) : null,
    isLive: more.isLive ?? false,
  })

test('a project is late, at risk, on track, planned or live by one rule', () => {
  const states = (
    ['2026-12-15', '2026-12-14', '2026-12-08', '2026-12-07', '2026-11-20'] as const
  ).map((agreed) => {
    const { health } = found(plan(agreed))
    return [agreed, health.state, health.days]
  })
  assert.deepEqual(states, [
    // as expected; but a critical task is late
    ['2026-12-15', 'at_risk', 0],
    ['2026-12-14', 'at_risk', 1],
    ['2026-12-08', 'at_risk', 5],
    ['2026-12-07', 'late', 6],
    ['2026-11-20', 'late', 17],
  ])
  const begun = (today: string, tasks: PlanTask[], agreed: string | null = null) =>
    found(plan(agreed, { tasks, today: dayNumber(today) })).health.state
  const one = task('one', '2026-11-23', '2026-11-27')
  assert.equal(begun('2026-11-20', [one]), 'planned')
  assert.equal(begun('2026-11-23', [one]), 'on_track')
  assert.equal(begun('2026-11-23', [one], '2026-11-26'), 'at_risk')
  assert.equal(begun('2026-11-30', [{ ...one, state: 'done' }], '2026-11-26'), 'live')
  assert.equal(found(plan('2026-11-20'), { isLive: true }).health.state, 'live')
  assert.equal(begun('2026-11-20', []), 'on_track')
  assert.equal(found(plan(null, { tasks: [] }), { start: '2030-01-01' }).health.state, 'planned')
})

test('its cause is the first late task on the way to the go-live, whole, with why and what it holds up', () => {
  const { late, blocked, health } = found(plan('2026-12-11'))
  assert.deepEqual(health.cause, {
    task: 'export',
    days: 2,
    holds: 3,
    late: { days: 2, kind: 'customer', of: 'export', since: dayNumber('2026-11-20') },
  })
  assert.deepEqual(
    [...late].map(([id, { days, kind, of }]) => [id, days, kind, of]),
    [
      ['export', 2, 'customer', 'export'],
      ['clinics', 2, 'customer', 'clinics'],
      ['sample', 2, 'nobody', 'sample'],
      ['overdue beside', 1, 'owner', 'overdue beside'],
    ],
  )
  assert.deepEqual([...blocked], ['import'])
})

test('a late task that waits for another late one names that', () => {
  const of = plan('2026-12-11', { today: dayNumber('2026-11-30') })
  const { late } = found(of)
  assert.deepEqual(late.get('import'), {
    days: 2,
    kind: 'predecessor',
    of: 'export',
    since: dayNumber('2026-11-20'),
  })
  const { cause } = found({ ...of, tasks: of.tasks.filter(({ parent }) => !parent) }).health
  assert.equal(cause?.task, 'export')
})

test('what the go-live does not wait for makes no project late', () => {
  const of = plan('2026-12-11', { goLive: 'm' })
  const tasks = of.tasks.map((each) =>
    each.id === 'single sign-on' ? { ...each, milestone: 'm' } : each,
  )
  const { health, late } = found({ ...of, tasks })
  assert.deepEqual([health.state, health.days, health.cause], ['on_track', -12, null])
  assert.equal(late.size, 4)
})
