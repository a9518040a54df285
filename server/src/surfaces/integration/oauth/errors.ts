import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../kit/ground/errors.ts'
import { errorBody, failureFrom } from '../../errors.ts'

/** A refusal of an identity endpoint; `error` is a code of RFC 6749 if there is one. */
export class IdentityFailure extends Failure {
  error: string

  constructor(status: number, error: string, message: string, code = error) {
    super(status, code, message)
    this.error = error
  }
}

/** 400: a parameter is missing, repeated or malformed. */
export function invalidRequest(message: string) {
  return new IdentityFailure(400, 'invalid_request', message)
}

/** 401: the client is unknown, or its credentials are missing or wrong. */
export function invalidClient(message: string, code?: string) {
  return new IdentityFailure(401, 'invalid_client', message, code)
}

/** 400 or 401, as the contract says: the code or refresh token is invalid. */
export function invalidGrant(status: 400 | 401, message: string, code?: string) {
  return new IdentityFailure(status, 'invalid_grant', message, code)
}

/**
 * Sends an error of the identity endpoints: `{error, error_description, message, code, request_id}`
 * for errors of RFC 6749, the common envelope for others.
 */
export function sendIdentityError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = identityFailure(error, request)
  const { status, message, retryAfter } = failure
  const body = errorBody(failure, request.id)
  const isOurs = failure instanceof IdentityFailure
  if (isOurs) {
    delete body.status
    Object.assign(body, { error: failure.error, error_description: message })
  }
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  // OAuth libraries treat any challenge as a separate error and hide `error` from their caller
  const isBasic = /^Basic /i.test(request.headers.authorization ?? '')
  if (status === 401 && !isOurs) reply.header('www-authenticate', 'Bearer')
  else if (status === 401 && isOurs && failure.error === 'invalid_client' && isBasic)
    reply.header('www-authenticate', 'Basic realm="Perennial"')
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body))
}

/** A body that cannot be parsed is an invalid request in OAuth too; forms are accepted here as well as JSON. */
export function identityFailure(error: unknown, request: FastifyRequest): Failure {
  const failure = failureFrom(error, request)
  if (failure.status === 415) {
    const types = 'application/x-www-form-urlencoded or application/json'
    return new Failure(415, failure.code, `The body must be sent as ${types}`)
  }
  if (failure.status !== 400 || failure instanceof IdentityFailure) return failure
  return invalidRequest(failure.message)
}

/** The refusal for the page to show; other errors are rethrown. */
export function refusalOf(error: unknown, reply: FastifyReply): Failure {
  if (!(error instanceof Failure) || error.status >= 500) throw error
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
  return error
}
