import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depth, drawn } from '../../test/support/depth.ts'
import { breaksPin, naiveForecast, naiveMove, naivePlan } from '../../test/support/naive-plan.ts'
import { monday, randomPlan, types } from '../../test/support/random-plan.ts'
import { randomOf } from '../../test/support/random.ts'
import { slowness } from '../../test/support/speed.ts'
import { forecast } from './forecast.ts'
import { agreedConflicts, lastDay, move } from './move.ts'
import type { Plan, PlanDates, PlanLink, PlanTask } from './plan.ts'
import { WorkDays, dayNumber, dayText } from './workdays.ts'

const seeds = drawn(
  Array.from({ length: 40_000 }, (_, n) => n),
  depth(1500, 10_000),
)

test('random plans are forecast, and their slack counted, as by a naive reference', () => {
  let cycles = 0
  for (const seed of seeds) {
    const { plan, some } = randomPlan(seed)
    const naive = naivePlan(plan)
    const found = forecast(plan)
    assert.equal(found.cycle !== null, naive.hasCycle, `cycle of ${seed}`)
    cycles += Number(naive.hasCycle)
    if (naive.hasCycle) continue
    const expected = naiveForecast(naive)
    const open = naive.leaves.filter(({ state }) => state !== 'done')
    assert.deepEqual(
      [...found.tasks.keys()],
      open.map(({ id }) => id),
      `${seed}`,
    )
    for (const { id } of open) {
      const { start, due } = found.tasks.get(id)!
      const { start: from, end } = expected.get(id)!
      assert.deepEqual(
        [naive.days.next(start), Math.max(naive.days.previous(due), from)],
        [from, end],
        `${id} of ${seed}`,
      )
    }
    if (!open.length) continue
    const goLive = Math.max(...open.map(({ id }) => expected.get(id)!.end))
    assert.equal(found.go_live, goLive, `go-live of ${seed}`)
    assert.ok(
      open.some(({ id }) => found.tasks.get(id)!.is_critical),
      `critical of ${seed}`,
    )
    if (breaksPin(naive, expected)) continue
    // the slack of a group's first task ignores that others may begin it then
    const isExact = naive.plan.links.every(
      ({ predecessor, type }) => type[0] === 'F' || naive.leavesOf(predecessor).length < 2,
    )
    const { id } = some(open)
    const { go_live: slack } = found.tasks.get(id)!.slack
    assert.ok(slack >= 0, `slack of ${id} of ${seed}: ${slack}`)
    const isFree = (by: number) => {
      const later = naiveForecast(naive, { id, by })
      return !breaksPin(naive, later) && open.every((each) => later.get(each.id)!.end <= goLive)
    }
    assert.ok(isFree(slack), `${id} of ${seed} may end ${slack} later`)
    if (isExact) assert.ok(!isFree(slack + 1), `${id} of ${seed} may end only ${slack} later`)
  }
  assert.ok(cycles > 0 && cycles < seeds.length / 2, `${cycles} cycles`)
})

test('the go-live of a plan is that of its milestone, and what it does not wait for is never critical', () => {
  let checked = 0
  for (const seed of seeds) {
    const { plan, some } = randomPlan(seed)
    const naive = naivePlan({ ...plan, goLive: 'm1' })
    if (naive.hasCycle) continue
    const isInside = (id: string) =>
      naive.aboveOf(id).some((of) => naive.byId.get(of)?.milestone === 'm1')
    const inside = naive.leaves.filter(({ id }) => isInside(id))
    const found = forecast(naive.plan)
    assert.deepEqual(
      [...found.tasks].map(([id, { start, due }]) => [id, start, due]),
      [...forecast(plan).tasks].map(([id, { start, due }]) => [id, start, due]),
    )
    if (!inside.length) {
      assert.deepEqual(found, forecast(plan), `${seed}`)
      continue
    }
    const expected = naiveForecast(naive)
    const open = inside.filter(({ state }) => state !== 'done')
    const ends = (places: typeof expected) =>
      Math.max(...(open.length ? open : inside).map(({ id }) => places.get(id)!.end))
    assert.equal(found.go_live, ends(expected), `go-live of ${seed}`)
    if (breaksPin(naive, expected)) continue
    const running = naive.leaves.filter(({ state }) => state !== 'done')
    if (!open.length || !running.length) continue
    const { id } = some(running)
    const { is_critical } = found.tasks.get(id)!
    const later = naiveForecast(naive, { id, by: 1 })
    // what it breaks is a pin, or the day itself
    const isHarmful = breaksPin(naive, later) || ends(later) > ends(expected)
    if (is_critical) assert.ok(isHarmful, `${id} of ${seed} is critical`)
    else if (ends(later) > ends(expected)) assert.fail(`${id} of ${seed} is critical`)
    checked += 1
  }
  assert.ok(checked > seeds.length / 4, `${checked} of ${seeds.length}`)
})

test('random moves move what a naive reference moves, and nothing else', () => {
  let moves = 0
  for (const seed of seeds) {
    const { plan: before, random, some, dates } = randomPlan(seed)
    const naiveBefore = naivePlan(before)
    const single = naiveBefore.leaves
    if (!single.length) continue
    const given = new Map([[some(single).id, dates()]])
    if ([...given.values()].some(({ start, due }) => start === null && due === null)) continue
    const [a, b] = [some(before.tasks).id, some(before.tasks).id]
    const links: PlanLink[] =
      random(3) || a === b
        ? []
        : [{ task: a, predecessor: b, type: some(types), lag: random(4) - 1 }]
    const plan = {
      ...before,
      links: [
        ...before.links.filter(
          (each) =>
            !links.some((link) => link.task === each.task && link.predecessor === each.predecessor),
        ),
        ...links,
      ],
    }
    const naive = naivePlan(plan)
    const follow = random(2) ? 'use_gaps' : 'keep_gaps'
    const result = move(before, { dates: given, links }, follow)
    assert.equal(result.cycle !== null, naive.hasCycle, `cycle of ${seed}`)
    if (naive.hasCycle) continue
    const expected = naiveMove(naive, given, links, follow)
    const after = new Map(result.plan.tasks.map((task) => [task.id, task]))
    for (const task of naive.leaves) {
      const { start, end } = naive.placeOf(after.get(task.id)!)
      const wanted = expected.get(task.id)!
      // a started task that has only a due day still began when it did
      if (task.state === 'started' && task.start === null) wanted.start = start
      assert.deepEqual([start, end], [wanted.start, wanted.end], `${task.id} of ${seed}, ${follow}`)
      const isMoved =
        after.get(task.id)!.start !== task.start || after.get(task.id)!.due !== task.due
      moves += Number(isMoved)
      if (task.state === 'done' || task.isPinned || task.isFixed)
        assert.ok(!isMoved || given.has(task.id))
    }
    checkSums(before, result.plan, given, `${seed}`)
    for (const { days, kind } of result.conflicts)
      assert.ok(days > 0 || kind === 'off_day' || kind === 'past')
    assert.deepEqual(move(before, { dates: given, links }, follow), result)
  }
  assert.ok(moves > seeds.length / 2, `${moves} moves`)
})

/** Dates of groups and milestones: those of their tasks where they were that, else wide enough for them. */
function checkSums(before: Plan, after: Plan, given: ReadonlyMap<string, PlanDates>, seed: string) {
  const naive = naivePlan(before)
  const raw = (plan: Plan, of: string[]) => {
    const inside = plan.tasks.filter(({ id }) => of.includes(id))
    return {
      start: Math.min(...inside.flatMap(({ start, due }) => start ?? due ?? [])),
      due: Math.max(...inside.flatMap(({ start, due }) => due ?? start ?? [])),
    }
  }
  const things = [
    ...before.tasks.filter(({ state, isFixed }) => state !== 'done' && !isFixed),
    ...before.milestones,
  ]
  for (const { id, start, due } of things) {
    const isTask = naive.byId.has(id)
    const inside = before.tasks
      .filter((task) => !before.tasks.some(({ parent }) => parent === task.id))
      .filter((task) =>
        isTask ? task.id !== id && naive.aboveOf(task.id).includes(id) : task.milestone === id,
      )
      .map((task) => task.id)
    if (!inside.length || given.has(id)) continue
    const [was, is] = [raw(before, inside), raw(after, inside)]
    const own = [...after.tasks, ...after.milestones].find((each) => each.id === id)!
    const isMoved = inside.some((each) => {
      const [a, b] = [before, after].map((plan) => plan.tasks.find((task) => task.id === each))
      return a?.start !== b?.start || a?.due !== b?.due
    })
    if (!isMoved) continue
    if (start !== null)
      assert.equal(
        own.start,
        start === was.start ? is.start : Math.min(start, is.start),
        `${id} of ${seed}`,
      )
    if (due !== null)
      assert.equal(own.due, due === was.due ? is.due : Math.max(due, is.due), `${id} of ${seed}`)
  }
}

test('days are numbered the same in both directions, however far, in little time', () => {
  const rules = { working_days: [1, 2, 4], holidays: ['01-01', '2026-11-12', '12-24'] }
  const days = new WorkDays(rules, monday)
  const once = () => {
    // days are looked at once: each measurement begins anew
    const days = new WorkDays(rules, monday)
    const start = process.threadCpuUsage()
    for (const day of ['0001-01-01', '1980-02-29', '2026-11-12', '2067-03-01', '9999-12-31']) {
      const number = days.from(dayNumber(day))
      assert.ok(days.day(number) >= dayNumber(day))
      assert.ok(days.day(number - 1) < dayNumber(day))
      for (let n = number - 20; n < number + 20; n++) {
        assert.equal(days.from(days.day(n)), n, `${n} near ${day}`)
        assert.equal(days.until(days.day(n + 1) - 1), n, `${n} near ${day}`)
      }
    }
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  }
  const times = Array.from({ length: 5 }, once).toSorted((a, b) => a - b)
  assert.ok((times[0] ?? 0) < 100 * slowness(), `${times}`)
  for (const number of [9000, -9000, 6420, -6420, 6430, 1]) {
    for (let n = number; n < number + 50; n++) assert.equal(days.from(days.day(n)), n, `${n}`)
  }
})

test('dates that move together, or with what they are a part of, are never due before they start', () => {
  const saturday = dayNumber('2026-11-07')
  const weekend = { start: saturday, due: saturday + 1 }
  const days = new WorkDays({ working_days: [1, 2, 3, 4, 5], holidays: [] }, monday)
  for (let by = -10; by <= 10; by++) {
    const { start, due } = days.shifted(weekend, by)
    assert.ok(start !== null && due !== null && due >= start, `by ${by}`)
  }
  for (const seed of seeds) {
    const { plan, random, some } = randomPlan(seed)
    const things = [...plan.tasks, ...plan.milestones].filter(({ start, due }) => start ?? due)
    if (!things.length) continue
    const { id, start, due } = some(things)
    const by = random(12) - 6
    const to = {
      start: start === null ? null : start + by,
      due: due === null ? null : due + by,
    }
    for (const each of move(plan, { dates: new Map([[id, to]]) }, 'use_gaps').moved) {
      const { start: from, due: until } = each.to
      assert.ok(from === null || until === null || until >= from, `${each.id} of ${seed}`)
    }
  }
})

test('the story of the design: an export that slips by a week moves what waits, and not what has room', () => {
  const task = (
    id: string,
    start: string,
    due: string,
    more: Partial<PlanTask> = {},
  ): PlanTask => ({
    id,
    parent: null,
    milestone: null,
    state: 'open',
    isPinned: false,
    isFixed: false,
    start: dayNumber(start),
    due: dayNumber(due),
    ...more,
  })
  const plan: Plan = {
    tasks: [
      task('export', '2026-11-16', '2026-11-20', { state: 'started' }),
      task('import', '2026-11-23', '2026-11-26'),
      task('check', '2026-11-27', '2026-12-04'),
      task('training', '2026-12-07', '2026-12-11'),
      task('poster', '2026-12-09', '2026-12-10'),
      task('visit', '2026-12-02', '2026-12-02', { isPinned: true }),
    ],
    milestones: [
      { id: 'm', start: null, due: dayNumber('2026-12-11'), isDone: false, isFixed: false },
    ],
    links: [
      ['import', 'export'],
      ['check', 'import'],
      ['training', 'check'],
      ['poster', 'import'],
      ['visit', 'import'],
    ].map(([one = '', other = '']) => ({ task: one, predecessor: other, type: 'FS', lag: 0 })),
    calendar: { working_days: [1, 2, 3, 4, 5], holidays: [] },
    today: dayNumber('2026-11-24'),
    agreed: dayNumber('2026-12-11'),
    goLive: null,
  }
  // two working days late already
  assert.equal(dayText(forecast(plan).go_live!), '2026-12-15')
  assert.equal(forecast(plan).tasks.get('poster')?.slack.go_live, 3)
  const dates = new Map([
    ['export', { start: dayNumber('2026-11-16'), due: dayNumber('2026-11-27') }],
  ])
  const { moved, conflicts, plan: after } = move(plan, { dates }, 'use_gaps')
  const shown = moved.map(({ id, to }) => [
    id,
    to.start && dayText(to.start),
    to.due && dayText(to.due),
  ])
  assert.deepEqual(shown, [
    ['export', '2026-11-16', '2026-11-27'],
    ['import', '2026-11-30', '2026-12-03'],
    ['check', '2026-12-04', '2026-12-11'],
    ['training', '2026-12-14', '2026-12-18'],
  ])
  assert.equal(dayText(lastDay(after)!), '2026-12-18')
  assert.deepEqual(
    [...agreedConflicts(plan, after), ...conflicts].map(({ kind, id, days }) => [kind, id, days]),
    [
      ['agreed', null, 5],
      ['pinned', 'visit', 2],
    ],
  )
  const kept = move(plan, { dates }, 'keep_gaps')
  assert.ok(kept.moved.some(({ id }) => id === 'poster'))
  assert.deepEqual(
    move(plan, { dates }, 'none').moved.map(({ id }) => id),
    ['export'],
  )
})

test('two thousand tasks with three thousand dependencies take less than 50 ms', (t) => {
  const random = randomOf(1)
  const tasks: PlanTask[] = Array.from({ length: 2000 }, (_, n) => ({
    id: `t${n}`,
    parent: n % 5 ? `t${n - (n % 5)}` : null,
    milestone: `m${n % 20}`,
    state: 'open',
    isPinned: false,
    isFixed: false,
    start: monday + Math.floor(n / 4),
    due: monday + Math.floor(n / 4) + random(6),
  }))
  const links = Array.from({ length: 3000 }, (_, n): PlanLink => {
    const to = 5 + random(1990)
    return {
      task: `t${to}`,
      predecessor: `t${to - (to % 5) - 1 - random(4)}`,
      type: types[n % 4]!,
      lag: random(3),
    }
  })
  const plan: Plan = {
    tasks,
    milestones: Array.from({ length: 20 }, (_, n) => ({
      id: `m${n}`,
      start: null,
      due: null,
      isDone: false,
      isFixed: false,
    })),
    links,
    calendar: { working_days: [1, 2, 3, 4, 5], holidays: ['01-01', '12-25', '2027-05-01'] },
    today: monday,
    agreed: null,
    goLive: null,
  }
  const dates = new Map([['t1', { start: monday, due: monday + 60 }]])
  const once = () => {
    const start = process.threadCpuUsage()
    const { moved } = move(plan, { dates }, 'use_gaps')
    forecast(plan)
    const { user, system } = process.threadCpuUsage(start)
    assert.ok(moved.length > 500, `${moved.length}`)
    return (user + system) / 1000
  }
  const times = Array.from({ length: 7 }, once).toSorted((a, b) => a - b)
  const [best = 0] = times
  t.diagnostic(`moved and forecast in ${best.toFixed(1)} ms of processor time`)
  assert.ok(best < 50 * slowness(), `${times}`)
})
