import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Credentials } from './authorize.ts'
import { sign } from './authorize.ts'
import { errorOf, PerennialError } from './errors.ts'

/** The answer of the token endpoint; store all of it, because a refresh token can be used only once. */
export type Tokens = { access_token: string; refresh_token: string; scope?: string }

/** Stores new tokens. Requests wait for it, so that a restart cannot lose tokens that are in use. */
export type SaveTokens = (tokens: Tokens) => void | Promise<void>

/** Options that are rarely changed. */
export type ClientOptions = {
  /** milliseconds for one attempt, 30,000 by default */
  timeout?: number
  /** the maximum `Retry-After` to wait for, in seconds, 60 by default */
  maxRetryAfter?: number
}

/** One request; `idempotencyKey` replaces the random one of a write, `version` is the version to change. */
export type RequestOptions = {
  query?: object
  body?: unknown
  idempotencyKey?: string
  version?: number
}

type Query = { [name: string]: unknown }
type Sent = { method: string; headers: { [name: string]: string }; body?: string }

/** How often a request is retried after a network error, 429 or 503. */
const maxRepeats = 3

/** Codes of a 401 for which a new access token helps. */
const curable = ['token_expired', 'invalid_token']

/**
 * Sends requests of one connection: signs each attempt, refreshes the access token once for all
 * requests that find it expired, and retries after network errors, 429 and 503. Throws PerennialError.
 */
export class Client {
  #credentials: Credentials
  #tokens: Tokens
  #saveTokens: SaveTokens
  #timeout: number
  #maxRetryAfter: number
  #refreshing: Promise<void> | undefined
  #isUnsaved = false

  constructor(
    credentials: Credentials,
    tokens: Tokens,
    saveTokens: SaveTokens,
    { timeout = 30_000, maxRetryAfter = 60 }: ClientOptions = {},
  ) {
    this.#credentials = { ...credentials, baseUrl: credentials.baseUrl.replace(/\/+$/, '') }
    this.#tokens = tokens
    this.#saveTokens = saveTokens
    this.#timeout = timeout
    this.#maxRetryAfter = maxRetryAfter
  }

  /** The body of a successful answer. Writes have an idempotency key, so retries are safe. */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    // otherwise the path would become part of the host name, and the credentials would go there
    if (!path.startsWith('/')) throw new TypeError(`A path begins with /, and ${path} does not`)
    const { query, body, idempotencyKey, version } = options
    const headers: Sent['headers'] = { 'x-functions-key': this.#credentials.functionKey }
    if (method !== 'GET') headers['idempotency-key'] = idempotencyKey ?? randomUUID()
    if (version !== undefined) headers['if-match'] = `"${version}"`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
    const address = path + queryString(query)
    const { access_token } = await this.#current()
    try {
      return await this.#send<T>(address, sent, access_token)
    } catch (error) {
      const isCurable = error instanceof PerennialError && error.status === 401
      if (!isCurable || !curable.includes(error.code)) throw error
      await this.#refresh(access_token)
    }
    const fresh = await this.#current()
    return this.#send<T>(address, sent, fresh.access_token)
  }

  /** The stored tokens: after a failed save, saves again before anything is sent. */
  async #current(): Promise<Tokens> {
    if (this.#refreshing) await this.#refreshing
    if (this.#isUnsaved) await this.#save()
    return this.#tokens
  }

  /** Replaces the `expired` token, once for all requests, unless it has already been replaced. */
  #refresh(expired: string): Promise<void> {
    if (this.#tokens.access_token !== expired) return this.#refreshing ?? Promise.resolve()
    this.#refreshing ??= this.#exchange().finally(() => (this.#refreshing = undefined))
    return this.#refreshing
  }

  async #exchange() {
    const { refresh_token } = this.#tokens
    this.#tokens = await requestTokens(this.#credentials, this.#timeout, {
      grant_type: 'refresh_token',
      refresh_token,
    })
    await this.#save()
  }

  async #save() {
    this.#isUnsaved = true
    await this.#saveTokens(this.#tokens)
    this.#isUnsaved = false
  }

  #signature(access_token: string): Sent['headers'] {
    const { clientId, clientSecret } = this.#credentials
    const { timestamp, signature } = sign(clientId, clientSecret)
    return {
      authorization: `Bearer ${access_token}`,
      'x-oauth-timestamp': timestamp,
      'x-oauth-signature': signature,
    }
  }

  #send<T>(address: string, sent: Sent, access_token: string): Promise<T> {
    const { baseUrl } = this.#credentials
    return repeated(this.#maxRetryAfter, () => {
      const headers = { ...sent.headers, ...this.#signature(access_token) }
      return attempt<T>(baseUrl + address, this.#timeout, { ...sent, headers })
    })
  }
}

/** Exchanges the code from consent for the first tokens of a connection. */
export function exchangeCode(
  credentials: Credentials,
  exchange: { code: string; redirectUri: string; codeVerifier: string },
): Promise<Tokens> {
  return requestTokens(credentials, 30_000, {
    grant_type: 'authorization_code',
    code: exchange.code,
    redirect_uri: exchange.redirectUri,
    code_verifier: exchange.codeVerifier,
  })
}

/** A retry is safe here too: the server accepts the previous refresh token for a minute. */
function requestTokens(
  { baseUrl, clientId, clientSecret }: Credentials,
  timeout: number,
  form: { [name: string]: string },
): Promise<Tokens> {
  const basic = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const headers = {
    authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = new URLSearchParams(form).toString()
  const url = `${baseUrl.replace(/\/+$/, '')}/oauth/token`
  return repeated(60, () => attempt<Tokens>(url, timeout, { method: 'POST', headers, body }))
}

async function attempt<T>(url: string, timeout: number, sent: Sent): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, { ...sent, signal: AbortSignal.timeout(timeout) })
    text = await response.text()
  } catch (cause) {
    const message = `${sent.method} ${new URL(url).pathname} got no answer: ${reasonOf(cause)}`
    throw new PerennialError(0, { code: 'network_error', message }, undefined, cause)
  }
  if (!response.ok) throw errorOf(response, text)
  if (response.status === 204) return undefined as T
  if (response.headers.get('content-type')?.startsWith('text/csv')) return text as T
  try {
    return JSON.parse(text) as T
  } catch (cause) {
    const message = `${url} is not an address of Perennial: it answered something other than JSON`
    throw new PerennialError(response.status, { code: 'not_json', message }, undefined, cause)
  }
}

/** What `fetch` hides in the cause of "fetch failed". */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? cause.cause.message : cause.message
}

/** Retries at most three times, after Retry-After or else 0.5, 1 and 2 seconds with some jitter. */
async function repeated<T>(maxRetryAfter: number, work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PerennialError) || repeats === maxRepeats) throw error
      if (!isTemporary(error)) throw error
      const seconds = error.retryAfter ?? 0.5 * 2 ** repeats * (1 + Math.random() / 4)
      if (seconds > maxRetryAfter) throw error
      await wait(seconds * 1000)
    }
  }
}

/** `in_flight`: the first attempt at this write is still running, but its connection was lost. */
function isTemporary({ status, code }: PerennialError): boolean {
  return status === 0 || status === 429 || status === 503 || code === 'in_flight'
}

/** The query in the server's format for lists and conditions; undefined values are left out. */
function queryString(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query as Query)) {
    if (value === undefined) continue
    search.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return search.size ? `?${search}` : ''
}
