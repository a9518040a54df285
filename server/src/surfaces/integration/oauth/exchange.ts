import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../kit/ground/context.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import { anywhere, mine, sql } from '../../../kit/ground/sql.ts'
import type { Runtime } from '../../../runtime.ts'
import { inTransaction } from '../../../runtime.ts'
import { equalInConstantTime } from '../../../secrets.ts'
import type { Tokens } from '../../tokens.ts'
import type { Client } from './clients.ts'
import { callerFor, clientOfApp } from './clients.ts'
import { IdentityFailure, invalidGrant } from './errors.ts'
import type { AppAudience, Bearer } from './grants.ts'
import { endGrant, iso, newRefreshToken } from './grants.ts'
import { audienceOf, invalidTarget } from './resource.ts'
import { allOrganizations } from '../../../kit/ground/context.ts'

/** How much longer a rotated refresh token is valid, in case the answer was lost. */
const graceMs = 60_000

type Issue = { bearer: Bearer; refresh_token: string }

/**
 * Exchanges a code, once. An unknown code, or another redirect address or verifier: 400. An expired code: 401. A
 * second use: 401, and everything issued from it ends.
 */
export async function redeem(
  runtime: Runtime,
  client: Client,
  request: FastifyRequest,
  exchange: { code: string; redirect_uri: string; code_verifier?: string; resource?: string },
): Promise<Issue> {
  const hash = runtime.secrets.hash(exchange.code)
  return committed(runtime, client, request, async (ctx) => {
    const row = await ctx.one<{
      id: string
      grant_id: string
      user_id: string
      redirect_uri: string
      scopes: string[]
      code_challenge: string | null
      audience: AppAudience
      expires_at: string
      used_at: string | null
      is_alive: boolean
    }>(sql`
      select c.id, c.grant_id, g.user_id, c.redirect_uri, c.scopes, c.code_challenge, g.audience,
        c.expires_at, c.used_at, ${isAlive}
      from authorization_codes c
      join grants g on g.organization_id = $organization and g.id = c.grant_id
      join users u on u.organization_id = $organization and u.id = g.user_id
      where ${mine(ctx, 'c')} and c.code_hash = ${hash}
        and c.app_id = ${client.id}
      for update of c`)
    if (!row) return invalidGrant(400, 'The code is not valid')
    if (row.used_at) {
      await endGrant(ctx, row.grant_id, 'a code was used twice')
      return invalidGrant(401, 'The code has been used: its tokens have been revoked', 'code_used')
    }
    if (Date.parse(row.expires_at) <= +ctx.now())
      return invalidGrant(401, 'The code has expired', 'code_expired')
    if (!row.is_alive) return invalidGrant(401, 'The approval has been withdrawn', 'grant_ended')
    if (row.redirect_uri !== exchange.redirect_uri)
      return invalidGrant(400, 'redirect_uri is not the one that the code was issued for')
    if (isForAnother(runtime, row, exchange.resource))
      return invalidTarget('resource is not the one that was approved')
    if (!isVerified(row.code_challenge, exchange.code_verifier))
      return invalidGrant(400, 'code_verifier does not match the code_challenge')
    await ctx.run(sql`update authorization_codes set used_at = ${iso(+ctx.now())}
      where organization_id = ${ctx.organization.id} and id = ${row.id}`)
    const bearer = bearerOf(ctx, client, row)
    const stored = { ...bearer, scopes: row.scopes }
    return { bearer, refresh_token: await newRefreshToken(runtime, ctx, stored) }
  })
}

/**
 * Rotates a refresh token into its only successor, which is derived from it: a client that lost the answer, or
 * sent it twenty times at once, gets the same one for another minute. After that, and once the
 * successor was used, its use means that it was copied, and the whole grant ends (RFC 9700, 4.14).
 */
export async function rotate(
  runtime: Runtime,
  client: Client,
  request: FastifyRequest,
  { token, scope, resource }: { token: string; scope?: string; resource?: string },
): Promise<Issue> {
  const hash = runtime.secrets.hash(token)
  const next = successorOf(runtime, token)
  return committed(runtime, client, request, async (ctx) => {
    const now = +ctx.now()
    const row = await ctx.one<{
      id: string
      grant_id: string
      user_id: string
      scopes: string[]
      audience: AppAudience
      expires_at: string
      replaced_at: string | null
      is_older: boolean
      is_alive: boolean
    }>(sql`
      select t.id, t.grant_id, g.user_id, t.scopes, g.audience, t.expires_at, t.replaced_at, ${isAlive},
        exists (select from refresh_tokens s where s.organization_id = $organization
          and s.token_hash = ${runtime.secrets.hash(next)} and s.replaced_at is not null) as is_older
      from refresh_tokens t
      join grants g on g.organization_id = $organization and g.id = t.grant_id
      join users u on u.organization_id = $organization and u.id = g.user_id
      where ${mine(ctx)} and t.token_hash = ${hash}
        and t.app_id = ${client.id}
      for update of t`)
    if (!row) return invalidGrant(401, 'The refresh token is not valid')
    if (!row.is_alive) return invalidGrant(401, 'The connection has ended', 'grant_ended')
    const isLate = row.replaced_at !== null && now - Date.parse(row.replaced_at) > graceMs
    if (isLate || row.is_older) {
      await endGrant(ctx, row.grant_id, 'a refresh token was used again')
      return invalidGrant(
        401,
        'The refresh token was used before: the connection has ended',
        'token_reused',
      )
    }
    if (Date.parse(row.expires_at) <= now)
      return invalidGrant(401, 'The refresh token has expired', 'token_expired')
    if (isForAnother(runtime, row, resource))
      return invalidTarget('resource is not the one that was approved')
    const scopes = scopesWithin(row, scope)
    if (!scopes)
      return new IdentityFailure(400, 'invalid_scope', 'scope must be within what was approved')
    const bearer = bearerOf(ctx, client, { ...row, scopes })
    if (row.replaced_at) return { bearer, refresh_token: next }
    await ctx.run(sql`update refresh_tokens set replaced_at = ${iso(now)}
      where organization_id = ${ctx.organization.id} and id = ${row.id}`)
    await ctx.run(sql`delete from refresh_tokens where organization_id = ${ctx.organization.id}
      and grant_id = ${row.grant_id} and expires_at < ${iso(now)}`)
    await newRefreshToken(runtime, ctx, { ...bearer, scopes: row.scopes }, next)
    return { bearer, refresh_token: next }
  })
}

/** Ends the grant of a token of this client; any other token counts as already revoked (RFC 7009). */
export async function revoke(
  runtime: Runtime,
  tokens: Tokens,
  client: Client,
  request: FastifyRequest,
  token: string,
) {
  const row = await runtime.database.reads(client.organization.id).one<{ grant_id: string }>(sql`
    select grant_id from refresh_tokens where organization_id = ${client.organization.id}
      and app_id = ${client.id} and token_hash = ${runtime.secrets.hash(token)}`)
  const claims = row
    ? undefined
    : ((await tokens.verify('integration', token).catch(notAToken)) ??
      (await tokens.verify('mcp', token).catch(notAToken)))
  const grant_id =
    row?.grant_id ?? (claims?.client_id === client.client_id ? claims.gid : undefined)
  if (!grant_id) return
  await inTransaction(runtime, callerFor(client, request), (ctx) =>
    endGrant(ctx, grant_id, 'revoked by the app'),
  )
}

function notAToken(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
}

/** Whether the grant `g` is still active and its user `u` may still sign in. */
const isAlive = sql`(g.revoked_at is null and u.is_active and u.deleted_at is null) as is_alive`

/** The app that a refresh token was issued to. */
export async function clientOfToken(runtime: Runtime, token: string): Promise<Client | undefined> {
  const row = await runtime.database.reads(allOrganizations).one<{
    organization_id: string
    app_id: string
  }>(sql`select organization_id, app_id from refresh_tokens t
    where ${anywhere('t')} and token_hash = ${runtime.secrets.hash(token)}`)
  return row && clientOfApp(runtime, row.organization_id, row.app_id)
}

/** Runs a transaction that is committed even if it ends in a refusal, because it may have ended a grant. */
async function committed(
  runtime: Runtime,
  client: Client,
  request: FastifyRequest,
  work: (ctx: Context) => Promise<Issue | IdentityFailure>,
): Promise<Issue> {
  const outcome = await inTransaction(runtime, callerFor(client, request), work)
  if (outcome instanceof IdentityFailure) throw outcome
  return outcome
}

function bearerOf(
  ctx: Context,
  client: Client,
  row: { grant_id: string; user_id: string; scopes: string[]; audience: AppAudience },
): Bearer {
  return {
    organization_id: ctx.organization.id,
    app_id: client.id,
    client_id: client.client_id,
    grant_id: row.grant_id,
    user_id: row.user_id,
    // without scopes that the operator has taken from the app meanwhile
    scopes: row.scopes.filter((scope) => client.scopes.includes(scope)),
    audience: row.audience,
  }
}

/**
 * The scopes of a new access token: those approved, or the fewer that `scope` names (RFC 6749, 6).
 * Undefined if it names more; MCP clients, which name those of all tools, get those that they may have.
 */
function scopesWithin(
  { scopes, audience }: { scopes: string[]; audience: AppAudience },
  scope = '',
): string[] | undefined {
  const wanted = scope.split(/ +/).filter(Boolean)
  if (!wanted.length) return scopes
  const within = scopes.filter((each) => wanted.includes(each))
  const isEnough =
    audience === 'mcp' ? within.length > 0 : wanted.every((each) => scopes.includes(each))
  return isEnough ? within : undefined
}

/** Whether a `resource` names another surface than the grant is for. */
function isForAnother(
  { config }: Runtime,
  { audience }: { audience: AppAudience },
  resource: string | undefined,
): boolean {
  return audienceOf(config, resource, audience) !== audience
}

/** The one token that a refresh token can become; only this service can compute it. */
function successorOf({ secrets }: Runtime, token: string): string {
  return `prr_${secrets.hash(`next ${token}`).toString('base64url')}`
}

/** PKCE (RFC 7636); a verifier without a challenge is a downgrade (RFC 9700 2.1.1). */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && !verifier
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  const found = createHash('sha256').update(verifier).digest()
  return equalInConstantTime(found, Buffer.from(challenge, 'base64url'))
}
