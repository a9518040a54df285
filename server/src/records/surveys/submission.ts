import type { Context } from '../../kit/ground/context.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { enqueueAutomations } from './automation-enqueue.ts'
import type { Answers, Page } from './structure.ts'
import { checkAnswers, questionsOf } from './structure.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { Survey } from './survey.ts'

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** What is submitted: answers by field id; unfinished ones are kept and may be gone on with. */
export const submissionSchema: JSONSchema = {
  type: 'object',
  properties: {
    answers: {
      anyOf: [{ type: 'object' }, { type: 'array', maxItems: 2000, items: { type: 'object' } }],
    },
    respondent_email: { type: ['string', 'null'], format: 'email', maxLength: 320 },
    finished: { type: 'boolean', description: 'true when absent' },
    response_id: { type: 'string', maxLength: 40, description: 'to go on with a partial one' },
  },
  required: ['answers'],
}

export const responseSchema: JSONSchema = {
  title: 'SurveyResponse',
  type: 'object',
  properties: {
    response_id: { type: 'string' },
    survey_id: { type: 'string' },
    structure_version: { type: 'integer' },
    answers: { type: 'object' },
    respondent_email: { type: ['string', 'null'] },
    finished: { type: 'boolean' },
    finished_at: { type: ['string', 'null'], format: 'date-time' },
    creation_time: { type: 'string', format: 'date-time' },
  },
  required: [
    'response_id',
    'survey_id',
    'answers',
    'respondent_email',
    'finished',
    'creation_time',
  ],
}

/** Whether a survey takes answers now, and why not. */
export function limitsOf(ctx: Context, survey: Row) {
  const { status, is_active, end_date, response_limit, response_count, item_type } = survey
  const left = response_limit === null ? null : Math.max(0, response_limit - response_count)
  const reasons: [boolean, string][] = [
    [item_type === 'survey_template', 'template'],
    [status === 'draft', 'draft'],
    [status === 'closed', 'closed'],
    [!is_active, 'inactive'],
    [end_date !== null && new Date(end_date) <= ctx.now(), 'ended'],
    [left === 0, 'limit_reached'],
  ]
  const reason = reasons.find(([holds]) => holds)?.[1] ?? null
  return {
    accepting_responses: reason === null,
    reason,
    response_limit,
    response_count,
    remaining: left,
    end_date,
  }
}

/**
 * Takes a submission. The survey's row is locked, so that no answer goes over its limit: 409 when it
 * takes none now, or has one of that e-mail already; 400 names answers that do not fit.
 */
export async function submitResponse(
  ctx: Context,
  id: string,
  body: Row,
  { replaces = false } = {},
) {
  const survey = await ctx.one<Row>(sql`
    select t.* from surveys t where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null for update`)
  if (!survey) throw notFound('Survey')
  const limits = limitsOf(ctx, survey)
  if (!limits.accepting_responses) {
    const text = survey.closing_text ?? 'This survey takes no answers at the moment'
    throw conflict(text, `survey_${limits.reason}`, limits)
  }
  const finished = body.finished ?? true
  const { pages, version } = survey.form_structure as { pages: Page[]; version: number }
  const before = body.response_id ? await partial(ctx, id, body.response_id) : undefined
  const answers = checkAnswers(
    pages,
    { ...(replaces ? {} : known(pages, before)), ...given(body) },
    finished,
  )
  const email =
    (body.respondent_email as string | null | undefined)?.trim() || before?.respondent_email || null
  const unique_key = finished && survey.one_per_email ? (email?.toLowerCase() ?? null) : null
  const now = ctx.now().toISOString()
  if (unique_key) {
    const taken = await ctx.one(sql`select t.id from survey_responses t
      where ${mine(ctx)} and t.survey_id = ${id} and t.unique_key = ${unique_key}`)
    if (taken) throw conflict('There is an answer of this e-mail address already', 'duplicate')
  }
  const response_id = before?.id ?? newId()
  if (before) {
    await ctx.run(sql`
      update survey_responses t set answers = ${JSON.stringify(answers)}::jsonb,
        structure_version = ${version}, respondent_email = ${email},
        unique_key = ${unique_key}, finished = ${finished},
        finished_at = ${finished ? now : null}, last_update_time = ${now}
      where ${mine(ctx)} and t.id = ${response_id}`)
  } else {
    await ctx.run(sql`
      insert into survey_responses (organization_id, id, survey_id, structure_version, answers,
        respondent_email, unique_key, finished, finished_at, created_by, creation_time,
        last_update_time)
      values (${ctx.organization.id}, ${response_id}, ${id}, ${version},
        ${JSON.stringify(answers)}::jsonb, ${email}, ${unique_key}, ${finished},
        ${finished ? now : null}, ${ctx.actor.user_id}, ${now}, ${now})`)
  }
  if (finished) {
    await ctx.run(sql`update surveys t set response_count = response_count + 1
      where ${mine(ctx)} and t.id = ${id}`)
  }
  const response = {
    response_id,
    survey_id: id,
    structure_version: version,
    answers,
    respondent_email: email,
    finished,
    finished_at: finished ? now : null,
    creation_time: before?.creation_time ?? now,
  }
  tell(ctx, survey, response, before ? 2 : 1)
  if (finished) await enqueueAutomations(ctx, id, { response_id })
  return response
}

/** Answers by field id, however the body gives them. */
function given({ answers }: Row): Answers {
  if (!Array.isArray(answers)) return answers
  return Object.fromEntries(answers.map(({ field_id, id, value }) => [field_id ?? id, value]))
}

/** What was answered before to questions that are still asked. */
function known(pages: Page[], before: Row | undefined): Answers {
  const ids = new Set(questionsOf(pages).map(({ id }) => id))
  const answers = Object.entries((before?.answers ?? {}) as Answers)
  return Object.fromEntries(answers.filter(([id]) => ids.has(id)))
}

async function partial(ctx: Context, survey: string, id: string): Promise<Row> {
  const found = await ctx.one<Row>(sql`
    select t.* from survey_responses t
    where ${mine(ctx)} and t.survey_id = ${survey} and t.id = ${id} for update`)
  if (!found) throw notFound('Response')
  if (found.finished) throw conflict('This response is finished', 'finished')
  return found
}

function tell(ctx: Context, survey: Row, response: Row, version: number) {
  const { finished, response_id } = response
  const notice: NewNotification = {
    user_id: survey.created_by,
    notification_type: 7,
    title: `New response to ${survey.name}`.slice(0, 255),
    notification_obj: { response_id },
  }
  ctx.emit({
    type: finished ? 'survey_response_submitted' : null,
    title: finished ? 'Survey response submitted' : 'Survey response begun',
    module_id: Survey.number,
    reference_id: survey.id,
    changes: [{ field: 'response_id', from: null, to: response_id }],
    data: JSON.stringify({ ...response, survey_name: survey.name }),
    version,
    notify: finished && survey.created_by ? [notice] : [],
    raw_description: { action: 'answered', module: 'surveys', name: survey.name },
  })
}
