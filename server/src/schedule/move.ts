import { bound, emptyGroups, networkOf, widen, within } from './network.ts'
import type { Edge, Network } from './network.ts'
import type { Plan, PlanDates, PlanLink } from './plan.ts'
import type { Day } from './workdays.ts'
import { WorkDays } from './workdays.ts'

/** What follows a move: by as much as a dependency would break, by the same working days, or nothing. */
export type Follow = 'use_gaps' | 'keep_gaps' | 'none'

/** What a person moves: dates of tasks and milestones by their id, and links that are new or other than before. */
export type Moves = {
  dates: ReadonlyMap<string, PlanDates>
  links?: readonly PlanLink[]
  /** open tasks go back to the earliest day that their links leave */
  closesGaps?: boolean
}

export type Moved = { id: string; from: PlanDates; to: PlanDates; because: PlanLink | null }

export type Conflict = {
  kind: 'agreed' | 'pinned' | 'fixed' | 'off_day' | 'past' | 'broken_link'
  id: string | null
  /** working days too few or, of the agreed day, too many; for a day itself 0 */
  days: number
  /** the predecessor, of a link that does not hold */
  other: string | null
  day: Day | null
}

export type MoveResult = {
  /** tasks, then milestones, each in the order of the plan */
  moved: Moved[]
  conflicts: Conflict[]
  /** the plan afterwards */
  plan: Plan
  cycle: string[] | null
}

/**
 * Moves tasks and milestones of a plan, with what follows: what would break, and nothing earlier by itself. Done and
 * pinned tasks stay, of started ones only the due day moves. A task with subtasks, or a milestone, takes its open
 * tasks along by as many working days, and its dates follow those of its tasks.
 */
export function move(before: Plan, moves: Moves, follow: Follow): MoveResult {
  const changed = new Set(moves.links ?? [])
  const isSame = (a: PlanLink, b: PlanLink) => a.task === b.task && a.predecessor === b.predecessor
  const kept = before.links.filter((link) => !moves.links?.some((each) => isSame(each, link)))
  const plan = { ...before, links: moves.links?.length ? [...kept, ...changed] : before.links }
  const network = networkOf(plan)
  const dates = touched(network, moves.dates)
  const pass = new Pass(network, dates, changed, follow, moves.closesGaps ?? false)
  pass.run()
  const to = new Map([...dates, ...pass.results(), ...moves.dates])
  for (const [id, sums] of sumsOf(plan, to, moves.dates)) to.set(id, sums)
  const tasks = plan.tasks.map((each) => ({ ...each, ...to.get(each.id) }))
  const milestones = plan.milestones.map((each) => ({ ...each, ...to.get(each.id) }))
  const moved = [...plan.tasks, ...plan.milestones].flatMap(({ id, start, due }): Moved[] => {
    const after = to.get(id)
    if (!after || (after.start === start && after.due === due)) return []
    return [{ id, from: { start, due }, to: after, because: pass.because.get(id) ?? null }]
  })
  const after = { ...plan, tasks, milestones }
  const conflicts = [...pass.conflicts, ...dayConflicts(network, moves.dates)]
  return { moved, conflicts, plan: after, cycle: network.cycle }
}

/** The dates that a person gives to tasks, with those of what is below a task or milestone that moves. */
function touched(network: Network, given: ReadonlyMap<string, PlanDates>) {
  const { plan, workdays } = network
  const dates = new Map<string, PlanDates>()
  const below = Map.groupBy(plan.tasks, ({ parent }) => parent)
  const within = Map.groupBy(plan.tasks, ({ milestone }) => milestone)
  const shifts = new Map<string, number>()
  const shift = (id: string, by: number) => {
    if (given.has(id) || shifts.has(id)) return
    shifts.set(id, by)
    for (const child of below.get(id) ?? []) shift(child.id, by)
  }
  for (const [list, inside] of [
    [plan.tasks, below],
    [plan.milestones, within],
  ] as const) {
    for (const { id, start, due } of list) {
      const to = given.get(id)
      const [old, now] = start === null || !to?.start ? [due, to?.due] : [start, to.start]
      if (old === null || now === null || now === undefined || old === now) continue
      for (const child of inside.get(id) ?? [])
        shift(child.id, workdays.from(now) - workdays.from(old))
    }
  }
  for (const [at, task] of plan.tasks.entries()) {
    const by = shifts.get(task.id)
    if (!by || network.kind[at] !== 1 || task.state === 'done' || task.isPinned || task.isFixed)
      continue
    if (task.state === 'open') dates.set(task.id, workdays.shifted(task, by))
    else if (task.due !== null) {
      const { due } = workdays.shifted({ start: null, due: task.due }, by)
      dates.set(task.id, {
        start: task.start,
        due: Math.max(due ?? task.due, task.start ?? -Infinity),
      })
    }
  }
  for (const task of plan.tasks) {
    const to = given.get(task.id)
    if (to) dates.set(task.id, to)
  }
  return dates
}

/** The forward pass over the network, in working days. */
class Pass {
  readonly because = new Map<string, PlanLink>()
  readonly conflicts: Conflict[] = []
  readonly #network: Network
  readonly #dates: ReadonlyMap<string, PlanDates>
  readonly #changed: ReadonlySet<PlanLink>
  readonly #follow: Follow
  readonly #closesGaps: boolean
  readonly #start: Int32Array
  readonly #end: Int32Array
  /** what the links leave to the start and the end of a task, and by how much it follows at least */
  readonly #limits: {
    start: number
    end: number
    by: number
    link: PlanLink | null
    ofEnd: PlanLink | null
  }[] = []
  readonly #isMoved: Uint8Array

  constructor(
    network: Network,
    dates: ReadonlyMap<string, PlanDates>,
    changed: ReadonlySet<PlanLink>,
    follow: Follow,
    closesGaps: boolean,
  ) {
    this.#network = network
    this.#dates = dates
    this.#changed = changed
    this.#follow = follow
    this.#closesGaps = closesGaps
    this.#start = network.start.slice()
    this.#end = network.end.slice()
    this.#isMoved = new Uint8Array(network.kind.length)
  }

  run() {
    const { kind, order } = this.#network
    emptyGroups(this.#network, this.#start, this.#end)
    for (const node of order) {
      const at = node >> 1
      if (node & 1) widen(this.#network, at, this.#start, this.#end)
      else {
        this.#limit(at)
        if (kind[at] === 1) this.#place(at)
      }
    }
  }

  /** The dates of the tasks that follow. */
  results(): [string, PlanDates][] {
    const { plan, workdays } = this.#network
    return plan.tasks.flatMap(({ id, start, due, state }, at): [string, PlanDates][] => {
      if (!this.#isMoved[at]) return []
      const from =
        start === null || state === 'started' ? start : workdays.day(this.#start[at] ?? 0)
      const to = due === null ? null : workdays.day(this.#end[at] ?? 0)
      return [[id, { start: from, due: to }]]
    })
  }

  /** What the links to a task and to what it belongs to leave, of those that this move may break. */
  #limit(at: number) {
    const { parent, into } = this.#network
    const above = this.#limits[parent[at] ?? -1]
    const limit = { start: -never, end: -never, by: -never, link: null, ofEnd: null, ...above }
    for (const { predecessor, link } of into[at] ?? []) {
      const [by, isActive] = this.#delay(predecessor, link)
      if (!isActive) continue
      if (this.#follow === 'keep_gaps' && by > limit.by)
        [limit.by, limit.link] = [by, limit.link ?? link]
      const { of, at: day } = bound(
        link,
        this.#start[predecessor] ?? 0,
        this.#end[predecessor] ?? 0,
      )
      if (day <= limit[of]) continue
      limit[of] = day
      limit[of === 'start' ? 'link' : 'ofEnd'] = link
    }
    this.#limits[at] = limit
  }

  /** By how much later the end of a link is, and whether the link counts. */
  #delay(predecessor: number, link: PlanLink): [by: number, isActive: boolean] {
    const { start, end } = this.#network
    const ofEnd = link.type === 'FS' || link.type === 'FF'
    const now = (ofEnd ? this.#end : this.#start)[predecessor] ?? 0
    const by = now - ((ofEnd ? end : start)[predecessor] ?? 0)
    return [by > 0 ? by : -never, by > 0 || this.#closesGaps || this.#changed.has(link)]
  }

  #place(at: number) {
    const { plan, workdays, start, end, length } = this.#network
    const task = plan.tasks[at]
    const limit = this.#limits[at]
    if (!task || !limit) return
    const [first, last, days] = [start[at] ?? 0, end[at] ?? 0, length[at] ?? 1]
    const dates = this.#dates.get(task.id)
    if (dates) {
      const from = dates.start ?? dates.due
      const to = dates.due ?? dates.start
      if (from !== null && to !== null) {
        this.#start[at] = workdays.from(from)
        this.#end[at] = Math.max(workdays.until(to), workdays.from(from))
      }
      return this.#checkLinks(at)
    }
    if (task.state === 'done') return
    let wanted = Math.max(first, limit.start, first + limit.by, limit.end - days + 1)
    if (this.#closesGaps && task.state === 'open' && Math.max(limit.start, limit.end) > -never) {
      const earliest = Math.max(limit.start, limit.end - days + 1)
      wanted = Math.max(earliest, Math.min(first, Math.max(workdays.from(plan.today), earliest)))
    }
    if (wanted === first) return
    if (this.#follow === 'none' || task.isPinned || task.isFixed) return this.#checkLinks(at)
    const link = limit.start >= wanted || limit.by > -never ? limit.link : limit.ofEnd
    if (task.state === 'started') {
      if (task.due === null || wanted + days - 1 <= last) return
      this.#end[at] = wanted + days - 1
    } else {
      this.#start[at] = wanted
      this.#end[at] = wanted + days - 1
    }
    this.#isMoved[at] = 1
    if (link) this.because.set(task.id, link)
  }

  /** Names the links to a task that stays, or goes where a person wants it, as far as they do not hold. */
  #checkLinks(at: number) {
    const { plan, parent, into } = this.#network
    const task = plan.tasks[at]
    if (!task || task.state === 'done') return
    const isTouched = this.#dates.has(task.id)
    const kind = task.isPinned && !isTouched ? 'pinned' : task.isFixed ? 'fixed' : 'broken_link'
    let worst: Conflict | undefined
    for (let of = at; of >= 0; of = parent[of] ?? -1) {
      for (const edge of into[of] ?? []) {
        const days = this.#missing(edge, at)
        if (days <= 0 || days <= (worst?.days ?? 0)) continue
        if (!isTouched && !this.#delay(edge.predecessor, edge.link)[1]) continue
        worst = { kind, id: task.id, days, other: edge.link.predecessor, day: task.start }
      }
    }
    if (worst) this.conflicts.push(worst)
  }

  /** By how many working days a task is too early for a link; a done predecessor and a started task are no longer. */
  #missing({ predecessor, link }: Edge, at: number): number {
    const { plan } = this.#network
    if (plan.tasks[predecessor]?.state === 'done') return 0
    const { of, at: day } = bound(link, this.#start[predecessor] ?? 0, this.#end[predecessor] ?? 0)
    if (of === 'start' && plan.tasks[at]?.state === 'started') return 0
    return day - ((of === 'start' ? this.#start : this.#end)[at] ?? 0)
  }
}

const never = 2 ** 29

/**
 * The dates of groups and milestones whose tasks have moved: an end that was that of the tasks follows it, one that a
 * person has set only gives way.
 */
export function sumsOf(
  plan: Plan,
  to: ReadonlyMap<string, PlanDates>,
  given: ReadonlyMap<string, PlanDates>,
) {
  const sums = new Map<string, PlanDates>()
  const byId = new Map(plan.tasks.map((task) => [task.id, task]))
  const groups = new Set(plan.tasks.map(({ parent }) => parent))
  const contents = new Map<string, { before: PlanDates[]; after: PlanDates[]; isMoved: boolean }>()
  for (const { id, parent, milestone, start, due } of plan.tasks) {
    if (groups.has(id) || (start === null && due === null)) continue
    const [was, is] = [{ start, due }, to.get(id) ?? { start, due }]
    const above = new Set<string>(milestone ? [milestone] : [])
    for (let of = parent; of && !above.has(of); of = byId.get(of)?.parent ?? null) above.add(of)
    for (const of of above) {
      const content = contents.get(of) ?? { before: [], after: [], isMoved: false }
      content.before.push(was)
      content.after.push(is)
      content.isMoved ||= to.has(id)
      contents.set(of, content)
    }
  }
  const movable = [
    ...plan.tasks.filter(({ state, isFixed }) => state !== 'done' && !isFixed),
    ...plan.milestones.filter(({ isDone, isFixed }) => !isDone && !isFixed),
  ]
  for (const { id, start, due } of movable) {
    const content = contents.get(id)
    if (!content?.isMoved || given.has(id)) continue
    sums.set(id, {
      start: followed(start, first(content.before), first(content.after), Math.min),
      due: followed(due, last(content.before), last(content.after), Math.max),
    })
  }
  return sums
}

function followed(
  own: Day | null,
  before: Day,
  after: Day,
  wider: (a: number, b: number) => number,
): Day | null {
  if (own === null) return null
  return own === before ? after : wider(own, after)
}

function first(dates: PlanDates[]): Day {
  return dates.reduce((least, { start, due }) => Math.min(least, start ?? due ?? least), Infinity)
}

function last(dates: PlanDates[]): Day {
  return dates.reduce((most, { start, due }) => Math.max(most, due ?? start ?? most), -Infinity)
}

/** The promised day, where a move from one plan to the other passes it, or passes it by more. */
export function agreedConflicts(before: Plan, after: Plan): Conflict[] {
  const { agreed, calendar, today } = after
  const workdays = new WorkDays(calendar, today)
  const [was, is] = [lastDay(before), lastDay(after)]
  if (agreed === null || is === null || is <= agreed || (was !== null && is <= was)) return []
  const days = Math.max(1, workdays.until(is) - workdays.until(agreed))
  return [{ kind: 'agreed', id: null, days, other: null, day: agreed }]
}

/**
 * The last day of the tasks of the go-live, or else of the plan, or of its milestones if it has none.
 */
export function lastDay(plan: Plan): Day | null {
  const { tasks, milestones, goLive } = plan
  const ends = (list: PlanDates[]) => list.flatMap(({ start, due }) => due ?? start ?? [])
  const inside = goLive === null ? [] : within(plan, goLive)
  const all = [ends(tasks.filter((_, at) => inside[at])), ends(tasks), ends(milestones)]
  const days = all.find((list) => list.length)
  return days ? days.reduce((a, b) => Math.max(a, b)) : null
}

/** Days that a person gives although nobody works on them, or although they have passed. */
function dayConflicts(
  { plan, workdays }: Network,
  given: ReadonlyMap<string, PlanDates>,
): Conflict[] {
  return [...plan.tasks, ...plan.milestones].flatMap(({ id, start, due }): Conflict[] => {
    const to = given.get(id)
    if (!to) return []
    const days = [to.start === start ? null : to.start, to.due === due ? null : to.due]
    const off = days.find((day) => day !== null && workdays.isOff(day)) ?? null
    const conflict = { id, days: 0, other: null }
    const isPast = to.due !== null && to.due !== due && to.due < plan.today
    return [
      ...(off === null ? [] : [{ ...conflict, kind: 'off_day' as const, day: off }]),
      ...(isPast ? [{ ...conflict, kind: 'past' as const, day: to.due }] : []),
    ]
  })
}
