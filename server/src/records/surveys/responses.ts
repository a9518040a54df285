import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, Stream } from '../../kit/ground/operation.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import type { CsvColumn } from '../imports/csv.ts'
import { cellOf, csvFile, bomSchema } from '../imports/csv.ts'
import type { FormField, Page } from './structure.ts'
import { questionsOf } from './structure.ts'
import { responseSchema } from './submission.ts'
import { Survey } from './survey.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const params = crud(Survey).read.input.params!

const asked: { [name: string]: JSONSchema } = {
  respondent_email: { type: 'string', maxLength: 320 },
  finished: { type: 'boolean' },
}

const { page, items_per_page } = pageProperties

export const surveyResponses = {
  list: {
    name: 'list_survey_responses',
    summary: 'List the answers to a survey, newest first',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: {
      params,
      query: {
        type: 'object',
        properties: {
          page_size: { ...items_per_page, description: 'same as items_per_page' },
          page_number: { ...page, description: 'same as page' },
          items_per_page,
          page,
          ...asked,
        },
      },
    },
    output: arrayOf(responseSchema),
    async run(ctx: Context, { params: { id }, query }: Input) {
      await checkReadable(ctx, Survey, id)
      const { number, size, limit, skip } = pageOf({
        page: query.page_number ?? query.page,
        items_per_page: query.page_size ?? query.items_per_page,
      })
      const rows = await ctx.all(sql`
        ${responsesOf(ctx, id, query)} limit ${limit} offset ${skip}`)
      const more = rows.length > size
      return new Answer(rows.slice(0, size), { page: { number, size, more } })
    },
  } satisfies Operation,
  export: {
    name: 'export_survey_responses',
    summary: 'Export the answers to a survey as CSV',
    description:
      'A row an answer, newest first, and a column a question: those that are asked now, then those ' +
      'that only earlier versions asked. Choices are written as their labels.',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: { params, query: { type: 'object', properties: { ...asked, bom: bomSchema } } },
    output: null,
    gives: 'text/csv',
    async run(ctx: Context, { params: { id }, query }: Input) {
      await checkReadable(ctx, Survey, id)
      const versions = await ctx.all<{ pages: Page[] }>(sql`
        select t.pages from survey_versions t
        where ${mine(ctx)} and t.survey_id = ${id} order by t.version desc`)
      const columns = [...known, ...named(versions.flatMap(({ pages }) => questionsOf(pages)))]
      const pieces = () => csvFile(columns, everyResponse(ctx, id, query), query.bom === true)
      const day = ctx.now().toISOString().slice(0, 10)
      return new Stream('text/csv; charset=utf-8', pieces, `survey-responses-${day}.csv`)
    },
  } satisfies Operation,
}

/**
 * The responses of a survey that a query asks for, newest first; `before` is the last one seen.
 * Confined callers see those they gave, not those of other customers.
 */
function responsesOf(ctx: Context, survey: string, query: Row, before?: string) {
  const { is_confined, user_id } = ctx.actor
  const email = query.respondent_email?.trim().toLowerCase()
  const condition = all(
    mine(ctx),
    sql`t.survey_id = ${survey}`,
    is_confined ? sql`t.created_by = ${user_id}` : undefined,
    email ? sql`lower(t.respondent_email) = ${email}` : undefined,
    query.finished === undefined ? undefined : sql`t.finished = ${query.finished}`,
    before ? sql`t.id < ${before}` : undefined,
  )
  return sql`
    select t.id as response_id, t.survey_id, t.structure_version, t.answers, t.respondent_email,
      t.finished, t.finished_at, t.creation_time
    from survey_responses t where ${condition} order by t.id desc`
}

async function* everyResponse(ctx: Context, survey: string, query: Row, step = 500) {
  for (let last: string | undefined; ;) {
    const rows = await ctx.all<Row>(sql`${responsesOf(ctx, survey, query, last)} limit ${step}`)
    yield rows
    if (rows.length < step) return
    last = rows.at(-1)!.response_id
  }
}

type Column = CsvColumn<Row>

const known: Column[] = [
  'response_id',
  'creation_time',
  'finished',
  'finished_at',
  'respondent_email',
  'structure_version',
].map((name) => ({ name, text: (response) => cellOf(response[name]) }))

/** A column a question, the newest wording of each; those of a matrix have one a row. */
function named(questions: FormField[]): Column[] {
  const newest = new Map<string, FormField>()
  for (const question of questions) {
    if (!newest.has(question.id)) newest.set(question.id, question)
  }
  const columns = [...newest.values()].flatMap(columnsOf)
  const times = (name: string) => columns.filter((column) => column.name === name).length
  return columns.map(({ id, name, text }) => ({
    name: times(name) > 1 ? `${name} (${id})` : name,
    text,
  }))
}

function columnsOf(question: FormField): (Column & { id: string })[] {
  const { id, label, type, rows } = question
  if (type !== 'matrix' || !rows?.length) {
    return [{ id, name: label, text: ({ answers }) => answerOf(question, answers[id]) }]
  }
  return rows.map((row) => ({
    id,
    name: `${label}: ${row.label}`,
    text: ({ answers }) => answerOf(question, answers[id]?.[row.value]),
  }))
}

/** An answer as it was read: the labels of what was chosen. */
function answerOf({ options = [] }: FormField, value: unknown): string | null {
  const shown = (each: unknown) => options.find((option) => option.value === each)?.label ?? each
  return cellOf(Array.isArray(value) ? value.map(shown) : shown(value))
}
