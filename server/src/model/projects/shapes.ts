import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'

// The schemas of computed fields of projects and deals; their SQL is in `shown.ts`.

const text = Type.String()
const textOrNull = orNull(text)

/** The category of a stage. */
export const stageCategory = enumeration(['open', 'won', 'lost'], { title: 'StageCategory' })

/** A stage of a deal's pipeline. */
export const dealStage = {
  stage_id: text,
  id: text,
  name: text,
  stage_name: text,
  stage_key: text,
  category: stageCategory,
  probability: Type.Integer({ description: 'per cent' }),
  color: textOrNull,
  position: Type.Integer(),
}

/** A stage of either: a deal's is one of its pipeline, a project's is one of its milestones. */
export const projectStage = {
  stage_id: text,
  name: text,
  id: Type.Optional(text),
  stage_name: Type.Optional(text),
  stage_key: Type.Optional(text),
  category: Type.Optional(stageCategory),
  probability: Type.Optional(Type.Integer({ description: 'per cent' })),
  color: Type.Optional(textOrNull),
  position: Type.Optional(Type.Integer()),
  status: Type.Optional(
    orNull(Type.Object({ status_id: text, status_key: text, status_name: text })),
  ),
}

export const projectAccount = { account_id: text, account_name: text }

/** The meaning of the computed numbers of a project or deal, for the API document. */
export const totals = {
  score:
    'The share of its tasks that are completed, in per cent, less 5 for each overdue one (50 at most).',
  tasks: 'The number of its tasks that the caller may read.',
  open: 'The number of its tasks that are open and that the caller may read.',
  milestones: 'The number of its milestones that the caller may read.',
  revenue: 'The `revenue`, else the `expected_deal_value`, and the `other_revenue`.',
  left: 'The days until the due date, negative once it has passed; null where it is completed or closed.',
  spent: 'The seconds on the timers of its tasks that the caller may read.',
}

export const projectInsights = {
  progress: Type.Integer({
    description: 'The share of its tasks that are completed, in per cent.',
  }),
  overdue_tasks: Type.Integer({ description: 'The number of its open tasks that are overdue.' }),
  score: Type.Integer({ description: totals.score }),
}

export const milestoneTotals = {
  total: Type.Integer({ description: totals.milestones }),
  completed: Type.Integer({ description: 'The number of these milestones that are completed.' }),
  overdue: Type.Integer({ description: 'The number of these milestones that are overdue.' }),
}

export const teamMember = {
  user_id: text,
  full_name: text,
  email: text,
  role: text,
  profile_image: textOrNull,
}

export const recentActivity = {
  title: text,
  actor_name: text,
  type: textOrNull,
  creation_time: Type.String({ format: 'date-time' }),
}

/** A custom field as the application surface shows it. */
export const customField = {
  key: text,
  label: text,
  type: text,
  value: Type.Unknown(),
}

/** The previous stage, in sample events of a moved deal. */
export const stageBefore = { stage_id: '03h9vqz0k4m2r8s5d2f6g9h3j' }

/** The stage of a won or lost deal, in the sample events. */
export function closedSample(category: 'won' | 'lost'): { [path: string]: unknown } {
  const name = `Closed ${category}`
  return {
    'current_pipe_stage.name': name,
    'current_pipe_stage.stage_name': name,
    'current_pipe_stage.stage_key': `closed_${category}`,
    'current_pipe_stage.probability': category === 'won' ? 100 : 0,
    closed_at: '2026-01-15T09:30:00.000Z',
  }
}
