import type { Bounds } from '../bounds.ts'
import { Failure } from '../kit/ground/errors.ts'
import { Tally } from './tally.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the counted work of this request; undefined if nothing is counted */
    work: Work | null
  }
}

/** 503 with `Retry-After`: too much at once. */
export function overloaded(retryAfter = 1): Failure {
  return new Failure(503, 'overloaded', 'The service is overloaded, try again', { retryAfter })
}

/**
 * Counts requests in progress: in total, per address, per caller and per organization. A request whose
 * body is still arriving, or whose answer waits for its reader, is not counted.
 */
export class InFlight {
  all = 0
  readonly #most: number
  readonly #bounds: Bounds
  /** the requests in progress of each address */
  readonly addresses = new Tally()
  readonly #callers = new Tally()
  readonly #organizations = new Tally()

  /** `most` is the total limit; 0 is none. */
  constructor(most: number, bounds: Bounds) {
    this.#most = most
    this.#bounds = bounds
  }

  /** The work of a new request, not counted yet. */
  workOf(address: string): Work {
    return new Work(this, address)
  }

  /** Counts work; 503 or 429 that says what is full. `always` for probes, which are never refused. */
  enter(work: Work, always = false): void {
    if (!always) {
      const { inFlightOfAddress } = this.#bounds
      if (this.#most && this.all >= this.#most) throw overloaded()
      check(work, this.addresses, work.address, inFlightOfAddress, 'of this address')
      if (work.caller !== undefined) this.#checkCaller(work)
    }
    this.all++
    this.addresses.add(work.address)
    if (work.caller !== undefined) this.#addCaller(work)
  }

  /** The same for a request that is already counted, once its caller is known. */
  enterCaller(work: Work): void {
    this.#checkCaller(work)
    this.#addCaller(work)
  }

  leave(work: Work): void {
    this.all--
    this.addresses.add(work.address, -1)
    if (work.caller === undefined) return
    this.#callers.add(work.caller, -1)
    this.#organizations.add(work.organization, -1)
  }

  #checkCaller(work: Work) {
    const { inFlightOfCaller, inFlightOfOrganization } = this.#bounds
    const { caller = '', organization } = work
    check(work, this.#callers, caller, inFlightOfCaller, 'of yours')
    check(work, this.#organizations, organization, inFlightOfOrganization, 'of your organization')
  }

  #addCaller(work: Work) {
    this.#callers.add(work.caller ?? '')
    this.#organizations.add(work.organization)
  }
}

/** The work of one request, from its head to its answer. */
export class Work {
  caller: string | undefined
  organization = ''
  /** when it was admitted, by `performance.now()`; undefined for refused requests and probes */
  admittedAt: number | undefined
  /** whether it was refused because the caller, organization or address has too much in flight */
  isExcess = false
  /** releases what is held for the request until its answer is ready */
  release: (() => void) | undefined
  readonly address: string
  readonly #inFlight: InFlight
  #isCounted = false

  constructor(inFlight: InFlight, address: string) {
    this.#inFlight = inFlight
    this.address = address
  }

  /** Counts the request; 503 or 429 when something is full. */
  begin(always = false): void {
    if (this.#isCounted) return
    this.#inFlight.enter(this, always)
    this.#isCounted = true
  }

  /** Sets the caller, a user or an app, and the organization; 429 if either has too much in flight. */
  identify(caller: string, organization: string): void {
    const before = this.caller
    this.caller = caller
    this.organization = organization
    if (!this.#isCounted || before !== undefined) return
    try {
      this.#inFlight.enterCaller(this)
    } catch (error) {
      this.caller = undefined
      throw error
    }
  }

  /** The request waits for its caller from here on. */
  pause(): void {
    if (!this.#isCounted) return
    this.#isCounted = false
    this.#inFlight.leave(this)
  }

  /** The answer is ready, or the caller has gone. */
  end(): void {
    this.pause()
    this.release?.()
    this.release = undefined
  }
}

function check(work: Work, counts: Tally, key: string, most: number, whose: string) {
  if (!most || counts.of(key) < most) return
  work.isExcess = true
  const message = `${most} requests ${whose} are worked on already: wait for some of them`
  throw new Failure(429, 'too_many_in_flight', message, { retryAfter: 1 })
}
