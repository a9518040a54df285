import { join } from 'node:path'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { badField, conflict, Failure } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { wholeWebAddress } from '../../kit/ground/web-address.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Language, Voice } from '../../model/languages/language.ts'
import { languageOf, languages } from '../../model/languages/language.ts'
import type { AnsweredFile } from '../../model/surveys/responses/answers.ts'
import { limitsOf } from '../../records/surveys/responses/limits.ts'
import type { Kept, Own, Seen, Step } from '../../records/surveys/responses/submit.ts'
import { ofRecipient, submitResponse } from '../../records/surveys/responses/submit.ts'
import type { StoredSurvey } from '../../model/surveys/survey.ts'
import type { Answers, Ending, FormField, Page as Part } from '../../model/forms/form-parts.ts'
import type { Closed } from '../../model/surveys/endings.ts'
import { closedWith } from '../../model/surveys/endings.ts'
import { inOneLanguage } from '../../model/surveys/in-language.ts'
import { isTooLarge } from '../../model/surveys/structure.ts'
import { checkAnswers } from '../../model/surveys/responses/answers.ts'
import { answersAsked, isVisible, mostFiles, mostFilesOf } from '../../model/forms/rules.ts'
import type { Known } from '../../model/forms/piping.ts'
import { plainWith } from '../../model/forms/piping.ts'
import { languagesOf } from '../../model/forms/translations.ts'
import { addFile, removeFiles } from '../../records/surveys/responses/files.ts'
import type { Counted } from '../../records/surveys/responses/quotas.ts'
import { countChoices, isCounted, withoutFull } from '../../records/surveys/responses/quotas.ts'
import { knownOf, saysWho, textsSayWho } from '../../records/surveys/respondent.ts'
import { refuseLocked } from '../../records/documents/locked.ts'
import { outsiderFileLimit, storeFile } from '../../records/documents/file.ts'
import type { Ticket } from '../../records/surveys/links/ticket.ts'
import { isExpired, readTicket } from '../../records/surveys/links/ticket.ts'
import type { StoredEmbed } from '../../records/surveys/links/embed.ts'
import { readEmbed, sitesOf } from '../../records/surveys/links/embed.ts'
import { newStart, openStart } from '../../records/surveys/links/start.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { isSecure } from '../cookies.ts'
import { findOrganization } from '../organization.ts'
import type { Look } from './page.ts'
import { lookOf, unknownLink } from './look.ts'
import type { Next, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { visitorContext } from './plugin.ts'
import { answersIn } from './questions.ts'
import type { Failures, Shown } from './survey-form.ts'
import { formPage } from './survey-form.ts'
import { embedded } from './survey-embed.ts'
import { inOrder } from './survey-order.ts'
import { surveyStyle } from './survey-look.ts'
import { isForm, receive, refuseLength, takeUploads } from '../upload.ts'

type Linked = {
  Params: { token: string }
  Querystring: { page?: string; start?: string; lang?: string }
}

/** Why a survey cannot be filled in, as a page. */
type Shut = { status: number; page: Page; sites?: string[] }
/** A response that this respondent has begun. */
type Begun = Seen & {
  id: string
  answers: Answers
  finished: boolean
  language?: string | null
  structure_version: number
}
/** The survey of a link, the respondent's progress, and the contexts in which they act. */
type Opened = {
  link: Link
  respondent: ReturnType<PublicContext['actAs']>
  ticket: Ticket
  survey: StoredSurvey & Counted
  parts: Part[]
  begun: Begun | undefined
  look: Look
  /** the languages to choose from, and the one that was chosen */
  languages: Language[]
  lang: Language | undefined
  known: Known
  /** the hosts whose pages may show it in a frame; none for all */
  sites: string[]
  /** the token of a new response, where none is begun */
  start: string | undefined
}

/** What an address opens; on a page of another site a survey has no cookie, and its forms carry who answers. */
type Link = { ticket: Ticket; path: string; isEmbedded: boolean; start: string | undefined }

/** A page with only a message, and perhaps a link that leads on, in the survey's colours and with its picture. */
export function saying(
  look: Look,
  survey: StoredSurvey,
  [title, text]: [title: string, text: string],
  next?: Next,
): Page {
  const theme = { style: surveyStyle(survey), background: survey.background_url }
  return { look, ...messagePage(title, text, next), ...theme }
}

/** What a survey says where it takes no answers: the text of its last ending, if it has one. */
export function closedText(survey: StoredSurvey, { voice }: Look): string {
  const { pages } = survey.form_structure
  const about = { parts: pages, answers: {}, known: {} }
  return survey.closing_text === null
    ? voice.say('survey.closed')
    : plainWith(about, survey.closing_text)
}

/** The page after the last one: the ending that fits the answers, with what goes into its texts. */
export function endPage(
  look: Look,
  survey: StoredSurvey,
  { ending, answers, known, target }: Ended,
): Page {
  const { say } = look.voice
  const about = { parts: survey.form_structure.pages, answers, known }
  const { title, text, button, url } = ending
  return saying(
    look,
    survey,
    [
      title ? plainWith(about, title) : say('survey.thanks'),
      text === null ? (title ? '' : say('survey.thanks_text')) : plainWith(about, text),
    ],
    url && wholeWebAddress(url)
      ? { label: button ? plainWith(about, button) : say('survey.continue'), href: url, target }
      : undefined,
  )
}

/** An ending with what its texts say, and in which frame its link opens. */
export type Ended = {
  ending: Closed
  answers: Answers
  known: Known
  target?: Next['target']
}

/**
 * The page on which a survey is filled in, without an account: one form per page, each step saved, so that
 * a reload or a later visit continues there. A respondent is recognized by a cookie for this
 * link or, if the link is personal, by the e-mail in it. It needs no script; with one,
 * questions that depend on others on the same page appear and disappear.
 */
export async function surveyPages(outer: FastifyInstance, runtime: Runtime): Promise<void> {
  // other pages take no files
  await outer.register(async (scope) => {
    await scope.register(cookie)
    takeUploads(scope)
    for (const address of ['/s/:token', embedAddress]) addSurvey(scope, runtime, address)
  })
}

/** The page that other sites show in a frame. */
const embedAddress = '/s/embed/:token'

function addSurvey(scope: FastifyInstance, runtime: Runtime, address: string): void {
  const isEmbedded = address === embedAddress
  const show = (
    reply: FastifyReply,
    status: number,
    page: Page,
    { sites }: Pick<Opened | Shut, 'sites'>,
  ) => sendPage(reply, status, isEmbedded ? embedded(page, sites) : page)

  scope.get<Linked>(address, async (request, reply) => {
    const found = await openSurvey(runtime, request, isEmbedded)
    if ('page' in found) return show(reply, found.status, found.page, found)
    const opened = withOrder(runtime, found, '')
    const { parts, begun, survey, respondent } = opened
    if (!begun) await countView(respondent, survey.id)
    const answers = answersAsked(parts, begun?.answers ?? {})
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
    return show(reply, 200, formPage(shownBy(request, opened), { index, answers }), opened)
  })

  scope.post<Linked>(address, async (request, reply) => {
    const found = await openSurvey(runtime, request, isEmbedded)
    if ('page' in found) return show(reply, found.status, found.page, found)
    const form = await received(runtime, request, found)
    const { go } = form.texts
    const opened = withOrder(runtime, found, String(form.texts.start ?? ''))
    const { parts, look, survey, link } = opened
    try {
      const own = ownOf(runtime, opened, form.texts)
      const filed = await withUploads(runtime, request, reply, { ...opened, own }, form)
      const step = stepOf(look.voice, parts, form.texts, filed.begun?.answers ?? {})
      const { index, valid, answers, failures, isBack, isLast, next } = step
      const lang = /^lang-(\w+)$/.exec(String(go))?.[1]
      const stays = lang !== undefined || go === 'keep'
      const shown = filed.failures || failures ? { ...failures, ...filed.failures } : undefined
      if (shown && !isBack && !stays) {
        const page = formPage(shownBy(request, filed), { index, answers, failures: shown })
        return await show(reply, 400, page, opened)
      }
      const isDone = isLast && !isBack && !stays
      // nothing is stored of who only looks, or chooses another language
      if (filed.begun || !stays || Object.keys(valid).length) {
        const answersOf = (earlier: Answers) => {
          const latest = stepOf(look.voice, parts, form.texts, earlier)
          if (!isDone) return latest.valid
          // another page of it was sent meanwhile, and now this is not the last or answers too little
          if (!latest.isLast || latest.failures) throw conflict('The answers changed', 'changed')
          return latest.answers
        }
        const leaving = go === 'keep' ? { leaving: seenIn(form.texts.seen) } : {}
        await save(runtime, reply, { ...filed, own }, { answersOf, ...leaving }, isDone)
      }
      if (go === 'keep') return await reply.code(204).send()
      const chosen = languages.find((each) => each === lang) ?? opened.lang
      const to = isDone ? undefined : stays ? index : isBack ? step.previous : next
      const query = new URLSearchParams({
        ...(to === undefined ? {} : { page: String(to + 1) }),
        ...(chosen ? { lang: chosen } : {}),
        ...(link.start ? { start: link.start } : {}),
      }).toString()
      // a redirect, so that a reload does not submit again
      return await reply.redirect(`/s/${link.path}${query ? `?${query}` : ''}`, 303)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const taken = error.status === 400 && (await withoutTaken(runtime, request, opened, error))
      if (taken) return await show(reply, 400, taken, opened)
      if (error.status !== 409) throw error
      if (go === 'keep') return await reply.code(204).send()
      if (error.code === 'changed') return await reply.redirect(request.url, 303)
      const { say } = look.voice
      const [title, text] =
        error.code === 'answered'
          ? [say('survey.answered'), say('survey.answered_text')]
          : [say('survey.no_more'), closedText(survey, look)]
      return await show(reply, 409, saying(look, survey, [title, text]), opened)
    } finally {
      await form.discard()
    }
  })
}

/**
 * The page of the first question whose answer no longer fits when all are sent, such as a choice that others have taken
 * since, with that said there; undefined if it is none of this survey's.
 */
async function withoutTaken(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  { link: { isEmbedded }, parts }: Opened,
  { errors = [] }: Failure,
): Promise<Page | undefined> {
  const wrong = new Map(errors.map(({ field, message }) => [field, message]))
  const of = (part: Part) => part.fields.filter(({ id }) => wrong.has(`answers.${id}`))
  const index = parts.findIndex((part) => of(part).length)
  const found = index < 0 ? undefined : await openSurvey(runtime, request, isEmbedded)
  if (!found || 'page' in found) return undefined
  const form = request.body as Form
  const opened = withOrder(runtime, found, String(form.start ?? ''))
  const { survey, look, begun } = opened
  // what others have taken is not offered to who has chosen it, either
  const open = new Map(
    withoutFull(survey).flatMap(({ fields }) => fields.map((each) => [each.id, each])),
  )
  const left = opened.parts.map((part) => ({
    ...part,
    fields: part.fields.map(({ options, ...field }) => {
      const free = new Set(open.get(field.id)?.options?.map(({ value }) => value))
      return {
        ...field,
        ...(options && { options: options.filter(({ value }) => free.has(value)) }),
      }
    }),
  }))
  const step = stepOf(look.voice, parts, form, begun?.answers ?? {})
  const failures = Object.fromEntries(
    parts
      .flatMap((part, at) => (at === index ? of(part) : []))
      .map(({ id, type }) => [id, sentence(look.voice, wrong.get(`answers.${id}`) ?? '', type)]),
  )
  const filled = { index, answers: answersAsked(left, step.answers), failures }
  return formPage(shownBy(request, { ...opened, parts: left }), filled)
}

/** The state that a page was shown with, as its form says. */
function seenIn(text: unknown): Seen {
  const [, steps = 0, keeps = 0] = /^(\d{1,9})\.(\d{1,9})$/.exec(String(text)) ?? []
  return { steps: Number(steps), keeps: Number(keeps) }
}

/** The texts of a form, and the files that were received with it. */
type Received = { texts: Form; discard: () => Promise<void> }

async function received(
  { config }: Runtime,
  request: FastifyRequest<Linked>,
  { parts }: Opened,
): Promise<Received> {
  if (!isForm(request)) {
    return { texts: (request.body ?? {}) as Form, discard: async () => {} }
  }
  const fields = parts.flatMap((part) => part.fields)
  const names = fields.flatMap(({ id, type }) => (type === 'file' ? [`file.${id}`] : []))
  // what may be chosen several times is a list
  const several = fields.flatMap(({ id, type }) =>
    type === 'multi-select' ? [`a.${id}`] : type === 'file' ? [`x.${id}`] : [],
  )
  const list = { type: ['array', 'string'], items: { type: 'string' } }
  const schema = { properties: Object.fromEntries(several.map((name) => [name, list])) }
  const limit = { limit: outsiderFileLimit, mostFiles: 2 * mostFiles, names }
  refuseLength(request, { limit: limit.limit * limit.mostFiles })
  const folder = join(config.dataDir, 'uploads')
  const discard = await receive(request, limit, schema, { folder, bounds: config.bounds })
  return { texts: (request.body ?? {}) as Form, discard }
}

/**
 * The files of a form become documents of the survey and part of the answers so far, before the others are looked at, so
 * that none has to be chosen twice; those that are taken away are deleted. What is wrong with a file is said at its question.
 */
async function withUploads(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  reply: FastifyReply,
  opened: Opened & { own: Own },
  { texts }: Received,
): Promise<Opened & { failures?: Failures }> {
  const { respondent, survey, parts, look } = opened
  const before = opened.begun?.answers ?? {}
  const fields = parts.flatMap((part) => part.fields).filter(({ type }) => type === 'file')
  const uploads = (request.uploads ?? []).filter(({ size, name }) => size || name !== 'file')
  const failures: Failures = {}
  const added: { [field_id: string]: AnsweredFile[] } = {}
  const gone: string[] = []
  for (const field of fields) {
    const taken = [texts[`x.${field.id}`]].flat().filter((each) => typeof each === 'string')
    const earlier = (before[field.id] ?? []) as AnsweredFile[]
    const kept = earlier.filter(({ document_id }) => !taken.includes(document_id))
    const own: AnsweredFile[] = (added[field.id] = [])
    gone.push(...earlier.filter((each) => !kept.includes(each)).map((each) => each.document_id))
    const most = mostFilesOf(field)
    for (const upload of uploads.filter(({ part }) => part === `file.${field.id}`)) {
      if (kept.length + own.length >= most) {
        failures[field.id] = look.voice.say('portal.too_many_files', { count: most })
        continue
      }
      try {
        if (!upload.size) throw badField('file', 'is empty')
        await refuseLocked(respondent.reads, { file: upload })
        await storeFile(respondent.reads, { file: upload })
        own.push(await respondent.write((ctx) => addFile(ctx, survey, upload)))
      } catch (error) {
        if (!(error instanceof Failure) || ![400, 413].includes(error.status)) throw error
        if (upload.storedKey) await runtime.files.remove(upload.storedKey)
        failures[field.id] = look.voice.say('survey.file_refused', { name: upload.name })
      }
    }
  }
  const wrong = Object.keys(failures).length ? { failures } : {}
  if (!uploads.length && !gone.length) return { ...opened, ...wrong }
  const answersOf = (earlier: Answers) => {
    const answers = { ...earlier }
    for (const { id } of fields) {
      const kept = ((earlier[id] ?? []) as AnsweredFile[]).filter(
        ({ document_id }) => !gone.includes(document_id),
      )
      const all = [...kept, ...(added[id] ?? [])]
      if (all.length) answers[id] = all
      else delete answers[id]
    }
    return answers
  }
  const saved = await save(runtime, reply, opened, { answersOf }, false)
  const lost = fields.flatMap(({ id }) => (saved.answers[id] ? [] : (added[id] ?? [])))
  const removed = [...gone, ...lost.map(({ document_id }) => document_id)]
  if (removed.length) await respondent.write((ctx) => removeFiles(ctx, survey.id, removed))
  const { response_id: id, answers, structure_version, steps, keeps } = saved
  const begun = { id, answers, structure_version, steps, keeps, finished: false }
  return { ...opened, begun, ...wrong }
}

/** What the address of a request opens; undefined if this service did not create it. */
function linkOf(
  { secrets }: Runtime,
  { params: { token }, query }: FastifyRequest<Linked>,
  isEmbedded: boolean,
): Link | undefined {
  if (!isEmbedded) {
    const ticket = readTicket(secrets, token)
    return ticket && { ticket, path: token, isEmbedded, start: undefined }
  }
  const its = readEmbed(secrets, token)
  if (!its) return undefined
  const named = query.start
  const isOurs = typeof named === 'string' && openStart(secrets, named, its.survey) !== undefined
  const start = isOurs ? named : newStart(secrets, its.survey)
  const ticket = { ...its, email: null, expires: null }
  return { ticket, path: `embed/${token}`, isEmbedded, start }
}

type Form = { [name: string]: unknown }

/**
 * What a submitted page answers, beside what was answered before, and what is wrong with it; which pages are next to it
 * among those that are asked. `valid` is what can be stored of it in any case.
 */
export function stepOf(voice: Voice, parts: Part[], form: Form, earlier: Answers) {
  const index = Math.min(Math.max(0, Math.trunc(Number(form.page)) || 0), parts.length - 1)
  const { fields } = parts[index]!
  const before = without(earlier, fields)
  const here = answersIn(withoutChosen(form, fields), fields, earlier)
  const answers = answersAsked(parts, { ...before, ...here })
  const failures = failuresOf(voice, parts.slice(0, index + 1), answers, fields)
  const fitting = Object.entries(here).filter(([id]) => !failures?.[id])
  const valid = answersAsked(parts, { ...before, ...Object.fromEntries(fitting) })
  const isShown = (part: Part) => isVisible(part, answers)
  const next = parts.findIndex((part, at) => at > index && isShown(part))
  const previous = Math.max(
    0,
    parts.findLastIndex((part, at) => at < index && isShown(part)),
  )
  return {
    index,
    valid,
    answers,
    failures,
    isBack: form.go === 'back',
    isLast: next < 0,
    next,
    previous,
  }
}

async function openSurvey(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  isEmbedded: boolean,
): Promise<Opened | Shut> {
  const visitor = visitorContext(runtime, request)
  const link = linkOf(runtime, request, isEmbedded)
  const unknown: Shut = { status: 404, page: unknownLink(request) }
  if (!link) return unknown
  const { ticket } = link
  const organization = await findOrganization(visitor.lookup, ticket.organization)
  if (!organization) return unknown
  const actor = { ...system, full_name: ticket.email ?? 'A respondent' }
  const respondent = visitor.actAs({ organization, actor })
  const ctx = respondent.reads
  const lang = languages.find((each) => each === request.query.lang)
  const usual = await lookOf(ctx, request, { address: ticket.email, language: lang })
  const { say } = usual.voice
  if (isExpired(ticket, visitor.now())) {
    const page = messagePage(say('link.expired'), say('link.expired_text'))
    return { status: 410, page: { look: usual, ...page } }
  }
  const stored = await ctx.one<StoredSurvey & Counted & { embed: StoredEmbed | null }>(sql`
    select t.* from surveys t
    where ${mine(ctx)} and t.id = ${ticket.survey} and t.deleted_at is null`)
  if (!stored) return unknown
  const sites = sitesOf(stored.embed)
  const all = offered(stored, usual.brand.language)
  const begun = await begunBy(request, ctx, stored, link)
  const wanted = lang ?? languageOf(begun?.language) ?? usual.voice.language
  const look = all.length > 1 ? await spoken(ctx, request, { all, wanted, usual, ticket }) : usual
  const survey: StoredSurvey & Counted = {
    ...inOneLanguage(stored, look.voice.language),
    taken: stored.taken ?? null,
  }
  if (request.method === 'GET') await noteOpened(respondent, ticket)
  if (begun?.finished) {
    const page = await endOf(ctx, look, { survey, begun, ticket, isEmbedded })
    return { status: 200, page, sites }
  }
  const { pages } = survey.form_structure
  // the size was not checked when it was saved if it came from an archive or an earlier version
  const isShown = !isEmbedded || stored.embed?.is_active
  if (!isShown || !limitsOf(ctx, survey).accepting_responses || pages.some(isTooLarge)) {
    const page = saying(look, survey, [survey.name, closedText(survey, look)])
    return { status: 410, page, sites }
  }
  const counted = isCounted(stored)
    ? survey
    : { ...survey, taken: await respondent.write((write) => countChoices(write, survey.id)) }
  const parts = withoutFull(counted, begun?.answers)
  const { email, schedule, by } = ticket
  const known = email && saysWho(parts) ? await knownOf(ctx, survey, { email, schedule, by }) : {}
  const isKnown = ticket.email !== null || begun !== undefined
  const start = link.start ?? (isKnown ? undefined : newStart(runtime.secrets, survey.id))
  return {
    link,
    respondent,
    ticket,
    survey: counted,
    parts,
    begun,
    look,
    languages: all,
    lang,
    known,
    sites,
    start,
  }
}

/** How a finished response ends, by the pages and the endings of the version that it answered. */
async function endOf(
  ctx: Context,
  look: Look,
  {
    survey,
    begun: { answers, structure_version: version },
    ticket: { email, schedule, by },
    isEmbedded,
  }: { survey: StoredSurvey; begun: Begun; ticket: Ticket; isEmbedded: boolean },
): Promise<Page> {
  const now = survey.form_structure
  const then =
    version === now.version
      ? undefined
      : await ctx.one<{ pages: Part[]; endings: Ending[] | null }>(sql`
          select t.pages, t.endings from survey_versions t
          where ${mine(ctx)} and t.survey_id = ${survey.id} and t.version = ${version}`)
  const answered = then ? inOneLanguage(withStructure(survey, then), look.voice.language) : survey
  const ending = closedWith({ ...answered, endings: answered.form_structure.endings }, answers)
  const { title, text, button } = ending
  const isPersonal = textsSayWho([title ?? '', text ?? '', button ?? ''])
  const known = email && isPersonal ? await knownOf(ctx, survey, { email, schedule, by }) : {}
  // in a frame the site around it goes on
  return endPage(look, answered, {
    ending,
    answers,
    known,
    ...(isEmbedded ? { target: '_top' } : {}),
  })
}

function withStructure(
  survey: StoredSurvey,
  { pages, endings }: { pages: Part[]; endings: Ending[] | null },
): StoredSurvey {
  const { version } = survey.form_structure
  return { ...survey, form_structure: { pages, ...(endings ? { endings } : {}), version } }
}

/** The languages in which a survey is written, its first among them. */
export function offered(survey: StoredSurvey, usual: Language): Language[] {
  const { translations, form_structure } = survey
  const others = languagesOf({ translations, ...form_structure })
  const first = survey.language ?? usual
  return others.length ? [first, ...others.filter((each) => each !== first)] : [first]
}

/** The look in the language that is wanted, if the survey has it, else in its first. */
async function spoken(
  ctx: Context,
  request: FastifyRequest<Linked>,
  {
    all,
    wanted,
    usual,
    ticket,
  }: { all: Language[]; wanted: Language; usual: Look; ticket: Ticket },
): Promise<Look> {
  const language = all.includes(wanted) ? wanted : (all[0] ?? usual.voice.language)
  if (language === usual.voice.language) return usual
  return lookOf(ctx, request, { address: ticket.email, language })
}

/** The pages in the order of this respondent, whose response may begin with this form. */
function withOrder({ secrets }: Runtime, opened: Opened, token: string): Opened {
  const { ticket, begun, survey, parts } = opened
  const start = begun?.id ?? openStart(secrets, token || (opened.start ?? ''), survey.id)
  return { ...opened, parts: inOrder(parts, `${survey.id} ${ticket.email ?? start ?? ''}`) }
}

/** This respondent's answers so far: by the personal link, by what the address carries, or by the cookie of this browser. */
async function begunBy(
  request: FastifyRequest<Linked>,
  ctx: Context,
  survey: StoredSurvey,
  { ticket: { email, schedule }, isEmbedded, start }: Link,
): Promise<Begun | undefined> {
  const own = sql`${mine(ctx)} and t.survey_id = ${survey.id}`
  if (email) {
    return ctx.one<Begun>(sql`select t.id, t.answers, t.finished, t.language, t.structure_version, t.steps, t.keeps
      from survey_responses t where ${own} and ${ofRecipient(survey, { email, schedule_id: schedule })}
      order by t.finished desc, t.id desc limit 1`)
  }
  const id = isEmbedded
    ? openStart(ctx.secrets, start ?? '', survey.id)
    : openedBy(ctx, request.cookies[cookieName])
  if (!id) return undefined
  return ctx.one<Begun>(sql`select t.id, t.answers, t.finished, t.language, t.structure_version, t.steps, t.keeps
    from survey_responses t where ${own} and t.id = ${id}`)
}

/** The id of the response in a cookie; undefined if this service did not set it. */
function openedBy({ secrets }: Context, sealed: string | undefined): string | undefined {
  try {
    return sealed && secrets.open(sealed)
  } catch {
    return undefined
  }
}

const cookieName = 'perennial_survey'

/**
 * Which response a form continues or starts: that of a personal link, the one that this browser
 * has begun, the one whose id is in the form, or a new one.
 */
function ownOf({ secrets }: Runtime, { link, ticket, begun }: Opened, form: Form): Own {
  if (ticket.email) return { email: ticket.email, schedule_id: ticket.schedule }
  if (begun) return { id: begun.id }
  const start = link.start ?? String(form.start ?? '')
  return { id: openStart(secrets, start, ticket.survey) ?? newId() }
}

async function save(
  runtime: Runtime,
  reply: FastifyReply,
  { link, respondent, ticket, begun, own, look }: Opened & { own: Own },
  step: Step,
  finished: boolean,
): Promise<Kept> {
  const body = { answers: {}, finished, respondent_email: ticket.email }
  const origin = { language: look.voice.language, schedule_id: ticket.schedule }
  const { response } = await respondent.write((ctx) =>
    submitResponse(ctx, ticket.survey, body, { step, own, origin }),
  )
  if (begun || ticket.email || link.isEmbedded) return response
  reply.setCookie(cookieName, runtime.secrets.encrypt(response.response_id).toString('base64url'), {
    path: `/s/${link.path}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(runtime.config.publicUrl),
    maxAge: 30 * 86_400,
  })
  return response
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
  const open = parts.findIndex(
    (part) =>
      isVisible(part, answers) &&
      part.fields.some(
        (field) =>
          field.type !== 'statement' &&
          field.type !== 'calculated' &&
          such(field) &&
          isVisible(field, answers) &&
          !(field.id in answers),
      ),
  )
  const last = parts.findLastIndex((part) => isVisible(part, answers))
  return open < 0 ? Math.max(0, last) : open
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

/** A form without files that it names by their ids: here they are uploaded, and those of others stay theirs. */
function withoutChosen(form: Form, fields: FormField[]): Form {
  const named = new Set(fields.flatMap(({ id, type }) => (type === 'file' ? [`a.${id}`] : [])))
  return Object.fromEntries(Object.entries(form).filter(([name]) => !named.has(name)))
}

function without(answers: Answers, fields: FormField[]): Answers {
  const here = new Set(fields.map(({ id }) => id))
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !here.has(id)))
}

/** What the form shows; it starts a new response if none is known. */
function shownBy(
  { body }: FastifyRequest<Linked>,
  { link, survey, parts, begun, start, look, languages: all, lang, known }: Opened,
): Shown {
  const { steps = 0, keeps = 0 } = begun ?? {}
  const shown = { survey, parts, look, languages: all, known, seen: `${steps}.${keeps}` }
  if (link.isEmbedded) {
    const query = new URLSearchParams({ start: link.start ?? '', lang: look.voice.language })
    return { ...shown, token: `${link.path}?${query}`, start: undefined, lang: undefined }
  }
  // a form that comes back goes on with the response that it has begun
  const sent = (body as Form | undefined)?.start
  const own = begun ? undefined : start && typeof sent === 'string' ? sent : start
  return { ...shown, token: link.path, start: own, lang }
}
