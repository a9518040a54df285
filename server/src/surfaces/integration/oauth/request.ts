import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../../kit/ground/errors.ts'
import { wrongRedirect } from '../../../records/apps/app.ts'
import type { Runtime } from '../../../runtime.ts'
import { isFresh, isSigned } from '../signature.ts'
import type { Requester } from './clients.ts'
import { clientById, clientOfApp, isDynamic, listedClient } from './clients.ts'
import { dynamicClient, isDynamicId, mayReturnTo } from './dynamic-clients.ts'
import { IdentityFailure, invalidClient, invalidRequest } from './errors.ts'
import type { AppAudience } from './grants.ts'
import { readParameters, requireParameters } from './parameters.ts'
import { audienceOf, invalidTarget } from './resource.ts'

/** A checked authorization request of an app. */
export type AuthorizeRequest = {
  client: Requester
  redirect_uri: string
  /** returned unchanged; always present in a signed request */
  state?: string
  scopes: string[]
  code_challenge: string | null
  /** the surface that the tokens are for */
  audience: AppAudience
}

/**
 * A refusal that is reported to the app at its redirect address (RFC 6749 4.1.2.1), if it was issued; that of a
 * client that nobody issued is shown to the user.
 */
export type Refused = {
  client: Requester
  redirect_uri: string
  state?: string
  error: string
  description: string
}

const standardParameters = [
  'client_id',
  'response_type',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const
const parameters = [...standardParameters, 'timestamp', 'signature'] as const

/** The maximum length of `state`, which is returned in an address that must fit into a request line. */
const longestState = 4096

/**
 * Checks GET /oauth/authorize in the contract's order: parameters (400), client (401), signature
 * (401), redirect address (400). Only after these are errors reported to the app by redirect.
 */
export async function readAuthorizeRequest(
  runtime: Runtime,
  request: FastifyRequest,
): Promise<AuthorizeRequest | Refused> {
  const query = readParameters(request.query, parameters)
  requireParameters(
    query,
    'client_id',
    'response_type',
    'redirect_uri',
    'state',
    'timestamp',
    'signature',
  )
  const { client_id, timestamp, signature } = query
  checkForm(query)
  if (!/^\d{1,12}$/.test(timestamp)) throw invalidRequest('timestamp must be Unix time in seconds')
  if (!/^[0-9a-f]{64}$/i.test(signature)) throw invalidRequest('signature must be 64 hex digits')
  const client = await clientById(runtime, client_id)
  if (!client) throw invalidClient('Unknown client_id')
  if (!isFresh(timestamp, runtime.now())) {
    throw new IdentityFailure(
      401,
      'Invalid timestamp',
      'The timestamp must be the current Unix time in seconds, at most 300 off',
      'invalid_timestamp',
    )
  }
  if (!isSigned(client.key, client_id, timestamp, signature)) {
    throw new IdentityFailure(401, 'Invalid signature', 'Invalid signature', 'invalid_signature')
  }
  return requestOf(runtime, client.is_listed ? listedClient(client) : client, query)
}

/**
 * Checks GET /oauth/connect, the same without a signature: for apps issued for it, with
 * PKCE instead, and `state` as RFC 6749 has it, and for clients that describe or registered themselves.
 * 400 `unauthorized_client` for other apps.
 */
export async function readStandardRequest(
  runtime: Runtime,
  request: FastifyRequest,
): Promise<AuthorizeRequest | Refused> {
  const query = readParameters(request.query, standardParameters)
  requireParameters(query, 'client_id', 'response_type', 'redirect_uri')
  checkForm(query)
  const { client_id } = query
  const client = await requesterOf(runtime, request, client_id)
  if (!client) throw invalidClient('Unknown client_id')
  if (!(isDynamic(client) && !client.listed) && !client.standard_authorize) {
    const message = 'This app has to sign its request to /oauth/authorize'
    throw new IdentityFailure(400, 'unauthorized_client', message)
  }
  const requested = requestOf(runtime, client, query)
  if ('error' in requested || requested.code_challenge) return requested
  const { redirect_uri, state } = requested
  const description = 'code_challenge missing: PKCE with S256 is needed here'
  return { client, redirect_uri, state, error: 'invalid_request', description }
}

/** Who a client id stands for: an app of an organization, one that is listed for all, or one that nobody issued. */
async function requesterOf(
  runtime: Runtime,
  request: FastifyRequest,
  client_id: string,
): Promise<Requester | undefined> {
  const issued = await clientById(runtime, client_id)
  if (issued) return issued.is_listed ? listedClient(issued) : issued
  return isDynamicId(client_id) ? dynamicClient(runtime, request, client_id) : undefined
}

type Form = { response_type: string; redirect_uri: string; state?: string }

/** 400 for parameters that no app may send. */
function checkForm({ response_type, redirect_uri, state = '' }: Form) {
  if (response_type !== 'code')
    throw new IdentityFailure(400, 'unsupported_response_type', 'response_type must be code')
  if (wrongRedirect(redirect_uri))
    throw invalidRequest('redirect_uri must be an absolute address without a fragment')
  if (Buffer.byteLength(state) > longestState)
    throw invalidRequest(`state must be at most ${longestState} bytes`)
}

type Wanted = {
  scope?: string
  code_challenge?: string
  code_challenge_method?: string
  resource?: string
}

/** The request of a known client; 400 for a foreign address, other errors are reported to the app. */
function requestOf(
  { config }: Runtime,
  client: Requester,
  query: Form & Wanted,
): AuthorizeRequest | Refused {
  const { redirect_uri, state, scope, code_challenge, code_challenge_method, resource } = query
  const isOwn = isDynamic(client)
    ? mayReturnTo(client, redirect_uri)
    : client.redirect_uris.includes(redirect_uri)
  if (!isOwn) throw invalidRequest('redirect_uri is not registered for this client')
  const refused = (error: string, description: string): Refused => ({
    client,
    redirect_uri,
    state,
    error,
    description,
  })
  const audience = wantedAudience(config, client, resource)
  if (audience instanceof IdentityFailure) return refused(audience.error, audience.message)
  const wanted =
    scope === undefined ? client.scopes : [...new Set(scope.split(/ +/).filter(Boolean))]
  const scopes = wanted.filter((each) => client.scopes.includes(each))
  // MCP clients request the scopes in the challenge, which are the same for all apps; they get those that they may have
  const isEnough = audience === 'mcp' ? scopes.length > 0 : scopes.length === wanted.length
  if (!isEnough && wanted.length)
    return refused('invalid_scope', 'scope must be a subset of the scopes of the app')
  if (code_challenge === undefined && code_challenge_method !== undefined)
    return refused('invalid_request', 'code_challenge missing')
  if (code_challenge !== undefined) {
    if (code_challenge_method !== 'S256')
      return refused('invalid_request', 'code_challenge_method must be S256')
    if (!/^[\w-]{43}$/.test(code_challenge))
      return refused('invalid_request', 'code_challenge must be 43 base64url characters')
  }
  return { client, redirect_uri, state, scopes, code_challenge: code_challenge ?? null, audience }
}

/** The surface of the tokens, or why they cannot be issued for it. */
function wantedAudience(
  config: Runtime['config'],
  client: Requester,
  resource: string | undefined,
): AppAudience | IdentityFailure {
  try {
    const isUnissued = isDynamic(client) && !client.listed
    const audience = audienceOf(config, resource, isUnissued ? 'mcp' : 'integration')
    if (audience === 'mcp' || !isUnissued) return audience
    // its tokens are issued without a secret, which the integration surface requires
    return invalidTarget('this client may use only MCP')
  } catch (error) {
    if (error instanceof IdentityFailure) return error
    throw error
  }
}

/** Seconds that a user may spend on the pages. */
const patience = 1800
const purpose = 'authorization request'

/**
 * The request for a hidden field of a form: encrypted, for half an hour, and valid in one browser
 * only, which prevents other sites from submitting the form.
 */
export function seal(runtime: Runtime, requested: AuthorizeRequest, browser: string): string {
  const { client, redirect_uri, state, scopes, code_challenge, audience } = requested
  const sealed: Sealed = {
    ...(isDynamic(client) ? { d: client.client_id } : { o: client.organization.id, a: client.id }),
    r: redirect_uri,
    s: state,
    c: scopes,
    p: code_challenge,
    u: audience,
    t: +runtime.now() + patience * 1000,
    b: runtime.secrets.hash(browser).toString('base64url'),
  }
  return runtime.secrets.seal(sealed, purpose)
}

/** Decrypts it and checks again what may have changed; 403 if it has expired or belongs to another browser. */
export async function unseal(
  runtime: Runtime,
  request: FastifyRequest,
  text: string,
  browser: string,
): Promise<AuthorizeRequest> {
  const { secrets } = runtime
  const sealed = secrets.unseal(text, purpose) as Sealed | undefined
  if (!sealed || sealed.t < +runtime.now()) throw stale()
  if (sealed.b !== secrets.hash(browser).toString('base64url')) throw stale()
  const { d, o = '', a = '' } = sealed
  const client = d ? await requesterOf(runtime, request, d) : await clientOfApp(runtime, o, a)
  const isStill =
    client &&
    (isDynamic(client) ? mayReturnTo(client, sealed.r) : client.redirect_uris.includes(sealed.r)) &&
    sealed.c.every((scope) => client.scopes.includes(scope))
  if (!client || !isStill) throw stale()
  const { r: redirect_uri, s: state, c: scopes, p: code_challenge } = sealed
  // one created by an older version has none
  const { u: audience = 'integration' } = sealed
  return { client, redirect_uri, state, scopes, code_challenge, audience }
}

/** Short names, because it is part of an address once. */
type Sealed = {
  /** of an app: its organization and its id */
  o?: string
  a?: string
  /** of a client that nobody issued: its client id */
  d?: string
  r: string
  s?: string
  c: string[]
  p: string | null
  u?: AppAudience
  t: number
  b: string
}

function stale() {
  return forbidden(
    'This page is no longer valid, or was opened in another browser. Go back to the app and connect again.',
    'stale_form',
  )
}

/** An address with parameters added, its own query unchanged; those without a value are left out. */
export function withQuery(uri: string, added: { [name: string]: string | undefined }): string {
  const query = Object.entries(added)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'
  return `${uri}${joint}${query}`
}
