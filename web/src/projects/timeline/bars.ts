import type { WorkDays } from '../../../../server/src/schedule/workdays.ts'
import { dayNumber, dayText } from '../../../../server/src/schedule/workdays.ts'
import type { ProjectPlan } from '../../data/project-plan.ts'
import type { PlanRow, Span } from '../tree.ts'

/** The dates of a bar, both days included. */
export type Dates = { start: string; due: string }

/** What stands in the line of a row. */
export type Bar = Dates & {
  row: PlanRow
  kind: 'task' | 'group'
  state: 'done' | 'started' | 'open'
  isCritical: boolean
  /** how much of it is done, from 0 to 1 */
  share: number
  /** working days after its due day, up to today */
  late: number
  /** working days by which it may be later until its milestone is, and until the go-live is */
  slack: { milestone: number; go_live: number } | null
}

/** The bar of a row; undefined without dates. `span` is that of the row or of what is below it. */
export function barOf(row: PlanRow, span: Span | undefined): Bar | undefined {
  const [start, due] = [span?.start ?? span?.due, span?.due ?? span?.start]
  if (!start || !due) return undefined
  const common = { row, start, due: due < start ? start : due }
  if (row.kind === 'task') {
    const { task } = row
    return {
      ...common,
      kind: 'task',
      state: task.is_completed ? 'done' : isStarted(task) ? 'started' : 'open',
      isCritical: task.is_critical,
      share: shareOf(task),
      late: task.late?.days ?? 0,
      slack: task.slack,
    }
  }
  const totals = row.kind === 'milestone' ? row.milestone.totals : undefined
  const isDone = row.kind === 'milestone' && row.milestone.completed_at !== null
  const share = totals?.tasks ? totals.completed / totals.tasks : Number(isDone)
  return {
    ...common,
    kind: 'group',
    state: isDone || share === 1 ? 'done' : share > 0 ? 'started' : 'open',
    isCritical: false,
    share,
    late: 0,
    slack: null,
  }
}

type Task = ProjectPlan['tasks'][number]

function isStarted({ status }: Task): boolean {
  return status?.category === 'in_progress'
}

/** How much of a task is done: by its time, as far as that is estimated. */
function shareOf({ is_completed, estimate_minutes, spent_minutes }: Task): number {
  if (is_completed) return 1
  return estimate_minutes ? Math.min(1, spent_minutes / estimate_minutes) : 0
}

export type Edge = 'move' | 'start' | 'end'

/** The dates of a bar after so many calendar days, on working days; a move keeps how many it has. */
export function draggedDates({ start, due }: Dates, by: number, edge: Edge, days: WorkDays): Dates {
  const [from, to] = [dayNumber(start), dayNumber(due)]
  const text = (day: number) => dayText(day) ?? due
  const near = (day: number) => days.day(by < 0 ? days.until(day) : days.from(day))
  if (edge === 'start') return { start: text(Math.min(near(from + by), to)), due }
  if (edge === 'end') return { start, due: text(Math.max(near(to + by), from)) }
  const first = near(from + by)
  return { start: text(first), due: text(days.day(days.from(first) + days.length(from, to) - 1)) }
}

/** The dates of a bar after so many working days, as by a key. */
export function steppedDates({ start, due }: Dates, by: number, edge: Edge, days: WorkDays): Dates {
  const [from, to] = [dayNumber(start), dayNumber(due)]
  const text = (day: number) => dayText(day) ?? due
  if (edge === 'end') return { start, due: text(Math.max(days.day(days.until(to) + by), from)) }
  const moved = days.shifted({ start: from, due: to }, by)
  return { start: text(moved.start ?? from), due: text(moved.due ?? to) }
}

/** Whether dates are other than those of a bar. */
export function isOther(one: Dates, other: Dates): boolean {
  return one.start !== other.start || one.due !== other.due
}

/** Working days from one day to another, negative backwards. */
export function daysBetween(from: string, to: string, days: WorkDays): number {
  return days.until(dayNumber(to)) - days.until(dayNumber(from))
}
