import type { KeyObject } from 'node:crypto'
import { createSecretKey } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { anywhere, sql } from '../../../kit/ground/sql.ts'
import type { Caller, Runtime } from '../../../runtime.ts'
import { system } from '../../../runtime.ts'
import { equalInConstantTime } from '../../../secrets.ts'
import { isFresh, isSigned } from '../signature.ts'
import type { SelfDescribed } from './dynamic-clients.ts'
import { invalidClient, invalidRequest } from './errors.ts'
import type { Parameters } from './parameters.ts'
import { allOrganizations } from '../../../kit/ground/context.ts'

/** An app for the identity endpoints, with what is needed to check its secret. */
export type Client = {
  organization: Context['organization']
  id: string
  name: string
  description: string | null
  client_id: string
  secret: string
  key: KeyObject
  redirect_uris: string[]
  scopes: string[]
  require_client_auth_on_refresh: boolean
  standard_authorize: boolean
  is_dynamic: boolean
  /** any organization may connect it */
  is_listed: boolean
  /** of what an organization has of a listed app: that app */
  listed_in: string | null
  listed_as: string | null
}

/**
 * Who requests consent: an app of an organization, or a client that nobody issued. Such a client belongs to
 * no organization before somebody approves it, and then to theirs.
 */
export type Requester = Client | SelfDescribed

/** Whether nobody issued the client. */
export function isDynamic(client: Requester): client is SelfDescribed {
  return !('organization' in client)
}

/** A listed app as a client of no organization yet: whoever approves it connects their own. */
export function listedClient(client: Client): SelfDescribed {
  const { client_id, name, description, redirect_uris, scopes, organization, id } = client
  return {
    client_id,
    name,
    description,
    redirect_uris,
    scopes,
    host: null,
    publisher: organization.name,
    standard_authorize: client.standard_authorize,
    listed: { organization_id: organization.id, id },
  }
}

/** The app of a client id that was issued, whichever organization it belongs to. */
export async function clientById(runtime: Runtime, client_id: string) {
  // HTTP Basic may contain any text, even one that the database cannot store
  if (!/^[\x21-\x7e]{1,200}$/.test(client_id)) return undefined
  const issued = sql`${anywhere('a')} and ${anywhere('o')} and a.client_id = ${client_id} and not a.is_dynamic`
  return findClient(runtime, allOrganizations, issued)
}

/** An app of an organization by its own id. */
export function clientOfApp(runtime: Runtime, organization_id: string, id: string) {
  const same = sql`a.organization_id = $organization and o.organization_id = $organization
    and a.id = ${id}`
  return findClient(runtime, organization_id, same)
}

/** The caller that writes on the app's behalf if no user is present. */
export function callerFor(client: Client, request: FastifyRequest): Caller {
  const { organization } = client
  return { organization, actor: system, source: 'integration', request_id: request.id }
}

/** How a client authenticates. */
export type Proof =
  | { client_ids: string[]; secrets: string[] }
  | { client_ids: string[]; timestamp: string; signature: string }

/** The parameters that both token endpoints read besides their own. */
export const clientParameters = ['client_id', 'client_secret', 'timestamp', 'signature'] as const

/**
 * The client id and the credentials of a request: HTTP Basic, `client_secret`, or the signature
 * pair as headers or form parameters. 400 when there is more than one.
 */
export function clientProof(
  { headers }: FastifyRequest,
  parameters: Parameters<(typeof clientParameters)[number]>,
): { client_id?: string; proof?: Proof } {
  const { client_id, client_secret, timestamp, signature } = parameters
  const named = client_id === undefined ? [] : [client_id]
  const proofs: Proof[] = []
  const basic = basicCredentials(headers.authorization)
  if (basic) proofs.push(basic)
  if (client_secret !== undefined) proofs.push({ client_ids: named, secrets: [client_secret] })
  const inHeader = headers['x-oauth-signature']
  if (inHeader !== undefined) {
    const stamp = String(headers['x-oauth-timestamp'] ?? '')
    proofs.push({ client_ids: named, timestamp: stamp, signature: String(inHeader) })
  }
  if (signature !== undefined) {
    proofs.push({ client_ids: named, timestamp: timestamp ?? '', signature })
  }
  if (proofs.length > 1) {
    throw invalidRequest('The client must authenticate in one way, not in several at once')
  }
  return { client_id: client_id ?? basic?.client_ids[0], proof: proofs[0] }
}

/** Checks credentials in constant time; 401 if they are not this client's. */
export function checkProof(runtime: Runtime, client: Client, proof: Proof) {
  if (proof.client_ids.length && !proof.client_ids.includes(client.client_id)) {
    throw invalidClient('Wrong client credentials')
  }
  if ('signature' in proof) {
    const { timestamp, signature } = proof
    if (!isFresh(timestamp, runtime.now())) {
      throw invalidClient('The timestamp must be the current Unix time in seconds, at most 300 off')
    }
    if (!isSigned(client.key, client.client_id, timestamp, signature)) {
      throw invalidClient('Invalid signature')
    }
    return
  }
  // hashes have equal length, so that the comparison does not reveal the length either
  const expected = runtime.secrets.hash(client.secret)
  const right = proof.secrets.map((secret) =>
    equalInConstantTime(runtime.secrets.hash(secret), expected),
  )
  if (!right.includes(true)) throw invalidClient('Wrong client credentials')
}

/**
 * Both halves of HTTP Basic, as sent and form-decoded: RFC 6749 2.3.1 encodes them, many clients do
 * not. A malformed header counts as wrong credentials; another scheme as none.
 */
function basicCredentials(header: string | undefined) {
  const [, encoded] = /^Basic +(\S*) *$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return { client_ids: [], secrets: [] }
  return {
    client_ids: readings(text.slice(0, colon)),
    secrets: readings(text.slice(colon + 1)),
  }
}

function readings(text: string): string[] {
  try {
    return [...new Set([decodeURIComponent(text.replaceAll('+', ' ')), text])]
  } catch {
    return [text]
  }
}

async function findClient(
  { database, secrets }: Runtime,
  bound: string,
  same: Query,
): Promise<Client | undefined> {
  const row = await database.reads(bound).one<
    Omit<Client, 'organization' | 'secret' | 'key'> & {
      organization_id: string
      organization_name: string
      timezone: string
      week_start: number
      client_secret: Buffer
    }
  >(sql`
    select a.organization_id, o.name as organization_name, o.timezone, o.week_start, a.id, a.name, a.description,
      a.client_id, a.client_secret, a.redirect_uris, a.scopes, a.require_client_auth_on_refresh,
      a.standard_authorize, a.is_dynamic, a.is_listed, a.listed_in, a.listed_as
    from apps a join organizations o on o.organization_id = a.organization_id
    where ${same} order by a.id limit 1`)
  if (!row) return undefined
  const { organization_id, organization_name, timezone, week_start, client_secret, ...client } = row
  const secret = secrets.decrypt(client_secret)
  return {
    ...client,
    organization: { id: organization_id, name: organization_name, timezone, week_start },
    secret,
    key: createSecretKey(secret, 'utf8'),
  }
}
