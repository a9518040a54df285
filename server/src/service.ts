import cors from '@fastify/cors'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { LogController, fastify } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { suggesterFrom } from './ai.ts'
import { OrganizationCache } from './cache.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import { readinessOf } from './database/ready.ts'
import { filesFrom } from './files/open.ts'
import { serviceJobs, schedules } from './jobs/own.ts'
import type { Queue } from './jobs/queue.ts'
import { startQueue } from './jobs/queue.ts'
import type { Job } from './kit/ground/job.ts'
import { badRequest, notFound } from './kit/ground/errors.ts'
import { newId } from './kit/ground/ids.ts'
import { checkStorable } from './kit/record/validate.ts'
import type { Runtime } from './runtime.ts'
import { secretsFrom } from './secrets.ts'
import { applicationAuthenticator } from './surfaces/application/authenticate.ts'
import { acceptInviteOperation, makeInvitations } from './surfaces/application/invitations.ts'
import type { SignIn } from './surfaces/application/login.ts'
import { makeSignIn, sessionOperations } from './surfaces/application/login.ts'
import { makePasswords, passwordOperations } from './surfaces/application/passwords.ts'
import { applicationRoutes, applicationSurface } from './surfaces/application/routes.ts'
import { notificationStream } from './surfaces/application/stream.ts'
import { widgetOperations } from './surfaces/application/widget.ts'
import { docuseal } from './surfaces/docuseal.ts'
import { failureFrom, refuseConnection, sendFailure } from './surfaces/errors.ts'
import { integrationAuthenticator } from './surfaces/integration/authenticate.ts'
import { describedIdentity } from './surfaces/integration/oauth/document.ts'
import { identity } from './surfaces/integration/oauth/plugin.ts'
import { integrationRoutes, integrationSurface } from './surfaces/integration/routes.ts'
import { failureLimiter, rateLimiter } from './surfaces/limits.ts'
import { mount } from './surfaces/mount.ts'
import type { Monitoring } from './surfaces/monitoring.ts'
import { addMonitoring, overloaded } from './surfaces/monitoring.ts'
import type { OpenApi, Surface } from './surfaces/openapi.ts'
import { openApi } from './surfaces/openapi.ts'
import { calendarFeedPage } from './surfaces/pages/feed.ts'
import { pages } from './surfaces/pages/plugin.ts'
import { signingPages } from './surfaces/pages/signing.ts'
import { surveyPages } from './surfaces/pages/survey.ts'
import { widgetPages } from './surfaces/pages/widget.ts'
import { welcomePages } from './surfaces/pages/welcome.ts'
import { serveReference } from './surfaces/reference.ts'
import type { Route } from './surfaces/route.ts'
import type { Tokens } from './surfaces/tokens.ts'
import { makeTokens } from './surfaces/tokens.ts'
import { takeUploads } from './surfaces/upload.ts'
import { parse } from 'secure-json-parse'
import { makeDeliverer } from './webhooks/deliver.ts'
import { webhookOperations } from './webhooks/operations.ts'
import { makeTransport } from './webhooks/transport.ts'
import { postOnce } from './webhooks/post-once.ts'
import type { DeliveryMetrics } from './webhooks/worker.ts'

/** For so long after the start the delay of the event loop is the start's own, in milliseconds. */
const settlingMs = 3000

export type ServiceOptions = {
  config: Config
  database: Database
  secretKey: string
  log: Logger
  now?: () => Date
  /** jobs beside the service's own: tests bring some */
  jobs?: Job[]
  /** called with the bare server: tests look at every answer from there */
  prepare?: (app: FastifyInstance) => void
}

export type Service = {
  app: FastifyInstance
  runtime: Runtime
  routes: Route[]
  surfaces: Surface[]
  /** the API document, the same for every installation */
  document: OpenApi
  signIn: SignIn
  tokens: Tokens
  operations: Monitoring
  /** how the webhooks are doing */
  deliveries: DeliveryMetrics
  /** background work: deliveries and, unless told otherwise, the job queue */
  start(options?: { jobs?: boolean }): Promise<void>
  /**
   * Stops accepting, lets requests in flight finish for at most `deadline` ms, then ends the
   * background work. Connections at rest stay for `linger` ms: a request may be on its way.
   */
  close(stop?: { linger?: number; deadline?: number }): Promise<void>
}

/** Builds the service from its parts. Nothing listens yet and no background work runs. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, database, log } = options
  const cache = new OrganizationCache(() => database.isListening())
  const runtime: Runtime = {
    config,
    database,
    cache,
    secrets: secretsFrom(options.secretKey),
    files: filesFrom(config),
    log,
    suggest: suggesterFrom(config),
    now: options.now ?? (() => new Date()),
    wake: () => {},
    wakeJobs: () => {},
  }
  const outlet = makeTransport(config)
  const deliverer = makeDeliverer(runtime, outlet)
  runtime.wake = deliverer.wake
  const app = makeServer(config, log)
  let queue: Queue | undefined
  const operated = addMonitoring(app, runtime, readinessOf(database))
  options.prepare?.(app)
  const tokens = makeTokens(runtime)
  const failures = failureLimiter(config.rateLimits.login)
  const signIn = makeSignIn(runtime, tokens, failures)
  const application = applicationAuthenticator(
    runtime,
    tokens,
    rateLimiter('application', config.rateLimits.application),
  )
  const integration = integrationAuthenticator(
    runtime,
    tokens,
    rateLimiter('integration', config.rateLimits.integration),
  )
  const feedback = failureLimiter(config.rateLimits.login)
  const invitations = makeInvitations(runtime, failures)
  const passwords = makePasswords(runtime, failures)
  const stream = notificationStream(runtime, tokens.lifetime)
  database.listen('perennial_changed', (organization) => {
    if (organization) cache.forget(organization)
    else cache.clear()
    stream.changed(organization)
  })
  const routes = applicationRoutes({
    ...sessionOperations(runtime, tokens, signIn, failures),
    acceptInvite: acceptInviteOperation(invitations, signIn),
    password: passwordOperations(passwords),
    stream: stream.operation,
    widget: widgetOperations(runtime, feedback),
  })
  const integrated = integrationRoutes(config.automationSegment, webhookOperations(runtime, outlet))
  const described = [describedIdentity()]
  const surfaces: Surface[] = [
    { ...applicationSurface, routes },
    { ...integrationSurface, routes: integrated },
  ]
  await app.register(cors, {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['*'],
    // an OPTIONS that is no preflight is answered too, by the route, with `Allow`
    strictPreflight: false,
    preflightContinue: true,
  })
  // MAX_IN_FLIGHT=0 turns load shedding off altogether
  let listensSince = Infinity
  app.addHook('onListen', async () => void (listensSince = performance.now()))
  if (config.maxInFlight) {
    await app.register(underPressure, {
      maxEventLoopDelay: 1000,
      retryAfter: 2,
      pressureHandler: () => {
        // the start itself holds the event loop, which says nothing of the load
        if (performance.now() - listensSince > settlingMs) throw overloaded(2)
      },
    })
  }
  await app.register(async (scope) => {
    await takeUploads(scope)
    mount(scope, runtime, application, routes)
  })
  await app.register(async (scope) => mount(scope, runtime, integration, integrated))
  // counted apart from sign-ins: connectors of many customers share an address
  const tokenFailures = failureLimiter(config.rateLimits.login)
  await app.register((scope) => identity(scope, runtime, tokens, signIn, tokenFailures))
  await app.register((scope) =>
    pages(
      scope,
      (each) => welcomePages(each, invitations, passwords),
      (each) => surveyPages(each, runtime),
      (each) => calendarFeedPage(each, runtime),
      (each) => widgetPages(each, runtime, feedback),
      (each) => signingPages(each, runtime),
    ),
  )
  await app.register(async (scope) => docuseal(scope, runtime))
  await app.register(async (scope) =>
    serveReference(scope, openApi(surfaces, described, config.publicUrl)),
  )
  watchDeliveries(operated, deliverer.metrics)
  return {
    app,
    runtime,
    routes: [...routes, ...integrated],
    surfaces,
    document: openApi(surfaces, described),
    signIn,
    tokens,
    operations: operated,
    deliveries: deliverer.metrics,
    async start({ jobs: hasJobs = true } = {}) {
      deliverer.start()
      if (!hasJobs) return
      const jobs = [...serviceJobs(runtime), postOnce(outlet) as Job, ...(options.jobs ?? [])]
      queue = await startQueue(runtime, jobs)
      runtime.wakeJobs = queue.wake
      for (const { name, cron, run } of schedules) {
        await queue.every(name, cron, async () => void (await run(runtime)))
      }
    },
    async close(stop) {
      operated.stopping()
      await stopServing(app, stop)
      await Promise.all([deliverer.stop(), queue?.close()])
    },
  }
}

function watchDeliveries(operated: Monitoring, metrics: DeliveryMetrics) {
  const { count, watch } = operated
  count(
    'webhook_attempts_total',
    'Attempts by what became of them',
    'outcome',
    () => metrics.outcomes,
  )
  watch('webhook_deliveries_in_hand', 'Claimed and not yet settled', () => metrics.inHand)
  watch('webhook_lag_seconds', 'How overdue the last claim was', () => metrics.lagSeconds)
}

/**
 * The listener closes at once. Every answer from here on says `Connection: close`; a connection that
 * is closed while it rests may lose a request already on its way, so those get a moment.
 */
async function stopServing(app: FastifyInstance, { linger = 0, deadline = 10_000 } = {}) {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node's and Fastify's close would do that first of all
  if (linger) server.closeIdleConnections = () => {}
  let isClosed = false
  const closed = app.close().then(() => (isClosed = true))
  const begun = performance.now()
  await Promise.race([closed, sleep(linger, undefined, { ref: false })])
  while (!isClosed) {
    closeIdle()
    if (performance.now() - begun > deadline) server.closeAllConnections()
    await Promise.race([closed, sleep(50)])
  }
  await closed
}

/** Fastify with our parser, errors and limits; routes come later. */
function makeServer(config: Config, log: Logger): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    // requests are counted in the metrics; a line each would cost more than the answer
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // a file of 50 MiB over a line of 4 Mbit/s
    requestTimeout: 120_000,
    // what still comes over open connections while we stop is answered, not refused
    return503OnClosing: false,
    // a filter may be long, and is longer still in a query string
    http: { maxHeaderSize: 64 * 1024 },
    clientErrorHandler: refuseConnection,
    trustProxy: config.trustProxy,
    genReqId: () => newId(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply as never, failureFrom(error, request as never)),
  }) as unknown as FastifyInstance
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseBody(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.setErrorHandler((error, request, reply) => sendFailure(reply, failureFrom(error, request)))
  app.setNotFoundHandler((request, reply) =>
    sendFailure(reply, notFound(`${request.method} ${request.url.split('?')[0]}`)),
  )
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  })
  return app
}

/** A JSON body; an empty one is none. 400 `Invalid request body` when it cannot be parsed. */
function parseBody(body: Buffer): unknown {
  if (!body.length) return undefined
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    value = parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    throw badRequest('Invalid request body', undefined, 'invalid_body')
  }
  checkStorable(value)
  return value
}
