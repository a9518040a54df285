import type { FastifyRequest } from 'fastify'
import type { Actor, Organization, Queries } from '../../kit/ground/context.ts'
import { forbidden, unauthorized } from '../../kit/ground/errors.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { nothingCached, sql } from '../../kit/ground/sql.ts'
import { limitedTo, requireTokenScope } from '../../records/users/access-tokens/scopes.ts'
import type { TokenParts } from '../../records/users/access-tokens/token.ts'
import { tokenParts } from '../../records/users/access-tokens/token.ts'
import { loadActor } from '../../records/users/actor.ts'
import { mustEnrol } from '../../model/users/one-time-codes/state.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { equalInConstantTime } from '../../secrets.ts'

/** How often the last use of a token is stored. */
const notedEveryMs = 10 * 60_000

/** Whether a request has a personal access token, or what looks like one. */
export function bringsAccessToken({ headers }: FastifyRequest): boolean {
  return /^Bearer +pat_/i.test(headers.authorization ?? '')
}

/**
 * The caller of a personal access token: its user, with rights reduced to its scopes. 401 for a
 * token that is unknown, expired or revoked, or whose user is not active; 403 if its scopes do not
 * allow the operation, if it is known already.
 */
export async function tokenCaller(
  runtime: Runtime,
  request: FastifyRequest,
  operation?: Operation,
): Promise<Caller> {
  const text = (request.headers.authorization ?? '').replace(/^Bearer +/i, '')
  const parts = tokenParts(text)
  if (!parts) throw invalid()
  const { organization_id, id, secret } = parts
  // refused tokens are not cached, because anyone can send any id
  const found = await runtime.cache.get(organization_id, `access token ${id}`, () =>
    loadToken(runtime.database.reads(organization_id), parts),
  )
  const hash = Buffer.from(found.secret_hash, 'hex')
  if (!equalInConstantTime(runtime.secrets.hash(secret), hash)) throw invalid()
  const now = runtime.now()
  if (Date.parse(found.expires_at) <= +now) {
    throw unauthorized('This access token has expired: create another', 'token_expired')
  }
  if (found.must_enrol) {
    throw forbidden('Your organization requires one-time codes: set them up first', 'totp_required')
  }
  if (operation) requireTokenScope(found.scopes, operation)
  if (+now - found.notedAt > notedEveryMs) noteUse(runtime, found, now)
  const { organization, actor } = found
  return { organization, actor, source: 'application', request_id: request.id }
}

type Loaded = {
  id: string
  secret_hash: string
  scopes: string[]
  expires_at: string
  must_enrol: boolean
  /** when its use was last stored, in milliseconds */
  notedAt: number
  organization: Organization
  actor: Actor
}

async function loadToken(queries: Queries, { organization_id, id }: TokenParts): Promise<Loaded> {
  const row = await queries.one<{
    user_id: string
    secret_hash: string
    scopes: string[]
    expires_at: string
    last_used_at: string | null
    must_enrol: boolean
  }>(sql`
    select k.user_id, encode(k.secret_hash, 'hex') as secret_hash, k.scopes, k.expires_at,
      k.last_used_at, ${mustEnrol} and not exists (select from openid_subjects p
        where p.organization_id = $organization and p.user_id = u.id) as must_enrol
    from access_tokens k
    join users u on u.organization_id = $organization and u.id = k.user_id
    join organizations o on o.organization_id = $organization
    where k.organization_id = $organization and k.id = ${id}
      and k.revoked_at is null`)
  if (!row) throw invalid()
  const loaded = await loadActor(queries, organization_id, row.user_id)
  if (!loaded?.is_active) throw invalid()
  const { organization, actor } = loaded
  const { secret_hash, scopes, expires_at, last_used_at, must_enrol } = row
  return {
    id,
    secret_hash,
    scopes,
    expires_at,
    must_enrol,
    notedAt: last_used_at ? Date.parse(last_used_at) : 0,
    organization,
    actor: limitedTo(actor, { id, scopes }),
  }
}

/** Stores that a token is used, without delaying the request. */
function noteUse(runtime: Runtime, token: Loaded, now: Date): void {
  token.notedAt = +now
  const { organization, id } = token
  runtime.database
    .transaction(organization.id, (queries) =>
      queries.run(sql`${nothingCached} update access_tokens set last_used_at = ${now.toISOString()}
        where organization_id = ${organization.id} and id = ${id}`),
    )
    .catch((err: unknown) => runtime.log.warn({ err }, 'the use of an access token was not noted'))
}

function invalid() {
  return unauthorized('This access token is not valid, or has ended', 'invalid_token')
}
