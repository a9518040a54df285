import { announce } from '../../../kit/write/announce.ts'
import type { Context, Queries } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Caller, Runtime } from '../../../runtime.ts'
import { inTransaction } from '../../../runtime.ts'
import { dynamicApp } from '../../../records/apps/dynamic.ts'
import { randomToken } from '../../../secrets.ts'
import type { Requester } from './clients.ts'
import { isDynamic } from './clients.ts'
import type { Audience, Tokens } from '../../tokens.ts'

/** The subject of log entries about connections. */
const appEntries = { module: 'apps', word: 'app' }

/** Seconds from an approval to the exchange of its code. */
const codeSeconds = 60
/** How long a code is stored, so that an expired one can be distinguished from an unknown one. */
const codeMemoryHours = 24
/** How long a refresh token is valid without use. */
export const idleSeconds = 90 * 86_400

/** The surfaces that an app's tokens are for; a grant is for one of them. */
export type AppAudience = Exclude<Audience, 'application'>

/** What a user approves. */
export type Approval = {
  client: Requester
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  audience: AppAudience
}

/**
 * Stores a user's approval of an app and returns the authorization code. Each approval is a separate
 * grant, so that ending one connection does not affect the user's others.
 */
export async function approve(
  runtime: Runtime,
  caller: Caller,
  { client, redirect_uri, scopes: wanted, code_challenge, audience }: Approval,
): Promise<string> {
  const code = randomToken('pac_')
  const { organization, actor } = caller
  const org = organization.id
  await inTransaction(runtime, caller, async (ctx) => {
    const now = +ctx.now()
    const app = isDynamic(client) ? await dynamicApp(ctx, client) : client
    // for a client that nobody issued, an admin may have removed some
    const scopes = wanted.filter((scope) => app.scopes.includes(scope))
    await removeEnded(ctx, org, app.id, actor.user_id!, now)
    const grant_id = newId()
    await ctx.run(sql`
      insert into grants (organization_id, id, app_id, user_id, scopes, audience, redirect_uris,
        creation_time)
      values (${org}, ${grant_id}, ${app.id}, ${actor.user_id}, ${JSON.stringify(scopes)},
        ${audience}, ${JSON.stringify(client.redirect_uris)}, ${iso(now)})`)
    await ctx.run(sql`
      insert into authorization_codes (organization_id, id, code_hash, grant_id, app_id,
        redirect_uri, scopes, code_challenge, expires_at)
      values (${org}, ${newId()}, ${runtime.secrets.hash(code)}, ${grant_id}, ${app.id},
        ${redirect_uri}, ${JSON.stringify(scopes)}, ${code_challenge},
        ${iso(now + codeSeconds * 1000)})`)
    await announce(ctx, appEntries, 'connected', {
      id: app.id,
      title: `${app.name} connected`,
      name: app.name,
      more: { scopes },
    })
  })
  return code
}

/** Removes old codes, and this user's grants of the app that can no longer be used. */
async function removeEnded(
  queries: Queries,
  org: string,
  app_id: string,
  user_id: string,
  now: number,
) {
  const day = iso(now - codeMemoryHours * 3_600_000)
  await queries.run(sql`delete from authorization_codes
    where organization_id = ${org} and app_id = ${app_id} and expires_at < ${day}`)
  await queries.run(sql`delete from grants g
    where g.organization_id = ${org} and g.app_id = ${app_id} and g.user_id = ${user_id}
      and g.creation_time < ${day}
      and not exists (select from authorization_codes c
        where c.organization_id = $organization and c.grant_id = g.id)
      and not exists (select from subscriptions s
        where s.organization_id = $organization and s.grant_id = g.id)
      and (g.revoked_at is not null or not exists (select from refresh_tokens t
        where t.organization_id = $organization and t.grant_id = g.id
          and t.replaced_at is null and t.expires_at > ${iso(now)}))`)
}

/** The user, app and surface of a pair of tokens. */
export type Bearer = {
  organization_id: string
  app_id: string
  client_id: string
  grant_id: string
  user_id: string
  scopes: string[]
  /** by default the integration surface */
  audience?: AppAudience
}

/** A new refresh token of a grant, or the derived successor; stored in the caller's transaction. */
export async function newRefreshToken(
  runtime: Runtime,
  queries: Queries,
  { organization_id, app_id, grant_id, scopes }: Bearer,
  token = randomToken('prr_'),
): Promise<string> {
  const now = +runtime.now()
  await queries.run(sql`
    insert into refresh_tokens (organization_id, id, token_hash, grant_id, app_id, scopes,
      expires_at, creation_time)
    values (${organization_id}, ${newId()}, ${runtime.secrets.hash(token)}, ${grant_id}, ${app_id},
      ${JSON.stringify(scopes)}, ${iso(now + idleSeconds * 1000)}, ${iso(now)})`)
  return token
}

/** The access token that goes with it. */
export function newAccessToken(tokens: Tokens, bearer: Bearer): Promise<string> {
  const { organization_id, client_id, grant_id, user_id, scopes, audience = 'integration' } = bearer
  return tokens.sign(audience, {
    sub: user_id,
    org: organization_id,
    gid: grant_id,
    client_id,
    scope: scopes.join(' '),
  })
}

/**
 * Ends a grant: its tokens become invalid at once on every process. Webhooks require an active grant of the
 * user for each delivery, so they continue only if there is another one. `why` is the reason in the log.
 */
export async function endGrant(ctx: Context, grant_id: string, why: string) {
  const ended = await ctx.one<{ app_id: string; name: string }>(sql`
    update grants t set revoked_at = ${iso(+ctx.now())}
    from apps a where ${mine(ctx)} and t.id = ${grant_id} and t.revoked_at is null
      and a.organization_id = $organization and a.id = t.app_id
    returning t.app_id, a.name`)
  if (!ended) return
  await announce(ctx, appEntries, 'disconnected', {
    id: ended.app_id,
    title: `${ended.name} disconnected`,
    name: ended.name,
    more: { why },
  })
  ctx.forget()
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
