import { Type } from 'typebox'
import type { Static } from 'typebox'
import { orNull, schema } from '../../../kit/ground/json-schema.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Answers } from '../structure.ts'

const answersById = schema<Answers>({
  type: 'object',
  additionalProperties: true,
  description: 'by the ids of the questions',
})
const openObject = schema<Answers>({ type: 'object', additionalProperties: true })

/** The body of a submission. An unfinished one is stored and can be continued by its id. */
export const submissionSchema = Type.Object({
  answers: Type.Union([answersById, Type.Array(openObject, { maxItems: 2000 })]),
  respondent_email: Type.Optional(orNull(Type.String({ format: 'email', maxLength: 320 }))),
  finished: Type.Optional(Type.Boolean({ description: 'true when absent' })),
  response_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'continues this unfinished response' }),
  ),
})
export type Submission = Static<typeof submissionSchema>

export const responseSchema = Type.Object(
  {
    response_id: Type.String(),
    survey_id: Type.String(),
    structure_version: Type.Integer({ description: 'the version of the structure answered' }),
    answers: answersById,
    respondent_email: orNull(Type.String()),
    finished: Type.Boolean(),
    finished_at: orNull(Type.String({ format: 'date-time' })),
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'SurveyResponse' },
)
export type SurveyResponse = Static<typeof responseSchema>

/** The columns of a response over the alias `t`, as `SurveyResponse` names them. */
export const responseColumns = sql`t.id as response_id, t.survey_id, t.structure_version, t.answers,
  t.respondent_email, t.finished, t.finished_at, t.creation_time`
