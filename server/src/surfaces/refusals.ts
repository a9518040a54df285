import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Failure } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import type { Admission } from './admission.ts'
import { sendBare } from './errors.ts'
import type { InFlight } from './in-flight.ts'
import { overloaded } from './in-flight.ts'
import { failurePage, isPageLoad } from './pages/failure.ts'
import type { Rendered } from './pages/page.ts'
import { render } from './pages/page.ts'

/** Milliseconds that a refusal waits for each other waiting one: at most 250 are sent per second. */
const excessEachMs = 4
/** Created once, because each error captures a stack. */
const refusal = overloaded()

/**
 * Delays the refusals of callers that use more than their share: a caller that retries at once would cost as
 * much in refusals as in work. With jitter, since callers refused together would retry together.
 */
export class DelayedRefusals {
  readonly #leastMs: number
  #waiting = 0

  /** 0 is no delay. */
  constructor(leastMs: number) {
    this.#leastMs = leastMs
  }

  send(answer: () => void): void {
    if (!this.#leastMs) return answer()
    this.#waiting++
    const spread = this.#leastMs * (1 + Math.random())
    setTimeout(
      () => {
        this.#waiting--
        answer()
      },
      spread + this.#waiting * excessEachMs,
    )
  }
}

type Parts = {
  /** the beginnings of paths of the API, where every refusal is JSON */
  api: readonly string[]
  admission: Admission
  inFlight: InFlight
  delayed: DelayedRefusals
  addressOf(request: IncomingMessage): string
  /** counts a refusal and writes it to the log */
  report(request: IncomingMessage, id: string): void
}

/**
 * Refuses what an overloaded service does not admit before the framework sees it: a refusal then costs a
 * fifth, so that refused callers do not take the time of admitted ones. The
 * paths that begin with one of `always` are admitted whatever the load.
 */
export function refuseEarly(app: FastifyInstance, parts: Parts, always: readonly string[]): void {
  const { admission, inFlight, delayed, addressOf, report, api } = parts
  app.entrance.holds = (request, response, enter) => {
    if (admission.isOpen()) return false
    const { url = '' } = request
    if (always.some((path) => isUnder(url, path))) return false
    const address = addressOf(request)
    if (admission.hasRoom(inFlight.addresses, address)) return false
    const refuse = () => {
      admission.refuse(address)
      const id = newId()
      report(request, id)
      const send = () => answer(request, response, id, api)
      if (admission.isFlood(address)) delayed.send(send)
      else send()
    }
    admission.hold(() => {
      // its caller may have disconnected meanwhile
      if (!response.destroyed) enter()
    }, refuse)
    return true
  }
}

/** Whether a request is for a path or one below it. */
function isUnder(url: string, path: string): boolean {
  return url.startsWith(path) && /^[/?]?$/.test(url.charAt(path.length))
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  api: readonly string[],
) {
  if (response.destroyed) return
  // so that they retry at different times
  const retryAfter = 1 + (id.charCodeAt(id.length - 1) % 3)
  refusal.retryAfter = retryAfter
  if (!isPageLoad(request, api)) return sendBare(response, refusal, true, id)
  void renderOnce(request, refusal).then(({ headers, body }) => {
    if (response.destroyed) return
    response.writeHead(refusal.status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
      'retry-after': String(retryAfter),
    })
    response.end(body)
  })
}

/** The pages made so far: a few in each language, which cost as little to send as JSON. */
const pages = new Map<string, Promise<Rendered>>()

function renderOnce(request: IncomingMessage, failure: Failure): Promise<Rendered> {
  const page = failurePage(request, failure)
  const key = [page.voice?.language, page.retryAfter, page.isFramed].join()
  const known = pages.get(key) ?? render(page)
  pages.set(key, known)
  return known
}
