import { bound } from '../../../schedule/network.ts'
import type { PlanDates, PlanLink } from '../../../schedule/plan.ts'
import type { Day, WorkDays } from '../../../schedule/workdays.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import type { StoredPlan } from './stored.ts'

/** What earlier operations of the same change ask for: dates, dependencies, and the start of the project. */
type Before = {
  dates: Map<string, PlanDates>
  links: ReadonlyMap<string, { link: PlanLink | null }>
  start: string | null
}

/** Minutes of a working day of a task of which only the estimate is known. */
const dayMinutes = 480

/**
 * Gives dates to open tasks that have none, all or one: as early as their dependencies leave, but neither before the
 * project starts nor before today, for as many working days as their estimate takes, at least one. Dates of tasks with
 * subtasks follow from these.
 */
export function schedule(
  { project, tasks, plan }: StoredPlan,
  workdays: WorkDays,
  { dates, start, links: changed }: Before,
  only: string | undefined,
): void {
  const begin = start ?? project.start_date
  const first = workdays.from(Math.max(begin ? dayNumber(begin) : plan.today, plan.today))
  const rows = new Map(tasks.map((row) => [row.id, row]))
  const planned = new Map(plan.tasks.map((task) => [task.id, task]))
  const parents = new Set(plan.tasks.map(({ parent }) => parent))
  const links = [
    ...plan.links.filter(({ task, predecessor }) => !changed.has(`${task} ${predecessor}`)),
    ...[...changed.values()].flatMap(({ link }) => link ?? []),
  ]
  const before = Map.groupBy(links, ({ task }) => task)
  const isUndated = (id: string) => {
    const task = planned.get(id)
    const { start: from, due } = dates.get(id) ?? task ?? {}
    const isAsked = only === undefined || only === id
    return isAsked && task?.state === 'open' && !task.isFixed && !parents.has(id) && !from && !due
  }
  const path = new Set<string>()
  const placeOf = (id: string): { start: number; end: number } | undefined => {
    if (isUndated(id) && !path.has(id)) place(id)
    const { start: from = null, due = null }: Partial<PlanDates> =
      dates.get(id) ?? planned.get(id) ?? {}
    const [one, other] = [from ?? due, due ?? from]
    if (one === null || other === null) return undefined
    return { start: workdays.from(one), end: workdays.until(other) }
  }
  const place = (id: string) => {
    path.add(id)
    const { estimate_minutes: minutes = null } = rows.get(id) ?? {}
    const length = Math.max(1, Math.ceil((minutes ?? 0) / dayMinutes))
    let at = first
    for (const link of before.get(id) ?? []) {
      const its = placeOf(link.predecessor)
      if (!its) continue
      const limit = bound(link, its.start, its.end)
      at = Math.max(at, limit.of === 'start' ? limit.at : limit.at - length + 1)
    }
    const day = (number: number): Day => workdays.day(number)
    dates.set(id, { start: day(at), due: day(at + length - 1) })
    path.delete(id)
  }
  for (const { id } of plan.tasks) if (isUndated(id)) place(id)
}
