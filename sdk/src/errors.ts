/** A field that the server refused, and what would be right. */
export type FieldError = { field: string; message: string }

/**
 * A refusal of the server. `code` is stable and for programs (`already_exists`, `token_expired`),
 * `message` is for people, `fields` has the fields that a 400 refused, `data` is the data of a conflict, and
 * `retryAfter` is in seconds. A request without an answer has status 0 and code `network_error`.
 */
export class PerennialError extends Error {
  override name = 'PerennialError'
  status: number
  code: string
  fields: FieldError[]
  requestId: string | undefined
  data: unknown
  retryAfter: number | undefined

  constructor(status: number, body: ErrorBody, retryAfter?: number, cause?: unknown) {
    super(body.message ?? `The server answered ${status}`, { cause })
    this.status = status
    // OAuth's code says what to do: invalid_grant, whether the token is expired, used or revoked
    const isOAuth = body.error_description !== undefined
    this.code = (isOAuth ? body.error : body.code) ?? `status_${status}`
    this.fields = body.errors ?? []
    this.requestId = body.request_id
    this.data = body.data
    this.retryAfter = retryAfter
  }
}

/** The common error envelope, and the one of OAuth endpoints. */
type ErrorBody = {
  message?: string
  code?: string
  error?: string
  error_description?: string
  request_id?: string
  errors?: FieldError[]
  data?: unknown
}

/** The refusal in an answer; a proxy in between may answer something other than JSON. */
export function errorOf(response: Response, text: string): PerennialError {
  let body: ErrorBody = {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) body = parsed
  } catch {
    body = { message: `The server answered ${response.status}: ${text.slice(0, 200)}` }
  }
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new PerennialError(
    response.status,
    { request_id: requestId, ...body },
    retryAfterOf(response),
  )
}

/** Seconds of a Retry-After header, which is a number or a date (RFC 9110 10.2.3). */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (!value) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const until = Date.parse(value)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000)
}
