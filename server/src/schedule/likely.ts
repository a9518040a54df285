import { bound, emptyGroups, networkOf, widen, within } from './network.ts'
import type { Network } from './network.ts'
import type { Plan } from './plan.ts'
import type { Day } from './workdays.ts'

/** A plan, what tasks like its own slipped by in working days, and which of these lists is of which task. */
export type LikelyInput = { plan: Plan; samples: number[][]; of: number[] }

/** The days by which half and 85 % of the ways in which a plan may go reach its go-live. */
export type Likely = {
  p50: Day
  p85: Day
  /** the task whose slips hold the go-live up most, and by how many working days on average; null where none does */
  driver: { task: string; days: number } | null
}

const runs = 500

/**
 * Plays what is open of a plan many times: each task slips as tasks like it did, what waits for it moves, and what is late
 * already slips at least until today. The same plan and samples have the same answer. Null where nothing dated is open.
 */
export function likely({ plan, samples, of }: LikelyInput): Likely | null {
  const network = networkOf(plan)
  const ends = goLiveOf(network)
  if (!ends.length) return null
  const sorted = samples.map((each) => Float64Array.from(each).toSorted())
  const game = gameOf(network, (at) => sorted[of[at] ?? 0] ?? new Float64Array([0]))
  const held = new Float64Array(plan.tasks.length)
  const last = new Float64Array(runs)
  for (let run = 0; run < runs; run++) {
    game.play()
    const at = ends.reduce((most, each) => (game.end(each) > game.end(most) ? each : most))
    last[run] = game.end(at)
    for (let each = at, n = 0; each >= 0 && n <= held.length; each = game.cause(each), n++) {
      held[each] = (held[each] ?? 0) + Math.max(0, game.slip(each))
    }
  }
  last.sort()
  const day = (share: number) => network.workdays.day(last[Math.ceil(share * runs) - 1] ?? 0)
  const most = held.reduce((first, each, at) => (each > (held[first] ?? 0) ? at : first), 0)
  const days = Math.round((10 * (held[most] ?? 0)) / runs) / 10
  const task = plan.tasks[most]?.id
  return { p50: day(0.5), p85: day(0.85), driver: days && task ? { task, days } : null }
}

/** The same of several plans, as a computation takes them. */
export function likelyOfAll(inputs: LikelyInput[]): (Likely | null)[] {
  return inputs.map(likely)
}

/** The open tasks with dates of the go-live, else of the plan. */
function goLiveOf({ plan, kind }: Network): number[] {
  const open = plan.tasks.flatMap(({ state }, at) => (kind[at] === 1 && state !== 'done' ? at : []))
  if (plan.goLive === null) return open
  const inside = within(plan, plan.goLive)
  const its = open.filter((at) => inside[at] === 1)
  const has = plan.tasks.some((_, at) => inside[at] === 1 && kind[at] === 1)
  return has ? its : open
}

/** One way after another in which the plan may go. */
function gameOf(network: Network, samplesOf: (at: number) => Float64Array) {
  const { plan, workdays, kind, length, parent, into, order } = network
  const today = workdays.from(plan.today)
  const [start, end] = [network.start.slice(), network.end.slice()]
  const slips = new Float64Array(kind.length)
  /** what decides when a task begins, and where it is a group, which of its tasks ends last; -1 for its own dates */
  const causes = new Int32Array(kind.length)
  const limits = Array.from(kind, () => ({ start: -never, end: -never, cause: -1 }))
  const none = { start: -never, end: -never, cause: -1 }
  const random = diceOf(20_260_101)
  const lastIn = new Int32Array(kind.length)
  const play = () => {
    start.set(network.start)
    end.set(network.end)
    emptyGroups(network, start, end)
    for (const node of order) {
      const at = node >> 1
      if (node & 1) {
        const above = parent[at] ?? -1
        if (above >= 0 && (end[at] ?? 0) > (end[above] ?? 0)) {
          lastIn[above] = kind[at] === 2 ? (lastIn[at] ?? at) : at
        }
        widen(network, at, start, end)
        continue
      }
      const limit = limits[at] ?? none
      const above = limits[parent[at] ?? -1] ?? none
      limit.start = above.start
      limit.end = above.end
      limit.cause = above.cause
      for (const { predecessor, link } of into[at] ?? []) {
        if (plan.tasks[predecessor]?.state === 'done') continue
        const { of, at: day } = bound(link, start[predecessor] ?? 0, end[predecessor] ?? 0)
        if (day <= limit[of]) continue
        limit[of] = day
        limit.cause = kind[predecessor] === 2 ? (lastIn[predecessor] ?? -1) : predecessor
      }
      const task = plan.tasks[at]
      if (kind[at] !== 1 || !task || task.state === 'done') continue
      const days = length[at] ?? 1
      const planned = start[at] ?? 0
      const wanted = task.isPinned ? planned : Math.max(planned, limit.start, limit.end - days + 1)
      causes[at] = wanted > planned ? limit.cause : -1
      if (task.state === 'open') start[at] = wanted
      const base = Math.max(end[at] ?? 0, wanted + days - 1)
      const slip = drawn(samplesOf(at), today - base, random)
      slips[at] = slip
      end[at] = Math.max(base + slip, start[at] ?? 0, today)
    }
  }
  return {
    play,
    end: (at: number) => end[at] ?? 0,
    cause: (at: number) => causes[at] ?? -1,
    slip: (at: number) => slips[at] ?? 0,
  }
}

const never = 2 ** 29

/** One of some sorted numbers that is not below `least`; `least` where all are. */
function drawn(sorted: Float64Array, least: number, random: () => number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? 0) < least) from = middle + 1
    else to = middle
  }
  if (from === sorted.length) return least
  return sorted[from + Math.floor(random() * (sorted.length - from))] ?? least
}

/** Numbers from 0 to 1, the same ones for a seed: mulberry32. */
function diceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
