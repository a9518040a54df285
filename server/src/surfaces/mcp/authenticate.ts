import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../../kit/ground/errors.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { loadGrant } from '../app-grant.ts'
import { bringsAccessToken, tokenCaller } from '../application/access-token.ts'
import { bearer } from '../application/authenticate.ts'
import { viewAsHeader, viewAsRefused } from '../application/view-as.ts'
import type { Limiter } from '../limits.ts'
import type { Tokens } from '../tokens.ts'

/**
 * The user behind an access token for this surface, acting through its app, or of a personal access token: 401 for a
 * token of another surface and for one that has ended, 429 above the limit of the app or user. With warm caches it
 * costs one hash.
 */
export function mcpAuthenticator(runtime: Runtime, tokens: Tokens, limit: Limiter) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    if (request.headers[viewAsHeader] !== undefined) throw viewAsRefused()
    if (bringsAccessToken(request)) {
      const caller = await tokenCaller(runtime, request)
      await limit(reply, caller.actor.user_id ?? '')
      return { ...caller, source: 'mcp' }
    }
    const claims = await tokens.verify('mcp', bearer(request))
    const grant = await runtime.cache.get(claims.org, `grant ${claims.gid} ${claims.scope}`, () =>
      loadGrant(runtime, claims),
    )
    if (!grant) throw unauthorized('This connection has ended: connect again', 'grant_ended')
    const { app } = grant.actor
    if (!app) throw forbidden('Only an app calls tools')
    await limit(reply, app.id)
    return { ...grant, source: 'mcp', request_id: request.id }
  }
}
