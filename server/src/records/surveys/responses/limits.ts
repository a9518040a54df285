import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'

const reasons = ['template', 'draft', 'closed', 'inactive', 'ended', 'limit_reached'] as const

/** Whether a survey accepts responses, as properties of an answer. */
export const limitProperties = {
  accepting_responses: Type.Boolean(),
  reason: orNull(enumeration(reasons, { title: 'SurveyClosedReason' })),
  response_limit: orNull(Type.Integer()),
  response_count: Type.Integer(),
  remaining: orNull(Type.Integer({ description: 'null without a limit' })),
  end_date: orNull(Type.String({ format: 'date-time' })),
}
export const limitsSchema = Type.Object(limitProperties, { title: 'SurveyLimits' })
type Limits = Static<typeof limitsSchema>

type Limited = Pick<
  StoredSurvey,
  'status' | 'is_active' | 'end_date' | 'response_limit' | 'response_count' | 'item_type'
>

/** Whether a survey accepts responses now, and if not, the first reason. */
export function limitsOf(ctx: Context, survey: Limited): Limits {
  const { status, is_active, end_date, response_limit, response_count, item_type } = survey
  const remaining = response_limit === null ? null : Math.max(0, response_limit - response_count)
  const obstacles: [boolean, Limits['reason']][] = [
    [item_type === 'survey_template', 'template'],
    [status === 'draft', 'draft'],
    [status === 'closed', 'closed'],
    [!is_active, 'inactive'],
    [end_date !== null && new Date(end_date) <= ctx.now(), 'ended'],
    [remaining === 0, 'limit_reached'],
  ]
  const reason = obstacles.find(([applies]) => applies)?.[1] ?? null
  return {
    accepting_responses: reason === null,
    reason,
    response_limit,
    response_count,
    remaining,
    end_date,
  }
}
