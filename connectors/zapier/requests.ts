import type { Bundle, HttpRequestOptionsWithUrl, HttpResponse, ZObject } from 'zapier-platform-core'
import { authDataOf, sign } from './auth.ts'

/** What the API refuses with. */
type Refusal = { message?: string; code?: string; data?: { [name: string]: string } }

/** Codes of a 401 that a new access token cures. */
const curable = ['token_expired', 'invalid_token']

/** Adds the three credentials; requests for tokens carry their own. */
export function authenticate(
  request: HttpRequestOptionsWithUrl,
  _z: ZObject,
  bundle: Bundle,
): HttpRequestOptionsWithUrl {
  // 429 is read below, so that the sentence of the API is shown
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

/** Makes refusals what Zapier acts on: it refreshes, waits, asks to connect again, or shows the sentence. */
export function refuse(response: HttpResponse, z: ZObject): HttpResponse {
  const { status } = response
  if (status < 400 || response.skipThrowForStatus) return response
  const { message = `Perennial answered ${status}`, code = '', data } = refusalOf(response)
  if (status === 401 && curable.includes(code)) throw new z.errors.RefreshAuthError(message)
  if (status === 401 && code === 'grant_ended') {
    throw new z.errors.ExpiredAuthError('The connection has ended. Please connect Perennial again.')
  }
  if (status === 429) {
    throw new z.errors.ThrottledError(message, Number(response.getHeader('retry-after')) || 60)
  }
  throw new z.errors.Error(message + existing(status, data), code, status)
}

function refusalOf({ content }: HttpResponse): Refusal {
  try {
    return JSON.parse(content) as Refusal
  } catch {
    return {}
  }
}

function existing(status: number, data: Refusal['data']): string {
  if (status !== 409 || !data) return ''
  const ids = Object.entries(data).map(([name, id]) => `${name} ${id}`)
  return ids.length ? `: the one that exists has ${ids.join(', ')}` : ''
}
