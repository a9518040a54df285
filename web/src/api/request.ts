import { Problem, problemOf } from './problem.ts'
import { signedIn } from './signed-in.ts'
import { viewAs } from './view-as.ts'
import { t } from '../locales/text.ts'

export type Query = { [name: string]: string | number | boolean | null | undefined }

export type Options = {
  query?: Query
  /** sent as JSON; a `FormData` unchanged */
  body?: unknown
  headers?: { [name: string]: string }
  signal?: AbortSignal
  /** of a write that a person may send again, such as a form's; by default one for this request */
  idempotencyKey?: string
  /** whether it only asks, though it has a body: it has no key, and is repeated and allowed as reads are */
  isRead?: boolean
  /** whether it continues when the page is left */
  keepalive?: boolean
}

export type Answer<T> = { data: T; headers: Headers; status: number }

const mostTries = 3

/**
 * Sends a request to the application surface and returns the answer with its JSON; throws a `Problem`.
 * Reads and writes are tried at most three times, after `Retry-After` (429, 503) or network errors: each write
 * has an idempotency key, so that the server executes it once. Only signing in and out has none, and is repeated
 * after a 429 alone. If the session has ended, it waits for the next sign-in and continues.
 */
export async function request<T>(
  method: string,
  path: string,
  options: Options = {},
): Promise<Answer<T>> {
  const isRead = method === 'GET' || options.isRead === true
  const isSession = path === '/api/session/' && !isRead
  const user = isSession ? undefined : viewAs.current()
  if (user && !isRead) {
    const message = t('You see what {full_name} sees. Stop that to change something.', {
      full_name: user.full_name,
    })
    throw new Problem(403, 'view_as_read_only', message)
  }
  const key = isRead || isSession ? undefined : (options.idempotencyKey ?? crypto.randomUUID())
  const mayRepeat = !isSession
  for (let tries = 1; ; tries++) {
    let response: Response
    try {
      response = await fetch(
        addressOf(path, options.query),
        requestInit(method, options, key, user?.user_id),
      )
    } catch (error) {
      if (options.signal?.aborted) throw error
      if (mayRepeat && tries < mostTries && navigator.onLine) {
        await wait(300 * tries, options.signal)
        continue
      }
      throw new Problem(0, 'offline', t('Perennial cannot be reached. Check your connection.'))
    }
    // 304 answers only who sent `If-None-Match`
    if (response.ok || response.status === 304) {
      const data = ([204, 304].includes(response.status) ? null : await jsonOf(response)) as T
      return { data, headers: response.headers, status: response.status }
    }
    if (response.status === 401 && !path.startsWith('/api/session/')) {
      await signedIn.again(options.signal)
      continue
    }
    // what a 429 refuses was not begun
    const isRefused = response.status === 429
    const isFault = isRead ? response.status >= 500 : response.status === 503
    if (tries < mostTries && (isRefused || (isFault && mayRepeat))) {
      const seconds = Number(response.headers.get('retry-after') ?? tries)
      await wait(Math.min(10, Math.max(0.3, seconds)) * 1000, options.signal)
      continue
    }
    const problem = await problemOf(response)
    // the first try of this write, whose connection broke, is still being executed
    if (problem.code === 'in_flight' && tries < mostTries) {
      await wait(500 * tries, options.signal)
      continue
    }
    throw problem
  }
}

/** A request path with its query; null, undefined and empty members are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

function requestInit(method: string, options: Options, key?: string, user?: string): RequestInit {
  const { body, signal, keepalive } = options
  const headers: { [name: string]: string } = { accept: 'application/json', ...options.headers }
  if (user) headers['x-view-as'] = user
  if (key) headers['idempotency-key'] = key
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json'
  return {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? null : (JSON.parse(text) as unknown)
}

/** Resolves after so many milliseconds; rejects with the signal. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
