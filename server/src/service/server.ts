import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { LogController, fastify } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { badRequest } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import { checkStorable } from '../kit/record/validate.ts'
import { proxyCheck, trusted } from '../surfaces/address.ts'
import { Bodies, mostBytes } from '../surfaces/bodies.ts'
import type { ConnectionState } from '../surfaces/connections.ts'
import { boundedServer } from '../surfaces/connections.ts'
import { type Entrance, entered } from '../surfaces/entrance.ts'
import { isSecure } from '../surfaces/cookies.ts'
import { readJson } from '../surfaces/body-keys.ts'
import { failureFrom, refuseConnection, sendFailure } from '../surfaces/errors.ts'
import { apiPaths, isPageLoad, sendFailurePage } from '../surfaces/pages/failure.ts'

/** Fastify with our parsers, errors and limits; routes are registered later. */
export function buildServer(
  config: Config,
  log: Logger,
): { app: FastifyInstance; connections: ConnectionState } {
  const { bounds, trustProxy } = config
  const connections: ConnectionState = { open: 0, unread: 0, closed: {} }
  const entrance: Entrance = { holds: undefined }
  const app = fastify({
    loggerInstance: log,
    // requests are counted in the metrics; a log line each would cost more than the answer
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: mostBytes,
    serverFactory: (handler) =>
      boundedServer(entered(entrance, handler), connections, {
        bounds,
        // a filter may be long, and even longer when encoded in a query string
        maxHeaderSize: 64 * 1024,
        // longer than the 60 s after which most proxies close idle connections
        keepAliveTimeout: 72_000,
        isProxy: proxyCheck(trustProxy),
      }),
    // requests that arrive over open connections during a stop are answered, not refused
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    // by default no proxy is trusted, and no header is read
    trustProxy: trustProxy !== 0 && trusted(trustProxy),
    genReqId: () => newId(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply as never, failureFrom(error, request as never)),
  }) as unknown as FastifyInstance
  app.removeAllContentTypeParsers()
  app.decorateRequest('work', null)
  app.decorateRequest('failureCode', undefined)
  app.decorate('bodies', new Bodies(bounds))
  app.decorate('entrance', entrance)
  app.addContentTypeParser('application/json', (request, payload, done) => {
    app.bodies.receive(request, payload, done, (body) => parseBody(body, bounds.bodyValues))
  })
  const api = apiPaths(config)
  app.setErrorHandler((error, request, reply) => {
    const failure = failureFrom(error, request)
    // a service that is too busy for a person's page tries again for that person
    const isBusy = failure.status === 503 || failure.status === 429
    if (isBusy && isPageLoad(request, api)) return sendFailurePage(reply, request, failure)
    return sendFailure(reply, failure)
  })
  const hasTls = isSecure(config.publicUrl)
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    // RFC 6797; whether its subdomains are secure too only the operator knows
    if (hasTls) reply.header('strict-transport-security', 'max-age=31536000')
  })
  return { app, connections }
}

/** A JSON body; an empty one is none. 400 `Invalid request body` when it cannot be parsed. */
function parseBody(body: Buffer, mostValues: number): unknown {
  if (!body.length) return undefined
  const value = isUtf8(body) ? readJson(body.toString(), mostValues) : undefined
  if (value === undefined) throw badRequest('Invalid request body', undefined, 'invalid_body')
  checkStorable(value)
  return value
}
