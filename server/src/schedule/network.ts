import type { Plan, PlanLink } from './plan.ts'
import { WorkDays } from './workdays.ts'

/** A link by the places of its tasks in the plan. */
export type Edge = { task: number; predecessor: number; link: PlanLink }

/**
 * A plan as the computations use it: arrays by the place of a task in the plan, days as numbers of working days. A
 * task with dated subtasks is a group: its dates are those of what is below it, and its links hold for all of that.
 */
export type Network = {
  plan: Plan
  workdays: WorkDays
  parent: Int32Array
  /** 0 has no dates, and nothing waits for it; 1 is a task; 2 is a group */
  kind: Uint8Array
  start: Int32Array
  end: Int32Array
  length: Int32Array
  /** the links to a task, and those from it */
  into: Edge[][]
  from: Edge[][]
  /** what is evaluated in turn: twice the place of a task for its beginning, and one more for its end */
  order: number[]
  /** the ids of tasks that wait for each other, the first once more at the end; their links do not hold */
  cycle: string[] | null
}

/** Builds the network of a plan. Links from and to tasks outside it, without dates, or within a family mean nothing. */
export function networkOf(plan: Plan): Network {
  const { tasks } = plan
  const places = new Map(tasks.map(({ id }, at) => [id, at]))
  const workdays = new WorkDays(plan.calendar, plan.today)
  const count = tasks.length
  const parent = Int32Array.from(
    tasks,
    ({ parent: of }) => (of === null ? undefined : places.get(of)) ?? -1,
  )
  const kind = new Uint8Array(count)
  const [start, end, length] = [0, 0, 0].map(() => new Int32Array(count)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  for (const [at, { start: first, due: last }] of tasks.entries()) {
    const [from, to] = [first ?? last, last ?? first]
    if (from === null || to === null) continue
    kind[at] = 1
    start[at] = workdays.from(from)
    length[at] = workdays.length(from, to)
    end[at] = (start[at] ?? 0) + (length[at] ?? 1) - 1
  }
  // what is above a task with dates is a group
  for (const at of tasks.keys()) {
    if (kind[at] !== 1) continue
    for (
      let above = parent[at] ?? -1, n = 0;
      above >= 0 && n < count;
      above = parent[above] ?? -1, n++
    ) {
      if (kind[above] === 2) break
      kind[above] = 2
    }
  }
  const edges = plan.links.flatMap((link): Edge[] => {
    const [task = -1, predecessor = -1] = [places.get(link.task), places.get(link.predecessor)]
    if (!kind[task] || !kind[predecessor]) return []
    if (isFamily(task, predecessor, (of) => parent[of])) return []
    return [{ task, predecessor, link }]
  })
  const parts = { plan, workdays, parent, kind, start, end, length, cycle: null }
  const first = ordered(parts, edges)
  if (first.left.length === 0) return summed({ ...parts, ...first })
  const cycle = cycleAmong(first.left, first.next, plan)
  const isLeft = new Set(first.left.map((node) => node >> 1))
  const rest = edges.filter(
    ({ task, predecessor }) => !isLeft.has(task) || !isLeft.has(predecessor),
  )
  return summed({ ...parts, ...ordered(parts, rest), cycle })
}

/** With the dates of groups, which are those of what is below them. */
function summed<N extends Network>(network: N): N {
  const { start, end, order } = network
  emptyGroups(network, start, end)
  for (const node of order) if (node & 1) widen(network, node >> 1, start, end)
  return network
}

/** Takes the dates of groups away, for `widen` to find them anew. */
export function emptyGroups({ kind }: Network, start: Int32Array, end: Int32Array) {
  for (const [at, of] of kind.entries()) if (of === 2) [start[at], end[at]] = [empty, -empty]
}

const empty = 2 ** 30

/** Widens the dates of what a task belongs to, so that they hold those of the task. */
export function widen({ parent }: Network, at: number, start: Int32Array, end: Int32Array) {
  const above = parent[at] ?? -1
  if (above < 0) return
  start[above] = Math.min(start[above] ?? 0, start[at] ?? 0)
  end[above] = Math.max(end[above] ?? 0, end[at] ?? 0)
}

/** The tasks of a milestone, with those below them, by their place in the plan. */
export function within({ tasks }: Plan, milestone: string): Uint8Array {
  const inside = Uint8Array.from(tasks, (task) => Number(task.milestone === milestone))
  const places = new Map(tasks.map(({ id }, at) => [id, at]))
  for (const at of tasks.keys()) {
    const above: number[] = []
    let of: number | undefined = at
    while (of !== undefined && !inside[of] && above.length <= tasks.length) {
      above.push(of)
      of = places.get(tasks[of]?.parent ?? '')
    }
    if (of !== undefined && inside[of]) for (const each of above) inside[each] = 1
  }
  return inside
}

/** Whether two tasks are the same, or one is a part of the other: a link between them means nothing. */
export function isFamily<T>(a: T, b: T, parentOf: (of: T) => T | null | undefined): boolean {
  const isAbove = (above: T, below: T) => {
    const seen = new Set<T>()
    for (let at: T | null | undefined = below; at !== null && at !== undefined; at = parentOf(at)) {
      if (at === above) return true
      if (seen.has(at)) return false
      seen.add(at)
    }
    return false
  }
  return isAbove(a, b) || isAbove(b, a)
}

/** The order of evaluation, and the nodes that none can be given because they wait for each other. */
function ordered({ plan, parent, kind }: Pick<Network, 'plan' | 'parent' | 'kind'>, edges: Edge[]) {
  const count = plan.tasks.length
  const into: Edge[][] = Array.from({ length: count }, () => [])
  const from: Edge[][] = Array.from({ length: count }, () => [])
  const next: number[][] = Array.from({ length: 2 * count }, () => [])
  const waits = new Int32Array(2 * count)
  const add = (before: number, after: number) => {
    next[before]?.push(after)
    waits[after] = (waits[after] ?? 0) + 1
  }
  for (let at = 0; at < count; at++) {
    add(2 * at, 2 * at + 1)
    const above = parent[at] ?? -1
    if (above < 0) continue
    add(2 * above, 2 * at)
    add(2 * at + 1, 2 * above + 1)
  }
  for (const edge of edges) {
    into[edge.task]?.push(edge)
    from[edge.predecessor]?.push(edge)
    add(2 * edge.predecessor + 1, 2 * edge.task)
  }
  const order: number[] = []
  for (let node = 0; node < 2 * count; node++) if (!waits[node]) order.push(node)
  for (let at = 0; at < order.length; at++) {
    for (const after of next[order[at] ?? 0] ?? []) {
      const left = (waits[after] ?? 0) - 1
      waits[after] = left
      if (!left) order.push(after)
    }
  }
  const left: number[] = []
  for (let node = 0; node < 2 * count; node++) if (waits[node]) left.push(node)
  return { into, from, order: order.filter((node) => kind[node >> 1]), left, next }
}

/** One cycle among nodes each of which waits for another one of them. */
function cycleAmong(left: number[], next: number[][], { tasks }: Plan): string[] {
  const isLeft = new Set(left)
  const before = new Map<number, number>()
  for (const node of left) {
    for (const after of next[node] ?? []) if (isLeft.has(after)) before.set(after, node)
  }
  const seen = new Map<number, number>()
  const walked: number[] = []
  let node = left[0] ?? 0
  while (!seen.has(node)) {
    seen.set(node, walked.length)
    walked.push(node)
    node = before.get(node) ?? node
  }
  const places = walked.slice(seen.get(node)).map((each) => each >> 1)
  const ids = places.toReversed().map((at) => tasks[at]?.id ?? '')
  const path = ids.filter((id, at) => id !== ids[at - 1])
  if (path.length > 1 && path.at(-1) === path[0]) path.pop()
  return [...path, path[0] ?? '']
}

/** The first working day that a link leaves to the start of a task, or to its end, with its predecessor at these days. */
export function bound(
  { type, lag }: PlanLink,
  start: number,
  end: number,
): { of: 'start' | 'end'; at: number } {
  switch (type) {
    case 'FS':
      return { of: 'start', at: end + 1 + lag }
    case 'SS':
      return { of: 'start', at: start + lag }
    case 'FF':
      return { of: 'end', at: end + lag }
    case 'SF':
      return { of: 'end', at: start - 1 + lag }
  }
}
