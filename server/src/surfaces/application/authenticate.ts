import type { FastifyRequest } from 'fastify'
import { Failure, forbidden, unauthorized } from '../../kit/ground/errors.ts'
import { nothingCached, sql } from '../../kit/ground/sql.ts'
import { sessionRefreshed } from '../../database/cached-tables.ts'
import type { Queries } from '../../kit/ground/context.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { pageProperties } from '../../kit/read/page.ts'
import { sessionMustEnrol } from '../../model/users/one-time-codes/state.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import type { Limiter } from '../limits.ts'
import type { Authenticator } from '../mount.ts'
import type { Tokens } from '../tokens.ts'
import { equalInConstantTime } from '../../secrets.ts'
import { bringsAccessToken, tokenCaller } from './access-token.ts'
import { expiry } from './sign-in.ts'
import { viewedAs } from './view-as.ts'
import { cookieOf, longestDays, refuseOtherSites } from './web/cookie.ts'

const hour = 3_600_000

const { page, items_per_page } = pageProperties
/** The parameters that the specification names for all list reads, accepted even by lists without pages. */
const commonParameters = { page, items_per_page, reverse: { type: 'boolean' }, sort: {} }

/** Authenticates the organization's people by a bearer token or a cookie with an active session. */
export function applicationAuthenticator(
  runtime: Runtime,
  tokens: Tokens,
  limit: Limiter,
): Authenticator {
  return {
    async authenticate(request, reply, operation) {
      const anyone = operation.can === 'anyone'
      if (operation.fromPages) refuseOtherSites(runtime.config.publicUrl, request, true)
      const { authorization, cookie } = request.headers
      if (anyone && !authorization && !cookie) return undefined
      const calling = bringsAccessToken(request)
        ? tokenCaller(runtime, request, operation)
        : callerOf(runtime, tokens, request, operation)
      const caller = await calling.catch((error: unknown) => {
        // clients also send their expired token when they sign in again
        const isRefusal = error instanceof Failure && [401, 403].includes(error.status)
        const isChecked = Boolean(operation.checksBearer && authorization)
        if (anyone && isRefusal && !isChecked) return undefined
        throw error
      })
      if (!caller) return undefined
      await limit(reply, caller.actor.user_id!)
      return viewedAs(runtime, request, caller, operation)
    },
    parameters: ({ method, operation }) =>
      method === 'GET' && operation.output?.type === 'array' ? commonParameters : {},
  }
}

/**
 * The caller of a bearer token or, without one, of a session cookie; 401 if the session has ended or its user
 * is not active, 403 `totp_required` for a session that may only set up one-time codes, unless it does
 * that, and 403 `foreign_request` for a cookie that another site made a browser send with a write.
 */
export async function callerOf(
  runtime: Runtime,
  tokens: Tokens,
  request: FastifyRequest,
  { enrols = false, writes = false }: Partial<Pick<Operation, 'enrols' | 'writes'>> = {},
): Promise<Caller> {
  const session = await sessionOf(runtime, tokens, request, writes)
  if (!session || Date.parse(session.expires_at) < +runtime.now()) {
    throw unauthorized('This session has ended, sign in again', 'session_ended')
  }
  if (session.must_enrol && !enrols) {
    throw forbidden('Your organization requires one-time codes: set them up first', 'totp_required')
  }
  if (session.cookie_hash) prolong(runtime, session)
  const { organization, actor } = session
  return { organization, actor, source: 'application', request_id: request.id }
}

async function sessionOf(
  runtime: Runtime,
  tokens: Tokens,
  request: FastifyRequest,
  writes: boolean,
) {
  const { publicUrl } = runtime.config
  const cookie = request.headers.authorization ? undefined : cookieOf(publicUrl, request)
  if (cookie) {
    refuseOtherSites(publicUrl, request, writes)
    const { organization_id, session_id, secret } = cookie
    const session = await cachedSession(runtime, organization_id, session_id)
    const hash = session?.cookie_hash && Buffer.from(session.cookie_hash, 'hex')
    if (!hash || !equalInConstantTime(runtime.secrets.hash(secret), hash)) return undefined
    return session
  }
  const { org, sid, sub } = await tokens.verify('application', bearer(request))
  if (!org || !sid) return undefined
  const session = await cachedSession(runtime, org, sid)
  // a cookie's session has no tokens
  return session?.actor.user_id === sub && !session?.cookie_hash ? session : undefined
}

function cachedSession(runtime: Runtime, organization: string, id: string) {
  return runtime.cache.get(organization, `session ${id}`, () =>
    loadSession(runtime.database.reads(organization), organization, id),
  )
}

/** The token of the Authorization header; 401 without one. */
export function bearer(request: FastifyRequest): string {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!token) throw unauthorized('An Authorization: Bearer token is needed', 'missing_token')
  return token
}

type Loaded = NonNullable<Awaited<ReturnType<typeof loadSession>>>

/** A session that is not revoked, with its user; undefined for any other, and for a user who is not active. */
export async function loadSession(queries: Queries, org: string, id: string) {
  const session = await queries.one<{
    user_id: string
    cookie_hash: string | null
    creation_time: string
    rotated_at: string
    expires_at: string
    must_enrol: boolean
  }>(sql`
    select s.user_id, encode(s.cookie_hash, 'hex') as cookie_hash, s.creation_time, s.rotated_at,
      s.expires_at, ${sessionMustEnrol} as must_enrol
    from sessions s
    join users u on u.organization_id = $organization and u.id = s.user_id
    join organizations o on o.organization_id = $organization
    where s.organization_id = $organization
      and s.id = ${id} and s.revoked_at is null`)
  if (!session) return undefined
  const loaded = await loadActor(queries, org, session.user_id)
  if (!loaded?.is_active) return undefined
  const { organization, actor } = loaded
  return { ...session, id, organization, actor: { ...actor, session_id: id } }
}

/**
 * Stores once an hour, without delaying the request, that a browser's session is used: it lasts 30 days more,
 * but never longer than 90 in total.
 */
function prolong(runtime: Runtime, session: Loaded): void {
  const now = runtime.now()
  if (+now - Date.parse(session.rotated_at) < hour) return
  session.rotated_at = now.toISOString()
  const last = Date.parse(session.creation_time) + longestDays * 24 * hour
  const until = new Date(Math.min(Date.parse(expiry(now)), last)).toISOString()
  session.expires_at = until
  const { organization, id } = session
  runtime.database
    .transaction(organization.id, async (queries) => {
      await queries.run(sql`${nothingCached} update sessions
        set rotated_at = ${session.rotated_at}, expires_at = ${until}
        where organization_id = ${organization.id} and id = ${id} and revoked_at is null`)
      sessionRefreshed(queries, organization.id, id)
    })
    .catch((err: unknown) => runtime.log.warn({ err }, 'a session was not prolonged'))
}
