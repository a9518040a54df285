import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../../kit/ground/errors.ts'
import { cookieName, ownCookie } from '../../cookies.ts'

/** The content of a session cookie: the session's id and secret. */
export type CookieSession = { organization_id: string; session_id: string; secret: string }

const name = 'perennial'
/** The maximum number of days that a browser stays signed in. */
export const longestDays = 90

/** The cookie of a session, as the value of `Set-Cookie`. */
export function sessionCookie(publicUrl: string, session: CookieSession): string {
  const { organization_id, session_id, secret } = session
  const value = `${organization_id}.${session_id}.${secret}`
  return ownCookie(publicUrl, name, { value, seconds: longestDays * 86_400 })
}

/** Removes the cookie. */
export function noCookie(publicUrl: string): string {
  return ownCookie(publicUrl, name, { value: '', seconds: 0 })
}

/** The content of a request's session cookie; undefined if there is none. */
export function cookieOf(publicUrl: string, request: FastifyRequest): CookieSession | undefined {
  const { cookie: header } = request.headers
  if (!header) return undefined
  const [, organization_id, session_id, secret] =
    new RegExp(
      `(?:^|; *)${cookieName(publicUrl, name)}=([\\w-]{1,25})\\.([\\w-]{1,25})\\.([\\w-]{43})(?:;|$)`,
    ).exec(header) ?? []
  return organization_id && session_id && secret
    ? { organization_id, session_id, secret }
    : undefined
}

/**
 * 403 for a request that writes and does not come from a page of this service: any but a GET, and a GET
 * of an operation that writes, since a link on another site sends the cookie too. Browsers say where a
 * request comes from, and other sites cannot change that (the Fetch Metadata, Origin
 * and Referer headers).
 */
export function refuseOtherSites(
  publicUrl: string,
  { method, headers }: FastifyRequest,
  writes: boolean,
): void {
  if (!writes && (method === 'GET' || method === 'HEAD')) return
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined ? sender(headers) === new URL(publicUrl).origin : site === 'same-origin'
  if (isOwn) return
  const message =
    'With a cookie, only pages of this service may write; programs send a bearer token'
  throw forbidden(message, 'foreign_request')
}

/** The origin that sent a request; a GET has no Origin header, and over http no Fetch Metadata. */
function sender({ origin, referer = '' }: FastifyRequest['headers']): string | undefined {
  return origin ?? (URL.canParse(referer) ? new URL(referer).origin : undefined)
}
