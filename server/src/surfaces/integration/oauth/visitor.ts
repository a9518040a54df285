import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Organization } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Runtime } from '../../../runtime.ts'
import { system } from '../../../runtime.ts'
import type { Look } from '../../pages/look.ts'
import { lookOf, productBrand, visitorVoice } from '../../pages/look.ts'
import { visitorContext } from '../../pages/plugin.ts'
import { browserOrganization, browserUser } from './browser.ts'
import type { Requester } from './clients.ts'
import { isDynamic } from './clients.ts'

/** The organization of an app, or of who is signed in here; undefined when that is nobody. */
export async function organizationOf(
  runtime: Runtime,
  client: Requester,
  browser: string,
): Promise<string | undefined> {
  return isDynamic(client) ? browserOrganization(runtime, browser) : client.organization.id
}

/** Who is signed in here, of the app's organization if it has one; undefined when nobody is. */
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

/** The same before anybody is signed in: the product's own where there is no organization yet. */
export async function lookBefore(
  runtime: Runtime,
  reply: FastifyReply,
  client: Requester,
): Promise<Look> {
  if (!isDynamic(client)) return lookFor(runtime, reply, client.organization)
  return { voice: visitorVoice(reply.request), brand: productBrand }
}

/** Whether the app's organization has an OpenID provider to sign in at. */
export async function hasProvider({ database }: Runtime, client: Requester): Promise<boolean> {
  if (isDynamic(client)) return false
  const { id } = client.organization
  const found = await database
    .reads(id)
    .one(sql`select from openid_providers where organization_id = ${id}`)
  return found !== undefined
}

/**
 * What form-action must allow beside ourselves. Chrome applies it to every redirect that follows a
 * form, also to those that the app's callback makes to other hosts of its own; so a web address
 * allows https as such, and one on this device just its own scheme or port.
 */
export function redirectsTo(uri: string): string[] {
  const { protocol, hostname, origin } = new URL(uri)
  if (protocol === 'https:') return ['https:']
  // an IPv6 address cannot be written in a policy
  if (protocol === 'http:') return [hostname.startsWith('[') ? 'http:' : origin]
  return [protocol]
}
