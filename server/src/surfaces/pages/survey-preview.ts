import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Language } from '../../model/languages/language.ts'
import { languages } from '../../model/languages/language.ts'
import { answersAsked } from '../../model/forms/rules.ts'
import type { Answers, Page as Part } from '../../model/forms/form-parts.ts'
import type { Closed } from '../../model/surveys/endings.ts'
import { closedWith } from '../../model/surveys/endings.ts'
import { isTooLarge } from '../../model/surveys/structure.ts'
import type { StoredSurvey } from '../../model/surveys/survey.ts'
import type { SurveyDraft } from '../../records/surveys/draft.ts'
import { readPreview } from '../../records/surveys/links/preview.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { findOrganization } from '../organization.ts'
import { lookOf, unknownLink } from './look.ts'
import type { Look, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { visitorContext } from './plugin.ts'
import { inOneLanguage } from '../../model/surveys/in-language.ts'
import { endPage, offered, saying, stepOf } from './survey.ts'
import type { Failures } from './survey-form.ts'
import { formPage } from './survey-form.ts'
import { inOrder } from './survey-order.ts'
import { previewScript, previewStyle } from './survey-look.ts'

type Keyed = {
  Params: { key: string }
  Querystring: { page?: string; ending?: string; lang?: string }
}
type Shut = { status: number; page: Page }
type Opened = {
  survey: StoredSurvey
  parts: Part[]
  look: Look
  languages: Language[]
  lang: Language | undefined
}

/**
 * The page of a survey with its draft, for whoever edits it: the same code as the page that others get, in a frame of
 * the screens. Its answers go on in the form itself, and nothing is stored.
 */
export function surveyPreviews(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Keyed>('/s/preview/:key', async (request, reply) => {
    const opened = await openPreview(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const { ending } = request.query
    if (ending !== undefined)
      return sendPage(reply, 200, ended(opened, endingNamed(opened, ending)))
    const named = Math.trunc(Number(request.query.page ?? 1)) || 1
    const index = Math.min(Math.max(0, named - 1), opened.parts.length - 1)
    return sendPage(reply, 200, shown(request, opened, { index, answers: {} }))
  })

  scope.post<Keyed>('/s/preview/:key', async (request, reply) => {
    const opened = await openPreview(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const { look, parts, survey } = opened
    const form = (request.body ?? {}) as { [name: string]: unknown }
    const carried = answersAsked(parts, carriedIn(form.carried))
    const step = stepOf(look.voice, parts, form, carried)
    const { index, valid, answers, failures, isBack, isLast, next, previous } = step
    const chosen = /^lang-(\w+)$/.exec(String(form.go))?.[1]
    if (chosen)
      return reply.redirect(
        `/s/preview/${request.params.key}?lang=${chosen}&page=${index + 1}`,
        303,
      )
    if (failures && !isBack) {
      return sendPage(reply, 400, shown(request, opened, { index, answers, failures }))
    }
    if (isBack) {
      return sendPage(reply, 200, shown(request, opened, { index: previous, answers: valid }))
    }
    if (!isLast) return sendPage(reply, 200, shown(request, opened, { index: next, answers }))
    return sendPage(reply, 200, ended(opened, closedWith(endsOf(survey), answers), answers))
  })
}

async function openPreview(
  runtime: Runtime,
  request: FastifyRequest<Keyed>,
): Promise<Opened | Shut> {
  const visitor = visitorContext(runtime, request)
  const unknown: Shut = { status: 404, page: framed(unknownLink(request)) }
  const preview = readPreview(visitor.secrets, request.params.key)
  const organization = preview && (await findOrganization(visitor.lookup, preview.organization))
  if (!preview || !organization) return unknown
  const ctx = visitor.actAs({ organization, actor: system }).reads
  const lang = languages.find((each) => each === request.query.lang)
  const language = lang ?? preview.language ?? undefined
  const look = await lookOf(ctx, request, { language })
  const { say } = look.voice
  if (new Date(preview.expires) <= visitor.now()) {
    const page = messagePage(say('link.expired'), say('link.expired_text'))
    return { status: 410, page: framed({ look, ...page }) }
  }
  const stored = await ctx.one<StoredSurvey & { draft: SurveyDraft | null }>(sql`
    select t.* from surveys t
    where ${mine(ctx)} and t.id = ${preview.preview} and t.deleted_at is null`)
  if (!stored) return unknown
  const { draft, ...survey } = stored
  const { version, ...published } = survey.form_structure
  const { pages, endings, ...texts } = { ...published, ...draft }
  const parts = pages.length ? pages : [{ id: '', title: '', fields: [] }]
  const structure = { pages: parts, ...(endings ? { endings } : {}), version }
  const whole = { ...survey, ...texts, form_structure: structure }
  const all = offered(whole, look.brand.language)
  const isSpoken = all.length === 1 || all.includes(look.voice.language)
  const spoken = isSpoken ? look : await lookOf(ctx, request, { language: all[0] })
  const next = inOneLanguage(whole, spoken.voice.language)
  if (parts.some(isTooLarge)) {
    return { status: 410, page: framed(saying(look, next, [next.name, say('survey.closed')])) }
  }
  const ordered = inOrder(next.form_structure.pages, preview.preview)
  return { survey: next, parts: ordered, look: spoken, languages: all, lang }
}

function shown(
  { params: { key } }: FastifyRequest<Keyed>,
  { survey, parts, look, languages: all, lang }: Opened,
  filled: { index: number; answers: Answers; failures?: Failures },
): Page {
  const page = formPage(
    {
      survey,
      parts,
      look,
      token: `preview/${key}`,
      start: undefined,
      languages: all,
      lang,
      known: sample,
      carried: filled.answers,
    },
    filled,
  )
  return framed({
    ...page,
    style: `${page.style ?? ''}\n${previewStyle}`,
    script: `${page.script ?? ''}${previewScript}`,
  })
}

/** An ending as it is shown; its link leaves the frame. */
function ended({ look, survey }: Opened, ending: Closed, answers: Answers = {}): Page {
  const page = endPage(look, survey, { ending, answers, known: sample, target: '_blank' })
  return framed({ ...page, style: `${page.style ?? ''}\n${previewStyle}` })
}

/** One ending alone, whatever its conditions; the last one for any other name. */
function endingNamed({ survey }: Opened, id: string): Closed {
  const { endings = [], ...closing } = endsOf(survey)
  const found = endings.filter((each) => each.id === id)
  return closedWith({ ...closing, endings: found.map((each) => ({ ...each, show_if: [] })) }, {})
}

function endsOf(survey: StoredSurvey) {
  return { ...survey, endings: survey.form_structure.endings }
}

function framed(page: Page): Page {
  return { ...page, isFramed: 'here' }
}

/** Who answers a preview: nobody yet, so that the words instead are shown. */
const sample = {}

/** The answers that a form carries on; none if somebody has changed them into something else. */
function carriedIn(text: unknown): Answers {
  try {
    const answers: unknown = JSON.parse(String(text ?? '{}'))
    return typeof answers === 'object' && answers !== null ? (answers as Answers) : {}
  } catch {
    return {}
  }
}
