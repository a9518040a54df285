import type { FastifyInstance } from 'fastify'
import { LogController, fastify } from 'fastify'
import type { Logger } from 'pino'
import { parse } from 'secure-json-parse'
import type { Config } from '../config.ts'
import { badRequest, notFound } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import { checkStorable } from '../kit/record/validate.ts'
import { failureFrom, refuseConnection, sendFailure } from '../surfaces/errors.ts'

/** Fastify with our parser, errors and limits; routes are registered later. */
export function buildServer(config: Config, log: Logger): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    // requests are counted in the metrics; a line each would cost more than the answer
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // a file of 50 MiB over a line of 4 Mbit/s
    requestTimeout: 120_000,
    // what still arrives over open connections during a stop is answered, not refused
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
