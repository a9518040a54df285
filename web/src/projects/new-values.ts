import { WorkDays, dayNumber, dayText } from '../../../server/src/schedule/workdays.ts'
import type { Values } from '../data/change.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import type { Sets } from './title-words.ts'

/** What a line is besides its title: as it is sent, and as the plan shows it until it is stored. */
export type More = { sent: Values; shown: Values }

/** The fields that words at the end of a title set; `begin` is where days begin that have no due day. */
export function valuesOf(sets: Sets, plan: Pick<ProjectPlan, 'calendar'>, begin: string): More {
  const { owner, priority } = sets
  const dates = datesOf(sets, plan, begin)
  return {
    sent: {
      ...(owner ? { owner: owner.user_id } : {}),
      ...(priority ? { priority: priority.value } : {}),
      ...dates,
    },
    shown: { ...(owner ? { owner } : {}), ...(priority ? { priority } : {}), ...dates },
  }
}

/** The dates of a due day, of days from a day on, or of days that end on a day. */
export function datesOf(
  { due, days }: { due?: string | undefined; days?: number | undefined },
  { calendar }: Pick<ProjectPlan, 'calendar'>,
  begin: string,
): { start_date?: string; due_date?: string } {
  if (days === undefined) return due === undefined ? {} : { due_date: due }
  const origin = dayNumber(due ?? begin)
  const work = new WorkDays(calendar, origin)
  const start = due === undefined ? work.from(origin) : work.until(origin) - days + 1
  const [first, last] = [start, start + days - 1].map((day) => dayText(work.day(day)))
  return {
    ...(first === undefined ? {} : { start_date: first }),
    ...(last === undefined ? {} : { due_date: due ?? last }),
  }
}

/** Where a new task of a milestone begins: the working day after the last one of its tasks, or today. */
export function beginIn(plan: ProjectPlan, milestone: string | null, today: string): string {
  const days = plan.tasks.flatMap(({ milestone_id, due_date }) =>
    milestone_id === milestone && due_date !== null ? due_date : [],
  )
  const last = days.toSorted().at(-1)
  if (last === undefined) return today
  const work = new WorkDays(plan.calendar, dayNumber(last))
  return dayText(work.day(work.until(dayNumber(last)) + 1)) ?? today
}
