import type { PlanPlace } from '../data/plan-places.ts'
import type { TreeMilestone, TreeRow, TreeTask } from './tree.ts'
import { deepest, idOf } from './tree.ts'

/**
 * The place of something on a level behind a row, and behind what is below that: `rows` are all of the plan, none of
 * them closed. Without a row it is the first one.
 */
export function placeBehind(rows: TreeRow[], id: string | null, level: number): PlanPlace {
  const at = rows.findIndex((row) => row.id === id)
  const depth = Math.max(1, Math.min(level, (rows[at]?.level ?? 0) + 1, deepest))
  let [after, above]: (TreeRow | undefined)[] = []
  for (let n = at; n >= 0 && !above; n--) {
    const row = rows[n]
    if (row && row.level < depth) above = row
    else if (row?.level === depth) after ??= row
  }
  const next = rows.slice(at + 1).find((row) => row.level <= depth)
  const before = next?.level === depth && next.kind !== 'loose' ? next.id : null
  // milestones come before the heading of what has none
  const last = after?.kind === 'loose' ? rows.findLast(({ kind }) => kind === 'milestone') : after
  const neighbours = { after: last?.id ?? null, before }
  if (depth === 1) return { kind: 'milestone', milestone_id: null, parent_id: null, ...neighbours }
  return { kind: 'task', ...within(rows, above), ...neighbours }
}

/** What a task below a row belongs to. */
function within(rows: TreeRow[], above: TreeRow | undefined) {
  const parent_id = above?.kind === 'task' ? above.id : null
  let top = above
  while (top?.kind === 'task') top = rows.find(({ id }) => id === top?.above)
  return { parent_id, milestone_id: top?.kind === 'milestone' ? top.id : null }
}

/** The place where a row is now. */
export function placeOf(rows: TreeRow[], id: string): PlanPlace {
  const row = rows.find((each) => each.id === id)
  const siblings = siblingsOf(rows, id)
  const at = siblings.findIndex((each) => each.id === id)
  const neighbours = { after: siblings[at - 1]?.id ?? null, before: siblings[at + 1]?.id ?? null }
  if (row?.kind !== 'task') {
    return { kind: 'milestone', milestone_id: null, parent_id: null, ...neighbours }
  }
  const above = rows.find((each) => each.id === row.above)
  return { kind: 'task', ...within(rows, above), ...neighbours }
}

function siblingsOf(rows: TreeRow[], id: string): TreeRow[] {
  const row = rows.find((each) => each.id === id)
  return rows.filter(({ above, kind }) => row && above === row.above && kind !== 'loose')
}

export type Direction = 'up' | 'down' | 'in' | 'out'

/**
 * The place to which a row moves: among its siblings, at their edge to the next parent, below the sibling ahead of it, or
 * behind its parent; undefined where there is none.
 */
export function placeToward(rows: TreeRow[], id: string, to: Direction): PlanPlace | undefined {
  const row = rows.find((each) => each.id === id)
  if (!row || row.kind === 'loose') return undefined
  const others = siblingsOf(rows, id)
  const at = others.findIndex((each) => each.id === id)
  const own = placeOf(rows, id)
  const idAt = (n: number) => others[n]?.id ?? null
  if (to === 'up' && at > 0) return { ...own, after: idAt(at - 2), before: idAt(at - 1) }
  if (to === 'down' && at < others.length - 1) {
    return { ...own, after: idAt(at + 1), before: idAt(at + 2) }
  }
  if (row.kind === 'milestone') return undefined
  const childrenOf = (above: string | undefined) =>
    rows.filter((each) => each.above === above && each.id !== id)
  const parent = rows.find((each) => each.id === row.above)
  if (to === 'in') {
    const above = others[at - 1]
    const heights = rows.slice(rows.indexOf(row) + 1)
    const end = heights.findIndex(({ level }) => level <= row.level)
    const lowest = Math.max(row.level, ...heights.slice(0, end < 0 ? undefined : end).map(levelOf))
    if (!above || lowest >= deepest) return undefined
    const last = childrenOf(above.id).at(-1)
    return { kind: 'task', ...within(rows, above), after: last?.id ?? null, before: null }
  }
  if (to === 'out') {
    return parent?.kind === 'task'
      ? placeBehind(without(rows, id), parent.id, parent.level)
      : undefined
  }
  const parents = rows.filter(({ level, kind }) => level === parent?.level && kind === parent.kind)
  const step = to === 'up' ? -1 : 1
  const all = row.level === 2 ? rows.filter(({ level }) => level === 1) : parents
  const next = all[all.findIndex((each) => each.id === parent?.id) + step]
  if (!next) return undefined
  const its = childrenOf(next.id)
  const neighbours =
    to === 'up'
      ? { after: its.at(-1)?.id ?? null, before: null }
      : { after: null, before: its[0]?.id ?? null }
  return { kind: 'task', ...within(rows, next), ...neighbours }
}

function levelOf({ level }: TreeRow): number {
  return level
}

/** The rows without one of them and what is below it. */
function without(rows: TreeRow[], id: string): TreeRow[] {
  const at = rows.findIndex((row) => row.id === id)
  const level = rows[at]?.level ?? 0
  const end = rows.findIndex((row, n) => n > at && row.level <= level)
  return rows.filter((_, n) => n < at || (end >= 0 && n >= end))
}

/** A plan with a milestone or task in another place. */
export function movedIn<
  M extends TreeMilestone,
  T extends TreeTask,
  P extends { milestones: M[]; tasks: T[] },
>(plan: P, id: string, { kind, milestone_id, parent_id, after, before }: PlanPlace): P {
  const put = <Row extends M | T>(list: Row[], row: Row) => {
    const rest = list.filter((each) => idOf(each) !== id)
    const behind = rest.findIndex((each) => idOf(each) === after)
    const ahead = rest.findIndex((each) => idOf(each) === before)
    return rest.toSpliced(behind >= 0 ? behind + 1 : ahead >= 0 ? ahead : rest.length, 0, row)
  }
  if (kind === 'milestone') {
    const milestone = plan.milestones.find((each) => each.milestone_id === id)
    return milestone ? { ...plan, milestones: put(plan.milestones, milestone) } : plan
  }
  const task = plan.tasks.find(({ item_id }) => item_id === id)
  if (!task) return plan
  const moved = { ...task, milestone_id, parent_id }
  if (task.milestone_id === milestone_id) return { ...plan, tasks: put(plan.tasks, moved) }
  // what is below it goes along
  const parents = new Map(plan.tasks.map((each) => [each.item_id, each.parent_id]))
  const isBelow = (of: string) => {
    let above = parents.get(of) ?? null
    while (above !== null && above !== id) above = parents.get(above) ?? null
    return above === id
  }
  const tasks = plan.tasks.map((each) => (isBelow(each.item_id) ? { ...each, milestone_id } : each))
  return { ...plan, tasks: put(tasks, moved) }
}
