import { Type } from 'typebox'
import type { Static } from 'typebox'
import { enumeration, extend, orNull, schema } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { EventData } from '../../../kit/record/record.ts'
import type { Answers } from '../../forms/form-parts.ts'
import { languages } from '../../languages/codes.ts'

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
  language: Type.Optional(
    enumeration(languages, {
      title: 'AnswerLanguage',
      description: 'in which it is given, and its `ending` comes back',
    }),
  ),
  response_id: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'continues this unfinished response, which you have begun',
    }),
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
    language: orNull(
      Type.String({ description: 'in which it was given, as the page or the submission said' }),
    ),
    schedule_id: orNull(Type.String({ description: 'the mailing that asked for it' })),
    finished: Type.Boolean(),
    finished_at: orNull(Type.String({ format: 'date-time' })),
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'SurveyResponse' },
)
export type SurveyResponse = Static<typeof responseSchema>

/** The columns of a response over the alias `t`, as `SurveyResponse` names them. */
export const responseColumns = sql`t.id as response_id, t.survey_id, t.structure_version, t.answers,
  t.respondent_email, t.language, t.schedule_id, t.finished, t.finished_at, t.creation_time`

/** The data of a response's event: the response with its answers, and the name of its survey. */
export const submittedResponse: EventData = {
  schema: {
    ...extend(responseSchema, { survey_name: Type.String({ description: 'name of the survey' }) }),
    title: 'SubmittedResponse',
  },
  key: 'response_id',
  async read(ctx, ids) {
    const found = await ctx.all<SurveyResponse & { survey_name: string }>(sql`
      select ${responseColumns}, s.name as survey_name from survey_responses t
      join surveys s on s.organization_id = $organization
        and s.id = t.survey_id
      where ${mine(ctx)} and t.id = any(${ids})`)
    return new Map(found.map((response) => [response.response_id, JSON.stringify(response)]))
  },
}
