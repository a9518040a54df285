import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../kit/ground/html-template.ts'
import { Failure, notFound, unavailable } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import type { Runtime } from '../../runtime.ts'
import { readingContext } from '../../runtime.ts'
import { organizationsIn, setupLink } from '../../setup.ts'
import { distFolder, webFolder } from '../../workspace/stamp.ts'
import type { Workspace, WorkspaceState } from '../../workspace/workspace.ts'
import { callerOf } from '../application/authenticate.ts'
import { readSession } from '../application/web/session.ts'
import { failureFrom, sendFailure } from '../errors.ts'
import { rateLimiter } from '../limits.ts'
import { sendFailurePage } from '../pages/failure.ts'
import { visitorVoice } from '../pages/look.ts'
import { messagePage, sendPage } from '../pages/page.ts'
import type { Tokens } from '../tokens.ts'
import { codeOf, moduleOf, textsOf } from './first-load.ts'
import { demoSignIn, isOnlyHere } from './demo.ts'
import type { Reader } from './document.ts'
import { documentHeaders, fillDocument, readTemplate } from './document.ts'

/** Screens whose address begins with a segment that the server uses too. */
const shared = new Set(['/calendar'])

/**
 * Records the first segment of every path registered from here on, such as `/api`: whatever begins
 * with one belongs to the server, not to a screen.
 */
export function ownPaths(app: FastifyInstance): Set<string> {
  const own = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    const [, first] = /^\/([^/:*]+)/.exec(url) ?? []
    if (first) own.add(first)
  })
  return own
}

/**
 * The screens: their files, and one document for every address that a browser opens and that is not one
 * of the server's. Everything else that is unknown is a 404.
 */
export async function serveWorkspace(
  app: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  stateOf: Workspace['state'],
  own: Set<string>,
): Promise<void> {
  await app.register((scope) => serveFiles(scope))
  const limit = rateLimiter(
    runtime.database.counts,
    'workspace',
    runtime.config.rateLimits.application,
  )

  let hasBegun = false
  /** Whether there is no organization yet: not asked again once there was one. */
  async function isEmpty(): Promise<boolean> {
    hasBegun ||= (await organizationsIn(runtime)).haveAny
    return !hasBegun
  }

  async function sendDocument(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const state = stateOf()
    if (state.kind !== 'ready') return sendInstead(reply, state)
    try {
      const text = await readTemplate(state.document)
      const ctx = await contextOf(request, reply)
      if (!ctx && (await isEmpty())) return await sendSetup(request, reply)
      const elsewhere = ctx && (await portalInstead(request, ctx))
      if (elsewhere) return await reply.header('cache-control', 'no-store').redirect(elsewhere, 303)
      const reader = await readerOf(request, ctx, state.document, text)
      return documentHeaders(reply).send(fillDocument(text, reader))
    } catch (error) {
      if (isReplaced(error)) return sendInstead(reply, { kind: 'building' })
      return sendFailurePage(reply, request, failureFrom(error, request))
    }
  }

  /** Without any organization: to its setup on this machine alone; elsewhere, what the operator's terminal has. */
  async function sendSetup(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isOnlyHere(runtime.config, request))
      return reply.header('cache-control', 'no-store').redirect(setupLink(runtime), 303)
    const voice = visitorVoice(request)
    const message = messagePage(voice.say('setup.none'), voice.say('setup.none_text'))
    return sendPage(reply, 200, { voice, ...message })
  }

  async function readerOf(
    request: FastifyRequest,
    ctx: Context | undefined,
    document: string,
    text: string,
  ): Promise<Reader> {
    if (!ctx) {
      const { language } = visitorVoice(request)
      const texts = await textsOf(document, language)
      const demo = await demoSignIn(runtime, request)
      return { session: null, module: null, code: [], language, texts, demo }
    }
    const [path = ''] = request.url.split('?')
    const [session, module] = await Promise.all([readSession(ctx), moduleOf(ctx, path)])
    const code = module ? await codeOf(document, text, path) : []
    const { language } = session.user
    const texts = await textsOf(document, language)
    return { session, module, code, language, texts, demo: null }
  }

  /** The context for the reads of a signed-in user; undefined for others. */
  async function contextOf(request: FastifyRequest, reply: FastifyReply) {
    if (!request.headers.cookie) return undefined
    try {
      const caller = await callerOf(runtime, tokens, request, { enrols: true })
      await limit(reply, caller.actor.user_id ?? '')
      return readingContext(runtime, caller)
    } catch (error) {
      if (error instanceof Failure && [401, 403].includes(error.status)) return undefined
      throw error
    }
  }

  /**
   * Where customers and partners go instead: the portal, and in it the project whose page they asked for. Their own
   * settings are a screen, and a session that first has to set up one-time codes does that there.
   */
  async function portalInstead(request: FastifyRequest, { actor }: Context) {
    if (!actor.is_external) return undefined
    const [path = ''] = request.url.split('?')
    if (/^\/settings(\/|$)/.test(path)) return undefined
    const mustEnrol = await callerOf(runtime, tokens, request).then(
      () => false,
      (error: unknown) => error instanceof Failure,
    )
    if (mustEnrol) return undefined
    const [, project] = /^\/projects\/([\w-]{1,25})(\/|$)/.exec(path) ?? []
    const [, task] = /^\/tasks\/([\w-]{1,25})(\/|$)/.exec(path) ?? []
    if (project) return `/portal/projects/${project}`
    return task ? `/portal/tasks/${task}` : '/portal'
  }

  app.get('/', sendDocument)
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const hasScreens = stateOf().kind !== 'off'
    if (hasScreens && isScreen(request, path, own)) return sendDocument(request, reply)
    return sendFailure(reply, notFound(`${request.method} ${path}`))
  })
}

/** Whether a browser opens an address that is not one of the server's. */
function isScreen({ method, headers }: FastifyRequest, path: string, own: Set<string>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (!headers.accept?.includes('text/html')) return false
  const [, first = ''] = path.split('/')
  return !own.has(first) || shared.has(path.replace(/\/$/, ''))
}

/** The built files: under `/assets/` with a hash of the content in the name, and a few fixed names. */
async function serveFiles(scope: FastifyInstance): Promise<void> {
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'same-origin')
  })
  scope.setErrorHandler((error, request, reply) => {
    if (isReplaced(error)) {
      return sendFailure(reply, unavailable('The screens are being replaced, try again'))
    }
    const failure = failureFrom(error, request)
    // a path that leads out of the folder is refused
    const isUnknown = failure.status === 403
    return sendFailure(reply, isUnknown ? notFound(`${request.method} ${request.url}`) : failure)
  })
  await scope.register(staticFiles, {
    root: join(distFolder, 'assets'),
    prefix: '/assets/',
    // the build may be finished in a few seconds
    suppressWarning: true,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    maxAge: '1y',
    immutable: true,
  })
  const names = join(webFolder, 'public')
  for (const name of existsSync(names) ? readdirSync(names) : []) {
    scope.get(`/${name}`, (_request, reply) =>
      reply.sendFile(name, distFolder, { maxAge: 0, immutable: false }),
    )
  }
}

/** Whether a file has gone since it was looked for, because a build has just taken the place of the one before. */
function isReplaced(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Instead of the document: a page that reloads itself until there is one, or says why the build failed. */
function sendInstead(
  reply: FastifyReply,
  state: Exclude<WorkspaceState, { kind: 'ready' }>,
): Promise<FastifyReply> {
  if (state.kind === 'building' || state.kind === 'preparing') {
    reply.header('refresh', '1').header('retry-after', '1')
    const made =
      state.kind === 'building'
        ? 'The screens are being built'
        : 'The demonstration is being written'
    const text = `${made}: this page opens in a moment.`
    return sendPage(reply, 503, messagePage('Perennial is starting', text))
  }
  const isOff = state.kind === 'off'
  const text = isOff ? 'The API is served here, without screens.' : state.reason
  const { title, main } = messagePage('Perennial is running', text)
  const withReference = html`${main}
    <p><a href="/docs/">API reference</a></p>`
  return sendPage(reply, isOff ? 200 : 503, { title, main: withReference })
}
