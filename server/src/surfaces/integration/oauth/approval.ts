import type { FastifyReply } from 'fastify'
import { sql } from '../../../kit/ground/sql.ts'
import type { Caller, Runtime } from '../../../runtime.ts'
import { isDynamic } from './clients.ts'
import { approve } from './grants.ts'
import type { AuthorizeRequest } from './request.ts'
import { withQuery } from './request.ts'

/** Stores the caller's approval, and sends them back to the app with its code. */
export async function sendApproved(
  runtime: Runtime,
  reply: FastifyReply,
  caller: Caller,
  requested: AuthorizeRequest,
) {
  const { client, redirect_uri, scopes, code_challenge, audience, state } = requested
  const approval = { client, redirect_uri, scopes, code_challenge, audience }
  const code = await approve(runtime, caller, approval)
  return sendBack(runtime, reply, redirect_uri, { code, state })
}

/**
 * Whether the user has an active approval of this app with the same scopes or more, from a time when it already had the redirect
 * address: nobody has approved a redirect to an address that was added later.
 */
export async function hasApproved(
  { database }: Runtime,
  user: Caller,
  { client, redirect_uri, scopes, audience }: AuthorizeRequest,
) {
  if (isDynamic(client)) return false
  const found = await database.reads(client.organization.id).one(sql`
    select from grants where organization_id = ${client.organization.id} and app_id = ${client.id}
      and user_id = ${user.actor.user_id} and revoked_at is null and audience = ${audience}
      and scopes @> ${JSON.stringify(scopes)}::jsonb and redirect_uris ? ${redirect_uri} limit 1`)
  return found !== undefined
}

/** Redirects back to the app; `iss` tells it who responds (RFC 9207). */
export function sendBack(
  { config }: Runtime,
  reply: FastifyReply,
  uri: string,
  added: { [name: string]: string | undefined },
) {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(withQuery(uri, { ...added, iss: config.publicUrl }), 302)
}
