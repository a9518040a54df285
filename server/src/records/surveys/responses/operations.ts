import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { idInQuery, isId } from '../../../kit/ground/ids.ts'
import { arrayOf, orNull } from '../../../kit/ground/json-schema.ts'
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
import { readSurvey } from '../read.ts'
import { columnsOf } from './export.ts'
import { matchingResponses, resultFilters } from './filters.ts'
import type { SurveyResponse } from '../../../model/surveys/responses/response.ts'
import { responseColumns, responseSchema } from '../../../model/surveys/responses/response.ts'
import { checkReadable } from '../../../kit/read/one.ts'

const filters = {
  respondent_email: Type.Optional(Type.String({ maxLength: 320 })),
  response: Type.Optional(idInQuery('one response alone')),
  finished: Type.Optional(Type.Boolean()),
  ...resultFilters,
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
    lane: 'heavy',
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
      const own = await responsesIn(ctx, id, query)
      const rows = await ctx.all(sql`
        ${responsesOf(own)} limit ${limit} offset ${skip}`)
      const more = rows.length > size
      return new Answer(rows.slice(0, size), { page: { number, size, more } })
    },
  }),
  page: operation({
    name: 'page_survey_responses',
    summary: 'List the responses to a survey by cursor',
    description: 'Newest first, each with its answers.',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    lane: 'heavy',
    input: {
      params: byId,
      query: Type.Object({
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 500, description: 'responses per page (20)' }),
        ),
        next_cursor: Type.Optional(idInQuery('from the previous answer')),
        ...filters,
      }),
    },
    output: Type.Object({
      results: Type.Array(responseSchema),
      next_cursor: orNull(Type.String()),
    }),
    async run(ctx, { params, query: { limit = 20, next_cursor, ...sent } }) {
      await checkReadable(ctx, Survey, params.id)
      if (next_cursor !== undefined && !isId(next_cursor)) {
        throw badField('next_cursor', 'must be the next_cursor of a previous answer')
      }
      const own = await responsesIn(ctx, params.id, sent)
      const rows = await ctx.all<SurveyResponse>(sql`
        ${responsesOf(own, next_cursor)} limit ${limit + 1}`)
      const results = rows.slice(0, limit)
      const last = rows.length > limit ? results.at(-1) : undefined
      return { results, next_cursor: last?.response_id ?? null }
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
      const pages = everyResponse(ctx, await responsesIn(ctx, id, query))
      return sheetStream(ctx, { columns, pages, name: 'survey-responses' }, query)
    },
  }),
}

/**
 * The responses of a survey that match the filters, as a condition over `t`. Confined callers see their own
 * responses, not those of other customers.
 */
async function responsesIn(ctx: Context, survey: string, filters: Filters): Promise<Query> {
  const { is_confined, user_id } = ctx.actor
  const { respondent_email, finished } = filters
  const email = respondent_email?.trim().toLowerCase()
  const pages = filters.answers ? (await readSurvey(ctx, survey)).form_structure.pages : []
  return all(
    mine(ctx),
    sql`t.survey_id = ${survey}`,
    is_confined ? sql`t.created_by = ${user_id}` : undefined,
    email ? sql`lower(t.respondent_email) = ${email}` : undefined,
    filters.response ? sql`t.id = ${filters.response}` : undefined,
    finished === undefined ? undefined : sql`t.finished = ${finished}`,
    matchingResponses(ctx, pages, filters),
  )
}

/** Newest first; `before` is the last one of the previous page. */
function responsesOf(own: Query, before?: string) {
  return sql`select ${responseColumns} from survey_responses t
    where ${all(own, before ? sql`t.id < ${before}` : undefined)} order by t.id desc`
}

/** Every response that matches, `step` at a time. */
async function* everyResponse(ctx: Context, own: Query, step = 500) {
  for (let last: string | undefined; ;) {
    const rows = await ctx.all<SurveyResponse>(sql`${responsesOf(own, last)} limit ${step}`)
    yield rows
    if (rows.length < step) return
    last = rows.at(-1)?.response_id
  }
}
