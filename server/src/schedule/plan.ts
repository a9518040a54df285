import type { CalendarRules, Dates, Day } from './workdays.ts'

/** Finish or start of the predecessor to start or finish of the task. */
export type LinkType = 'FS' | 'SS' | 'FF' | 'SF'

/** A task waits for another one; `lag` in working days. */
export type PlanLink = { task: string; predecessor: string; type: LinkType; lag: number }

export type PlanDates = Dates

/** A task; `parent` is a task of the plan, if it is one of its subtasks. */
export type PlanTask = PlanDates & {
  id: string
  parent: string | null
  milestone: string | null
  state: 'open' | 'started' | 'done'
  /** nothing but a person moves it: what would break it is named */
  isPinned: boolean
  /** it stays where it is, because the caller may not change it */
  isFixed: boolean
  /** somebody says that it cannot go on */
  isHeld?: boolean
  /** whether its owner works for the customer, or nobody has it */
  side?: 'us' | 'customer' | 'nobody'
}

export type PlanMilestone = PlanDates & { id: string; isDone: boolean; isFixed: boolean }

/** A plan, in the order in which its tasks are shown. */
export type Plan = {
  tasks: PlanTask[]
  milestones: PlanMilestone[]
  links: PlanLink[]
  calendar: CalendarRules
  today: Day
  /** the promised day of going live, which moves nothing */
  agreed: Day | null
  /** the milestone that is the go-live; without one that is the end of the plan */
  goLive: string | null
}
