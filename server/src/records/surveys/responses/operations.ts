import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { arrayOf } from '../../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { byId } from '../../../kit/crud.ts'
import {
  otherPageProperties,
  pageOf,
  pageProperties,
  pageUnderEitherName,
} from '../../../kit/read/page.ts'
import { sheetQuery, sheetStream } from '../../../model/sheets/sheet-file.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { columnsOf } from './export.ts'
import type { SurveyResponse } from '../../../model/surveys/responses/response.ts'
import { responseColumns, responseSchema } from '../../../model/surveys/responses/response.ts'
import { checkReadable } from '../../../kit/read/one.ts'

const filters = {
  respondent_email: Type.Optional(Type.String({ maxLength: 320 })),
  finished: Type.Optional(Type.Boolean()),
}
type Filters = Static<Type.TObject<typeof filters>>

const { page, items_per_page } = pageProperties

/** The responses to a survey. */
export const surveyResponses = {
  list: operation({
    name: 'list_survey_responses',
    summary: 'List the responses to a survey',
    description: 'Newest first.',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: {
      params: byId,
      query: Type.Object({
        ...otherPageProperties,
        items_per_page,
        page,
        ...filters,
      }),
    },
    output: arrayOf(responseSchema),
    async run(ctx, { params, query }) {
      const { id } = params
      await checkReadable(ctx, Survey, id)
      const { number, size, limit, skip } = pageOf(pageUnderEitherName(query))
      const rows = await ctx.all(sql`
        ${responsesOf(ctx, id, query)} limit ${limit} offset ${skip}`)
      const more = rows.length > size
      return new Answer(rows.slice(0, size), { page: { number, size, more } })
    },
  }),
  export: operation({
    name: 'export_survey_responses',
    summary: 'Export the responses to a survey as CSV or .xlsx',
    description:
      'One row per response, newest first, and one column per question: first the questions of the ' +
      'current structure, then those of earlier versions. Choices are written as their labels.',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    lane: 'heavy',
    input: {
      params: byId,
      query: Type.Object({ ...filters, ...sheetQuery }),
    },
    output: null,
    gives: 'text/csv',
    async run(ctx, { params, query }) {
      const { id } = params
      await checkReadable(ctx, Survey, id)
      const columns = await columnsOf(ctx, id)
      const pages = everyResponse(ctx, id, query)
      return sheetStream(ctx, { columns, pages, name: 'survey-responses' }, query)
    },
  }),
}

/**
 * The responses of a survey that match the filters, newest first; `before` is the last one of the previous page.
 * Confined callers see their own responses, not those of other customers.
 */
function responsesOf(
  ctx: Context,
  survey: string,
  { respondent_email, finished }: Filters,
  before?: string,
) {
  const { is_confined, user_id } = ctx.actor
  const email = respondent_email?.trim().toLowerCase()
  const condition = all(
    mine(ctx),
    sql`t.survey_id = ${survey}`,
    is_confined ? sql`t.created_by = ${user_id}` : undefined,
    email ? sql`lower(t.respondent_email) = ${email}` : undefined,
    finished === undefined ? undefined : sql`t.finished = ${finished}`,
    before ? sql`t.id < ${before}` : undefined,
  )
  return sql`
    select ${responseColumns} from survey_responses t where ${condition} order by t.id desc`
}

/** Every response that matches the filters, `step` at a time. */
async function* everyResponse(ctx: Context, survey: string, filters: Filters, step = 500) {
  for (let last: string | undefined; ;) {
    const rows = await ctx.all<SurveyResponse>(sql`
      ${responsesOf(ctx, survey, filters, last)} limit ${step}`)
    yield rows
    if (rows.length < step) return
    last = rows.at(-1)?.response_id
  }
}
