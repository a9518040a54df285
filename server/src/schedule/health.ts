import type { Forecast } from './forecast.ts'
import { networkOf } from './network.ts'
import type { Network } from './network.ts'
import type { Plan, PlanTask } from './plan.ts'
import type { Day } from './workdays.ts'

/** Why a task is late: another late one, the customer who has it, whoever else has it, or that nobody does. */
export type Late = {
  /** working days since it was due */
  days: number
  kind: 'predecessor' | 'customer' | 'owner' | 'nobody'
  /** the predecessor, or the task itself */
  of: string
  /** when that was due */
  since: Day
}

export type HealthState = 'planned' | 'on_track' | 'at_risk' | 'late' | 'live'

export type Health = {
  state: HealthState
  /** working days from the agreed to the expected go-live, negative where that is earlier; 0 without the two */
  days: number
  /** what it comes from; null where all is well, or nothing but the plan itself says so */
  cause: { task: string; days: number; holds: number; late: Late | null } | null
}

/** What is the matter with a plan: its late tasks with the cause, those that are blocked, and its health. */
export type Troubles = { late: Map<string, Late>; blocked: Set<string>; health: Health }

/** So many working days after the agreed go-live a project is late, and no longer at risk. */
const atRiskDays = 5

/**
 * The health of a plan by one rule: late where the agreed go-live has passed, or is expected more than five working
 * days later; at risk where it is expected later at all, or a critical task is late or blocked. Its cause is the first
 * late task that the go-live waits for. `start` is that of the project, `isLive` whether it is done.
 */
export function troublesOf(
  plan: Plan,
  expected: Forecast,
  { start, isLive }: { start: Day | null; isLive: boolean },
): Troubles {
  const network = networkOf(plan)
  const { late, blocked } = heldUp(network)
  const critical = plan.tasks.filter(({ id }) => expected.tasks.get(id)?.is_critical)
  const isBad = ({ id }: PlanTask) => late.has(id) || blocked.has(id)
  const days = daysLater(network, expected.go_live)
  const isDone = plan.tasks.length > 0 && plan.tasks.every((task) => task.state === 'done')
  const isPast = plan.agreed !== null && plan.agreed < plan.today
  const first = Math.min(start ?? Infinity, ...plan.tasks.map((task) => task.start ?? Infinity))
  const hasBegun = plan.tasks.some((task) => task.state !== 'open') || critical.some(isBad)
  const state =
    isLive || isDone
      ? 'live'
      : isPast || days > atRiskDays
        ? 'late'
        : days > 0 || critical.some(isBad)
          ? 'at_risk'
          : first > plan.today && first < Infinity && !hasBegun
            ? 'planned'
            : 'on_track'
  const cause =
    state === 'late' || state === 'at_risk' ? causeOf(network, critical, late, blocked) : null
  return { late, blocked, health: { state, days, cause } }
}

/** Which tasks of a plan are late, with the cause, and which are blocked. */
export function heldUpIn(plan: Plan): Pick<Troubles, 'late' | 'blocked'> {
  return heldUp(networkOf(plan))
}

function heldUp(network: Network): Pick<Troubles, 'late' | 'blocked'> {
  return { late: lateTasks(network), blocked: blockedTasks(network) }
}

/** Open tasks whose due day has passed, and why. */
function lateTasks({ plan, workdays, into, parent }: Network): Map<string, Late> {
  const isLate = (task: PlanTask | undefined) =>
    task !== undefined && task.state !== 'done' && task.due !== null && task.due < plan.today
  const found = new Map<string, Late>()
  for (const [at, task] of plan.tasks.entries()) {
    if (!isLate(task) || task.due === null) continue
    const days = Math.max(1, workdays.until(plan.today) - workdays.until(task.due))
    let cause: PlanTask | undefined
    for (let of = at, n = 0; of >= 0 && !cause && n <= parent.length; of = parent[of] ?? -1, n++) {
      cause = into[of]?.map(({ predecessor }) => plan.tasks[predecessor]).find(isLate)
    }
    const kind = cause
      ? ('predecessor' as const)
      : task.side === 'customer' || task.side === 'nobody'
        ? task.side
        : ('owner' as const)
    found.set(task.id, { days, kind, of: (cause ?? task).id, since: cause?.due ?? task.due })
  }
  return found
}

/** Open tasks that should have begun by today and cannot, and are not late themselves. */
function blockedTasks({ plan, into, parent }: Network): Set<string> {
  const { today } = plan
  const found = new Set<string>()
  for (const [at, { id, state, start, due, isHeld }] of plan.tasks.entries()) {
    const begins = start ?? due
    if (state === 'done' || begins === null || begins > today || (due ?? today) < today) continue
    let isBlocked = isHeld ?? false
    for (
      let of = at, n = 0;
      of >= 0 && !isBlocked && n <= parent.length;
      of = parent[of] ?? -1, n++
    ) {
      isBlocked = (into[of] ?? []).some(
        ({ predecessor, link }) => link.type === 'FS' && plan.tasks[predecessor]?.state !== 'done',
      )
    }
    if (isBlocked) found.add(id)
  }
  return found
}

function daysLater({ plan, workdays }: Network, goLive: Day | null): number {
  if (plan.agreed === null || goLive === null) return 0
  return workdays.until(goLive) - workdays.until(plan.agreed)
}

/** The first late task on the critical path that waits for no other late one, or else the first blocked one. */
function causeOf(
  network: Network,
  critical: PlanTask[],
  late: ReadonlyMap<string, Late>,
  blocked: ReadonlySet<string>,
): Health['cause'] {
  const { plan, parent } = network
  const places = new Map(plan.tasks.map(({ id }, at) => [id, at]))
  const lateOnes = critical.filter(({ id }) => late.has(id))
  let found: PlanTask | undefined =
    lateOnes.find(({ id }) => late.get(id)?.kind !== 'predecessor') ??
    lateOnes[0] ??
    critical.find(({ id }) => blocked.has(id))
  if (!found) return null
  // what late tasks are a part of says more than the first of them
  for (let n = 0; n <= plan.tasks.length; n++) {
    const above: PlanTask | undefined = plan.tasks[parent[places.get(found.id) ?? -1] ?? -1]
    if (!above || !late.has(above.id)) break
    found = above
  }
  const why = late.get(found.id) ?? null
  const at = places.get(found.id) ?? -1
  return { task: found.id, days: why?.days ?? 0, holds: followersOf(network, at), late: why }
}

/** How many open tasks wait for one, however indirectly. */
function followersOf({ plan, kind, parent, from }: Network, first: number): number {
  const below = Map.groupBy(kind.keys(), (at) => parent[at] ?? -1)
  const seen = new Uint8Array(kind.length)
  const todo = [first]
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
    for (let of = at, n = 0; of >= 0 && n <= kind.length; of = parent[of] ?? -1, n++) {
      for (const { task } of from[of] ?? []) reach(task)
    }
  }
  function reach(at: number) {
    if (seen[at]) return
    seen[at] = 1
    if (kind[at] === 2) for (const child of below.get(at) ?? []) reach(child)
    else todo.push(at)
  }
  return plan.tasks.filter(({ state }, at) => seen[at] && kind[at] === 1 && state !== 'done').length
}
