import type { Static } from 'typebox'
import { Type } from 'typebox'
import { enumeration } from '../../../kit/ground/json-schema.ts'
import { placeProperties } from '../../../kit/write/move.ts'

/** How many lines one request adds. */
const mostLines = 500

const id = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 25, description }))
const day = () => Type.Optional(Type.String({ format: 'date' }))

const line = Type.Object(
  {
    kind: Type.Optional(
      enumeration(['task', 'milestone'], { title: 'PlanLineKind', description: '`task`' }),
    ),
    title: Type.String({ pattern: '\\S', maxLength: 255 }),
    below: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: mostLines - 1,
        description: 'the place in `lines`, from 0, of the line before it that it is a part of',
      }),
    ),
    owner: id('the id of a user'),
    start_date: day(),
    due_date: day(),
    status: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'of a task, by its key' }),
    ),
    priority: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'of a task, such as high' }),
    ),
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
    is_shared: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, title: 'NewPlanLine' },
)

/** The body that adds lines to a plan. */
export const linesBody = Type.Object(
  {
    lines: Type.Array(line, {
      minItems: 1,
      maxItems: mostLines,
      description: 'milestones and tasks, in their order',
    }),
    milestone_id: id('the milestone to which those belong that are below no line'),
    parent_id: id('the task of which they are subtasks'),
    ...placeProperties,
  },
  { additionalProperties: false },
)

export type NewLines = Static<typeof linesBody>
export type NewLine = NewLines['lines'][number]

/** The answer: what was created, in the order of the lines. */
export const linesAnswer = Type.Object(
  {
    ids: Type.Array(Type.String(), { description: 'of what was created, in the order of `lines`' }),
    bulk_id: Type.String({ description: 'for the undo' }),
  },
  { additionalProperties: false, title: 'NewPlanLines' },
)
