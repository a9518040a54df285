import { WorkDays, dayNumber } from '../../../server/src/schedule/workdays.ts'
import type { PlanTask, ProjectPlan } from '../data/project-plan.ts'
import { counted } from '../ui/counted.ts'

type Calendar = ProjectPlan['calendar']

/** Why a row needs somebody: it is late, or waits for another one that should have been done. */
export type Trouble = { kind: 'late' | 'blocked'; text: string; title?: string }

function isLate({ is_completed, due_date }: PlanTask, today: string): boolean {
  return !is_completed && due_date !== null && due_date < today
}

/** The working days after one day up to another one, at least one. */
export function workingDaysBetween(from: string, to: string, calendar: Calendar): number {
  return Math.max(1, new WorkDays(calendar, dayNumber(from) + 1).from(dayNumber(to) + 1))
}

/** What is the matter with each task of a plan, by its id; `numbers` are those that are shown. */
export function troublesOf(
  { tasks, dependencies, calendar }: Pick<ProjectPlan, 'tasks' | 'dependencies' | 'calendar'>,
  numbers: ReadonlyMap<string, string>,
  today: string,
): Map<string, Trouble> {
  const byId = new Map(tasks.map((task) => [task.item_id, task]))
  const before = Map.groupBy(dependencies, ({ task_id }) => task_id)
  const late = (task: PlanTask) => {
    const days = workingDaysBetween(task.due_date ?? today, today, calendar)
    return `${counted(days, 'day')} late`
  }
  const found = new Map<string, Trouble>()
  for (const task of tasks) {
    const begins = task.start_date ?? task.due_date
    const shouldHaveBegun = begins !== null && begins <= today
    if (task.is_completed || !shouldHaveBegun) continue
    const isOverdue = isLate(task, today)
    if (!isOverdue && !task.is_blocked) continue
    const open = (before.get(task.item_id) ?? []).flatMap(({ predecessor_id }) => {
      const one = byId.get(predecessor_id)
      return one && !one.is_completed ? one : []
    })
    const cause = open.find((one) => isLate(one, today)) ?? open[0]
    const who = cause?.owner ? ` (${cause.owner.full_name})` : ''
    const name = cause ? { title: `waits for ${cause.title}${who}` } : {}
    const after = cause
      ? `after ${numbers.get(cause.item_id) ?? cause.title}`
      : task.is_blocked
        ? 'waits for another task'
        : ''
    if (isOverdue) {
      const text = [late(task), after].filter(Boolean).join(' · ')
      found.set(task.item_id, { kind: 'late', text, ...name })
    } else {
      const text = cause && isLate(cause, today) ? `${after}, which is ${late(cause)}` : after
      found.set(task.item_id, { kind: 'blocked', text, ...name })
    }
  }
  return found
}
