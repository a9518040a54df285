import type { FastifyRequest } from 'fastify'
import { Failure } from '../../../kit/ground/errors.ts'
import type { DynamicClient } from '../../../records/apps/dynamic.ts'
import { wrongRedirect } from '../../../records/apps/app.ts'
import type { Runtime } from '../../../runtime.ts'
import { addressOf } from '../../address.ts'
import { submitting } from '../../limits.ts'
import { toolScopes } from '../../mcp/scopes.ts'
import { IdentityFailure, invalidClient } from './errors.ts'

/** A client that nobody issued, and the host of its description; null if it registered itself. */
export type SelfDescribed = DynamicClient & {
  host: string | null
  /** of an app that the operator lists: its organization, and whether it may omit the signature */
  publisher?: string
  standard_authorize?: boolean
}

const prefix = 'prc_'
const purpose = 'registered client'

/** Whether a client id is the address of a description, or was assigned by registration. */
export function isDynamicId(client_id: string): boolean {
  return client_id.startsWith(prefix) || /^https?:\/\//i.test(client_id)
}

/**
 * The client of such an id, by its own description; undefined if it is unknown, and 400
 * `invalid_client_metadata` for an unusable description. Requests for documents are counted by
 * the address that causes them.
 */
export async function dynamicClient(
  { services, secrets, config }: Runtime,
  request: FastifyRequest,
  client_id: string,
): Promise<SelfDescribed | undefined> {
  if (client_id.startsWith(prefix)) {
    if (!config.oauthRegistration) return undefined
    const sealed = secrets.unseal(client_id.slice(prefix.length), purpose) as Registered | undefined
    return sealed && clientFrom(client_id, { client_name: sealed.n, redirect_uris: sealed.r }, null)
  }
  const url = documentUrl(client_id)
  if (!url) return undefined
  const { clientDocuments, submissions } = services
  if (!clientDocuments.isKnown(client_id)) {
    await submissions.failed(submitting(addressOf(request)))
  }
  const document = await clientDocuments.read(client_id).catch((error: unknown) => {
    throw error instanceof Failure && error.status === 400 ? invalidClient(error.message) : error
  })
  return clientFrom(client_id, document, url.host)
}

/** Short names, because it is part of addresses. */
type Registered = { n: string; r: string[] }

/** The id of a client that registers itself: its registration, encrypted, so that nothing is stored. */
export function registeredId({ secrets }: Runtime, metadata: Metadata): string {
  const { name, redirect_uris } = clientFrom('', metadata, null)
  const registered: Registered = { n: name, r: redirect_uris }
  return `${prefix}${secrets.seal(registered, purpose)}`
}

/** The unchecked metadata of a client (RFC 7591 2). */
export type Metadata = { [member: string]: unknown }

/** An address of a description: with a path, without a fragment, credentials or steps up. */
function documentUrl(client_id: string): URL | undefined {
  if (client_id.length > 500 || !URL.canParse(client_id)) return undefined
  const url = new URL(client_id)
  const isPlain = !url.hash && !url.username && !url.password && url.href === client_id
  return isPlain && url.pathname !== '/' ? url : undefined
}

const mostRedirects = 20

function clientFrom(client_id: string, metadata: Metadata, host: string | null): SelfDescribed {
  const { redirect_uris, token_endpoint_auth_method: method, grant_types } = metadata
  const uris = Array.isArray(redirect_uris) ? (redirect_uris as unknown[]) : []
  if (!uris.length || uris.length > mostRedirects) {
    throw wrongMetadata(`redirect_uris must be a list of 1 to ${mostRedirects} addresses`)
  }
  for (const uri of uris) {
    const problem = typeof uri === 'string' ? wrongRedirect(uri) : 'must be text'
    if (problem) throw wrongMetadata(`redirect_uris: ${String(uri).slice(0, 200)} ${problem}`, true)
  }
  if (method !== undefined && method !== 'none' && host !== null) {
    throw wrongMetadata('token_endpoint_auth_method must be none')
  }
  const grants = Array.isArray(grant_types) ? (grant_types as unknown[]) : ['authorization_code']
  if (!grants.includes('authorization_code')) {
    throw wrongMetadata('grant_types must hold authorization_code')
  }
  return {
    client_id,
    name: nameOf(metadata.client_name) || host || 'A client without a name',
    description: null,
    redirect_uris: uris as string[],
    scopes: [...toolScopes],
    host,
  }
}

/** A name for display: one line, without characters that would reverse or hide surrounding text. */
function nameOf(name: unknown): string {
  if (typeof name !== 'string' || !name.isWellFormed()) return ''
  return name
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()
}

function wrongMetadata(message: string, isRedirect = false): IdentityFailure {
  return new IdentityFailure(
    400,
    isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    message,
  )
}

/**
 * Whether a client may be redirected to an address: one of its own, character by character, except for the
 * port of loopback addresses, which local programs choose when they start (RFC 8252 7.3).
 */
export function mayReturnTo({ redirect_uris, listed }: SelfDescribed, uri: string): boolean {
  if (listed) return redirect_uris.includes(uri)
  const portless = withoutPort(uri)
  return redirect_uris.some(
    (known) => known === uri || (portless !== undefined && withoutPort(known) === portless),
  )
}

function withoutPort(uri: string): string | undefined {
  const url = new URL(uri)
  if (url.protocol !== 'http:' || !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) {
    return undefined
  }
  url.port = ''
  return url.href
}
