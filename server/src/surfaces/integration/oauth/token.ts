import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failuresOf } from '../../../kit/ground/address.ts'
import type { FailureLimiter } from '../../../kit/ground/services.ts'
import type { Runtime } from '../../../runtime.ts'
import { callerAddress } from '../../address.ts'
import type { Tokens } from '../../tokens.ts'
import type { Client } from './clients.ts'
import { checkProof, clientById, clientParameters, clientProof } from './clients.ts'
import { IdentityFailure, invalidClient, invalidGrant, invalidRequest } from './errors.ts'
import { isDynamicId } from './dynamic-clients.ts'
import { clientOfToken, redeem, revoke, rotate } from './exchange.ts'
import { appOfToken, clientOfCode } from './public-clients.ts'
import type { Bearer } from './grants.ts'
import { idleSeconds, newAccessToken } from './grants.ts'
import { readParameters, requireParameters } from './parameters.ts'

const tokenParameters = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  ...clientParameters,
] as const
const refreshParameters = [
  'grant_type',
  'token',
  'refresh_token',
  'scope',
  'resource',
  ...clientParameters,
] as const
const revokeParameters = ['token', 'token_type_hint', ...clientParameters] as const

/** POST /oauth/token, /auth_refresh/ and /oauth/revoke. */
export function tokenEndpoints(
  scope: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  failures: FailureLimiter,
) {
  scope.post('/oauth/token', async (request, reply) => {
    const form = readParameters(request.body, tokenParameters)
    requireParameters(form, 'grant_type')
    holdsTokens(reply)
    if (form.grant_type === 'refresh_token') {
      // the standard location, where general OAuth clients send it
      requireParameters(form, 'refresh_token')
      if (!isPublic(request, form)) await provenClient(request, form)
      return refreshed(request, form.refresh_token, form)
    }
    if (form.grant_type !== 'authorization_code') {
      throw new IdentityFailure(
        400,
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
    }
    requireParameters(form, 'code', 'redirect_uri')
    const client = isPublic(request, form)
      ? await counted([address(request)], () => clientOfCode(runtime, form))
      : await holderOfCode(request, form)
    const { code, redirect_uri, code_verifier, resource } = form
    const exchange = { code, redirect_uri, code_verifier, resource }
    const keys = client.is_dynamic ? [address(request)] : [address(request), account(client)]
    return counted(keys, async () => {
      const { bearer, refresh_token } = await redeem(runtime, client, request, exchange)
      return { ...(await issued(bearer)), refresh_token }
    })
  })

  scope.post('/auth_refresh', async (request, reply) => {
    const form = readParameters(request.body, refreshParameters)
    requireParameters(form, 'grant_type')
    if (form.grant_type !== 'refresh_token') {
      throw new IdentityFailure(400, 'unsupported_grant_type', 'grant_type must be refresh_token')
    }
    const { token, refresh_token = token } = form
    if (refresh_token === undefined) throw invalidRequest('token missing')
    if (token !== undefined && token !== refresh_token) {
      throw invalidRequest('token and refresh_token are two names of one parameter')
    }
    holdsTokens(reply)
    return refreshed(request, refresh_token, form)
  })

  scope.post('/oauth/revoke', async (request, reply) => {
    const form = readParameters(request.body, revokeParameters)
    requireParameters(form, 'token')
    const client = isPublic(request, form)
      ? await appOfToken(runtime, tokens, form)
      : await holderOfToken(request, form)
    if (client) await revoke(runtime, tokens, client, request, form.token)
    reply.header('cache-control', 'no-store')
    return { status: 'success' }
  })

  /** Whether a request comes from a client that nobody issued, which has no credentials. */
  function isPublic(request: FastifyRequest, form: Parameters<typeof clientProof>[1]): boolean {
    const { client_id, proof } = clientProof(request, form)
    return !proof && client_id !== undefined && isDynamicId(client_id)
  }

  /** The authenticated client of a request: 400 without a client id, 401 with missing or wrong credentials. */
  async function provenClient(
    request: FastifyRequest,
    form: Parameters<typeof clientProof>[1],
  ): Promise<Client> {
    const { client_id, proof } = clientProof(request, form)
    if (client_id === undefined) throw invalidRequest('client_id missing')
    // without credentials nothing can be guessed, so nothing is counted
    if (!proof) throw invalidClient('The client secret is missing', 'missing_client_secret')
    return counted([address(request), `client ${client_id}`], async () => {
      const client = await clientById(runtime, client_id)
      if (!client) throw invalidClient('Wrong client credentials')
      checkProof(runtime, client, proof)
      return client
    })
  }

  /** The client of a code, after it has proven itself: of a listed app what the organization has of it. */
  async function holderOfCode(
    request: FastifyRequest,
    form: Parameters<typeof clientProof>[1] & { code: string },
  ): Promise<Client> {
    const client = await provenClient(request, form)
    if (!client.is_listed) return client
    const { client_id } = client
    const keys = [address(request), account(client)]
    return counted(keys, () => clientOfCode(runtime, { client_id, code: form.code }, true))
  }

  /** The same of a token; undefined for one that is not its own. */
  async function holderOfToken(
    request: FastifyRequest,
    form: Parameters<typeof clientProof>[1] & { token: string },
  ): Promise<Client | undefined> {
    const client = await provenClient(request, form)
    if (!client.is_listed) return client
    const { client_id } = client
    return appOfToken(runtime, tokens, { client_id, token: form.token }, true)
  }

  /** The answer to a refresh. The client's secret is checked if it is present or required. */
  async function refreshed(
    request: FastifyRequest,
    token: string,
    form: Parameters<typeof clientProof>[1] & { scope?: string; resource?: string },
  ) {
    const { client_id, proof } = clientProof(request, form)
    // everybody may know the id of a public client, and must not use up its attempts
    const isShared = client_id === undefined || isDynamicId(client_id)
    const keys = [address(request), ...(isShared ? [] : [`client ${client_id}`])]
    return counted(keys, async () => {
      const client = await clientOfToken(runtime, token)
      if (!client || (client_id !== undefined && client_id !== client.client_id)) {
        throw invalidGrant(401, 'The refresh token is not valid')
      }
      // what an organization has of a listed app has no secret of its own
      const holder =
        client.listed_in === null ? client : await clientById(runtime, client.client_id)
      if (!holder) throw invalidGrant(401, 'The refresh token is not valid')
      if (proof) checkProof(runtime, holder, proof)
      else if (holder.require_client_auth_on_refresh) {
        throw invalidClient('The client secret is missing', 'missing_client_secret')
      }
      const { bearer, refresh_token } = await rotate(runtime, client, request, {
        token,
        scope: form.scope,
        resource: form.resource,
      })
      return { ...(await issued(bearer)), refresh: refresh_token, refresh_token }
    })
  }

  async function issued(bearer: Bearer) {
    return {
      access_token: await newAccessToken(tokens, bearer),
      token_type: 'Bearer',
      expires_in: tokens.lifetime,
      refresh_expires_in: idleSeconds,
      scope: bearer.scopes.join(' '),
    }
  }

  /** Counts wrong secrets, codes and tokens, except those that were once valid; 429 after too many. */
  async function counted<T>(keys: string[], work: () => Promise<T>): Promise<T> {
    await failures.check(...keys)
    try {
      return await work()
    } catch (error) {
      if (error instanceof IdentityFailure && guesses.includes(error.code))
        await failures.failed(...keys)
      throw error
    }
  }
}

const guesses = ['invalid_client', 'invalid_grant']

/** Prevents caching of an answer with tokens (RFC 6749, 5.1). */
function holdsTokens(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}

function address(request: FastifyRequest): string {
  return failuresOf(callerAddress(request))
}

function account(client: Client): string {
  return `client ${client.client_id}`
}
