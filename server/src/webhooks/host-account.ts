import type { HostBound } from '../config.ts'

/** The result of a request, by which adaptive limits change: a status if there was an answer. */
export type Answered = { status?: number | undefined; ms: number }

/** How many requests could start now; if none, `waitMs` as in `Permit`. */
export type Room = { free: number; waitMs: number | null }

/** How long requests must have waited for a limit before it grows: a second's worth is sent at its beginning. */
const heldMs = 500
const pauseMs = 1500
/** How often, and by how much at most, the usual time increases if a host answers more slowly. */
const driftMs = 200
const driftBy = 1.02
/** How often, and to what part, it shrinks if answers are late. */
const shrinkMs = 1000
const shrinkBy = 0.8

/**
 * Accounts for one organization's requests to one host, in milliseconds of the caller's clock. Slow
 * subscriptions have separate places and a quarter of the rate, so that they do not use up those of the
 * others. Adaptive limits grow with each request that the host answers at its usual speed, like TCP
 * slow start, and shrink when it takes much longer, but never below what they began with. What one
 * subscription's receiver refuses is no reason to send less to the others: `Line` accounts for that.
 */
export class HostAccount {
  prompt = 0
  slow = 0
  lastStart = -Infinity
  starts = new Window()
  slowStarts = new Window()
  rate: Limit
  places: Limit
  /** since when requests have repeatedly waited for the limits, and when one last did */
  heldSince = -Infinity
  heldAt = -Infinity
  shrunkAt = -Infinity
  /** the usual response time of the host */
  usualMs = Infinity
  driftedAt = -Infinity

  constructor(rate: HostBound, places: HostBound) {
    this.rate = new Limit(rate)
    this.places = new Limit(places)
  }

  get inFlight(): number {
    return this.prompt + this.slow
  }

  /** Slow requests beyond their share of a fixed number, while only the reserve is free. */
  get excess(): number {
    const { now, isAdaptive } = this.places
    if (now === Infinity || isAdaptive || this.inFlight < now - this.#reserve) return 0
    return Math.max(0, this.slow - this.#shareOfSlow)
  }

  /** The share of a fixed number of places. */
  get #shareOfSlow(): number {
    return Math.max(1, Math.floor(this.places.now / 3))
  }

  /** Places reserved for subscriptions that have answered in time, which others cannot use up; never the last one. */
  get #reserve(): number {
    return Math.min(Math.ceil(this.places.now / 4), this.places.now - 1)
  }

  get isAdaptive(): boolean {
    return this.rate.isAdaptive || this.places.isAdaptive
  }

  /** `leavesReserve` for a subscription that has not answered yet beside others that have. */
  room(time: number, most: number, isSlow: boolean, leavesReserve = false): Room {
    const reserve = leavesReserve && this.places.now < Infinity ? this.#reserve : 0
    const places = Math.min(most, this.#freePlaces(isSlow) - reserve)
    if (places <= 0) return { free: 0, waitMs: null }
    const rate = this.rate.now
    if (rate === Infinity) return { free: places, waitMs: 0 }
    const free = rate - this.starts.count(time)
    if (free <= 0) return { free: 0, waitMs: this.starts.waitMs(time, rate) }
    if (!isSlow) return { free: Math.min(places, free), waitMs: 0 }
    const share = Math.max(1, Math.floor(rate / 4))
    const freeOfShare = share - this.slowStarts.count(time)
    if (freeOfShare <= 0) return { free: 0, waitMs: this.slowStarts.waitMs(time, share) }
    return { free: Math.min(places, free, freeOfShare), waitMs: 0 }
  }

  /** Takes a place, and a start of the next second, for a request that is about to begin. */
  reserve(isSlow: boolean): void {
    if (isSlow) this.slow++
    else this.prompt++
    if (this.rate.now === Infinity) return
    this.starts.reserved++
    if (isSlow) this.slowStarts.reserved++
  }

  /** A reserved request starts at this time, or never. */
  start(time: number | undefined, isSlow: boolean): void {
    this.lastStart = time ?? this.lastStart
    if (this.rate.now === Infinity) return
    this.starts.note(time)
    if (isSlow) this.slowStarts.note(time)
  }

  /** Notes that requests wait for the limits. */
  hold(time: number): void {
    if (time - this.heldAt > pauseMs) this.heldSince = time
    this.heldAt = time
  }

  /** A request has ended. Answers of slow subscriptions do not count for the host. */
  end(time: number, isSlow: boolean, answer: Answered | undefined): void {
    if (isSlow) this.slow--
    else this.prompt--
    if (!answer || isSlow || !this.isAdaptive) return
    const { status = 0, ms } = answer
    if (status < 200 || status >= 300) return
    const isLate = ms > 4 * this.usualMs && ms > 250
    this.#learn(time, ms)
    if (isLate) this.#shrink(time)
    else this.#grow(time)
  }

  /** Adjusts the usual time: down at once, up only gradually, so that many late answers in a second do not become usual. */
  #learn(time: number, ms: number): void {
    if (ms > this.usualMs) {
      if (time - this.driftedAt < driftMs) return
      this.driftedAt = time
    }
    this.usualMs = Math.min(this.usualMs * driftBy, ms)
  }

  /** A slow request moves to the separate places. */
  demote(): void {
    this.prompt--
    this.slow++
  }

  /** A fixed number of places includes those of slow requests, up to a third; an adaptive one excludes them. */
  #freePlaces(isSlow: boolean): number {
    const { now, most, isAdaptive } = this.places
    if (now === Infinity) return Infinity
    if (isAdaptive) return isSlow ? Math.ceil(most / 2) - this.slow : now - this.prompt
    const share = isSlow ? this.#shareOfSlow - this.slow : Infinity
    return Math.min(share, now - this.inFlight)
  }

  #grow(time: number): void {
    if (time - this.heldAt > pauseMs || time - this.heldSince < heldMs) return
    if (time - this.shrunkAt < shrinkMs) return
    // one more for each answer, so the number in flight at most doubles per round trip
    this.rate.grow()
    this.places.grow()
  }

  #shrink(time: number): void {
    if (time - this.shrunkAt < shrinkMs) return
    this.shrunkAt = time
    this.rate.shrink()
    this.places.shrink()
  }
}

class Limit {
  value: number
  least: number
  most: number
  isAdaptive: boolean

  constructor(bound: HostBound) {
    const { from, most } = typeof bound === 'number' ? { from: bound, most: bound } : bound
    this.value = from || Infinity
    this.least = this.value
    this.most = most || Infinity
    this.isAdaptive = this.value < this.most
  }

  get now(): number {
    return Math.floor(this.value)
  }

  grow(): void {
    if (this.isAdaptive) this.value = Math.min(this.most, this.value + 1)
  }

  shrink(): void {
    if (this.isAdaptive) this.value = Math.max(this.least, this.value * shrinkBy)
  }
}

/** The requests that started in the last second. A token bucket would allow twice its rate. */
class Window {
  times: number[] = []
  first = 0
  /** requests that are about to start */
  reserved = 0

  count(time: number): number {
    const { times } = this
    while (this.first < times.length && (times[this.first] ?? 0) + 1000 <= time) this.first++
    if (this.first > 1000 && this.first * 2 > times.length) {
      times.splice(0, this.first)
      this.first = 0
    }
    return times.length - this.first + this.reserved
  }

  /** The time until fewer than `most` have started within a second. */
  waitMs(time: number, most: number): number {
    const over = this.count(time) - most
    return over < 0 ? 0 : (this.times[this.first + over] ?? time) + 1000 - time
  }

  note(time: number | undefined): void {
    this.reserved--
    if (time !== undefined) this.times.push(time)
  }
}
