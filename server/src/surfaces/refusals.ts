import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { newId } from '../kit/ground/ids.ts'
import type { Admission } from './admission.ts'
import { sendBare } from './errors.ts'
import type { InFlight } from './in-flight.ts'
import { overloaded } from './in-flight.ts'

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
  const { admission, inFlight, delayed, addressOf, report } = parts
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
      const send = () => answer(response, id)
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

function answer(response: ServerResponse, id: string) {
  if (response.destroyed) return
  // so that they retry at different times
  refusal.retryAfter = 1 + (id.charCodeAt(id.length - 1) % 3)
  sendBare(response, refusal, true, id)
}
