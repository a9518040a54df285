import cors from '@fastify/cors'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { LogController, fastify } from 'fastify'
import type { Logger } from 'pino'
import { OrganizationCache } from './cache.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import { Failure, badRequest, notFound } from './kit/errors.ts'
import { newId } from './kit/ids.ts'
import { checkStorable } from './kit/validate.ts'
import type { Runtime } from './runtime.ts'
import { secretsFrom } from './secrets.ts'
import { applicationDoor } from './surfaces/application/authenticate.ts'
import type { SignIn } from './surfaces/application/login.ts'
import { makeSignIn, sessionOperations } from './surfaces/application/login.ts'
import { applicationRoutes } from './surfaces/application/routes.ts'
import { failureFrom, sendFailure } from './surfaces/errors.ts'
import { failureLimiter, rateLimiter } from './surfaces/limits.ts'
import { mount } from './surfaces/mount.ts'
import type { Route } from './surfaces/route.ts'
import type { Tokens } from './surfaces/tokens.ts'
import { makeTokens } from './surfaces/tokens.ts'
import type { DeliveryMetrics } from './webhooks/deliver.ts'
import { makeDeliverer } from './webhooks/deliver.ts'
import { makeOutlet } from './webhooks/outlet.ts'
import { parse } from 'secure-json-parse'

export type ServiceOptions = {
  config: Config
  database: Database
  secretKey: string
  log: Logger
  now?: () => Date
}

export type Service = {
  app: FastifyInstance
  runtime: Runtime
  routes: Route[]
  signIn: SignIn
  tokens: Tokens
  /** how the webhooks are doing */
  deliveries: DeliveryMetrics
  /** background work: deliveries and housekeeping */
  start(): Promise<void>
  close(): Promise<void>
}

/** Builds the service from its parts. Nothing listens yet and no background work runs. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, database, log } = options
  const cache = new OrganizationCache(() => database.isListening())
  database.listen('perennial_changed', (organization) => {
    if (organization) cache.forget(organization)
    else cache.clear()
  })
  const runtime: Runtime = {
    config,
    database,
    cache,
    secrets: secretsFrom(options.secretKey),
    log,
    now: options.now ?? (() => new Date()),
    wake: () => {},
  }
  const outlet = makeOutlet(config)
  const deliverer = makeDeliverer(runtime, outlet)
  runtime.wake = deliverer.wake
  const app = makeServer(config, log)
  const tokens = makeTokens(runtime)
  const failures = failureLimiter(config.rateLimits.login)
  const signIn = makeSignIn(runtime, tokens, failures)
  const application = applicationDoor(
    runtime,
    tokens,
    rateLimiter('application', config.rateLimits.application),
  )
  const routes = applicationRoutes(sessionOperations(runtime, tokens, signIn, failures))
  await app.register(cors, { exposedHeaders: ['*'] })
  await app.register(underPressure, {
    maxEventLoopDelay: 1000,
    retryAfter: 2,
    pressureHandler: () => {
      throw new Failure(503, 'overloaded', 'The service is overloaded, try again', {
        retryAfter: 2,
      })
    },
  })
  await app.register(async (scope) => mount(scope, runtime, application, routes))
  return {
    app,
    runtime,
    routes,
    signIn,
    tokens,
    deliveries: deliverer.metrics,
    async start() {
      deliverer.start()
    },
    async close() {
      await app.close()
      await deliverer.stop()
    },
  }
}

/** Fastify with our parser, errors and limits; routes come later. */
function makeServer(config: Config, log: Logger): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    // requests are counted in the metrics; a line each would cost more than the answer
    logController: new LogController({ disableRequestLogging: true }),
    disableRequestLogging: true,
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
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
