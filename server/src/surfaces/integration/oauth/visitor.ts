import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Organization } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Runtime } from '../../../runtime.ts'
import { system } from '../../../runtime.ts'
import type { Look } from '../../pages/page.ts'
import { lookOf, productBrand, visitorVoice } from '../../pages/look.ts'
import { visitorContext } from '../../pages/plugin.ts'
import { browserOrganization, browserUser } from './browser.ts'
import type { Requester } from './clients.ts'
import { isDynamic } from './clients.ts'

/** The organization of an app, or of the signed-in user; undefined if there is none. */
export async function organizationOf(
  runtime: Runtime,
  client: Requester,
  browser: string,
): Promise<string | undefined> {
  return isDynamic(client) ? browserOrganization(runtime, browser) : client.organization.id
}

/** The signed-in user, of the app's organization if it has one; undefined if there is none. */
export async function signedIn(
  runtime: Runtime,
  request: FastifyRequest,
  client: Requester,
  browser: string,
) {
  const organization = await organizationOf(runtime, client, browser)
  return organization === undefined
    ? undefined
    : browserUser(runtime, request, organization, browser)
}

/** How pages of an organization look to this browser. */
export function lookFor(
  runtime: Runtime,
  { request }: FastifyReply,
  organization: Organization,
): Promise<Look> {
  const { reads } = visitorContext(runtime, request).actAs({ organization, actor: system })
  return lookOf(reads, request)
}

/** The same before anybody is signed in: the product's own look if there is no organization yet. */
export async function lookBefore(
  runtime: Runtime,
  reply: FastifyReply,
  client: Requester,
): Promise<Look> {
  if (!isDynamic(client)) return lookFor(runtime, reply, client.organization)
  return { voice: visitorVoice(reply.request), brand: productBrand }
}

/** The host of the OpenID provider of the app's organization; undefined if it has none to sign in at. */
export async function providerHost(
  { database }: Runtime,
  client: Requester,
): Promise<string | undefined> {
  if (isDynamic(client)) return undefined
  const { id } = client.organization
  const found = await database
    .reads(id)
    .one<{ issuer: string }>(sql`select issuer from openid_providers where organization_id = ${id}`)
  return found && new URL(found.issuer).host
}

/**
 * What `form-action` must allow besides this service. Chrome applies it to every redirect that follows a
 * form, also to those from the app's callback to its other hosts; so for a web address this
 * allows all of https, and for one on this device only its scheme or port.
 */
export function redirectsTo(uri: string): string[] {
  const { protocol, hostname, origin } = new URL(uri)
  if (protocol === 'https:') return ['https:']
  // a policy cannot contain an IPv6 address
  if (protocol === 'http:') return [hostname.startsWith('[') ? 'http:' : origin]
  return [protocol]
}
