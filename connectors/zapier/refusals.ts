import type { HttpResponse, ZObject } from 'zapier-platform-core'

/** The body of a refusal. */
export type Refusal = {
  message?: string
  error_description?: string
  code?: string
  data?: { [name: string]: string }
}

/** Codes of a 401 for which a new access token helps. */
const curable = ['token_expired', 'invalid_token']

/** Codes of a 401 because the entered credentials are not, or no longer, those of the app. */
const mistyped = ['invalid_signature', 'invalid_function_key']

/** The error that makes Zapier react to a refusal: refresh, wait, ask to connect again, or show the message. */
export function errorOf(response: HttpResponse, z: ZObject): Error {
  const { status } = response
  const { message = `Perennial answered ${status}`, code = '', data } = refusalIn(response)
  if (status === 401 && curable.includes(code)) return new z.errors.RefreshAuthError(message)
  if (status === 401 && code === 'grant_ended') {
    return new z.errors.ExpiredAuthError(
      'The connection has ended. Please connect Perennial again.',
    )
  }
  if (status === 401 && mistyped.includes(code)) {
    const hint = 'compare the client ID, client secret and function key with those of the app'
    return new z.errors.Error(`${message}: ${hint}`, code, status)
  }
  const wait = Number(response.getHeader('retry-after'))
  // 503 says when to try again where the service has too much to do
  if (status === 429 || (status === 503 && wait))
    return new z.errors.ThrottledError(message, wait || 60)
  return new z.errors.Error(message + existing(status, data), code, status)
}

/** The message of a refusal; without contents that are not from the API, such as a proxy's page. */
export function refusalIn({ content }: HttpResponse): Refusal {
  try {
    return (JSON.parse(content) ?? {}) as Refusal
  } catch {
    return {}
  }
}

function existing(status: number, data: Refusal['data']): string {
  if (status !== 409 || !data) return ''
  const ids = Object.entries(data).map(([name, id]) => `${name} ${id}`)
  return ids.length ? `: the one that exists has ${ids.join(', ')}` : ''
}
