import type { FastifyRequest } from 'fastify'
import { Failure, forbidden, unauthorized } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Context, Queries } from '../../kit/ground/context.ts'
import { mustEnrol } from '../../records/users/one-time-codes/state.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import type { Limiter } from '../limits.ts'
import type { Authenticator } from '../mount.ts'
import type { Tokens } from '../tokens.ts'
import { viewedAs } from './view-as.ts'

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
      const mayEnrol = operation.enrols
      const caller = await callerOf(runtime, tokens, request, mayEnrol).catch((error: unknown) => {
        // clients send their expired token along when they sign in again
        const isRefusal = error instanceof Failure && [401, 403].includes(error.status)
        if (anyone && isRefusal) return undefined
        throw error
      })
      if (!caller) return undefined
      await limit(reply, caller.actor.user_id!)
      return viewedAs(runtime, request, caller, operation)
    },
    parameters: ({ method, operation }) =>
      method === 'GET' && operation.output?.type === 'array' ? commonParameters : [],
  }
}

/**
 * The caller of a bearer token; 401 when the token, its session or its user is no good, and 403
 * `totp_required` for a session that may only set up one-time codes, unless it is to do that.
 */
export async function callerOf(
  runtime: Runtime,
  tokens: Tokens,
  request: FastifyRequest,
  mayEnrol = false,
): Promise<Caller> {
  const claims = await tokens.verify('application', bearer(request))
  const { org, sid, sub } = claims
  const session = await runtime.cache.get(org, `session ${sid}`, () =>
    loadSession(runtime.database.reads(org), org, sid!, sub!),
  )
  if (!session || Date.parse(session.expires_at) < +runtime.now()) {
    throw unauthorized('This session has ended, sign in again', 'session_ended')
  }
  if (session.must_enrol && !mayEnrol) {
    throw forbidden('Your organization requires one-time codes: set them up first', 'totp_required')
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
    queries.one<{ expires_at: string; must_enrol: boolean }>(sql`
      select t.expires_at, t.method <> 'openid' and ${mustEnrol} as must_enrol from sessions t
      join users u on u.organization_id = t.organization_id and u.id = t.user_id
      join organizations o on o.organization_id = t.organization_id
      where ${mine({ organization: { id: org } } as Context)}
        and t.id = ${sid} and t.user_id = ${sub} and t.revoked_at is null`),
    loadActor(queries, org, sub),
  ])
  if (!session || !loaded?.is_active) return undefined
  const { organization, actor } = loaded
  return { ...session, organization, actor: { ...actor, session_id: sid } }
}
