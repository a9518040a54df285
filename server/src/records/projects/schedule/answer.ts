import { Type } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import type { Forecast } from '../../../schedule/forecast.ts'
import type { Conflict, MoveResult } from '../../../schedule/move.ts'
import { agreedConflicts, lastDay } from '../../../schedule/move.ts'
import type { Plan } from '../../../schedule/plan.ts'
import { dayText } from '../../../schedule/workdays.ts'
import { dependencyType } from '../../tasks/dependencies.ts'
import { numbersOf } from './numbers.ts'
import type { StoredPlan } from './stored.ts'
import { textOf } from './stored.ts'

const day = (description?: string) =>
  orNull(Type.String({ format: 'date', ...(description ? { description } : {}) }))
const dates = (title: string) =>
  Type.Object({ start: day(), due: day() }, { title, additionalProperties: false })
const kind = enumeration(['task', 'milestone'], { title: 'PlanRowKind' })
const person = Type.Object(
  { user_id: Type.String(), full_name: Type.String() },
  { title: 'PlanPerson', additionalProperties: false },
)

/** The answer to a change of a plan. */
export const changesAnswer = Type.Object(
  {
    plan_version: Type.String({ description: 'afterwards; of a dry run as it is' }),
    bulk_id: orNull(Type.String({ description: 'for the undo; null where nothing was written' })),
    rows: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          kind,
          start_date: day(),
          due_date: day(),
          is_pinned: Type.Boolean(),
          version: Type.Integer(),
        },
        { title: 'PlanRow', additionalProperties: false },
      ),
      { description: 'the tasks and milestones that were written' },
    ),
    moved: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          kind,
          number: Type.String({ description: 'its place in the plan, such as 3.2' }),
          title: Type.String(),
          owner: orNull(person),
          from: dates('PlanDatesBefore'),
          to: dates('PlanDatesAfter'),
          because: orNull(
            Type.Object(
              {
                id: Type.String({ description: 'the predecessor that moves it' }),
                title: Type.String(),
                type: dependencyType,
                lag_days: Type.Integer(),
              },
              { title: 'PlanCause', additionalProperties: false },
            ),
          ),
        },
        { title: 'PlanMove', additionalProperties: false },
      ),
    ),
    go_live: Type.Object(
      {
        agreed: day('the due date of the project'),
        from: day('the last day of the plan, before and after'),
        to: day(),
        forecast_from: day('the same as expected from today on'),
        forecast_to: day(),
      },
      { title: 'PlanGoLive', additionalProperties: false },
    ),
    project: Type.Object(
      { from: dates('ProjectDatesBefore'), to: dates('ProjectDatesAfter') },
      { title: 'PlanProject', additionalProperties: false },
    ),
    people: Type.Array(
      Type.Object(
        { user: person, tasks: Type.Integer({ description: 'how many of theirs move' }) },
        { title: 'PlanPersonTasks', additionalProperties: false },
      ),
    ),
    critical: Type.Array(Type.String(), { description: 'the tasks without slack' }),
    slack: Type.Record(Type.String(), Type.Integer(), {
      description: 'working days by which a task may end later until the plan does',
    }),
    hidden: Type.Integer({
      description: 'tasks that the caller may not read, and that stay although they wait',
    }),
    conflicts: Type.Array(
      Type.Object(
        {
          kind: enumeration(
            ['agreed', 'pinned', 'fixed', 'off_day', 'past', 'broken_link', 'cycle'],
            {
              title: 'PlanConflictKind',
            },
          ),
          id: orNull(Type.String({ description: 'the task or milestone' })),
          days: Type.Integer({ description: 'working days' }),
          text: Type.String(),
        },
        { title: 'PlanConflict', additionalProperties: false },
      ),
    ),
  },
  { title: 'PlanChanges', additionalProperties: false },
)

/** What the caller may read of a plan, and what is expected of that. */
type Seen = { plan: Plan; forecast: Forecast }

/** What a move comes to, as the caller may read it; without what the write adds. */
export function described(
  stored: StoredPlan,
  { moved, conflicts, cycle }: MoveResult,
  { start, agreed }: { start: string | null; agreed: string | null },
  [before, after]: [Seen, Seen],
) {
  const numbers = numbersOf(stored)
  const rows = new Map(
    [...stored.tasks, ...stored.milestones].flatMap((row) =>
      row.is_readable ? [[row.id, row]] : [],
    ),
  )
  const tasks = new Set(stored.tasks.map(({ id }) => id))
  const shownDates = ({ start: from, due }: { start: number | null; due: number | null }) => ({
    start: textOf(from),
    due: textOf(due),
  })
  const titleOf = (id: string | null) => rows.get(id ?? '')?.title ?? 'another task'
  const shown = moved.flatMap(({ id, from, to, because }) => {
    const row = rows.get(id)
    if (!row) return []
    const cause = because && rows.get(because.predecessor)
    const { owner, owner_name } = row
    return {
      id,
      kind: tasks.has(id) ? ('task' as const) : ('milestone' as const),
      number: numbers.get(id) ?? '',
      title: row.title,
      owner: owner === null ? null : { user_id: owner, full_name: owner_name ?? '' },
      from: shownDates(from),
      to: shownDates(to),
      because:
        cause && because
          ? { id: cause.id, title: cause.title, type: because.type, lag_days: because.lag }
          : null,
    }
  })
  const ofPeople = Map.groupBy(
    shown.filter((each) => each.kind === 'task' && each.owner),
    ({ owner }) => owner?.user_id ?? '',
  )
  const isShown = ({ id }: Conflict) => id === null || rows.has(id)
  const { start_date, due_date } = stored.project
  const expected = [...after.forecast.tasks]
  return {
    moved: shown,
    go_live: {
      agreed: agreed ?? due_date,
      from: textOf(lastDay(before.plan)),
      to: textOf(lastDay(after.plan)),
      forecast_from: textOf(before.forecast.go_live),
      forecast_to: textOf(after.forecast.go_live),
    },
    project: {
      from: { start: start_date, due: due_date },
      to: { start: start ?? start_date, due: agreed ?? due_date },
    },
    people: [...ofPeople.values()].flatMap(([first, ...more]) =>
      first?.owner ? { user: first.owner, tasks: 1 + more.length } : [],
    ),
    critical: expected.flatMap(([id, { is_critical }]) => (is_critical ? id : [])),
    slack: Object.fromEntries(expected.map(([id, { slack }]) => [id, slack.go_live])),
    hidden: conflicts.filter((each) => !isShown(each)).length,
    conflicts: [
      ...[...agreedConflicts(before.plan, after.plan), ...conflicts.filter(isShown)].map(
        (each) => ({
          kind: each.kind,
          id: each.id,
          days: each.days,
          text: textOfConflict(each, titleOf),
        }),
      ),
      ...(cycle
        ? [
            {
              kind: 'cycle' as const,
              id: null,
              days: 0,
              text: `These wait for each other: ${cycle.map(titleOf).join(' → ')}`,
            },
          ]
        : []),
    ],
  }
}

/** A conflict in a sentence. */
export function textOfConflict(
  { kind, id, days, other, day }: Conflict,
  titleOf: (id: string | null) => string,
): string {
  const count = `${days} working ${days === 1 ? 'day' : 'days'}`
  const date = day === null ? '' : (dayText(day) ?? '')
  switch (kind) {
    case 'agreed':
      return `The plan ends ${count} after the due date ${date}`
    case 'pinned':
      return `${titleOf(id)} is fixed on ${date}, ${count} too early for ${titleOf(other)}`
    case 'fixed':
      return `Your role may not move ${titleOf(id)}, ${count} too early for ${titleOf(other)}`
    case 'broken_link':
      return `${titleOf(id)} is ${count} too early for ${titleOf(other)}`
    case 'off_day':
      return `${titleOf(id)}: ${date} is not a working day`
    case 'past':
      return `${titleOf(id)}: ${date} has passed`
  }
}
