import type { PlanTask } from '../data/project-plan.ts'

/** The overdue open tasks, the oldest first. */
export function lateTasks(tasks: PlanTask[], today: string): PlanTask[] {
  return tasks
    .filter(({ is_completed, due_date }) => !is_completed && due_date !== null && due_date < today)
    .toSorted((a, b) => String(a.due_date).localeCompare(String(b.due_date)))
}
