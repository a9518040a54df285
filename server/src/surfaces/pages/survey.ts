import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { limitsOf } from '../../records/surveys/responses/limits.ts'
import type { Own } from '../../records/surveys/responses/submit.ts'
import { submitResponse } from '../../records/surveys/responses/submit.ts'
import type { StoredSurvey } from '../../records/surveys/survey.ts'
import type { Answers, FormField, Page as Part } from '../../records/surveys/structure.ts'
import { checkAnswers, isVisible } from '../../records/surveys/responses/answers.ts'
import type { Ticket } from '../../records/surveys/links/ticket.ts'
import { isExpired, readTicket } from '../../records/surveys/links/ticket.ts'
import { newStart, openStart } from '../../records/surveys/links/start.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { findOrganization } from '../organization.ts'
import type { Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { visitorContext } from './plugin.ts'
import { answersIn } from './questions.ts'
import type { Failures, Shown } from './survey-form.ts'
import { formPage } from './survey-form.ts'

type Linked = { Params: { token: string }; Querystring: { page?: string } }

/** Why a survey cannot be filled in, as a page. */
type Closed = { status: number; page: Page }
/** A response that this respondent has begun. */
type Begun = { id: string; answers: Answers; finished: boolean }
/** A survey that its link opens, how far this respondent has come, and the contexts in which they act. */
type Opened = {
  respondent: ReturnType<PublicContext['actAs']>
  ticket: Ticket
  survey: StoredSurvey
  parts: Part[]
  begun: Begun | undefined
}

const unknown: Closed = {
  status: 404,
  page: messagePage('This link is not known', 'Look whether it was copied as a whole.'),
}
const expired: Closed = {
  status: 410,
  page: messagePage('This link has expired', 'Ask whoever sent it for a new one.'),
}
const answered = messagePage(
  'This was answered already',
  'An answer was received, and this link takes only one. There is nothing left to do.',
)
const thanks = (survey: StoredSurvey) =>
  messagePage('Thank you', survey.closing_text ?? 'Your answers were received.')

/**
 * The page on which a survey is filled in, without an account: a form a page, each step saved, so that
 * a reload or another day continues where it was left. Who has begun is known by a cookie for this
 * link alone or, where the link is somebody's own, by the e-mail in it. It needs no script; with one,
 * questions that depend on others of the same page come and go.
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
    // nobody goes past what must be answered; what was left open is where to go on
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
    const { parts, begun } = opened
    const form = (request.body ?? {}) as { [name: string]: unknown }
    const index = Math.min(Math.max(0, Math.trunc(Number(form.page)) || 0), parts.length - 1)
    const part = parts[index]!
    const before = without(begun?.answers ?? {}, part.fields)
    const answers = { ...before, ...answersIn(form, part.fields) }
    const isBack = form.go === 'back'
    const isLast = index === parts.length - 1
    const own = ownOf(runtime, opened, form)
    if (!own) {
      const problem = 'This was not sent yet, because a check was not done. Please send it again.'
      const again = formPage(shownBy(runtime, request, opened), { index, answers, problem })
      return sendPage(reply, 400, again)
    }
    const failures = failuresOf(parts.slice(0, index + 1), answers, part.fields)
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
        if (error.code === 'answered') return sendPage(reply, 409, answered)
        return sendPage(reply, 409, messagePage('No more answers are taken', error.message))
      }
    }
    const next = isBack ? `?page=${index}` : isLast ? '' : `?page=${index + 2}`
    // a redirect, so that a reload sends nothing twice
    return reply.redirect(`/s/${token}${next}`, 303)
  })
}

async function openSurvey(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
): Promise<Opened | Closed> {
  const visitor = visitorContext(runtime, request)
  const ticket = readTicket(visitor.secrets, request.params.token)
  if (!ticket) return unknown
  const organization = await findOrganization(visitor.lookup, ticket.organization)
  if (!organization) return unknown
  if (isExpired(ticket, visitor.now())) return expired
  const actor = { ...system, full_name: ticket.email ?? 'A respondent' }
  const respondent = visitor.actAs({ organization, actor })
  const ctx = respondent.reads
  const survey = await ctx.one<StoredSurvey>(sql`select t.* from surveys t
    where ${mine(ctx)} and t.id = ${ticket.survey} and t.deleted_at is null`)
  if (!survey) return unknown
  const begun = await begunBy(request, ctx, ticket)
  if (begun?.finished) return { status: 200, page: thanks(survey) }
  if (!limitsOf(ctx, survey).accepting_responses) {
    const text = survey.closing_text ?? 'It takes no answers at the moment.'
    return { status: 410, page: messagePage(survey.name, text) }
  }
  return { respondent, ticket, survey, parts: survey.form_structure.pages, begun }
}

/** What this respondent has answered so far: the link's own, or what the cookie of this browser names. */
async function begunBy(
  request: FastifyRequest<Linked>,
  ctx: Context,
  { survey, email }: Ticket,
): Promise<Begun | undefined> {
  const own = sql`${mine(ctx)} and t.survey_id = ${survey}`
  if (email) {
    return ctx.one<Begun>(sql`select t.id, t.answers, t.finished from survey_responses t
      where ${own} and lower(t.respondent_email) = ${email.toLowerCase()}
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
 * Whose response a form continues or starts: the one of a personal link, the one that this browser
 * has begun, or the one whose id the form brings. Undefined where a proof of work is missing.
 */
function ownOf(
  { config, secrets }: Runtime,
  { ticket, begun, respondent }: Opened,
  form: { [name: string]: unknown },
): Own | undefined {
  if (ticket.email) return { email: ticket.email }
  if (begun) return { id: begun.id }
  const work = config.surveyProofWork
  const sent = { token: String(form.start ?? ''), proof: String(form.proof ?? '') }
  const id = openStart(secrets, sent, { survey: ticket.survey, now: respondent.reads.now(), work })
  return id ? { id } : work ? undefined : { id: newId() }
}

async function save(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  reply: FastifyReply,
  { respondent, ticket, begun, own }: Opened & { own: Own },
  answers: Answers,
  finished: boolean,
) {
  const body = { answers, finished, respondent_email: ticket.email }
  const { response_id } = await respondent.write((ctx) =>
    submitResponse(ctx, ticket.survey, body, { replaces: true, own }),
  )
  if (begun || ticket.email) return
  reply.setCookie(cookieName, runtime.secrets.encrypt(response_id).toString('base64url'), {
    path: `/s/${request.params.token}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: runtime.config.publicUrl.startsWith('https:'),
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

/** The first page with such a question that is visible and unanswered; the last one when there is none. */
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

/** What is wrong with the answers of this page; undefined when nothing is. */
function failuresOf(parts: Part[], answers: Answers, fields: FormField[]): Failures | undefined {
  try {
    checkAnswers(parts, answers, true)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 400) throw error
    const here = new Set(fields.map(({ id }) => `answers.${id}`))
    const mineHere = (error.errors ?? []).filter(({ field }) => here.has(field))
    if (!mineHere.length) return undefined
    return Object.fromEntries(
      mineHere.map(({ field, message }) => [field.slice('answers.'.length), sentence(message)]),
    )
  }
}

function sentence(message: string): string {
  return message === 'is required' ? 'Please answer this question.' : `This ${message}.`
}

function without(answers: Answers, fields: FormField[]): Answers {
  const here = new Set(fields.map(({ id }) => id))
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !here.has(id)))
}

/** What the form shows; it starts a response of its own where nobody's is known. */
function shownBy(
  { config, secrets }: Runtime,
  { params: { token } }: FastifyRequest<Linked>,
  { survey, parts, ticket, begun, respondent }: Opened,
): Shown {
  const now = respondent.reads.now()
  const isKnown = ticket.email !== null || begun !== undefined
  const start = isKnown ? undefined : newStart(secrets, survey.id, now, config.surveyProofWork)
  return { survey, parts, token, start }
}
