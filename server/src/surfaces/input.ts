import type { FastifyRequest } from 'fastify'
import { Failure } from '../kit/ground/errors.ts'
import type { Input, Operation } from '../kit/ground/operation.ts'
import { composed } from '../kit/ground/composed.ts'
import type { Members } from '../kit/ground/object.ts'
import { isObject } from '../kit/ground/object.ts'
import { underOneName } from '../kit/record/names.ts'
import { checkBody, checkStorable, checkTexts, trimmed } from '../kit/record/validate.ts'
import { callerAddress } from './address.ts'

/** The parts of a request that are its input. */
export type Sent = Pick<
  FastifyRequest,
  'params' | 'query' | 'body' | 'headers' | 'url' | 'upload' | 'caller' | 'ip' | 'raw'
>

/** The checked input of a request, with body properties under the names that the operation uses. */
export function inputOf(request: Sent, operation: Operation): Input {
  const { input, aliases } = operation
  const params = { ...(request.params as object) }
  const query: { [name: string]: unknown } = { ...(request.query as object) }
  // a browser that reconnects to a stream sends it automatically, together with the original `after`
  const isLive = operation.gives === 'text/event-stream'
  const last = isLive && request.headers['last-event-id']
  if (last) query.after = last
  const { url, upload: file } = request
  const rest = {
    params,
    query,
    address: callerAddress(request),
    user_agent: request.headers['user-agent'],
    url,
    file,
    ifMatch: ifMatchOf(request),
  }
  if (typeof query.filter === 'string') query.filter = unescaped(query.filter)
  for (const [name, text] of Object.entries(query))
    if (typeof text === 'string') query[name] = composed(text)
  checkStorable(params)
  checkStorable(query)
  if (input.params) checkTexts(input.params, params)
  if (input.query) checkTexts(input.query, query)
  if (!input.body) return { ...rest, body: undefined }
  const sent: unknown = request.body === undefined ? {} : request.body
  const { timezone } = request.caller?.organization ?? {}
  const named = aliases && isObject(sent) ? underOneName(sent, aliases) : sent
  const body = trimmed(input.body, named, timezone)
  try {
    checkBody(input.body, body)
  } catch (error) {
    throw namedAsSent(error, sent, operation)
  }
  return { ...rest, body }
}

/** A JSON text with its characters from U+0300 on as themselves: escaped, they could not be brought into one form. */
function unescaped(json: string): string {
  return json.replace(/\\(?:u([\da-f]{4})|.)/gi, (escape, hex?: string) => {
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16)
    return code < 0x300 ? escape : String.fromCharCode(code)
  })
}

/** The error with the field names that the caller used, if a body used another name or an object around them. */
export function namedAsSent(
  error: unknown,
  sent: unknown,
  { aliases = {}, within }: Pick<Operation, 'aliases' | 'within'>,
): unknown {
  if (!(error instanceof Failure) || !error.errors || !sent) return error
  const used = Object.keys(aliases).filter(
    (alias) => Object.hasOwn(sent, alias) && !Object.hasOwn(sent, aliases[alias] ?? ''),
  )
  const inner: unknown = within && (sent as Members)[within]
  const asSent = (field: string) => {
    const [head = '', ...rest] = field.split('.')
    const alias = used.find((each) => aliases[each] === head)
    if (alias) return [alias, ...rest].join('.')
    const isInner = isObject(inner) && Object.hasOwn(inner, head) && !Object.hasOwn(sent, head)
    return isInner ? `${within}.${field}` : field
  }
  const errors = error.errors.map(({ field, message }) => ({ field: asSent(field), message }))
  if (errors.some(({ field }, n) => field !== error.errors?.[n]?.field)) {
    error.message = errors.map((each) => `${each.field}: ${each.message}`).join('; ')
  }
  error.errors = errors
  return error
}

/** The versions in `If-Match`; undefined if any is accepted. */
function ifMatchOf(request: Sent): number[] | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  // a foreign tag matches no version, which is 412, not a syntax error
  return header.split(',').map((tag) => Number(/^\s*"(\d+)"\s*$/.exec(tag)?.[1] ?? -1))
}
