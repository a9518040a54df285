import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { workCalendar } from '../../model/holidays/calendar.ts'
import type { TemplateConfig, TemplateRole } from '../../model/templates/config.ts'
import { today } from '../../model/time/dates.ts'
import type { CalendarRules, Day } from '../../schedule/workdays.ts'
import { WorkDays, dayNumber, dayText } from '../../schedule/workdays.ts'
import type { ChosenRoles } from './assignees.ts'
import { assigneesOf, roleWord } from './assignees.ts'
import type { PlannedMilestone, PlannedTask } from './plan.ts'
import { planOf } from './plan.ts'

/** The project to which a template is applied; links are ids, days `YYYY-MM-DD`. Without an id it is not created yet. */
export type LaidOutProject = {
  id: string | null
  project_owner: string | null
  project_manager: string | null
  account_id?: string | null
  start_date: string | null
  due_date: string | null
  holidays_id: string | null
}

/** A template as it is applied; without an id it is a plan of its own. */
export type UsedTemplate = { id: string | null; config: TemplateConfig; roles: TemplateRole[] }

/** What of a template is applied, and to whom its tasks go. */
export type LayOutOptions = {
  roles?: ChosenRoles
  /** the places of the milestones in the template, from 0; all if it is absent */
  milestones?: readonly number[]
  /** the names of tasks that are left out */
  without?: ReadonlySet<string>
}

type Dated = { start_date: string; due_date: string; owner: string | null }

/** A template with the dates and people that a project gives it, as it is previewed and as it is written. */
export type DatedPlan = {
  /** the template */
  template_id: string | null
  milestones: (PlannedMilestone & Dated & { dated: (PlannedTask & Dated)[] })[]
  /** the first and the last working day; null for an empty plan */
  start: Day | null
  end: Day | null
  /** how many working days there are from the first to the last */
  length: number
  roles: Map<string, { role: string; tasks: number; owner: string | null }>
  rules: CalendarRules
}

/**
 * The dates and owners of a template's milestones and tasks. Days are working days: forward from the start, else back
 * from the due date, else from today. A part of the template begins with its own first day.
 */
export async function dated(
  ctx: Context,
  project: LaidOutProject,
  { id: template_id, config, roles: named }: UsedTemplate,
  { roles: chosen, milestones, without }: LayOutOptions = {},
): Promise<DatedPlan> {
  const whole = planOf(config)
  const some = milestones ? whole.filter((_, at) => milestones.includes(at)) : whole
  const plan = without?.size
    ? some.map((each) => ({ ...each, tasks: each.tasks.filter(({ ref }) => !without.has(ref)) }))
    : some
  const { rules } = await workCalendar(ctx, project.holidays_id)
  const roles: DatedPlan['roles'] = new Map()
  const none = { template_id, milestones: [], start: null, end: null, length: 0, roles, rules }
  if (!plan.length) return none
  const skipped = milestones ? Math.min(...plan.map(({ start }) => start)) : 0
  const length = Math.max(...plan.map(({ end }) => end), 1) - skipped
  const { start_date, due_date } = project
  const workdays = new WorkDays(rules, dayNumber(start_date ?? due_date ?? today(ctx)))
  // number 0 is the first working day from there on
  const first = start_date || !due_date ? 0 : workdays.until(dayNumber(due_date)) - length + 1
  const day = (n: number): string => {
    const text = dayText(workdays.day(first + n - skipped))
    if (text !== undefined) return text
    const field = start_date ? 'start_date' : 'due_date'
    throw badField(field, 'moves days of the template beyond the calendar')
  }
  const personFor = await assigneesOf(ctx, project, named, chosen)
  const owned = (role: string | undefined, tasks: number) => {
    const owner = personFor(role)
    const word = roleWord(role ?? '')
    if (role && word) {
      const known = roles.get(word) ?? { role: role.trim(), tasks: 0, owner }
      roles.set(word, { ...known, tasks: known.tasks + tasks })
    }
    return owner
  }
  return {
    template_id,
    milestones: plan.map((milestone) => ({
      ...milestone,
      start_date: day(milestone.start),
      due_date: day(Math.max(milestone.start, milestone.end - 1)),
      owner: owned(milestone.role, 0),
      dated: milestone.tasks.map((task) => {
        const from = milestone.start + (task.start_offset_days ?? 0)
        return {
          ...task,
          start_date: day(from),
          due_date: day(from + Math.max(0, (task.duration_days ?? 1) - 1)),
          owner: owned(task.assignee_role, 1),
        }
      }),
    })),
    start: workdays.day(first),
    end: workdays.day(first + length - 1),
    length,
    roles,
    rules,
  }
}
