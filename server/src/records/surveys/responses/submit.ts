import { cut } from '../../../kit/ground/cut.ts'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField, conflict, notFound } from '../../../kit/ground/errors.ts'
import { indexOfRepeated } from '../../../kit/ground/object.ts'
import type { NewNotification } from '../../../kit/ground/event.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { extend, orNull } from '../../../kit/ground/json-schema.ts'
import { Answer } from '../../../kit/ground/operation.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { recordActivity } from '../../health/activity.ts'
import { enqueueAutomations } from '../automations/enqueue.ts'
import type { Answers, Page } from '../../../model/forms/form-parts.ts'
import type { Closed } from '../../../model/surveys/endings.ts'
import { closedSchema, endingShown } from '../../../model/surveys/endings.ts'
import { inOneLanguage } from '../../../model/surveys/in-language.ts'
import { languageOf } from '../../../model/languages/language.ts'
import { plainWith } from '../../../model/forms/piping.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { checkAnswers } from '../../../model/surveys/responses/answers.ts'
import { fillContacts } from './contact.ts'
import { withFiles } from '../../tasks/form-files.ts'
import { limitsOf } from './limits.ts'
import type { Submission, SurveyResponse } from '../../../model/surveys/responses/response.ts'
import { responseColumns, responseSchema } from '../../../model/surveys/responses/response.ts'
import type { Counted } from './quotas.ts'
import { countChoices, isCounted, takenWith, withoutFull } from './quotas.ts'
import { scoresOf } from './scores.ts'

/** What identifies a response that may be submitted repeatedly: a recipient with the mailing, or an id. */
export type Own = { email: string; schedule_id?: string | undefined } | { id: string }

/**
 * The responses of a personal link over `t`: of its recipient to its mailing, so that another mailing of the same
 * survey asks them anew; of the recipient alone where a survey takes one response of each address.
 */
export function ofRecipient(
  { one_per_email }: Pick<StoredSurvey, 'one_per_email'>,
  { email, schedule_id }: Extract<Own, { email: string }>,
): Query {
  const mailing = schedule_id ? sql`t.schedule_id = ${schedule_id}` : sql`t.schedule_id is null`
  return all(
    sql`lower(t.respondent_email) = ${email.toLowerCase()}`,
    one_per_email ? undefined : mailing,
  )
}

/** The state of a response with which a page was shown: its steps, and how often the page was left since. */
export type Seen = { steps: number; keeps: number }

/** A response with the state that a page of it is shown with. */
export type Kept = SurveyResponse & Seen

/** What a page makes of the answers of its response, which are read once nobody else can change them. */
export type Step = {
  answersOf: (earlier: Answers) => Answers
  /** what is stored as the page is left: it adds to the state that the page was shown with, and to no later one */
  leaving?: Seen
}

/** How a response came in, as far as a page knows. */
export type Origin = { language?: string; schedule_id?: string | undefined }

/**
 * Stores a submission. The survey's row is locked, so that no response exceeds its limit: 409 when
 * it accepts none now, 413 when the organization is over its quota of rows, or already has one from that e-mail; 400 names answers that do not fit.
 * With `own` there is one response, to which later submissions are added until it is finished, and
 * then 409 `answered`. With `step` the answers are what a page makes of the earlier ones of an unfinished response; one
 * that was stored later than the page that is left stays as it is.
 */
export async function submitResponse(
  ctx: Context,
  id: string,
  body: Submission,
  { step, own, origin = {} }: { step?: Step; own?: Own; origin?: Origin } = {},
): Promise<Submitted> {
  ctx.services.rowQuota.checkAnswer(ctx.organization.id)
  const survey = await openSurvey(ctx, id, own)
  if (!own) await checkRespondent(ctx, body.respondent_email)
  const { pages, version } = survey.form_structure
  const { finished = true } = body
  const before = await begun(ctx, survey, body.response_id, own)
  if (before && step?.leaving && isLater(before, step.leaving)) {
    return { response: before, isNew: false, ending: null }
  }
  const earlier = stillAsked(pages, before?.answers)
  const sent = step ? step.answersOf(earlier) : { ...earlier, ...answersById(body) }
  const open = finished ? withoutFull(survey) : pages
  const about = { module_id: Survey.number, reference_id: id }
  const answers = await withFiles(ctx, about, pages, checkAnswers(open, sent, finished))
  const respondent_email = body.respondent_email?.trim() || before?.respondent_email || null
  const isLimited = finished && survey.one_per_email
  // on the page of a public link the browser is recognized instead
  if (isLimited && !respondent_email && !own) {
    throw badField('respondent_email', 'is required: each e-mail address may answer once')
  }
  const unique_key = isLimited ? (respondent_email?.toLowerCase() ?? null) : null
  if (unique_key) await refuseSecond(ctx, id, unique_key)
  const now = ctx.now().toISOString()
  const response: Kept = {
    response_id: before?.response_id ?? (own && 'id' in own ? own.id : newId()),
    survey_id: id,
    structure_version: version,
    answers,
    respondent_email,
    language: origin.language ?? body.language ?? before?.language ?? null,
    schedule_id: origin.schedule_id ?? before?.schedule_id ?? null,
    finished,
    finished_at: finished ? now : null,
    creation_time: before?.creation_time ?? now,
    ...nextOf(before, step),
  }
  await store(ctx, response, unique_key, before !== undefined)
  if (finished) {
    const taken = takenWith(survey, answers)
    await ctx.run(sql`update surveys t set response_count = response_count + 1,
        taken = ${taken && JSON.stringify(taken)}::jsonb
      where ${mine(ctx)} and t.id = ${id}`)
  }
  await announceResponse(ctx, survey, response, before ? 2 : 1)
  if (finished) {
    recordActivity(ctx, {
      kind: 'answer',
      source_id: response.response_id,
      module_id: Survey.number,
      reference_id: id,
      at: now,
      emails: [respondent_email],
      users: [ctx.actor.user_id],
      ...scoresOf(pages, answers),
    })
    const link = own && 'email' in own ? own.email : undefined
    await fillContacts(ctx, { pages, answers, link })
    await enqueueAutomations(ctx, id, { response_id: response.response_id })
  }
  const spoken = languageOf(response.language)
  const told = spoken ? inOneLanguage(survey, spoken) : survey
  const ending = finished ? endingShown(told, answers) : null
  return { response, isNew: before === undefined, ending }
}

/** A stored response, and how it ends once it is finished. */
export type Submitted = { response: Kept; isNew: boolean; ending: Closed | null }

/** Whether a response has changed since a page was shown that is left now, other than by leaving it before. */
function isLater(before: Kept, seen: Seen): boolean {
  return before.steps !== seen.steps || before.keeps > seen.keeps
}

/** The state of a response once this is stored. */
function nextOf(before: Seen = { steps: 0, keeps: 0 }, step?: Step): Seen {
  return step?.leaving
    ? { steps: before.steps, keeps: step.leaving.keeps }
    : { steps: before.steps + 1, keeps: 0 }
}

/** 400 for a confined caller who answers as somebody else: the effects concern the person with that e-mail. */
async function checkRespondent(ctx: Context, email: string | null | undefined): Promise<void> {
  if (!ctx.actor.is_confined || !email?.trim()) return
  const isOwn = await ctx.one(sql`select from users t where ${mine(ctx)}
    and t.id = ${ctx.actor.user_id} and t.email_key = ${email.trim().toLowerCase()}`)
  if (!isOwn)
    throw badField('respondent_email', 'must be your own, since your role sees one account')
}

/** The survey, locked, with its choices counted; 409 if it accepts no responses. */
async function openSurvey(ctx: Context, id: string, own?: Own): Promise<StoredSurvey & Counted> {
  const survey = await ctx.one<StoredSurvey & Counted>(sql`
    select t.* from surveys t where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null for update`)
  if (!survey) throw notFound('Survey')
  const limits = limitsOf(ctx, survey)
  if (!limits.accepting_responses) {
    // if the respondent's own response was the last one accepted, the answer says that it is stored
    if (own) await ownResponse(ctx, survey, own)
    const { pages } = survey.form_structure
    const text = survey.closing_text
      ? plainWith({ parts: pages, answers: {}, known: {} }, survey.closing_text)
      : 'This survey does not accept responses at the moment'
    throw conflict(text, `survey_${limits.reason}`, limits)
  }
  return isCounted(survey) ? survey : { ...survey, taken: await countChoices(ctx, id) }
}

/** The response that a submission continues; 404 if somebody else has begun it. */
async function begun(
  ctx: Context,
  survey: StoredSurvey,
  id: string | undefined,
  own: Own | undefined,
): Promise<Kept | undefined> {
  if (!own) return id === undefined ? undefined : unfinished(ctx, survey.id, id)
  const found = await ownResponse(ctx, survey, own)
  if (id !== undefined && id !== found?.response_id) throw notFound('Response')
  return found
}

/** A response that the caller has begun, locked; 409 if it is finished. */
async function unfinished(ctx: Context, survey: string, id: string): Promise<Kept> {
  const found = await ctx.one<Kept>(sql`
    select ${responseColumns}, t.steps, t.keeps from survey_responses t
    where ${mine(ctx)} and t.survey_id = ${survey} and t.id = ${id}
      and t.created_by = ${ctx.actor.user_id} for update`)
  if (!found) throw notFound('Response')
  if (found.finished) throw conflict('This response is finished', 'finished')
  return found
}

/**
 * Somebody's own response, if they have begun one; 409 if it is finished. The lock on
 * the survey makes concurrent submissions wait for each other.
 */
async function ownResponse(
  ctx: Context,
  survey: StoredSurvey,
  own: Own,
): Promise<Kept | undefined> {
  const mineAlone = 'id' in own ? sql`t.id = ${own.id}` : ofRecipient(survey, own)
  const found = await ctx.one<Kept>(sql`
    select ${responseColumns}, t.steps, t.keeps from survey_responses t
    where ${mine(ctx)} and t.survey_id = ${survey.id} and ${mineAlone}
    order by t.finished desc, t.id desc limit 1`)
  if (found?.finished) throw conflict('This link was already answered', 'answered')
  return found
}

/** The earlier answers to questions that the survey still has. */
function stillAsked(pages: Page[], answers: Answers = {}): Answers {
  const ids = new Set(questionsOf(pages).map(({ id }) => id))
  return Object.fromEntries(Object.entries(answers).filter(([id]) => ids.has(id)))
}

/** Answers by field id, from either form of the body. */
function answersById({ answers }: Submission): Answers {
  if (!Array.isArray(answers)) return answers
  const ids = answers.map(({ field_id, id }) => String(field_id ?? id))
  const twice = indexOfRepeated(ids)
  if (twice >= 0) throw badField(`answers.${twice}`, `${ids[twice]} is answered twice`)
  return Object.fromEntries(answers.map(({ value }, i) => [ids[i], value]))
}

/** 409 for an e-mail that has already answered, even if the survey was limited to one response each only later. */
async function refuseSecond(ctx: Context, survey: string, email: string) {
  const taken = await ctx.one(sql`select t.id from survey_responses t
    where ${mine(ctx)} and t.survey_id = ${survey} and t.finished
      and lower(t.respondent_email) = ${email} limit 1`)
  if (taken) throw conflict('There is already a response from this e-mail address', 'duplicate')
}

async function store(
  ctx: Context,
  response: Kept,
  unique_key: string | null,
  isContinued: boolean,
) {
  const { response_id, survey_id, structure_version, respondent_email } = response
  const { finished, finished_at, language, schedule_id, steps, keeps } = response
  const answers = JSON.stringify(response.answers)
  const now = ctx.now().toISOString()
  await ctx.run(
    isContinued
      ? sql`update survey_responses t set answers = ${answers}::jsonb,
          structure_version = ${structure_version}, respondent_email = ${respondent_email},
          language = ${language}, schedule_id = ${schedule_id}, unique_key = ${unique_key}, finished = ${finished}, finished_at = ${finished_at},
          steps = ${steps}, keeps = ${keeps}, last_update_time = ${now}
        where ${mine(ctx)} and t.id = ${response_id}`
      : sql`insert into survey_responses (organization_id, id, survey_id, structure_version, answers,
          respondent_email, language, schedule_id, unique_key, finished, finished_at, steps, keeps, created_by,
          creation_time, last_update_time)
        values (${ctx.organization.id}, ${response_id}, ${survey_id}, ${structure_version},
          ${answers}::jsonb, ${respondent_email}, ${language}, ${schedule_id}, ${unique_key}, ${finished}, ${finished_at},
          ${steps}, ${keeps}, ${ctx.actor.user_id}, ${now}, ${now})`,
  )
}

/** Emits an event for a finished response and notifies the survey's creator; only logs an unfinished one. */
async function announceResponse(
  ctx: Context,
  { id, name, created_by }: StoredSurvey,
  response: Kept,
  version: number,
) {
  const { finished, response_id } = response
  const notice = (user_id: string): NewNotification => ({
    user_id,
    notification_type: 7,
    title: cut(`New response to ${name}`, 255),
    notification_obj: { response_id },
  })
  await announce(ctx, Survey, finished ? 'survey_response_submitted' : 'answered', {
    id,
    version,
    name,
    changes: [{ field: 'response_id', from: null, to: response_id }],
    whole: async () => JSON.stringify({ ...shownOf(response), survey_name: name }),
    notify: finished && created_by ? [notice(created_by)] : [],
    title: finished ? undefined : 'Survey response begun',
    action: 'answered',
  })
}

/** What a submission answers: the response with its ending. */
export const submittedSchema = {
  ...extend(responseSchema, {
    ending: {
      ...orNull(closedSchema),
      description: 'what is shown now; null until it is finished',
    },
  }),
  title: 'SubmittedSurvey',
}

/** The answer to a submission. */
export function submittedOf({ response, isNew, ending }: Submitted) {
  return new Answer({ ...shownOf(response), ending }, { id: response.response_id, created: isNew })
}

/** A response as it is read: without the state of its page. */
function shownOf({ steps: _steps, keeps: _keeps, ...shown }: Kept): SurveyResponse {
  return shown
}
