import { bound, emptyGroups, networkOf, widen, within } from './network.ts'
import type { Network } from './network.ts'
import type { Plan } from './plan.ts'
import type { Day } from './workdays.ts'

/** What is expected of a task that is not done. */
export type TaskForecast = {
  start: Day
  due: Day
  /** by how many working days it may end later until its milestone ends later, or the plan; negative where a pin breaks */
  slack: { milestone: number; go_live: number }
  is_critical: boolean
}

export type Forecast = {
  tasks: Map<string, TaskForecast>
  /** the last day of what is open in the go-live, else in the plan; of all of that where nothing is open */
  go_live: Day | null
  /** the last expected day of each milestone's tasks */
  milestones: Map<string, Day>
  cycle: string[] | null
}

/**
 * What becomes of a plan if nobody moves anything: an open task whose due day has passed ends today at the earliest,
 * what follows moves as its links say, pinned tasks stay, and done ones no longer hold anybody up. Nothing is earlier
 * than planned. Slack is counted from there, and what has none until the go-live is critical; what the go-live does not
 * wait for has the slack until the end of the plan, and is not.
 */
export function forecast(plan: Plan): Forecast {
  const network = networkOf(plan)
  const { workdays, kind, order } = network
  const start = network.start.slice()
  const end = network.end.slice()
  forward(network, start, end)
  const isOpen = plan.tasks.map(({ state }, at) => kind[at] === 1 && state !== 'done')
  const milestones = new Map<string, number>()
  for (const [at, { milestone }] of plan.tasks.entries()) {
    if (kind[at] !== 1 || !milestone) continue
    milestones.set(milestone, Math.max(milestones.get(milestone) ?? -never, end[at] ?? 0))
  }
  const lastOf = (isIn: (at: number) => boolean) => {
    const all = plan.tasks.flatMap((_, at) => (kind[at] === 1 && isIn(at) ? at : []))
    const open = all.filter((at) => isOpen[at])
    return (open.length ? open : all).reduce((most, at) => Math.max(most, end[at] ?? 0), -never)
  }
  const whole = lastOf(() => true)
  const inside = goLiveTasks(network)
  const goLive = inside ? lastOf((at) => inside[at] === 1) : whole
  const leads = inside && leadingTo(network, inside)
  const untilEnd = slackUntil(network, start, end, () => whole)
  const untilGoLive = leads
    ? slackUntil(network, start, end, (at) => (inside[at] ? goLive : never))
    : untilEnd
  const untilMilestone = slackUntil(
    network,
    start,
    end,
    (at) => milestones.get(plan.tasks[at]?.milestone ?? '') ?? whole,
  )
  const tasks = new Map<string, TaskForecast>()
  for (const [at, { id, start: planned, due, state }] of plan.tasks.entries()) {
    if (!isOpen[at]) continue
    const isMoved = start[at] !== network.start[at]
    const isLeading = !leads || leads[at] === 1
    const slack = {
      milestone: untilMilestone[at] ?? 0,
      go_live: (isLeading ? untilGoLive : untilEnd)[at] ?? 0,
    }
    tasks.set(id, {
      start:
        (isMoved && state === 'open') || planned === null ? workdays.day(start[at] ?? 0) : planned,
      due: end[at] === network.end[at] && due !== null ? due : workdays.day(end[at] ?? 0),
      slack,
      is_critical: isLeading && slack.go_live <= 0,
    })
  }
  const dayOf = (number: number) => workdays.day(number)
  return {
    tasks,
    go_live: order.length ? dayOf(goLive) : null,
    milestones: new Map([...milestones].map(([id, last]) => [id, dayOf(last)])),
    cycle: network.cycle,
  }
}

const never = 2 ** 29

/** The tasks of the go-live; undefined where it is no milestone, or one without a dated task. */
function goLiveTasks({ plan, kind }: Network): Uint8Array | undefined {
  if (plan.goLive === null) return undefined
  const inside = within(plan, plan.goLive)
  return inside.some((isIn, at) => isIn === 1 && kind[at] === 1) ? inside : undefined
}

/** The tasks among `ends`, and those that they wait for, however indirectly. */
function leadingTo({ kind, parent, into }: Network, ends: Uint8Array): Uint8Array {
  const below = Map.groupBy(kind.keys(), (at) => parent[at] ?? -1)
  const leads = new Uint8Array(kind.length)
  const todo: number[] = []
  const add = (at: number) => {
    if (leads[at]) return
    leads[at] = 1
    todo.push(at)
    // what waits for a group waits for all of it
    if (kind[at] === 2) for (const child of below.get(at) ?? []) add(child)
  }
  for (const at of kind.keys()) if (ends[at] && kind[at] === 1) add(at)
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    for (let of = at, n = 0; of >= 0 && n <= kind.length; of = parent[of] ?? -1, n++) {
      for (const { predecessor } of into[of] ?? []) add(predecessor)
    }
  }
  return leads
}

function forward(network: Network, start: Int32Array, end: Int32Array) {
  const { plan, workdays, kind, length, parent, into, order } = network
  const today = workdays.from(plan.today)
  const limits: { start: number; end: number }[] = []
  emptyGroups(network, start, end)
  for (const node of order) {
    const at = node >> 1
    if (node & 1) {
      widen(network, at, start, end)
      continue
    }
    const limit = { start: -never, end: -never, ...limits[parent[at] ?? -1] }
    for (const { predecessor, link } of into[at] ?? []) {
      if (plan.tasks[predecessor]?.state === 'done') continue
      const { of, at: day } = bound(link, start[predecessor] ?? 0, end[predecessor] ?? 0)
      limit[of] = Math.max(limit[of], day)
    }
    limits[at] = limit
    const task = plan.tasks[at]
    if (kind[at] !== 1 || !task || task.state === 'done') continue
    const days = length[at] ?? 1
    if (!task.isPinned) {
      const wanted = Math.max(start[at] ?? 0, limit.start, limit.end - days + 1)
      end[at] = Math.max(end[at] ?? 0, wanted + days - 1)
      if (task.state === 'open') start[at] = wanted
    }
    end[at] = Math.max(end[at] ?? 0, today)
  }
}

/** By how many working days each task may end later, if what nothing follows may end on the day given. */
function slackUntil(
  network: Network,
  start: Int32Array,
  end: Int32Array,
  last: (at: number) => number,
): Int32Array {
  const { plan, kind, length, parent, from, order } = network
  const slack = new Int32Array(kind.length)
  /** the latest that links into a task, or a group, may ask of its start and its end */
  const asked = Array.from(kind, () => ({ start: never, end: never }))
  /** the latest start and end that those leave which follow a task, or the group that it belongs to */
  const latest = Array.from(kind, () => ({ start: never, end: never }))
  for (let n = order.length - 1; n >= 0; n--) {
    const node = order[n] ?? 0
    const at = node >> 1
    const own = latest[at]
    const ask = asked[at]
    const task = plan.tasks[at]
    const above = parent[at] ?? -1
    if (!own || !ask || !task) continue
    if (node & 1) {
      const group = latest[above]
      if (group) {
        own.end = group.end
        // only what begins first begins the group
        own.start = start[at] === start[above] ? group.start : never
      }
      if (task.state === 'done') continue
      for (const { task: follower, link } of from[at] ?? []) {
        const { of, at: zero } = bound(link, 0, 0)
        const until = (asked[follower]?.[of] ?? never) - zero
        if (until >= never / 2) continue
        const side = link.type === 'FS' || link.type === 'FF' ? 'end' : 'start'
        own[side] = Math.min(own[side], until)
      }
      continue
    }
    if (kind[at] === 1 && task.state !== 'done') {
      const days = length[at] ?? 1
      const [begins, ends] = [start[at] ?? 0, end[at] ?? 0]
      own.end = Math.min(own.end, last(at))
      if (task.state === 'started') own.start = never
      slack[at] = Math.min(own.end - ends, own.start - begins)
      const mayBegin = task.state === 'started' ? never : begins
      ask.start = task.isPinned ? mayBegin : Math.min(own.end - days + 1, own.start)
      ask.end = task.isPinned ? ends : Math.min(own.end, own.start + days - 1)
    }
    const group = asked[above]
    if (group) {
      group.start = Math.min(group.start, ask.start)
      group.end = Math.min(group.end, ask.end)
    }
  }
  return slack
}
