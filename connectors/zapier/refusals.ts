import type { HttpResponse, ZObject } from 'zapier-platform-core'

/** What the API refuses with. */
export type Refusal = {
  message?: string
  error_description?: string
  code?: string
  data?: { [name: string]: string }
}

/** Codes of a 401 that a new access token cures. */
const curable = ['token_expired', 'invalid_token']

/** Codes of a 401 that says that what was typed in is not, or no longer, what the app was issued with. */
const mistyped = ['invalid_signature', 'invalid_function_key']

/** What a refusal is to Zapier: it refreshes, waits, asks to connect again, or shows the sentence. */
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

/** What a refusal says; nothing of an answer that is not the API's, such as a proxy's page. */
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
