import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, unauthorized } from '../../kit/ground/errors.ts'
import { isId } from '../../kit/ground/ids.ts'
import { html, raw } from '../../kit/ground/html-template.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { acceptedLanguage, languageOf, voiceOf } from '../../model/languages/language.ts'
import { blocksAsHtml } from '../../kit/ground/editor-blocks.ts'
import { documents } from '../../records/documents/operations.ts'
import { sanitized } from '../../records/documents/sanitized.ts'
import { interactions } from '../../records/interactions/operations.ts'
import { brandOf } from '../../records/mail/brand.ts'
import { setOverview } from '../../records/portal/overview.ts'
import { portalOf } from '../../records/portal/portal.ts'
import { putOffRating, ratedMilestone, rateMilestone } from '../../records/portal/ratings.ts'
import { readPlan } from '../../records/projects/plan.ts'
import { tasks } from '../../records/tasks/operations.ts'
import { endThisSession } from '../../records/users/sessions.ts'
import { users } from '../../records/users/operations.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { inTransaction, readingContext } from '../../runtime.ts'
import { callerAddress } from '../address.ts'
import { callerOf } from '../application/authenticate.ts'
import { viewAsReadsOnly } from '../application/view-as.ts'
import { requestSignInLink } from '../application/sign-in-link.ts'
import { noCookie } from '../application/web/cookie.ts'
import { takeForms } from '../bodies.ts'
import { failureFrom } from '../errors.ts'
import { rateLimiter } from '../limits.ts'
import { sendFailurePage } from '../pages/failure.ts'
import { failureText, visitorVoice } from '../pages/look.ts'
import type { Page } from '../pages/page.ts'
import { errorTitle, messagePage, sendPage } from '../pages/page.ts'
import { formOf, refuseForeign, visitorContext } from '../pages/plugin.ts'
import type { Tokens } from '../tokens.ts'
import { takeUploads } from '../upload.ts'
import { aboutTask, actOnTask, asHtml, found, runAs } from './act.ts'
import { fileForTask } from './files.ts'
import { linkedTask, linkedTaskFiles } from './linked-task.ts'
import { previewPages, seenBy } from './preview.ts'
import type { PlanTask } from './project-view.ts'
import { projectPage } from './project-view.ts'
import { ratingPage } from './rating-view.ts'
import type { ShownTask } from './task-view.ts'
import { filedOf, taskPage } from './task-view.ts'
import type { Done, Shown } from './views.ts'
import { homePage, portalPage } from './views.ts'

type Named = { Params: { id: string }; Querystring: { [name: string]: string } }
type Asked = FastifyRequest<Named>

/**
 * The portal: the pages of customers and partners. They are written by the server, need no script, and do what they
 * do by the operations of the application surface, so that nobody sees or changes more here than there.
 */
export function portalPages(scope: FastifyInstance, runtime: Runtime, tokens: Tokens): void {
  const { rateLimits, publicUrl } = runtime.config
  const limit = rateLimiter(runtime.database.counts, 'portal', rateLimits.application)
  takeForms(scope)
  scope.addHook('preValidation', async (request) => {
    if (request.method === 'POST') refuseForeign(runtime.config, request)
  })
  scope.setErrorHandler((error, request, reply) => {
    const failure = failureFrom(error, request)
    // whoever is not signed in is asked to, and a session that first needs one-time codes sets them up
    if (failure.status === 401) return reply.redirect('/portal/sign-in', 303)
    if (failure.code === 'totp_required') return reply.redirect('/settings', 303)
    // nothing that is clicked in a preview is done
    if (failure.code === 'view_as_read_only') return reply.redirect('/portal', 303)
    return sendFailurePage(reply, request, failure)
  })

  /** Who is signed in, by their cookie. */
  async function signedIn(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    if (!request.headers.cookie) throw unauthorized('Sign in first')
    const found = await callerOf(runtime, tokens, request, { writes: request.method === 'POST' })
    await limit(reply, found.actor.user_id ?? '')
    request.work?.identify(found.actor.user_id ?? '', found.organization.id)
    return found
  }

  /** Whom a page is shown to. */
  const caller = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> =>
    seenBy(runtime, request, await signedIn(request, reply))

  async function shownTo(who: Caller, request: FastifyRequest, project?: string): Promise<Shown> {
    const ctx = readingContext(runtime, who)
    const [portal, brand] = await Promise.all([portalOf(ctx, project), brandOf(ctx)])
    const language =
      languageOf(portal.me.language) ??
      acceptedLanguage(request.headers['accept-language']) ??
      brand.language
    return {
      portal,
      ...(who.isViewing ? { viewer: visitorVoice(request) } : {}),
      look: { brand, voice: voiceOf(language, portal.me.timezone ?? brand.timezone) },
    }
  }

  const run = <T>(
    who: Caller,
    request: FastifyRequest,
    operation: Operation,
    input: { id?: string; body?: unknown },
  ) => runAs<T>(runtime, who, request, { operation, ...input })

  /** A page for what is not there, or is not theirs: both look the same. */
  const missing = (shown: Shown): Page => {
    const { say } = shown.look.voice
    const main = html`<h1>${say('portal.gone')}</h1>
      <p class="lead">${say('portal.gone_text')}</p>
      <p><a href="/portal">${say('portal.back')}</a></p>`
    return portalPage(shown, { title: say('portal.gone'), main, at: '' })
  }

  async function taskOf(who: Caller, request: Asked): Promise<ShownTask | undefined> {
    const { id } = request.params
    return found(run<ShownTask>(who, request, tasks.read, { id }))
  }

  scope.get<Named>('/portal', async (request, reply) => {
    const who = await caller(request, reply)
    const { project, done, overview, rated } = request.query
    const shown = await shownTo(who, request, project)
    const { say } = shown.look.voice
    const chosen =
      overview === 'on' || overview === 'off'
        ? `portal.overview_${overview}`
        : rated === 'sent' || rated === 'later'
          ? `portal.rated_${rated}`
          : ''
    const said = shown.look.voice.has(chosen) ? { text: say(chosen) } : undefined
    return sendPage(reply, 200, homePage(shown, said ?? (await doneOf(shown, who, request, done))))
  })

  async function doneOf(
    { look: { voice } }: Shown,
    who: Caller,
    request: Asked,
    done: string | undefined,
  ): Promise<Done | undefined> {
    if (!done || !isId(done)) return undefined
    const task = await found(run<ShownTask>(who, request, tasks.read, { id: done }))
    if (!task?.is_completed) return undefined
    return { text: voice.say('portal.is_done', { title: task.title }), undo: task.item_id }
  }

  scope.get<Named>('/portal/projects/:id', async (request, reply) => {
    const who = await caller(request, reply)
    const { id } = request.params
    const shown = await shownTo(who, request, id)
    const { project } = shown.portal
    if (project?.id !== id) return sendPage(reply, 404, missing(shown))
    const plan = await readPlan(readingContext(runtime, who), id)
    const { tasks: rows } = plan.body as { tasks: PlanTask[] }
    return sendPage(reply, 200, projectPage(shown, project, rows))
  })

  scope.post<Named>('/portal/projects/:id/comments', async (request, reply) => {
    const who = await caller(request, reply)
    const { id } = request.params
    const { content = '' } = formOf(request)
    try {
      await run(who, request, interactions.create, {
        body: { module_name: 'projects', reference_id: id, content: asHtml(content) },
      })
    } catch (error) {
      if (!(error instanceof Failure) || ![400, 404].includes(error.status)) throw error
      const shown = await shownTo(who, request, id)
      const text = failureText(shown.look.voice, error.message)
      return sendPage(reply, error.status, homePage(shown, undefined, text))
    }
    return reply.redirect(`/portal?project=${encodeURIComponent(id)}#conversation`, 303)
  })

  scope.get<Named>('/portal/tasks/:id', async (request, reply) => {
    const who = await caller(request, reply)
    const task = await taskOf(who, request)
    const shown = await shownTo(who, request, task?.project_id ?? undefined)
    if (!task) return sendPage(reply, 404, missing(shown))
    const { say } = shown.look.voice
    const said = ['asked', 'saved', 'uploaded'].find((each) => request.query[each])
    const done = said
      ? { text: say(`portal.${said as 'asked' | 'saved' | 'uploaded'}`) }
      : undefined
    const { removed = '' } = request.query
    const { files, known } = await aboutTask(readingContext(runtime, who), task)
    const gone = isId(removed) && files.every(({ id }) => id !== removed)
    const notice = gone ? filedOf(shown.look, { added: 0, removed, refused: [] }) : done
    return sendPage(reply, 200, taskPage(shown, task, { done: notice, files, known }))
  })

  scope.post<Named>('/portal/tasks/:id', async (request, reply) => {
    const who = await caller(request, reply)
    const task = await taskOf(who, request)
    if (!task) return sendPage(reply, 404, missing(await shownTo(who, request)))
    const { id } = request.params
    // read only by what says something
    let reading: Promise<Shown> | undefined
    const shown = () => (reading ??= shownTo(who, request, task.project_id ?? undefined))
    const look = async () => (await shown()).look
    const outcome = await actOnTask(runtime, who, request, { task, look })
    if ('refused' in outcome) {
      const about = await aboutTask(readingContext(runtime, who), task)
      const page = taskPage(await shown(), task, { ...outcome, ...about })
      return sendPage(reply, outcome.status, page)
    }
    const { act } = outcome
    if (act === 'more-time') return reply.redirect(`/portal/tasks/${id}?asked=1`, 303)
    if (act === 'save') return reply.redirect(`/portal/tasks/${id}?saved=1`, 303)
    const project = task.project_id ? `project=${task.project_id}&` : ''
    return reply.redirect(`/portal?${project}${act === 'open' ? '' : `done=${id}`}`, 303)
  })

  const milestoneOf = async (who: Caller, id: string) =>
    isId(id) ? ratedMilestone(readingContext(runtime, who), id) : undefined

  scope.get<Named>('/portal/milestones/:id', async (request, reply) => {
    const who = await caller(request, reply)
    const milestone = await milestoneOf(who, request.params.id)
    const shown = await shownTo(who, request, milestone?.project_id)
    if (!milestone) return sendPage(reply, 404, missing(shown))
    return sendPage(reply, 200, ratingPage(shown, milestone))
  })

  scope.post<Named>('/portal/milestones/:id', async (request, reply) => {
    const who = await caller(request, reply)
    const { id } = request.params
    const milestone = await milestoneOf(who, id)
    if (!milestone) return sendPage(reply, 404, missing(await shownTo(who, request)))
    const { act, words = '', 'a.rating': rating = '' } = formOf(request)
    const back = `/portal?project=${milestone.project_id}&rated=`
    if (act === 'later') {
      await run(who, request, putOffRating, { id })
      return reply.redirect(`${back}later`, 303)
    }
    try {
      await run(who, request, rateMilestone, {
        id,
        body: { rating: Number(rating), words: words.replaceAll('\r\n', '\n') },
      })
    } catch (error) {
      if (!(error instanceof Failure) || ![400, 409].includes(error.status)) throw error
      const shown = await shownTo(who, request, milestone.project_id)
      const { voice } = shown.look
      const failure = rating ? failureText(voice, error.message) : voice.say('survey.missing')
      const is_answered = error.status === 409
      const page = ratingPage(shown, { ...milestone, is_answered }, { rating, words, failure })
      return sendPage(reply, error.status, page)
    }
    return reply.redirect(`${back}sent`, 303)
  })

  const sendFiles = async (request: Asked, reply: FastifyReply) => {
    const who = await caller(request, reply)
    const task = await taskOf(who, request)
    if (!task) return sendPage(reply, 404, missing(await shownTo(who, request)))
    const { id } = request.params
    let reading: Promise<Shown> | undefined
    const shown = () => (reading ??= shownTo(who, request, task.project_id ?? undefined))
    const look = async () => (await shown()).look
    const { added, removed, refused, status } = await fileForTask(runtime, who, request, {
      task: id,
      look,
    })
    const path = `/portal/tasks/${id}`
    if (!refused.length) {
      const query = added ? '?uploaded=1' : removed ? `?removed=${removed}` : ''
      return reply.redirect(`${path}${query}#files`, 303)
    }
    const about = await aboutTask(readingContext(runtime, who), task)
    const page = taskPage(await shown(), task, { refused: { wrong: {}, files: refused }, ...about })
    return sendPage(reply, status, page)
  }

  // other pages take no files
  void scope.register(async (inner) => {
    takeUploads(inner)
    inner.post<Named>('/portal/tasks/:id/files', sendFiles)
    linkedTaskFiles(inner, runtime, limit)
  })

  scope.get<Named>('/portal/documents/:id', async (request, reply) => {
    const who = await caller(request, reply)
    const { id } = request.params
    type Read = {
      document_name: string
      file_name: string | null
      external_file_url: string | null
      editor_html_content: string | null
      editorjs_content: { blocks?: never[] } | null
    }
    const document = await found(run<Read>(who, request, documents.read, { id }))
    const shown = await shownTo(who, request)
    if (!document) return sendPage(reply, 404, missing(shown))
    if (document.file_name) {
      return reply.redirect(`/api/documents/${encodeURIComponent(id)}/file/?inline=true`, 303)
    }
    const written =
      document.editor_html_content ??
      (document.editorjs_content ? blocksAsHtml(document.editorjs_content) : '')
    const text = await sanitized(readingContext(runtime, who), written)
    const main = html`<div class="narrow">
      <p><a href="/portal">${shown.look.voice.say('portal.back')}</a></p>
      <h1>${document.document_name}</h1>
      <div class="card words">${raw(text)}</div>
    </div>`
    const at = 'documents'
    return sendPage(reply, 200, portalPage(shown, { title: document.document_name, main, at }))
  })

  linkedTask(scope, runtime, limit)
  previewPages(scope, runtime, signedIn)

  // the link of the mail again, for the person whom it was sent to
  scope.get<Named>('/portal/sign/:id', async (request, reply) => {
    const who = await caller(request, reply)
    if (who.isViewing) throw viewAsReadsOnly()
    const ctx = readingContext(runtime, who)
    const row = await ctx.one<{ token_sealed: Buffer }>(sql`
      select t.token_sealed from signature_recipients t
      join users u on u.organization_id = $organization and u.id = ${who.actor.user_id}
      where ${mine(ctx)} and t.id = ${request.params.id} and lower(t.email) = u.email_key`)
    if (!row) return sendPage(reply, 404, missing(await shownTo(who, request)))
    return reply.redirect(`/sign/${ctx.secrets.decrypt(row.token_sealed)}`, 303)
  })

  scope.post('/portal/me', async (request, reply) => {
    const who = await caller(request, reply)
    const { language = '' } = formOf(request)
    const id = who.actor.user_id ?? ''
    await run(who, request, users.update, { id, body: { language } })
    return reply.redirect('/portal', 303)
  })

  scope.post('/portal/overview', async (request, reply) => {
    const who = await caller(request, reply)
    const is_on = formOf(request).weekly === 'on'
    await run(who, request, setOverview, { body: { is_on } })
    return reply.redirect(`/portal?overview=${is_on ? 'on' : 'off'}`, 303)
  })

  scope.post('/portal/sign-out', async (request, reply) => {
    const who = await caller(request, reply)
    await inTransaction(runtime, who, endThisSession)
    return reply.header('set-cookie', noCookie(publicUrl)).redirect('/portal/sign-in', 303)
  })

  scope.get('/portal/sign-in', async (request, reply) => sendPage(reply, 200, signInPage(request)))
  scope.post('/portal/sign-in', async (request, reply) => {
    const { email = '' } = formOf(request)
    const voice = visitorVoice(request)
    if (!email.includes('@') || email.length > 320) {
      return sendPage(reply, 400, signInPage(request, voice.say('reset.enter_email')))
    }
    const ctx = visitorContext(runtime, request)
    await requestSignInLink.run(ctx, { body: { email }, address: callerAddress(request) } as never)
    const sent = messagePage(voice.say('portal.link_sent'), voice.say('portal.link_sent_text'))
    return sendPage(reply, 200, { voice, ...sent })
  })
}

function signInPage(request: FastifyRequest, failure?: string): Page {
  const voice = visitorVoice(request)
  const { say } = voice
  const title = say('portal.title')
  return {
    voice,
    title: errorTitle(voice, title, failure),
    main: html`<h1>${title}</h1>
      <p class="quiet">${say('portal.link_text')}</p>
      <form method="post" action="/portal/sign-in">
        ${failure ? html`<p class="wrong" id="wrong" role="alert">${failure}</p>` : ''}
        <label for="email">${say('reset.email')}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          maxlength="320"
          required
          ${failure ? html`aria-invalid="true" aria-describedby="wrong"` : ''}
        />
        <div class="actions"><button class="main">${say('portal.link')}</button></div>
      </form>
      <p class="instead"><a href="/">${say('portal.password')}</a></p>`,
  }
}
