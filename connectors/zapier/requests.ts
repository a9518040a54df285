import type { Bundle, HttpRequestOptionsWithUrl, HttpResponse, ZObject } from 'zapier-platform-core'
import { authDataOf, sign } from './auth.ts'
import { errorOf } from './refusals.ts'

/** Adds the three credentials; requests for tokens have their own. */
export function authenticate(
  request: HttpRequestOptionsWithUrl,
  _z: ZObject,
  bundle: Bundle,
): HttpRequestOptionsWithUrl {
  // `refuse` handles 429, so that the API's message is shown
  Object.assign(request, { throwForThrottlingEarly: false })
  const auth = authDataOf(bundle)
  const { pathname } = new URL(request.url)
  if (!auth.access_token || /^\/(oauth|auth_refresh)\//.test(pathname)) return request
  const { timestamp, signature } = sign(auth)
  Object.assign((request.headers ??= {}), {
    authorization: `Bearer ${auth.access_token}`,
    'x-functions-key': auth.function_key,
    'x-oauth-timestamp': timestamp,
    'x-oauth-signature': signature,
  })
  return request
}

/** Throws the error that Zapier expects for a refusal. */
export function refuse(response: HttpResponse, z: ZObject): HttpResponse {
  if (response.status < 400 || response.skipThrowForStatus) return response
  throw errorOf(response, z)
}
