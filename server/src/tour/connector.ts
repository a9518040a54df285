import { createHmac } from 'node:crypto'

/** What an automation platform needs to know about a server and its app there. */
export type Access = {
  /** without a slash at the end */
  url: string
  /** the platform's name in integration paths */
  segment: string
  /** the user who approves */
  email: string
  password: string
  organization?: string
  client_id: string
  client_secret: string
  function_key: string
  redirect_uri: string
}

/** The fields of the server's answers that the tour uses. `present` checks that one is not absent. */
export type Body = {
  status?: string
  message?: string
  error?: string
  access_token?: string
  refresh_token?: string
  refresh?: string
  token_type?: string
  expires_in?: number
  organisation?: string
  results?: { company_id?: string }[]
  next_cursor?: string | null
  fields?: unknown[]
  id?: string
  subscriptionId?: string
  secret?: string
  data?: { company_id?: string }
}
export type Reply = { status: number; headers: Headers; text: string; body: Body }

/**
 * The server did not answer as expected: what was expected and what it answered, as the tour shows it. The message is for those
 * who expect nothing in particular.
 */
export class Mismatch extends Error {
  expected: string
  got: string
  constructor(expected: string, got: string, message = `expected ${expected}, got ${got}`) {
    super(message)
    this.expected = expected
    this.got = got
  }
}

type Sent = {
  bearer?: string
  json?: unknown
  form?: { [name: string]: string }
  headers?: { [name: string]: string }
}

/** One request; 10 s at most. Throws a Mismatch if there is no answer. */
export async function request(
  access: Access,
  method: string,
  path: string,
  { bearer, json, form, headers = {} }: Sent = {},
): Promise<Reply> {
  const sent = { ...headers }
  if (bearer) sent.authorization = `Bearer ${bearer}`
  if (json !== undefined) sent['content-type'] = 'application/json'
  const content = form
    ? new URLSearchParams(form)
    : json === undefined
      ? null
      : JSON.stringify(json)
  let response: Response
  let text: string
  try {
    const signal = AbortSignal.timeout(10_000)
    const options = { method, headers: sent, body: content, signal, redirect: 'manual' as const }
    response = await fetch(access.url + path, options)
    text = await response.text()
  } catch (error) {
    const { message, cause } = error as Error
    const why = (cause as NodeJS.ErrnoException)?.code ?? message
    throw new Mismatch(
      `an answer from ${access.url} (start the server with npm start, or give --url)`,
      why,
      `No server answers at ${access.url} (${why}): start it with npm start, or give --url`,
    )
  }
  const isJson = response.headers.get('content-type')?.includes('json')
  const { status } = response
  const body = isJson && text ? (JSON.parse(text) as Body) : {}
  return { status, headers: response.headers, text, body }
}

/** Throws a Mismatch unless the status is one of those. */
export function expectStatus(reply: Reply, ...expected: number[]): Reply {
  if (expected.includes(reply.status)) return reply
  throw new Mismatch(
    `status ${expected.join(' or ')}`,
    `${reply.status} ${reply.text.slice(0, 300).replace(/\s+/g, ' ')}`.trim(),
    `The server refused: ${sentenceOf(reply)}`,
  )
}

/** The timestamp and the signature that the integration surface requires (specification 5.1). */
function signature({ client_id, client_secret }: Access): { at: string; signature: string } {
  const at = String(Math.floor(Date.now() / 1000))
  const hmac = createHmac('sha256', client_secret).update(`${client_id}:${at}`)
  return { at, signature: hmac.digest('hex') }
}

/** The server's message, with the status and the code in brackets. */
export function sentenceOf({ status, text, body }: Reply): string {
  const { code } = body as { code?: string }
  const message = body.message ?? body.error ?? (text.slice(0, 300).trim() || 'no body')
  return `${message} (${[status, code].filter(Boolean).join(' ')})`
}

/** The headers of a signed request, all three credentials. */
export function signedHeaders(access: Access, token: string): { [name: string]: string } {
  const { at, signature: signed } = signature(access)
  return {
    authorization: `Bearer ${token}`,
    'x-oauth-timestamp': at,
    'x-oauth-signature': signed,
    'x-functions-key': access.function_key,
  }
}

/** Signs in on the application surface; returns the session's access token. */
export async function signIn(access: Access): Promise<string> {
  const { email, password, organization } = access
  const json = { email, password, ...(organization ? { organization } : {}) }
  const reply = expectStatus(await request(access, 'POST', '/api/login/', { json }), 200)
  return present(reply.body.access_token, 'an access_token')
}

/** Approves the app as the signed-in user, from a script; returns the code. */
export async function authorize(access: Access, bearer: string): Promise<string> {
  const { at, signature: signed } = signature(access)
  const state = `state-${at}`
  const query = new URLSearchParams({
    client_id: access.client_id,
    response_type: 'code',
    redirect_uri: access.redirect_uri,
    state,
    timestamp: at,
    signature: signed,
  })
  const reply = await request(access, 'GET', `/oauth/authorize?${query}`, { bearer })
  const location = expectStatus(reply, 302).headers.get('location') ?? ''
  if (!location.startsWith(access.redirect_uri)) {
    throw new Mismatch(`a redirect to ${access.redirect_uri}`, location.split('?')[0] || 'none')
  }
  const returned = new URL(location).searchParams
  if (returned.get('state') !== state) {
    throw new Mismatch(`state ${state} back`, String(returned.get('state')))
  }
  return present(returned.get('code'), `a code (${returned.get('error') ?? 'none'})`)
}

/** Exchanges the code for tokens. */
export async function exchange(
  access: Access,
  code: string,
): Promise<Body & { access_token: string; refresh_token: string }> {
  const { client_id, client_secret, redirect_uri } = access
  const form = { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri }
  const reply = expectStatus(await request(access, 'POST', '/oauth/token', { form }), 200)
  const access_token = present(reply.body.access_token, 'an access_token')
  const refresh_token = present(reply.body.refresh_token, 'a refresh_token')
  return { ...reply.body, access_token, refresh_token }
}

/** The value, if there is one; otherwise throws a Mismatch. */
export function present(value: unknown, what: string): string {
  if (typeof value === 'string' && value) return value
  throw new Mismatch(what, value === undefined ? 'nothing' : JSON.stringify(value))
}
