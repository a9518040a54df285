import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Answers, Page as Part } from '../../model/surveys/structure.ts'
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
import { saying, stepOf } from './survey.ts'
import type { Failures } from './survey-form.ts'
import { formPage } from './survey-form.ts'
import { previewScript, previewStyle } from './survey-look.ts'

type Keyed = { Params: { key: string }; Querystring: { page?: string } }
type Closed = { status: number; page: Page }
type Opened = { survey: StoredSurvey; parts: Part[]; look: Look }

/**
 * The page of a survey with its draft, for whoever edits it: the same code as the page that others get, in a frame of
 * the screens. Its answers go on in the form itself, and nothing is stored.
 */
export function surveyPreviews(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Keyed>('/s/preview/:key', async (request, reply) => {
    const opened = await openPreview(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const named = Math.trunc(Number(request.query.page ?? 1)) || 1
    const index = Math.min(Math.max(0, named - 1), opened.parts.length - 1)
    return sendPage(reply, 200, shown(request, opened, { index, answers: {} }))
  })

  scope.post<Keyed>('/s/preview/:key', async (request, reply) => {
    const opened = await openPreview(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const { look, parts, survey } = opened
    const form = (request.body ?? {}) as { [name: string]: unknown }
    const step = stepOf(look.voice, parts, form, carriedIn(form.carried))
    const { index, before, answers, failures, isBack, isLast } = step
    if (failures && !isBack) {
      return sendPage(reply, 400, shown(request, opened, { index, answers, failures }))
    }
    if (isBack) {
      const kept = failures ? before : answers
      const back = { index: Math.max(0, index - 1), answers: kept }
      return sendPage(reply, 200, shown(request, opened, back))
    }
    if (!isLast) return sendPage(reply, 200, shown(request, opened, { index: index + 1, answers }))
    const { say } = look.voice
    const text = survey.closing_text ?? say('survey.thanks_text')
    return sendPage(reply, 200, framed(saying(look, survey, say('survey.thanks'), text)))
  })
}

async function openPreview(
  runtime: Runtime,
  request: FastifyRequest<Keyed>,
): Promise<Opened | Closed> {
  const visitor = visitorContext(runtime, request)
  const unknown: Closed = { status: 404, page: framed(unknownLink(request)) }
  const preview = readPreview(visitor.secrets, request.params.key)
  const organization = preview && (await findOrganization(visitor.lookup, preview.organization))
  if (!preview || !organization) return unknown
  const ctx = visitor.actAs({ organization, actor: system }).reads
  const look = await lookOf(ctx, request, { language: preview.language ?? undefined })
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
  const { pages = survey.form_structure.pages, ...texts } = draft ?? {}
  const parts = pages.length ? pages : [{ id: '', title: '', fields: [] }]
  const next = { ...survey, ...texts }
  if (parts.some(isTooLarge)) {
    return { status: 410, page: framed(saying(look, next, next.name, say('survey.closed'))) }
  }
  return { survey: next, parts, look }
}

function shown(
  { params: { key } }: FastifyRequest<Keyed>,
  { survey, parts, look }: Opened,
  filled: { index: number; answers: Answers; failures?: Failures },
): Page {
  const page = formPage(
    {
      survey,
      parts,
      look,
      token: `preview/${key}`,
      start: undefined,
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

function framed(page: Page): Page {
  return { ...page, isFramed: 'here' }
}

/** The answers that a form carries on; none if somebody has changed them into something else. */
function carriedIn(text: unknown): Answers {
  try {
    const answers: unknown = JSON.parse(String(text ?? '{}'))
    return typeof answers === 'object' && answers !== null ? (answers as Answers) : {}
  } catch {
    return {}
  }
}
