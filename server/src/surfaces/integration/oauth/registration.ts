import type { FastifyInstance } from 'fastify'
import { Failure } from '../../../kit/ground/errors.ts'
import type { Runtime } from '../../../runtime.ts'
import { addressOf } from '../../address.ts'
import { submitting } from '../../limits.ts'
import type { Metadata } from './dynamic-clients.ts'
import { registeredId } from './dynamic-clients.ts'
import { invalidRequest } from './errors.ts'

export const registrationPath = '/oauth/register'

/** The maximum bytes of a registration: the client id contains it, and is part of addresses. */
const mostBytes = 4000

/**
 * POST /oauth/register (RFC 7591), if the operator allows it: for clients that cannot describe
 * themselves at an address. The id is the encrypted registration, so that registering stores nothing and
 * cannot fill the database.
 */
export function registration(scope: FastifyInstance, runtime: Runtime): void {
  const { config, services } = runtime
  scope.post(
    registrationPath,
    {
      // before anything of the body is read
      onRequest: async (request) => {
        if (!config.oauthRegistration)
          throw new Failure(404, 'not_found', 'Clients may not register here')
        await services.submissions.failed(submitting(addressOf(request)))
      },
    },
    async (request, reply) => {
      const { body } = request
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw invalidRequest('Invalid request body')
      }
      const metadata = body as Metadata
      const { client_name, redirect_uris } = metadata
      if (JSON.stringify([client_name, redirect_uris]).length > mostBytes) {
        throw invalidRequest(`client_name and redirect_uris must be ${mostBytes} bytes at most`)
      }
      const client_id = registeredId(runtime, metadata)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          client_id,
          client_id_issued_at: Math.floor(+runtime.now() / 1000),
          ...(typeof client_name === 'string' ? { client_name } : {}),
          redirect_uris,
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        })
    },
  )
}
