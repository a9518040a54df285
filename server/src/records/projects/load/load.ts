import { Type } from 'typebox'
import { badField } from '../../../kit/ground/errors.ts'
import { idInQuery } from '../../../kit/ground/ids.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { capacityIn, sharesOf } from '../../../schedule/load.ts'
import { dayNumber, dayText } from '../../../schedule/workdays.ts'
import { calendarSchema } from '../schedule/calendar.ts'
import { peopleOf, timeOf } from './people.ts'
import type { OpenWork } from './work.ts'
import { calendarOfLoad, checkWeeks, openWork, refuseCustomers } from './work.ts'

const most = { people: 500, tasks: 50_000, weeks: 26 }
const usualWeeks = 10

const minutes = (description: string) => Type.Integer({ description })
const week = Type.Object(
  {
    week: Type.String({ format: 'date', description: 'its first day' }),
    capacity: minutes('working minutes, without holidays and days away'),
    planned: minutes('minutes of the tasks that fall into it'),
    tasks: Type.Integer({ description: 'how many tasks that are' }),
    without_estimate: Type.Integer({ description: 'of which nobody said how long they take' }),
    off_days: Type.Integer({ description: 'working days on which the person is away' }),
    parts: Type.Array(
      Type.Object(
        {
          project: orNull(Type.String({ description: 'null of tasks without a visible project' })),
          minutes: minutes('of its tasks'),
        },
        { title: 'LoadPart', additionalProperties: false },
      ),
      { description: 'the same by project' },
    ),
  },
  { title: 'LoadWeek', additionalProperties: false },
)

const person = Type.Object(
  {
    user: Type.Object(
      {
        user_id: Type.String(),
        full_name: Type.String(),
        designation: orNull(Type.String()),
        reports_to: orNull(Type.String({ description: 'identifier of a user' })),
        weekly_hours: orNull(Type.Number()),
      },
      { title: 'LoadUser', additionalProperties: false },
    ),
    weeks: Type.Array(week, { description: 'in the order of `weeks` of the answer' }),
  },
  { title: 'LoadPerson', additionalProperties: false },
)

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

/** The load of people by weeks: what their open tasks take of the time that they have. */
export const load = operation({
  name: 'read_load',
  summary: 'Retrieve the load of people by week',
  description:
    'The estimated minutes of open tasks, spread over their working days, against the working hours of their owners. ' +
    'Only tasks that the caller may read count; tasks without an estimate are counted, never guessed. ' +
    'With `project`, the load of people is still that of all projects.',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      from: day('a day of the first week (this week)'),
      to: day(`a day of the last week, at most ${most.weeks} weeks in all (${usualWeeks} in all)`),
      team: Type.Optional(idInQuery('a user, with everybody who reports to them')),
      designation: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'only people with this one' }),
      ),
      project: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 6000,
          description:
            'only people with tasks in this project, or in one of several, separated by commas',
        }),
      ),
    }),
  },
  output: Type.Object(
    {
      weeks: Type.Array(
        Type.Object(
          {
            week: Type.String({ format: 'date', description: 'its first day' }),
            working_days: Type.Integer({ description: 'without holidays' }),
          },
          { title: 'LoadWeekDays', additionalProperties: false },
        ),
        { description: 'the weeks, in their order' },
      ),
      people: Type.Array(person, { description: 'those who work here, by name' }),
      projects: Type.Record(Type.String(), Type.String(), {
        description: 'the names of the projects of the parts',
      }),
      calendar: calendarSchema,
      today: Type.String({ format: 'date', description: 'by the organization' }),
      is_complete: Type.Boolean({
        description: `false where it holds the first ${most.people} people, or ${most.tasks} tasks, of more`,
      }),
    },
    { title: 'Load', additionalProperties: false },
  ),
  run: async (ctx, { query: { from, to, team, designation, project } }) => {
    refuseCustomers(ctx)
    const calendar = await calendarOfLoad(ctx)
    const weeks = weeksOf(calendar, from, to)
    const starts = Array.from({ length: weeks.count }, (_, at) => weeks.first + 7 * at)
    const projects = project === undefined ? undefined : new Set(project.split(','))
    const found = await peopleOf(ctx, { team, designation, most: most.people + 1 })
    const people = found.slice(0, most.people)
    const ids = people.map(({ user_id }) => user_id)
    const tasks = await openWork(ctx, ids, weeks, most.tasks + 1)
    const works = Map.groupBy(tasks.slice(0, most.tasks), ({ owner }) => owner)
    const names: { [id: string]: string } = {}
    const rows = people.flatMap((worker) => {
      const { absences: _, ...user } = worker
      const sums = starts.map(() => new WeekSum())
      for (const work of works.get(user.user_id) ?? []) {
        for (const { week: at, minutes: share } of sharesOf(daysOf(work), weeks, ...by(calendar))) {
          sums[at]?.add(work.project_id, share)
          if (work.project_id && work.project_name) names[work.project_id] = work.project_name
        }
      }
      if (projects && !sums.some((sum) => sum.isIn(projects))) return []
      const { workdays, daysOfWeek } = calendar
      const time = timeOf(worker)
      return {
        user,
        weeks: starts.map((start, at) => ({
          week: dayText(start) ?? '',
          ...capacityIn(start, time, workdays, daysOfWeek),
          ...(sums[at] ?? new WeekSum()).answer(),
        })),
      }
    })
    return {
      weeks: starts.map((start) => ({
        week: dayText(start) ?? '',
        working_days: calendar.workdays.from(start + 7) - calendar.workdays.from(start),
      })),
      people: rows,
      projects: names,
      calendar: calendar.rules,
      today: dayText(calendar.today) ?? '',
      is_complete: found.length <= most.people && tasks.length <= most.tasks,
    }
  },
})

type Calendar = Awaited<ReturnType<typeof calendarOfLoad>>

/** Dates and minutes of a task, as the engine counts them. */
export function daysOf({ start_date, due_date, estimate_minutes: expected }: OpenWork) {
  return {
    start: start_date ? dayNumber(start_date) : null,
    due: due_date ? dayNumber(due_date) : null,
    minutes: expected,
  }
}

function by({ workdays, today }: Calendar) {
  return [workdays, today] as const
}

/** The weeks of a request; 400 for those that end before they begin, and for too many. */
function weeksOf({ weekOf, today }: Calendar, from?: string, to?: string) {
  const first = weekOf(from === undefined ? today : dayNumber(from))
  const last = to === undefined ? first + 7 * (usualWeeks - 1) : weekOf(dayNumber(to))
  if (last < first) throw badField('to', 'must not be before from')
  const count = (last - first) / 7 + 1
  if (count > most.weeks) throw badField('to', `must be at most ${most.weeks} weeks after from`)
  return checkWeeks({ first, count }, 'from', 'to')
}

/** What falls into one week of one person. */
class WeekSum {
  readonly #parts = new Map<string | null, number>()
  #tasks = 0
  #without = 0

  add(project: string | null, share: number | null) {
    this.#tasks++
    if (share === null) this.#without++
    this.#parts.set(project, (this.#parts.get(project) ?? 0) + (share ?? 0))
  }

  isIn(projects: ReadonlySet<string>): boolean {
    return this.#parts.keys().some((id) => id !== null && projects.has(id))
  }

  answer() {
    const parts = [...this.#parts].map(([project, share]) => ({ project, minutes: share }))
    return {
      planned: parts.reduce((sum, part) => sum + part.minutes, 0),
      tasks: this.#tasks,
      without_estimate: this.#without,
      parts,
    }
  }
}
