import { createHash } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, unavailable } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import type { Job } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { CalendarProvider, OutboundAnswer } from '../../../kit/ground/services.ts'
import { randomToken } from '../../../secrets.ts'
import type { Connection, Kind, Slot, Tokens } from './connection.ts'
import { asked, RemoteError } from './remote.ts'

export const providerKinds = ['google', 'microsoft'] as const satisfies Kind[]
export type ProviderKind = (typeof providerKinds)[number]

/** What others answer, which is checked where it is read. */
export type Json = { [name: string]: unknown }

const purpose = 'connected calendar'
/** How long a person may take at the provider, in milliseconds. */
const patience = 600_000

/** What was begun, as it comes back with the provider's answer; always sent encrypted. */
type State = {
  id: string
  user: string | null
  organization: string
  slot: Slot
  kind: ProviderKind
  verifier: string
  until: number
}

/** A provider by its word; 503 where the operator has set none any more. */
export function providerOf(ctx: Context, kind: ProviderKind): CalendarProvider {
  const provider = ctx.services.calendarProviders[kind]
  if (!provider) throw unavailable('Calendars of this provider cannot be connected here', 3600)
  return provider
}

/** Where the provider sends the browser back to: the screen of connected calendars. */
export function redirectUri({ public_url }: Pick<Context, 'public_url'>): string {
  return `${public_url}/settings/calendars`
}

function scopeOf(kind: ProviderKind, { apiUrl }: CalendarProvider): string {
  if (kind === 'google') {
    const base = 'https://www.googleapis.com/auth/calendar'
    return `${base}.events ${base}.calendarlist.readonly`
  }
  return `offline_access ${new URL(apiUrl).origin}/Calendars.ReadWrite`
}

/** The address at which a person allows the service to use their calendars (RFC 6749, 7636). */
export function authorizationUrl(ctx: Context, kind: ProviderKind, slot: Slot): string {
  const provider = ctx.services.calendarProviders[kind]
  if (!provider) throw badField('kind', `${kind} is not set up on this server`)
  const verifier = randomToken()
  const state: State = {
    id: newId(),
    user: ctx.actor.user_id,
    organization: ctx.organization.id,
    slot,
    kind,
    verifier,
    until: +ctx.now() + patience,
  }
  const url = new URL(provider.authorizeUrl)
  const query = {
    client_id: provider.clientId,
    response_type: 'code',
    redirect_uri: redirectUri(ctx),
    scope: scopeOf(kind, provider),
    state: ctx.secrets.seal(state, purpose),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    // for a token that goes on without the person, also the second time
    ...(kind === 'google'
      ? { access_type: 'offline', prompt: 'consent' }
      : { prompt: 'select_account' }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** What was begun with a state; 400 for one that is not the caller's, or too old. */
export function begunWith(ctx: Context, sealed: string): State {
  const state = ctx.secrets.unseal(sealed, purpose) as State | undefined
  const isOwn =
    state && state.user === ctx.actor.user_id && state.organization === ctx.organization.id
  if (!isOwn || state.until < +ctx.now()) throw badState()
  return state
}

/** Takes a state for the only time; 400 the second time. */
export async function useState(ctx: Context, { id, until }: State): Promise<void> {
  const isFirst = await ctx.run(sql`insert into openid_returns (organization_id, id, expires_at)
    values (${ctx.organization.id}, ${id}, ${new Date(until).toISOString()})
    on conflict do nothing`)
  if (!isFirst) throw badState()
}

function badState() {
  return badField(
    'state',
    'must be that of a connection that you have begun in the last minutes, and is used once',
  )
}

/** The tokens for the code with which a person came back. */
export function tokensFor(ctx: Context, { kind, verifier }: State, code: string): Promise<Tokens> {
  return exchanged(ctx, providerOf(ctx, kind), {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri(ctx),
  })
}

async function exchanged(
  ctx: Context,
  { tokenUrl, clientId, clientSecret }: CalendarProvider,
  grant: { [name: string]: string },
): Promise<Tokens> {
  const client = { client_id: clientId, client_secret: clientSecret }
  const { status, text } = await asked(
    ctx,
    { url: tokenUrl, method: 'POST', ...form({ ...grant, ...client }) },
    [200, 400, 401, 403],
  )
  const answer = jsonOf(text)
  if (status !== 200) {
    const why = typeof answer.error === 'string' ? answer.error.slice(0, 100) : status
    throw new RemoteError('credentials', `The provider gives no token: ${why}`)
  }
  const { access_token, refresh_token = grant.refresh_token, expires_in } = answer
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') {
    throw new RemoteError('unexpected', 'The provider answered without a token')
  }
  const lifetime = Number(expires_in) || 3600
  return { access_token, refresh_token, expires_at: Date.now() + lifetime * 1000 }
}

function form(fields: { [name: string]: string }) {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(fields).toString(),
  }
}

type Asking = { body?: object; headers?: { [name: string]: string }; expected?: number[] }

/** Requests to a provider's calendars on behalf of a person. */
export type Requests = {
  /** the base address of its calendars */
  base: string
  /** one request with JSON; the answers of these statuses, else a `RemoteError` */
  json(method: string, url: string, asking?: Asking): Promise<OutboundAnswer & { json: Json }>
}

/** Requests with the tokens of a connection, which are renewed where they have expired or are refused, and kept. */
export function tokenRequests(
  ctx: Context,
  kind: ProviderKind,
  first: Tokens,
  keep: (tokens: Tokens) => Promise<void>,
): Requests {
  const provider = ctx.services.calendarProviders[kind]
  if (!provider) throw new RemoteError('credentials', 'The provider is no longer configured')
  let tokens = first

  const renew = async (): Promise<void> => {
    const { refresh_token } = tokens
    tokens = await exchanged(ctx, provider, { grant_type: 'refresh_token', refresh_token })
    await keep(tokens)
  }

  return {
    base: provider.apiUrl,
    async json(method, url, { body, headers = {}, expected = [200] } = {}) {
      if (tokens.expires_at < Date.now() + 30_000) await renew()
      for (let attempt = 1; ; attempt++) {
        const request = {
          url,
          method,
          headers: {
            authorization: `Bearer ${tokens.access_token}`,
            accept: 'application/json',
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...headers,
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }
        const answer = await asked(ctx, request, [...expected, 400, 401, 403])
        const { status } = answer
        const json = jsonOf(answer.text)
        if (expected.includes(status)) return { ...answer, json }
        if (status !== 401) throw refusal(status, json, answer.headers['retry-after'])
        if (attempt > 1) throw new RemoteError('credentials', 'The provider refuses a new token')
        await renew()
      }
    },
  }
}

/** What a provider says with a 400 or 403: too many requests, no right, or what is wrong with the request. */
function refusal(status: number, { error }: Json, after: string | undefined): RemoteError {
  const { message, errors, code } = (error ?? {}) as { [name: string]: unknown }
  const said = `The provider says: ${String(message ?? code ?? status).slice(0, 200)}`
  const [first] = Array.isArray(errors) ? (errors as { reason?: unknown }[]) : []
  const reason = String(first?.reason ?? '')
  if (/rateLimitExceeded|quotaExceeded/i.test(reason)) {
    return new RemoteError('throttled', said, Number(after) || undefined)
  }
  return new RemoteError(status === 403 ? 'no_right' : 'unexpected', said)
}

function jsonOf(text: string): Json {
  try {
    const json: unknown = text ? JSON.parse(text) : {}
    return typeof json === 'object' && json ? (json as Json) : {}
  } catch {
    return {}
  }
}

/** The job that gives up access at a provider, with the sealed token. */
type Revoking = { kind: ProviderKind; sealed: string }
const revokeName = 'revoke-calendar-access'

/** Gives up the access of a connection that ends, unless another one of the organization goes on with it. */
export async function revokeLater(
  ctx: Context,
  { id, kind, account, secret }: Pick<Connection, 'id' | 'kind' | 'account' | 'secret'>,
): Promise<void> {
  if (kind === 'caldav' || 'password' in secret) return
  if (!ctx.services.calendarProviders[kind]?.revokeUrl) return
  const other = await ctx.one(sql`select t.id from calendar_connections t
    where ${mine(ctx)} and t.id <> ${id} and t.kind = ${kind} and t.account = ${account}`)
  if (other) return
  const sealed = ctx.secrets.seal({ token: secret.refresh_token }, purpose)
  ctx.enqueue<Revoking>({ name: revokeName }, { kind, sealed })
}

/** Gives up access at a provider; a token that it no longer knows is as good. */
export const revokeAccess: Job<Revoking> = {
  name: revokeName,
  async run({ reads: ctx }, { kind, sealed }) {
    const url = ctx.services.calendarProviders[kind]?.revokeUrl
    const { token } = (ctx.secrets.unseal(sealed, purpose) ?? {}) as { token?: string }
    if (!url || !token) return
    await asked(ctx, { url, method: 'POST', ...form({ token }) }, [200, 400])
  },
}
