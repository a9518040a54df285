import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Voice } from '../../model/languages/language.ts'
import { limitsOf } from '../../records/surveys/responses/limits.ts'
import type { Own } from '../../records/surveys/responses/submit.ts'
import { ofRecipient, submitResponse } from '../../records/surveys/responses/submit.ts'
import type { StoredSurvey } from '../../model/surveys/survey.ts'
import type { Answers, FormField, Page as Part } from '../../model/surveys/structure.ts'
import { isTooLarge } from '../../model/surveys/structure.ts'
import { checkAnswers, isVisible } from '../../model/surveys/responses/answers.ts'
import type { Ticket } from '../../records/surveys/links/ticket.ts'
import { isExpired, readTicket } from '../../records/surveys/links/ticket.ts'
import { newStart, openStart } from '../../records/surveys/links/start.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { isSecure } from '../cookies.ts'
import { findOrganization } from '../organization.ts'
import type { Look } from './page.ts'
import { lookOf, unknownLink } from './look.ts'
import type { Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { visitorContext } from './plugin.ts'
import { answersIn } from './questions.ts'
import type { Failures, Shown } from './survey-form.ts'
import { formPage } from './survey-form.ts'
import { surveyStyle } from './survey-look.ts'

type Linked = { Params: { token: string }; Querystring: { page?: string } }

/** Why a survey cannot be filled in, as a page. */
type Closed = { status: number; page: Page }
/** A response that this respondent has begun. */
type Begun = { id: string; answers: Answers; finished: boolean }
/** The survey of a link, the respondent's progress, and the contexts in which they act. */
type Opened = {
  respondent: ReturnType<PublicContext['actAs']>
  ticket: Ticket
  survey: StoredSurvey
  parts: Part[]
  begun: Begun | undefined
  look: Look
}

/** A page with only a message, in the survey's colours and with its picture. */
export function saying(look: Look, survey: StoredSurvey, title: string, text: string): Page {
  const theme = { style: surveyStyle(survey), background: survey.background_url }
  return { look, ...messagePage(title, text), ...theme }
}

/**
 * The page on which a survey is filled in, without an account: one form per page, each step saved, so that
 * a reload or a later visit continues there. A respondent is recognized by a cookie for this
 * link or, if the link is personal, by the e-mail in it. It needs no script; with one,
 * questions that depend on others on the same page appear and disappear.
 */
export async function surveyPages(scope: FastifyInstance, runtime: Runtime): Promise<void> {
  await scope.register(cookie)

  scope.get<Linked>('/s/:token', async (request, reply) => {
    const opened = await openSurvey(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const { parts, begun, survey, respondent } = opened
    if (!begun) await countView(respondent, survey.id)
    const answers = begun?.answers ?? {}
    const named = Number(request.query.page ?? NaN)
    // nobody can skip a required question: continue at the first unanswered one
    const index = Number.isInteger(named)
      ? Math.min(
          Math.max(0, named - 1),
          firstOpen(parts, answers, ({ required }) => !!required),
        )
      : begun
        ? firstOpen(parts, answers, () => true)
        : 0
    return sendPage(reply, 200, formPage(shownBy(runtime, request, opened), { index, answers }))
  })

  scope.post<Linked>('/s/:token', async (request, reply) => {
    const opened = await openSurvey(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const { token } = request.params
    const { parts, begun, look, survey } = opened
    const { say } = look.voice
    const form = (request.body ?? {}) as Form
    const step = stepOf(look.voice, parts, form, begun?.answers ?? {})
    const { index, before, answers, failures, isBack, isLast } = step
    const own = ownOf(runtime, opened, form)
    if (failures && !isBack) {
      return sendPage(
        reply,
        400,
        formPage(shownBy(runtime, request, opened), { index, answers, failures }),
      )
    }
    if (!failures || begun) {
      const saved = failures ? before : answers
      try {
        await save(runtime, request, reply, { ...opened, own }, saved, isLast && !isBack)
      } catch (error) {
        if (!(error instanceof Failure) || error.status !== 409) throw error
        const [title, text] =
          error.code === 'answered'
            ? [say('survey.answered'), say('survey.answered_text')]
            : [say('survey.no_more'), survey.closing_text ?? say('survey.closed')]
        return sendPage(reply, 409, saying(look, survey, title, text))
      }
    }
    const next = isBack ? `?page=${index}` : isLast ? '' : `?page=${index + 2}`
    // a redirect, so that a reload does not submit again
    return reply.redirect(`/s/${token}${next}`, 303)
  })
}

type Form = { [name: string]: unknown }

/** What a submitted page answers, beside what was answered before, and what is wrong with it. */
export function stepOf(voice: Voice, parts: Part[], form: Form, earlier: Answers) {
  const index = Math.min(Math.max(0, Math.trunc(Number(form.page)) || 0), parts.length - 1)
  const { fields } = parts[index]!
  const before = without(earlier, fields)
  const answers = { ...before, ...answersIn(form, fields) }
  const failures = failuresOf(voice, parts.slice(0, index + 1), answers, fields)
  return {
    index,
    before,
    answers,
    failures,
    isBack: form.go === 'back',
    isLast: index === parts.length - 1,
  }
}

async function openSurvey(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
): Promise<Opened | Closed> {
  const visitor = visitorContext(runtime, request)
  const ticket = readTicket(visitor.secrets, request.params.token)
  const unknown: Closed = { status: 404, page: unknownLink(request) }
  if (!ticket) return unknown
  const organization = await findOrganization(visitor.lookup, ticket.organization)
  if (!organization) return unknown
  const actor = { ...system, full_name: ticket.email ?? 'A respondent' }
  const respondent = visitor.actAs({ organization, actor })
  const ctx = respondent.reads
  const look = await lookOf(ctx, request, { address: ticket.email })
  const { say } = look.voice
  if (isExpired(ticket, visitor.now())) {
    const page = messagePage(say('link.expired'), say('link.expired_text'))
    return { status: 410, page: { look, ...page } }
  }
  const survey = await ctx.one<StoredSurvey>(sql`select t.* from surveys t
    where ${mine(ctx)} and t.id = ${ticket.survey} and t.deleted_at is null`)
  if (!survey) return unknown
  if (request.method === 'GET') await noteOpened(respondent, ticket)
  const begun = await begunBy(request, ctx, survey, ticket)
  if (begun?.finished) {
    const text = survey.closing_text ?? say('survey.thanks_text')
    return { status: 200, page: saying(look, survey, say('survey.thanks'), text) }
  }
  const { pages: parts } = survey.form_structure
  // the size was not checked when it was saved if it came from an archive or an earlier version
  if (!limitsOf(ctx, survey).accepting_responses || parts.some(isTooLarge)) {
    const text = survey.closing_text ?? say('survey.closed')
    return { status: 410, page: saying(look, survey, survey.name, text) }
  }
  return { respondent, ticket, survey, parts, begun, look }
}

/** This respondent's answers so far: by the personal link, or by the cookie of this browser. */
async function begunBy(
  request: FastifyRequest<Linked>,
  ctx: Context,
  survey: StoredSurvey,
  { email, schedule }: Ticket,
): Promise<Begun | undefined> {
  const own = sql`${mine(ctx)} and t.survey_id = ${survey.id}`
  if (email) {
    return ctx.one<Begun>(sql`select t.id, t.answers, t.finished from survey_responses t
      where ${own} and ${ofRecipient(survey, { email, schedule_id: schedule })}
      order by t.finished desc, t.id desc limit 1`)
  }
  const sealed = request.cookies[cookieName]
  if (!sealed) return undefined
  let id: string
  try {
    id = ctx.secrets.open(sealed)
  } catch {
    return undefined
  }
  return ctx.one<Begun>(sql`select t.id, t.answers, t.finished from survey_responses t
    where ${own} and t.id = ${id}`)
}

const cookieName = 'perennial_survey'

/**
 * Which response a form continues or starts: that of a personal link, the one that this browser
 * has begun, the one whose id is in the form, or a new one.
 */
function ownOf({ secrets }: Runtime, { ticket, begun }: Opened, form: Form): Own {
  if (ticket.email) return { email: ticket.email, schedule_id: ticket.schedule }
  if (begun) return { id: begun.id }
  return { id: openStart(secrets, String(form.start ?? ''), ticket.survey) ?? newId() }
}

async function save(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  reply: FastifyReply,
  { respondent, ticket, begun, own, look }: Opened & { own: Own },
  answers: Answers,
  finished: boolean,
) {
  const body = { answers, finished, respondent_email: ticket.email }
  const origin = { language: look.voice.language, schedule_id: ticket.schedule }
  const { response } = await respondent.write((ctx) =>
    submitResponse(ctx, ticket.survey, body, { replaces: true, own, origin }),
  )
  if (begun || ticket.email) return
  reply.setCookie(cookieName, runtime.secrets.encrypt(response.response_id).toString('base64url'), {
    path: `/s/${request.params.token}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(runtime.config.publicUrl),
    maxAge: 30 * 86_400,
  })
}

function countView(respondent: Opened['respondent'], id: string) {
  return respondent.write((ctx) =>
    ctx.run(
      sql`update surveys t set view_count = view_count + 1 where ${mine(ctx)} and t.id = ${id}`,
    ),
  )
}

/** Notes that the recipient of a mailing has followed their link. */
async function noteOpened(respondent: Opened['respondent'], { schedule, email }: Ticket) {
  if (!schedule || !email) return
  const { reads } = respondent
  const unopened = sql`${mine(reads)} and t.schedule_id = ${schedule}
    and t.email_key = ${email.toLowerCase()} and t.opened_at is null`
  // a link is followed more often than noted
  if (!(await reads.one(sql`select from survey_recipients t where ${unopened}`))) return
  await respondent.write((ctx) =>
    ctx.run(sql`update survey_recipients t set opened_at = ${ctx.now().toISOString()}
      where ${unopened}`),
  )
}

/** The first page with such a question that is visible and unanswered; the last page if there is none. */
function firstOpen(parts: Part[], answers: Answers, such: (field: FormField) => boolean): number {
  const open = parts.findIndex(({ fields }) =>
    fields.some(
      (field) =>
        field.type !== 'statement' &&
        such(field) &&
        isVisible(field, answers) &&
        !(field.id in answers),
    ),
  )
  return open < 0 ? parts.length - 1 : open
}

/** The errors in the answers of this page; undefined if there are none. */
function failuresOf(
  voice: Voice,
  parts: Part[],
  answers: Answers,
  fields: FormField[],
): Failures | undefined {
  try {
    checkAnswers(parts, answers, true)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 400) throw error
    const here = new Set(fields.map(({ id }) => `answers.${id}`))
    const mineHere = (error.errors ?? []).filter(({ field }) => here.has(field))
    if (!mineHere.length) return undefined
    return Object.fromEntries(
      mineHere.map(({ field, message }) => {
        const id = field.slice('answers.'.length)
        const { type } = fields.find((each) => each.id === id) ?? {}
        return [id, sentence(voice, message, type)]
      }),
    )
  }
}

/** The error in an answer: specific in English, in other languages by the type of the question. */
function sentence({ say, language }: Voice, message: string, type = ''): string {
  if (message === 'is required') return say('survey.missing')
  if (language === 'en') return `This ${message}.`
  const key = fixes.find((each) => each === `fix.${type}`)
  return say(key ?? 'fix.other')
}

const fixes = [
  'fix.email',
  'fix.phone',
  'fix.url',
  'fix.number',
  'fix.date',
  'fix.time',
  'fix.consent',
] as const

function without(answers: Answers, fields: FormField[]): Answers {
  const here = new Set(fields.map(({ id }) => id))
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !here.has(id)))
}

/** What the form shows; it starts a new response if none is known. */
function shownBy(
  { secrets }: Runtime,
  { params: { token } }: FastifyRequest<Linked>,
  { survey, parts, ticket, begun, look }: Opened,
): Shown {
  const isKnown = ticket.email !== null || begun !== undefined
  const start = isKnown ? undefined : newStart(secrets, survey.id)
  return { survey, parts, token, start, look }
}
