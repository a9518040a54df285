import type { Plan } from '../../../server/src/schedule/plan.ts'
import { dayNumber } from '../../../server/src/schedule/workdays.ts'
import type { PlanTask, ProjectPlan } from '../data/project-plan.ts'

type Dated = { start_date: string | null; due_date: string | null }

/** What of a plan its dates follow from. */
export type EnginePart = Pick<
  ProjectPlan,
  'tasks' | 'milestones' | 'dependencies' | 'calendar' | 'today' | 'go_live'
>

const datesOf = ({ start_date, due_date }: Dated) => ({
  start: start_date ? dayNumber(start_date) : null,
  due: due_date ? dayNumber(due_date) : null,
})

/** A plan that was read as the engine of the service takes it. */
export function enginePlan(plan: EnginePart): Plan {
  const done = new Map(plan.tasks.map(({ item_id, is_completed }) => [item_id, is_completed]))
  const waiting = new Set(
    plan.dependencies.flatMap(({ task_id, predecessor_id }) =>
      done.get(predecessor_id) === false ? task_id : [],
    ),
  )
  // what no predecessor in the plan explains: somebody says so, or one may not be seen
  const isHeld = ({ item_id, is_blocked }: PlanTask) => is_blocked && !waiting.has(item_id)
  return {
    tasks: plan.tasks.map((task) => ({
      id: task.item_id,
      parent: task.parent_id,
      milestone: task.milestone_id,
      state: task.is_completed
        ? 'done'
        : task.status?.category === 'in_progress'
          ? 'started'
          : 'open',
      isPinned: task.is_pinned,
      isFixed: task.can?.update === false,
      isHeld: isHeld(task),
      ...datesOf(task),
    })),
    milestones: plan.milestones.map((milestone) => ({
      id: milestone.milestone_id,
      isDone: milestone.completed_at !== null,
      isFixed: milestone.can?.update === false,
      ...datesOf(milestone),
    })),
    links: plan.dependencies.map(({ task_id, predecessor_id, type, lag_days }) => ({
      task: task_id,
      predecessor: predecessor_id,
      type,
      lag: lag_days,
    })),
    calendar: plan.calendar,
    today: dayNumber(plan.today),
    agreed: plan.go_live.agreed ? dayNumber(plan.go_live.agreed) : null,
    goLive: plan.milestones.find(({ kind }) => kind === 'go_live')?.milestone_id ?? null,
  }
}
