/** What is wrong with one field of the input; `field` is a dotted path such as `custom_fields.tier`. */
export type FieldError = { field: string; message: string }

/** A record whose version is none of those that the caller expects. */
export type Stale = { record: object; id: string; versions: number[]; current: number }

type Details = {
  errors?: FieldError[]
  data?: unknown
  retryAfter?: number
  movedTo?: string
  stale?: Stale
  /** what the operator finds in the log, and the caller does not see */
  cause?: unknown
}

/**
 * The error that operations throw to refuse a request. `code` is a stable snake_case word for programs,
 * `message` a sentence for people; `errors` name fields, `data` travels in the answer (a duplicate's
 * id, say).
 */
export class Failure extends Error {
  status: number
  code: string
  errors: FieldError[] | undefined
  data: unknown
  /** whole seconds, for 429 and 503 */
  retryAfter: number | undefined
  /** the id that replaces that of the path, for 308 */
  movedTo: string | undefined
  /** of which record another version was expected, for 412 */
  stale?: Stale | undefined
  /** what of it was changed since, by whom and when */
  changed?: unknown

  constructor(status: number, code: string, message: string, details: Details = {}) {
    // a refusal is not a defect, and frequent ones should not cost a stack trace each
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, { cause: details.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.code = code
    this.errors = details.errors
    this.data = details.data
    this.retryAfter = details.retryAfter
    this.movedTo = details.movedTo
    this.stale = details.stale
  }
}

/** 400: the input is wrong; each error names its field and what would be right. */
export function badRequest(message: string, errors?: FieldError[], code = 'invalid_input') {
  return new Failure(400, code, message, { errors })
}

/** 400 for a single field. */
export function badField(field: string, message: string) {
  return badFields([{ field, message }])
}

/** The maximum number of errors in one answer. */
const mostErrors = 100

/** 400 for several fields, each with what would be right. */
export function badFields(errors: FieldError[], code?: string) {
  const named = errors.slice(0, mostErrors)
  const text = named
    .map(({ field, message }) => `${field === 'body' ? 'Invalid request body' : field}: ${message}`)
    .join('; ')
  return badRequest(text, named, code)
}

/** An error whose fields are named by their place in a larger body; what names no fields stays as it is. */
export function renamed(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof Failure) || !error.errors) return error
  return badFields(error.errors.map((each) => ({ ...each, field: nameOf(each.field) })))
}

/** 401: credentials are missing, wrong, expired or revoked. */
export function unauthorized(message: string, code = 'unauthorized') {
  return new Failure(401, code, message)
}

/** 403: the caller is known, but not allowed. Never 401, after which connectors refresh their token. */
export function forbidden(message: string, code = 'forbidden') {
  return new Failure(403, code, message)
}

/** 404: missing, deleted, foreign and out-of-scope records all answer alike. */
export function notFound(what: string) {
  return new Failure(404, 'not_found', `${what} not found`)
}

/** 308: the record of the path was merged into another one; `data` says which. */
export function moved(what: string, movedTo: string, data: unknown) {
  return new Failure(308, 'merged', `${what} was merged into another one`, { data, movedTo })
}

/** 409: the current state does not allow it; `data` names the conflicting record. */
export function conflict(message: string, code = 'conflict', data?: unknown) {
  return new Failure(409, code, message, { data })
}

/** 412: `If-Match` named an older version; the answer shows the record as it is now. */
export function stale(of?: Stale) {
  const message = 'The record has changed since it was read: read it again'
  return new Failure(412, 'stale', message, of ? { stale: of } : {})
}

/** 429: slow down for `retryAfter` seconds. */
export function tooMany(retryAfter: number, message = 'Too many requests') {
  return new Failure(429, 'rate_limited', message, { retryAfter })
}

/** 503: the service cannot answer now; nothing was done, or an idempotent retry is safe. */
export function unavailable(
  message = 'The service is busy, try again',
  retryAfter = 1,
  cause?: unknown,
) {
  return new Failure(503, 'unavailable', message, { retryAfter, cause })
}

/** An error for the operator, which stops the start with its message. */
export class ConfigError extends Error {}

/** A connection to the database with wrong settings, found at start or later. */
export class UnsuitableConnection extends ConfigError {}
