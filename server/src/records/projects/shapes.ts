import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'

// What reads of projects and deals show beside plain values; the SQL of each is in `shown.ts`.

const text = Type.String()
const textOrNull = orNull(text)

/** What a stage means for the deals in it. */
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

export const projectInsights = {
  progress: Type.Integer({ description: 'completed tasks, per cent' }),
  overdue_tasks: Type.Integer(),
  score: Type.Integer({ description: 'from 0 to 100' }),
}

export const milestoneTotals = {
  total: Type.Integer(),
  completed: Type.Integer(),
  overdue: Type.Integer(),
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
