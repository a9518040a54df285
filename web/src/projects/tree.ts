import type { PlanMilestone, PlanTask } from '../data/project-plan.ts'
import { t } from '../locales/text.ts'

/** Where a row stands in the tree: its level from 1, and its place among its siblings. */
type Common = {
  id: string
  level: number
  number: string
  title: string
  /** how many rows are directly below it */
  children: number
  isOpen: boolean
  /** the row that it is below */
  above: string | null
  at: number
  of: number
}

/** A row of a tree of milestones and tasks: one of them, or the heading above the tasks without a milestone. */
export type TreeRow<M = unknown, T = unknown> =
  | (Common & { kind: 'task'; task: T })
  | (Common & { kind: 'milestone'; milestone: M })
  | (Common & { kind: 'loose' })
/** A row of a project's plan. */
export type PlanRow = TreeRow<PlanMilestone, PlanTask>
export type TaskRow = Extract<PlanRow, { kind: 'task' }>
export type MilestoneRow = Extract<PlanRow, { kind: 'milestone' }>

/** What places a task or milestone in a tree. */
export type TreeTask = Pick<PlanTask, 'item_id' | 'title' | 'parent_id' | 'milestone_id'>
export type TreeMilestone = Pick<PlanMilestone, 'milestone_id' | 'name'>

/** A row that can be changed. */
export type RealRow = TaskRow | MilestoneRow

/** The id of the heading above the tasks without a milestone. */
export const loose = 'loose'
/** The level of the deepest subtasks: a milestone, and five levels of tasks. */
export const deepest = 6

/**
 * A plan as rows in their order, without those below closed ones. Milestones are 1, 2, …, their tasks 1.1, 1.2, … with
 * subtasks 1.1.1; tasks without a milestone are 0.1, 0.2, …
 */
export function rowsOf<M extends TreeMilestone, T extends TreeTask>(
  { milestones, tasks }: { milestones: M[]; tasks: T[] },
  closed: ReadonlySet<string> = new Set(),
): TreeRow<M, T>[] {
  const rows: TreeRow<M, T>[] = []
  const known = new Set([...milestones.map(idOf), ...tasks.map(idOf)])
  const below = Map.groupBy(
    tasks,
    ({ parent_id, milestone_id }) =>
      [parent_id, milestone_id].find((id) => id !== null && known.has(id)) ?? loose,
  )
  const add = (row: TreeRow<M, T>) => {
    rows.push(row)
    if (!row.isOpen) return
    const list = below.get(row.id) ?? []
    for (const [at, task] of list.entries()) {
      const number = `${row.kind === 'loose' ? '0' : row.number}.${at + 1}`
      const level = row.level + 1
      const place = { level, number, above: row.id, at: at + 1, of: list.length }
      add({ ...common(task.item_id, task.title), ...place, kind: 'task', task })
    }
  }
  const common = (id: string, title: string) => ({
    id,
    title,
    children: below.get(id)?.length ?? 0,
    isOpen: !closed.has(id),
  })
  const of = milestones.length + (below.has(loose) ? 1 : 0)
  for (const [at, milestone] of milestones.entries()) {
    const place = { level: 1, number: `${at + 1}`, above: null, at: at + 1, of }
    const { milestone_id: id, name } = milestone
    add({ ...common(id, name), ...place, kind: 'milestone', milestone })
  }
  if (below.has(loose)) {
    const place = { level: 1, number: '', above: null, at: of, of }
    add({ ...common(loose, t('Without a milestone')), ...place, kind: 'loose' })
  }
  return rows
}

/** Whether a row is a milestone or a task, and not a heading. */
export function isReal(row: PlanRow): row is RealRow {
  return row.kind !== 'loose'
}

/** The id of a milestone or task. */
export function idOf(row: TreeMilestone | TreeTask): string {
  return 'item_id' in row ? row.item_id : row.milestone_id
}

/** The first and the last day of a row; `isComputed` where they are those of what is below it. */
export type Span = { start: string | null; due: string | null; isComputed: boolean }

/** From when to when each row is: its own dates, or else those of what is below it; `rows` are all of the plan. */
export function spansOf(rows: PlanRow[]): Map<string, Span> {
  const none = { start: null, due: null, isComputed: true }
  const below = new Map<string, Span>()
  const found = new Map<string, Span>()
  for (const row of rows.toReversed()) {
    const own = row.kind === 'task' ? row.task : row.kind === 'milestone' ? row.milestone : null
    const its = below.get(row.id) ?? none
    const start = own?.start_date ?? its.start
    const due = own?.due_date ?? its.due
    found.set(row.id, { start, due, isComputed: !own?.start_date && !own?.due_date })
    if (row.above === null) continue
    const above = below.get(row.above) ?? none
    below.set(row.above, {
      start: earlier(above.start, start ?? due),
      due: later(above.due, due ?? start),
      isComputed: true,
    })
  }
  return found
}

function earlier(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one
}
