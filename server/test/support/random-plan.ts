import type { LinkType, Plan, PlanDates, PlanLink, PlanTask } from '../../src/schedule/plan.ts'
import { dayNumber } from '../../src/schedule/workdays.ts'
import { randomOf } from './random.ts'

/** The four kinds of dependencies. */
export const types: LinkType[] = ['FS', 'SS', 'FF', 'SF']
/** The first day of random plans. */
export const monday = dayNumber('2026-11-02')

/** A plan with all kinds of links, lags, pins and dates, the same for the same seed, and draws that go on from there. */
export function randomPlan(seed: number, most = 14) {
  const random = randomOf(seed)
  const some = <T>(list: readonly T[]) => list[random(list.length)]!
  const count = 2 + random(most - 1)
  const dates = (): PlanDates => {
    const start = monday + random(40)
    const due = start + random(9)
    const kind = random(12)
    if (kind === 0) return { start: null, due: null }
    return { start: kind === 1 ? null : start, due: kind === 2 ? null : due }
  }
  const tasks: PlanTask[] = Array.from({ length: count }, (_, n) => ({
    id: `t${n}`,
    parent: n > 1 && !random(4) ? `t${random(n)}` : null,
    milestone: some(['m1', 'm2', null]),
    state: some(['open', 'open', 'open', 'open', 'started', 'done'] as const),
    isPinned: !random(8),
    isFixed: !random(12),
    ...dates(),
  }))
  // mostly from earlier to later ones of another order than that of the plan
  const order = tasks.map(({ id }) => id).toSorted(() => random(3) - 1)
  const links = new Map<string, PlanLink>()
  for (let n = random(2 * count); n > 0; n--) {
    const [a, b] = [random(count), random(count)]
    const [from, to] = random(40) ? [Math.min(a, b), Math.max(a, b)] : [a, b]
    const link = {
      task: order[to]!,
      predecessor: order[from]!,
      type: random(2) ? ('FS' as const) : some(types),
      lag: random(6) - 2,
    }
    if (a !== b) links.set(`${link.task} ${link.predecessor}`, link)
  }
  const plan: Plan = {
    tasks,
    milestones: ['m1', 'm2'].map((id) => ({ id, ...dates(), isDone: false, isFixed: false })),
    links: [...links.values()],
    calendar: {
      working_days: some([[1, 2, 3, 4, 5], [1, 2, 3, 4], [7, 1, 2, 3, 4], [3]]),
      holidays: some([
        [],
        ['2026-11-11', '11-26'],
        ['2026-11-09', '2026-11-10', '2026-12-25', '01-01'],
      ]),
    },
    today: monday + random(30),
    agreed: random(3) ? monday + 20 + random(30) : null,
    goLive: null,
  }
  return { plan, random, some, dates }
}
