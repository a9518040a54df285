import { Type } from 'typebox'
import type { Static } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { dependencyType } from '../../tasks/dependencies.ts'

const day = (description: string) =>
  Type.Optional(orNull(Type.String({ format: 'date', description })))
const id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 25, description }))

const set = Type.Object(
  {
    start_date: day('alone it keeps the working days, so that the due day moves too'),
    due_date: day('alone it changes the working days'),
    duration_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3660, description: 'working days from the start' }),
    ),
    is_pinned: Type.Optional(
      Type.Boolean({ description: 'whether the dates of the task are fixed' }),
    ),
  },
  { additionalProperties: false, title: 'PlanSet' },
)

const change = Type.Object(
  {
    op: enumeration(['set', 'link', 'unlink', 'move_project', 'agree', 'schedule', 'close_gaps'], {
      title: 'PlanOperation',
      description:
        'dates of a task or milestone, a dependency, the start of the project with all that has not begun, its agreed go-live, dates for open tasks without any, or open tasks as early as their dependencies leave',
    }),
    id: id(
      'the task or milestone, for `set`; the task that waits, for `link` and `unlink`; for `schedule` one task, else all',
    ),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: '409 if the task or milestone has another one' }),
    ),
    set: Type.Optional(set),
    predecessor_id: id('for `link` and `unlink`'),
    type: Type.Optional(dependencyType),
    lag_days: Type.Optional(
      Type.Integer({ minimum: -3660, maximum: 3660, description: 'working days (0)' }),
    ),
    start_date: Type.Optional(
      Type.String({ format: 'date', description: 'of the project, for `move_project`' }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: -3660,
        maximum: 3660,
        description: 'for `move_project`, in place of `start_date`: by so many working days',
      }),
    ),
    due_date: Type.Optional(
      Type.String({ format: 'date', description: 'of the project, for `agree`' }),
    ),
  },
  { additionalProperties: false, title: 'PlanChange' },
)

/** The body of a change of a plan. */
export const changesBody = Type.Object(
  {
    plan_version: Type.Optional(
      Type.String({
        maxLength: 100,
        description: '409 `plan_changed` if the plan has another one',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'write nothing (false)' })),
    follow: Type.Optional(
      enumeration(['use_gaps', 'keep_gaps', 'none'], {
        title: 'PlanFollow',
        description:
          'what depends on it moves only as far as a dependency would break (default), by as many working days, or not at all',
      }),
    ),
    ops: Type.Array(change, {
      minItems: 1,
      maxItems: 500,
      description: 'the changes, in their order',
    }),
  },
  { additionalProperties: false },
)

export type Changes = Static<typeof changesBody>
export type Change = Static<typeof change>
