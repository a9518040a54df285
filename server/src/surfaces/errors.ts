import type { ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'
import { changedField } from '../records/activity/changes-since.ts'
import { connectionOf } from './connection.ts'

/** An error of either surface; see the contract, part 2. */
export type ErrorBody = { [key: string]: unknown }

/**
 * Renders every error. Authentication and signature errors have `{error, …}`, all others
 * `{status: "error", …}`; both have `message`, a stable `code` and the request's id.
 */
export function errorBody(failure: Failure, request_id: string): ErrorBody {
  const { status, code, message, errors, data, changed } = failure
  const envelope = status === 401 ? { error: message } : { status: 'error' }
  const body: ErrorBody = { ...envelope, message, code, request_id }
  if (errors) body.errors = errors
  if (data !== undefined) body.data = data
  if (changed !== undefined) body.changed = changed
  return body
}

/** Turns anything thrown into a failure; unexpected errors become a bare 500 and are logged. */
export function failureFrom(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) {
    const { cause: err, code } = error
    if (err) request.log.warn({ err, request_id: request.id, failure: code }, error.message)
    return error
  }
  const { statusCode, code, message } = error as FastifyError
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new Failure(
      statusCode,
      httpCodes[statusCode] ?? 'bad_request',
      httpMessages[code] ?? message,
    )
  }
  if (diskFull.has(code)) {
    request.log.error({ err: error, request_id: request.id }, 'the disk of the service is full')
    const message = 'The disk of the service is full, nothing can be stored'
    return new Failure(507, 'disk_full', message, { retryAfter: 30 })
  }
  // the caller has gone, and nobody reads the answer
  if (error === request.raw.errored) return new Failure(400, 'cut_off', 'The body did not arrive')
  request.log.error({ err: error, request_id: request.id }, 'unexpected error')
  return new Failure(500, 'internal', 'Something went wrong on our side')
}

/** The system's error codes if there is no room for a file, on the disk or within a quota. */
const diskFull = new Set(['ENOSPC', 'EDQUOT'])

declare module 'fastify' {
  interface FastifyRequest {
    /** the code of the failure that answered the request, for the log */
    failureCode: string | undefined
  }
}

/** Sends a failure with its headers. */
export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  reply.request.failureCode = failure.code
  if (failure.retryAfter !== undefined) reply.header('retry-after', String(failure.retryAfter))
  // do not wait for the rest of the body
  if (failure.status === 408) reply.header('connection', 'close')
  if (failure.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer')
  }
  if (failure.movedTo !== undefined) reply.header('location', elsewhere(reply, failure.movedTo))
  return (
    reply
      .code(failure.status)
      // refusals of the router pass no hook that would set it
      .header('x-request-id', reply.request.id)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(failure, reply.request.id)))
  )
}

/** The same path and query with the current id of the record. */
function elsewhere({ request }: FastifyReply, movedTo: string): string {
  const [path = '', ...search] = request.url.split('?')
  const { id } = request.params as { id: string }
  const parts = path.split('/').map((part) => (part === id ? movedTo : part))
  return [parts.join('/'), ...search].join('?')
}

/**
 * Answers requests that the HTTP parser refuses, for which there is only the connection. While a request
 * of the connection is being served, the refusal would be read as its answer, so that one is sent first.
 */
export function refuseConnection({ code }: NodeJS.ErrnoException, socket: Socket) {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code ?? ''] ?? 400
  const message = `${STATUS_CODES[status]}: the request cannot be read`
  const failure = new Failure(status, httpCodes[status]!, message)
  const connection = connectionOf(socket)
  if (connection?.current) {
    connection.isEnding = true
    // a malformed body never ends
    connection.receipt?.fail(failure)
    return
  }
  socket.write(bareAnswer(failure))
  socket.destroy()
}

/** Answers a request that has no handler, and ends its connection unless it `stays`. */
export function sendBare(response: ServerResponse, failure: Failure, stays = false, id = newId()) {
  const body = JSON.stringify(errorBody(failure, id))
  response.writeHead(failure.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    ...(stays ? {} : { connection: 'close' }),
    ...(failure.retryAfter === undefined ? {} : { 'retry-after': String(failure.retryAfter) }),
  })
  response.end(body)
}

function bareAnswer(failure: Failure): string {
  const { status } = failure
  const id = newId()
  const body = JSON.stringify(errorBody(failure, id))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The document's schema of an error, both envelopes in one. */
export const errorSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', const: 'error' },
    error: { type: 'string' },
    message: { type: 'string' },
    code: { type: 'string', description: 'stable, for programs' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, message: { type: 'string' } },
        required: ['field', 'message'],
      },
    },
    data: {},
  },
  required: ['message', 'code', 'request_id'],
}

/** The document's schema of a 412: the current record, and what was changed since the caller's version. */
export const staleSchema = {
  title: 'StaleError',
  type: 'object',
  properties: {
    ...errorSchema.properties,
    data: { description: 'the record as the caller may read it now' },
    changed: {
      type: 'array',
      items: changedField as unknown as JSONSchema,
      description: 'since the version that the caller sent, each field with its last change',
    },
  },
  required: ['status', 'message', 'code', 'request_id'],
}

const httpCodes: { [status: number]: string } = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'timeout',
  413: 'too_large',
  414: 'too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
}

const httpMessages: { [code: string]: string } = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is larger than 1 MiB',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be sent as application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'Invalid request body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'Invalid request body',
}
