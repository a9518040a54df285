import type { Plan, PlanDates, PlanLink, PlanTask } from '../../src/schedule/plan.ts'

// The rules of plans once more, as simple and slow as they can be said: days are walked one by one, and what follows
// is moved again and again until nothing moves. Only tests use it, to judge the engine.

const dayMs = 86_400_000

/** The days of a plan, one by one. */
export function naiveDays({ calendar: { working_days, holidays } }: Pick<Plan, 'calendar'>) {
  const isOff = (day: number) => {
    const date = new Date(day * dayMs)
    const text = date.toISOString().slice(0, 10)
    return (
      !working_days.includes(date.getUTCDay() || 7) ||
      holidays.includes(text) ||
      holidays.includes(text.slice(5))
    )
  }
  const next = (day: number) => {
    let at = day
    while (isOff(at)) at++
    return at
  }
  const previous = (day: number) => {
    let at = day
    while (isOff(at)) at--
    return at
  }
  /** so many working days later, or earlier, from a working day */
  const plus = (day: number, by: number) => {
    let at = day
    for (let n = 0; n < by; n++) at = next(at + 1)
    for (let n = 0; n > by; n--) at = previous(at - 1)
    return at
  }
  /** working days from one to another */
  const between = (from: number, to: number): number => {
    if (to < from) return -between(to, from)
    let count = 0
    for (let at = from; at < to; at++) if (!isOff(at)) count++
    return count
  }
  return { isOff, next, previous, plus, between }
}

type Place = { start: number; end: number; length: number }
type Places = Map<string, Place>

/** A plan with the look-ups that every question needs. */
export function naivePlan(plan: Plan) {
  const days = naiveDays(plan)
  const byId = new Map(plan.tasks.map((task) => [task.id, task]))
  const hasDates = (task: PlanTask) => task.start !== null || task.due !== null
  const childrenOf = (id: string) => plan.tasks.filter(({ parent }) => parent === id)
  const leavesOf = (id: string): PlanTask[] => {
    const below = childrenOf(id).flatMap((child) => leavesOf(child.id))
    const own = byId.get(id)
    if (below.length) return below
    return own && hasDates(own) ? [own] : []
  }
  const aboveOf = (id: string): string[] => {
    const parent = byId.get(id)?.parent
    return parent && byId.has(parent) ? [id, ...aboveOf(parent)] : [id]
  }
  const leaves = plan.tasks.filter(({ id }) => leavesOf(id)[0]?.id === id)
  const links = plan.links.filter(
    ({ task, predecessor }) =>
      leavesOf(task).length &&
      leavesOf(predecessor).length &&
      !aboveOf(task).includes(predecessor) &&
      !aboveOf(predecessor).includes(task),
  )
  const linksInto = (id: string) => links.filter(({ task }) => aboveOf(id).includes(task))
  /** the tasks that a task waits for at once, by all links that hold for it */
  const waitsFor = (id: string) =>
    linksInto(id).flatMap(({ predecessor }) => leavesOf(predecessor).map((leaf) => leaf.id))
  const hasCycle = leaves.some(({ id }) => {
    const seen = new Set<string>()
    const todo = waitsFor(id)
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (at === id) return true
      if (!seen.has(at)) todo.push(...waitsFor(at))
      seen.add(at)
    }
    return false
  })
  const placeOf = ({ start, due }: PlanDates): Place => {
    const from = days.next(start ?? due ?? 0)
    const to = Math.max(days.previous(due ?? start ?? 0), from)
    return { start: from, end: to, length: days.between(from, to) + 1 }
  }
  const places = (): Places => new Map(leaves.map((task) => [task.id, placeOf(task)]))
  const sumOf = (id: string, of: Places) => {
    const inside = leavesOf(id).flatMap((leaf) => of.get(leaf.id) ?? [])
    return {
      start: Math.min(...inside.map(({ start }) => start)),
      end: Math.max(...inside.map(({ end }) => end)),
    }
  }
  /** the earliest start that a link leaves to a task of this length */
  const earliest = ({ predecessor, type, lag }: PlanLink, length: number, of: Places) => {
    const { start, end } = sumOf(predecessor, of)
    if (type === 'FS') return days.plus(end, 1 + lag)
    if (type === 'SS') return days.plus(start, lag)
    const to = type === 'FF' ? days.plus(end, lag) : days.plus(start, lag - 1)
    return days.plus(to, 1 - length)
  }
  return {
    plan,
    days,
    byId,
    leaves,
    leavesOf,
    aboveOf,
    linksInto,
    hasCycle,
    placeOf,
    places,
    sumOf,
    earliest,
  }
}

type Naive = ReturnType<typeof naivePlan>

/** Where tasks are if nobody moves anything; `later` delays one of them by some working days. */
export function naiveForecast(of: Naive, later?: { id: string; by: number }): Places {
  const { plan, days, leaves, linksInto, places, earliest, byId } = of
  const today = days.next(plan.today)
  const first = places()
  const now = places()
  for (let isMoving = true; isMoving;) {
    isMoving = false
    for (const { id, state, isPinned } of leaves) {
      if (state === 'done') continue
      const [was, at] = [first.get(id)!, now.get(id)!]
      const links = isPinned
        ? []
        : linksInto(id).filter(({ predecessor }) => byId.get(predecessor)?.state !== 'done')
      const wanted = Math.max(was.start, ...links.map((link) => earliest(link, was.length, now)))
      let start = state === 'started' || isPinned ? was.start : wanted
      let end = Math.max(was.end, days.plus(wanted, was.length - 1), today)
      if (later?.id === id) {
        if (state === 'open') start = days.plus(start, later.by)
        end = days.plus(end, later.by)
      }
      if (start === at.start && end === at.end) continue
      now.set(id, { ...at, start, end })
      isMoving = true
    }
  }
  return now
}

/** Whether a pinned open task is too early for what it waits for. */
export function breaksPin({ leaves, linksInto, earliest, byId }: Naive, places: Places): boolean {
  return leaves.some(({ id, isPinned, state }) => {
    const at = places.get(id)!
    if (!isPinned || state === 'done') return false
    return linksInto(id).some((link) => {
      const isOfStart = link.type === 'FS' || link.type === 'SS'
      if (byId.get(link.predecessor)?.state === 'done' || (isOfStart && state === 'started'))
        return false
      return earliest(link, 1, places) > (isOfStart ? at.start : at.end)
    })
  })
}

/** Where tasks are after a move of single tasks: what follows moves as far as a link that got later would break. */
export function naiveMove(
  of: Naive,
  dates: ReadonlyMap<string, PlanDates>,
  changed: readonly PlanLink[],
  follow: 'use_gaps' | 'keep_gaps',
): Places {
  const { days, leaves, linksInto, places, placeOf, earliest, sumOf } = of
  const first = places()
  const now = places()
  for (const [id, to] of dates) now.set(id, placeOf(to))
  for (let isMoving = true; isMoving;) {
    isMoving = false
    for (const { id, due, state, isPinned, isFixed } of leaves) {
      if (state === 'started' && due === null) continue
      if (state === 'done' || isPinned || isFixed || dates.has(id)) continue
      const [was, at] = [first.get(id)!, now.get(id)!]
      const wants = linksInto(id).flatMap((link) => {
        const side = link.type === 'FS' || link.type === 'FF' ? 'end' : 'start'
        const [before, after] = [
          sumOf(link.predecessor, first)[side],
          sumOf(link.predecessor, now)[side],
        ]
        const by = days.between(before, after)
        if (by <= 0 && !changed.includes(link)) return []
        const least = earliest(link, was.length, now)
        return follow === 'keep_gaps' && by > 0 ? [least, days.plus(was.start, by)] : [least]
      })
      const wanted = Math.max(was.start, ...wants)
      if (wanted === was.start) continue
      const end = Math.max(was.end, days.plus(wanted, was.length - 1))
      const start = state === 'started' ? was.start : wanted
      if (start === at.start && end === at.end) continue
      now.set(id, { ...at, start, end })
      isMoving = true
    }
  }
  return now
}
