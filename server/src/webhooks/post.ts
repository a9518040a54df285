import type { Dispatcher } from 'undici'
import { TargetError } from './target.ts'

/** Why there was no answer, as a stable word: it is stored, counted and shown. */
export type PostError =
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'unreachable'
  | 'dns'
  | 'tls'
  | 'forbidden_address'
  | 'not_https'
  | 'invalid_url'
  | 'bad_response'
  | 'stopped'
  | 'failed'

/** `status` is set if there was an answer, else `error`; never both. */
export type PostResult = {
  status?: number
  error?: PostError
  retryAfterSeconds?: number
  durationMs: number
  responseExcerpt: string
}

/**
 * One POST, which never throws. Connecting, headers and body together take at most `timeoutMs`. Of
 * the answer's body the first 4 KB are returned as text; a body that goes on to the deadline or past
 * 64 KB is cut off and the status still counts. `stopped` means that the agent was closed
 * or the exchange cancelled.
 */
export function post(
  agent: Dispatcher,
  request: {
    url: string
    headers: Record<string, string>
    body: string | Uint8Array
    timeoutMs?: number
    /** receives a function that aborts the exchange, which ends with `stopped` unless an answer has begun */
    onCancel?: (cancel: () => void) => void
  },
): Promise<PostResult> {
  const started = performance.now()
  return new Promise((settle) => {
    const answer: { status?: number; retryAfterSeconds?: number } = {}
    const excerpt: Buffer[] = []
    let received = 0
    let open: Dispatcher.DispatchController | undefined

    // Undici's own deadlines leave out the time in which a request waits for its connection.
    const deadline = setTimeout(() => finish('timeout'), request.timeoutMs ?? 15_000)
    let finished = false
    request.onCancel?.(() => finish('stopped'))

    function finish(error?: PostError): void {
      if (finished) return
      finished = true
      clearTimeout(deadline)
      settle({
        ...(answer.status === undefined ? { error: error ?? 'failed' } : answer),
        durationMs: Math.round(performance.now() - started),
        responseExcerpt: excerpt.length ? readable(Buffer.concat(excerpt)) : '',
      })
      // Does nothing to an exchange that is complete, and closes the connection of any other.
      open?.abort(new Error('The exchange is over'))
    }

    try {
      const { protocol, origin, pathname, search } = new URL(request.url)
      if (protocol !== 'https:' && protocol !== 'http:') return finish('invalid_url')
      agent.dispatch(
        {
          origin,
          path: pathname + search,
          method: 'POST',
          headers: request.headers,
          body: bytesOf(request.body),
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        {
          onRequestStart(controller) {
            // Connected after the deadline: the receiver must not get a request that counts as failed.
            if (finished) return controller.abort(new Error('The exchange is over'))
            open = controller
          },
          onResponseStart(_controller, status, headers) {
            if (status < 200) return
            answer.status = status
            const retryAfter = parseRetryAfter(first(headers['retry-after']), Date.now())
            if (retryAfter !== undefined) answer.retryAfterSeconds = retryAfter
          },
          onResponseData(_controller, chunk) {
            if (received < excerptBytes) excerpt.push(chunk.subarray(0, excerptBytes - received))
            received += chunk.length
            if (received > drained) finish()
          },
          onResponseEnd() {
            open = undefined
            finish()
          },
          onResponseError(_controller, error) {
            open = undefined
            finish(wordFor(error))
          },
        },
      )
    } catch (error) {
      finish(wordFor(error))
    }
  })
}

/**
 * Seconds from `now` (in milliseconds) that a `Retry-After` header requests, as seconds or as
 * an HTTP date; undefined where it is neither. At most a year. (RFC 9110, 10.2.3)
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text), year)
  // Of the three forms of an HTTP date only the last, asctime's, leaves GMT to be understood.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  if (Number.isNaN(date)) return undefined
  return Math.min(Math.max(0, Math.ceil((date - now) / 1000)), year)
}

const excerptBytes = 4096
// Reading a little more than the excerpt saves the connection for the next request.
const drained = 65_536
const year = 31_536_000

function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string'
    ? Buffer.from(body)
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

// As text that PostgreSQL stores: without NUL, and without half a character at the cut.
function readable(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD')
}

function wordFor(error: unknown): PostError {
  if (error instanceof TargetError) return error.code === 'unresolved' ? 'dns' : error.code
  const { code = '', name = '' } = error as { code?: string; name?: string }
  for (const [word, codes] of words) if (codes.test(code)) return word
  return name === 'HTTPParserError' ? 'bad_response' : 'failed'
}

const words: [PostError, RegExp][] = [
  ['timeout', /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/],
  ['refused', /^ECONNREFUSED$/],
  ['reset', /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/],
  ['unreachable', /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/],
  // Node passes on the names that OpenSSL gives to what is wrong with a certificate.
  ['tls', /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_|INVALID_)/],
  ['tls', /^(ERROR_IN_CERT|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)/],
  ['dns', /^(ENOTFOUND|EAI_)/],
  ['invalid_url', /^ERR_INVALID_URL$/],
  ['bad_response', /^(HPE_|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES)/],
  ['stopped', /^UND_ERR_(DESTROYED|CLOSED)$/],
]
