import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Schema } from '../../kit/ground/json-schema.ts'
import { enumeration, openObject, orNull, schema } from '../../kit/ground/json-schema.ts'

const days = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 3660, description }))
const name = Type.String({ pattern: '\\S', maxLength: 255 })
const description = Type.Optional(orNull(Type.String({ maxLength: 10_000 })))
const is_shared = Type.Optional(
  Type.Boolean({ description: 'shared with customers and partners of the account (false)' }),
)
const timing = {
  start_offset_days: days('working days'),
  duration_days: days('working days (1)'),
  assignee_role: Type.Optional(
    Type.String({ maxLength: 100, description: 'such as project_owner' }),
  ),
}

const ref = Type.String({ minLength: 1, maxLength: 255 })

/** A predecessor in a plan, by its id or title; with a type or lag where it is not simply finish to start. */
const predecessor = Type.Object(
  {
    id: ref,
    type: Type.Optional(enumeration(['FS', 'SS', 'FF', 'SF'], { title: 'TemplateDependencyType' })),
    lag_days: Type.Optional(
      Type.Integer({ minimum: -3660, maximum: 3660, description: 'working days (0)' }),
    ),
  },
  { title: 'TemplateDependency' },
)

const task = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    title: Type.Optional(name),
    name: Type.Optional(name),
    description,
    ...timing,
    parent: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'the id or title of an earlier task of the milestone, of which it is a subtask',
      }),
    ),
    depends_on: Type.Optional(Type.Array(Type.Union([ref, predecessor]), { maxItems: 50 })),
    priority: Type.Optional(Type.String({ maxLength: 100 })),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })),
    form_id: Type.Optional(
      orNull(
        Type.String({ minLength: 1, maxLength: 25, description: 'the form that it asks for' }),
      ),
    ),
    document_id: Type.Optional(
      orNull(
        Type.String({
          minLength: 1,
          maxLength: 25,
          description: 'the document of which each project gets a copy, attached to the task',
        }),
      ),
    ),
    estimate_minutes: Type.Optional(
      orNull(
        Type.Integer({
          minimum: 0,
          maximum: 6_000_000,
          description: 'how long it is expected to take',
        }),
      ),
    ),
    item_type: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    asks_for_file: Type.Optional(
      Type.Boolean({ description: 'whether whoever it is of hands in a file (false)' }),
    ),
    evidence: Type.Optional(
      Type.String({ maxLength: 500, description: 'on what a suggested task rests' }),
    ),
    is_shared,
  },
  { title: 'TemplateTask' },
)

const tasks = Type.Optional(Type.Array(task, { maxItems: 2000 }))

/** A milestone of a plan. */
export const milestoneSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    name,
    description,
    is_shared,
    ...timing,
    tasks,
  },
  { title: 'TemplateMilestone' },
)

const stage = Type.Object(
  {
    stage_id: Type.Optional(
      schema<string | number>({ type: ['string', 'integer'], maxLength: 100 }),
    ),
    name,
    color: Type.Optional(orNull(Type.String({ maxLength: 30, format: 'color' }))),
    status: Type.Optional(orNull(openObject)),
    description,
    is_shared,
    ...timing,
    tasks,
    milestones: Type.Optional(Type.Array(milestoneSchema, { maxItems: 200 })),
  },
  { title: 'TemplateStage' },
)

const config = Type.Object(
  { stages: Type.Optional(Type.Array(stage, { maxItems: 200 })) },
  { title: 'TemplateConfig' },
)

/** Who does a part of a plan: named here, filled where the template is used. */
export const roleSchema = Type.Object(
  {
    key: Type.String({
      pattern: '\\S',
      maxLength: 100,
      description: 'as `assignee_role` names it',
    }),
    name,
    side: enumeration(['ours', 'customer'], {
      title: 'TemplateRoleSide',
      description: 'whether one of the organization or of its customer does it',
    }),
    default_user_id: Type.Optional(
      orNull(
        Type.String({ minLength: 1, maxLength: 25, description: 'who has it if nobody is named' }),
      ),
    ),
  },
  { title: 'TemplateRole', additionalProperties: false },
)

export type TemplateRole = Static<typeof roleSchema>

/** The plan of a template: stages with milestones with tasks (specification 2.3, Template). */
export const configSchema = config as unknown as Schema<TemplateConfig>

export type TemplateConfig = Static<typeof config>
export type TemplateStage = Static<typeof stage>
export type TemplateMilestone = Static<typeof milestoneSchema>
export type TemplateTask = Static<typeof task>
export type TemplateDependency = Static<typeof predecessor>

/** How deep tasks and their subtasks may be. */
export const mostLevels = 5

/** The predecessors of a task, each with its id or title, type and lag. */
export function predecessorsOf({ depends_on = [] }: Pick<TemplateTask, 'depends_on'>) {
  return depends_on.map((each): Required<TemplateDependency> => {
    const { id, type = 'FS', lag_days = 0 } = typeof each === 'string' ? { id: each } : each
    return { id, type, lag_days }
  })
}

/** The status of a stage whose template has none: not started. */
const firstStatus = { status_id: 1, status_key: 'not_started', status_name: 'Not started' }

/**
 * A plan whose stages have all properties in the specification (2.3, Template): an id, which is
 * the next free number if there is none, a color and a status.
 */
export function completed<C extends TemplateConfig | undefined>(config: C): C {
  if (!config?.stages) return config
  const taken = new Set(config.stages.map(({ stage_id }) => String(stage_id)))
  let next = 0
  const free = () => {
    do next++
    while (taken.has(String(next)))
    return String(next)
  }
  const stages = config.stages.map((each) => ({
    ...each,
    stage_id: each.stage_id ?? free(),
    color: each.color ?? '#94A3B8',
    status: each.status ?? firstStatus,
  }))
  return { ...config, stages }
}
