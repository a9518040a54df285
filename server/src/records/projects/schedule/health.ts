import { Type } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import type { Forecast } from '../../../schedule/forecast.ts'
import type { Late } from '../../../schedule/health.ts'
import { troublesOf } from '../../../schedule/health.ts'
import type { Plan } from '../../../schedule/plan.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import type { StoredPlan, StoredRow } from './stored.ts'
import { textOf } from './stored.ts'

const cause = Type.Object(
  {
    kind: enumeration(['predecessor', 'customer', 'owner', 'nobody'], {
      title: 'PlanLateKind',
      description: 'a late task that it waits for, the customer who has it, its owner, or nobody',
    }),
    id: Type.String({ description: 'the predecessor, or the task itself' }),
    title: Type.String(),
    person: orNull(Type.String({ description: 'the name of the owner of that' })),
    since: Type.String({ format: 'date', description: 'when that was due' }),
  },
  {
    title: 'PlanLateCause',
    additionalProperties: false,
    description: 'what an open task waits for that is late',
  },
)

/** By how much a task is late, and why. */
export const lateSchema = Type.Object(
  {
    days: Type.Integer({ description: 'working days since it was due' }),
    cause,
  },
  {
    title: 'PlanLate',
    additionalProperties: false,
    description: 'of open tasks whose due date has passed; null for customers and partners',
  },
)

/** The health of a project, by one rule, and what it comes from. */
export const healthSchema = Type.Object(
  {
    state: enumeration(['planned', 'on_track', 'at_risk', 'late', 'live'], {
      title: 'ProjectHealthState',
      description:
        'late: the due date has passed, or the go-live is expected more than five working days after it; at risk: expected ' +
        'later at all, or a critical task is late or blocked',
    }),
    days: Type.Integer({ description: 'working days from the agreed to the expected go-live' }),
    cause: {
      ...orNull(
        Type.Object(
          {
            id: Type.String({ description: 'the first late task that the go-live waits for' }),
            title: Type.String(),
            days: Type.Integer({ description: 'working days that it is late; 0 of a blocked one' }),
            holds: Type.Integer({ description: 'open tasks that wait for it' }),
            late: { ...orNull(cause), description: 'why it is late; null of a blocked one' },
          },
          { title: 'ProjectHealthCause', additionalProperties: false },
        ),
      ),
      description: 'what it comes from; null where nothing is late or blocked',
    },
  },
  {
    title: 'ProjectHealth',
    additionalProperties: false,
    description: 'null for customers and partners',
  },
)

/** What is the matter with the readable part of a plan, with names. */
export function troublesIn({ project, tasks }: StoredPlan, readable: Plan, expected: Forecast) {
  const { late, blocked, health } = troublesOf(readable, expected, {
    start: project.start_date ? dayNumber(project.start_date) : null,
    isLive: project.completed_at !== null,
  })
  const rows = new Map(tasks.map((row) => [row.id, row]))
  const named = ({ kind, of: id, since }: Late) => {
    const row = rows.get(id)
    const person = row?.owner_name ?? null
    return { kind, id, title: row?.title ?? '', person, since: textOf(since) ?? '' }
  }
  const { cause: first } = health
  return {
    late(id: string) {
      const found = late.get(id)
      return found ? { days: found.days, cause: named(found) } : null
    },
    isLate: (id: string) => late.has(id),
    isBlocked: (id: string) => blocked.has(id),
    health: {
      state: health.state,
      days: health.days,
      cause: first && {
        id: first.task,
        title: rows.get(first.task)?.title ?? '',
        days: first.days,
        holds: first.holds,
        late: first.late && named(first.late),
      },
    },
  }
}

/** The totals of nothing. */
export const none = {
  tasks: 0,
  completed: 0,
  late: 0,
  blocked: 0,
  estimate_minutes: 0,
  spent_minutes: 0,
}

/** The totals of the readable tasks of a plan, and of those of each milestone with what is below them. */
export function totalsOf(
  { tasks }: Pick<StoredPlan, 'tasks'>,
  troubles: Pick<ReturnType<typeof troublesIn>, 'isLate' | 'isBlocked'> | undefined,
  hasEstimates: boolean,
) {
  const readable = tasks.filter(({ is_readable }) => is_readable)
  const rows = new Map(readable.map((row) => [row.id, row]))
  // the estimate of what has estimated parts is that of its parts
  const estimated = new Set(
    readable.flatMap(({ estimate_minutes, parent_id }) =>
      estimate_minutes !== null && parent_id !== null ? parent_id : [],
    ),
  )
  const whole = { ...none }
  const ofMilestone = new Map<string, typeof none>()
  for (const row of readable) {
    const { id, is_done, estimate_minutes, spent_minutes } = row
    const milestone = milestoneOf(row, rows)
    const own = milestone === null ? undefined : (ofMilestone.get(milestone) ?? { ...none })
    if (milestone !== null && own) ofMilestone.set(milestone, own)
    for (const sum of own ? [whole, own] : [whole]) {
      sum.tasks++
      sum.completed += Number(is_done)
      sum.late += Number(troubles?.isLate(id) ?? false)
      sum.blocked += Number(troubles?.isBlocked(id) ?? false)
      if (hasEstimates && !estimated.has(id)) sum.estimate_minutes += estimate_minutes ?? 0
      sum.spent_minutes += spent_minutes
    }
  }
  return { whole, ofMilestone }
}

function milestoneOf(row: StoredRow, rows: ReadonlyMap<string, StoredRow>): string | null {
  let of: StoredRow | undefined = row
  for (let n = 0; of && n < 10; n++) {
    if (of.milestone_id !== null) return of.milestone_id
    of = rows.get(of.parent_id ?? '')
  }
  return null
}
