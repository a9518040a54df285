import type { Context } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Task } from '../../../model/tasks/task.ts'
import { today } from '../../../model/time/dates.ts'
import { WorkDays, dayNumber, dayText } from '../../../schedule/workdays.ts'
import type { DatedPlan } from '../../templates/dated.ts'

/** What whoever uses a template should look at before. */
export const concernKinds = [
  'off_day',
  'past',
  'left',
  'nobody',
  'agreed',
  'load',
  'away',
  'duplicate',
  'holidays',
] as const

export type Concern = { kind: (typeof concernKinds)[number]; text: string }

type About = {
  start_date?: string
  go_live_date?: string
  /** the running project, and the day that is agreed for its end */
  project_id?: string
  agreed?: string | null
  /** those who had a role and have left, by the role */
  left: { name: string; tasks: number }[]
  /** who would have too much to do, or is away */
  loads: Concern[]
}

/** What is in the way of a plan, the most important first. */
export async function concernsOf(ctx: Context, plan: DatedPlan, about: About): Promise<Concern[]> {
  const { start, end } = plan
  if (start === null || end === null) return []
  const free = [...plan.roles.values()].filter(({ owner }) => owner === null)
  const unowned =
    free.reduce((sum, { tasks }) => sum + tasks, 0) -
    about.left.reduce((sum, { tasks }) => sum + tasks, 0)
  const days = dayNumber(today(ctx)) - start
  const { agreed } = about
  return [
    ...offDay(plan, about.start_date, start, 'the plan starts on'),
    ...offDay(plan, about.start_date ? undefined : about.go_live_date, end, 'the plan ends on'),
    ...(days > 0
      ? [{ kind: 'past' as const, text: `The plan starts in the past, on ${dayText(start)}` }]
      : []),
    ...about.left.map(({ name, tasks }) => ({
      kind: 'left' as const,
      text: `${name} has left: ${counted(tasks, 'task')} without an owner`,
    })),
    ...(unowned > 0
      ? [{ kind: 'nobody' as const, text: `${counted(unowned, 'task')} without an owner` }]
      : []),
    ...(agreed && dayNumber(agreed) < end
      ? [
          {
            kind: 'agreed' as const,
            text: `The plan ends on ${dayText(end)}, after the due date ${agreed}`,
          },
        ]
      : []),
    ...about.loads,
    ...(await duplicates(ctx, plan, about.project_id)),
    ...holidays(plan, start, end),
  ]
}

function offDay({ rules }: DatedPlan, wanted: string | undefined, got: number, words: string) {
  if (!wanted || !new WorkDays(rules, got).isOff(dayNumber(wanted))) return []
  return [
    { kind: 'off_day' as const, text: `${wanted} is not a working day: ${words} ${dayText(got)}` },
  ]
}

/** The tasks of a running project that have a title of the plan, as far as the caller may read them. */
async function duplicates(
  ctx: Context,
  { milestones }: DatedPlan,
  project: string | undefined,
): Promise<Concern[]> {
  if (project === undefined) return []
  const titles = milestones.flatMap(({ tasks }) => tasks.map(({ title }) => title.toLowerCase()))
  const found = await ctx.all<{ title: string }>(sql`select distinct t.title from tasks t
    where ${scope(ctx, Task, 'read')} and t.project_id = ${project}
      and lower(t.title) = any(${[...new Set(titles)]}::text[])
    order by t.title`)
  if (!found.length) return []
  const names = listed(found.map(({ title }) => title))
  return [{ kind: 'duplicate', text: `The project already has ${names}` }]
}

/** The holidays between the first and the last day on which one would have worked. */
function holidays({ rules }: DatedPlan, start: number, end: number): Concern[] {
  const workdays = new WorkDays(rules, start)
  const weekdays = new WorkDays({ ...rules, holidays: [] }, start)
  const days: string[] = []
  for (let day = start; day <= end; day++) {
    if (workdays.isOff(day) && !weekdays.isOff(day)) days.push(dayText(day) ?? '')
  }
  if (!days.length) return []
  const words = days.length === 1 ? 'is a holiday' : 'are holidays'
  return [{ kind: 'holidays', text: `${listed(days)} ${words}: nothing is planned then` }]
}

/** The first three of a list in words. */
function listed(names: string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names
  const last = shown.at(-1) ?? ''
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${last}` : last
}

export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
