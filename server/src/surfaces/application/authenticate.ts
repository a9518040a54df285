import type { FastifyRequest } from 'fastify'
import { Failure, unauthorized } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Context, Queries } from '../../kit/ground/context.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import type { Limiter } from '../limits.ts'
import type { Authenticator } from '../mount.ts'
import type { Tokens } from '../tokens.ts'

/** What the specification names for list reads in general, also where a list is short and whole. */
const commonParameters = ['items_per_page', 'page', 'reverse', 'sort']

/** Authenticates the organization's own people: a bearer token whose session lives. */
export function applicationAuthenticator(
  runtime: Runtime,
  tokens: Tokens,
  limit: Limiter,
): Authenticator {
  return {
    async authenticate(request, reply, operation) {
      const anyone = operation.can === 'anyone'
      if (anyone && !request.headers.authorization) return undefined
      const caller = await callerOf(runtime, tokens, request).catch((error: unknown) => {
        // clients send their expired token along when they sign in again
        if (anyone && error instanceof Failure && error.status === 401) return undefined
        throw error
      })
      if (caller) await limit(reply, caller.actor.user_id!)
      return caller
    },
    parameters: ({ method, operation }) =>
      method === 'GET' && operation.output?.type === 'array' ? commonParameters : [],
  }
}

/** The caller of a bearer token; 401 when the token, its session or its user is no good. */
export async function callerOf(
  runtime: Runtime,
  tokens: Tokens,
  request: FastifyRequest,
): Promise<Caller> {
  const claims = await tokens.verify('application', bearer(request))
  const { org, sid, sub } = claims
  const session = await runtime.cache.get(org, `session ${sid}`, () =>
    loadSession(runtime.database.reads(org), org, sid!, sub!),
  )
  if (!session || Date.parse(session.expires_at) < +runtime.now()) {
    throw unauthorized('This session has ended, sign in again', 'session_ended')
  }
  const { organization, actor } = session
  return { organization, actor, source: 'application', request_id: request.id }
}

/** The token of the Authorization header; 401 without one. */
export function bearer(request: FastifyRequest): string {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!token) throw unauthorized('An Authorization: Bearer token is needed', 'missing_token')
  return token
}

async function loadSession(queries: Queries, org: string, sid: string, sub: string) {
  const [session, loaded] = await Promise.all([
    queries.one<{ expires_at: string }>(sql`
      select expires_at from sessions t where ${mine({ organization: { id: org } } as Context)}
        and id = ${sid} and user_id = ${sub} and revoked_at is null`),
    loadActor(queries, org, sub),
  ])
  if (!session || !loaded?.is_active) return undefined
  const { organization, actor } = loaded
  return { expires_at: session.expires_at, organization, actor: { ...actor, session_id: sid } }
}
