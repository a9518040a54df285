import { performance as clock } from 'node:perf_hooks'
import { Tally } from './tally.ts'

/** What admission needs of the database. */
type Behind = {
  /** its current load */
  state(): {
    writers: { waiting: number }
    readers: { inFlight: number; waiting: number }
  }
  /** refuses statements that have waited so many milliseconds; Infinity refuses none */
  shed(staleMs: number): void
}

/** Milliseconds between checks of the load. */
const tickMs = 50
/** The weight of a tick in moving averages: the ticks of about a third of a second make up most of it. */
const weight = 0.15
/** The busy share of its time from which the event loop counts as full. */
const full = 0.9
/** The number of reads and writes waiting for the database above which it counts as full. */
const [mostReads, mostWrites] = [32, 16]
/** Fewer concurrent requests are never an overload: they finish soon, however busy the service is. */
const burst = 200
/** The number of requests that are admitted at once; others wait while the database is full, up to the size of a burst. */
const [few, fewReads, fewWrites] = [16, 16, 8]
/** Maximum milliseconds that a request waits to be admitted. */
const longestWait = 100
/** The initial estimate of a request's time without load, in milliseconds. */
const guess = 15
/** Requests that take longer, such as exports, say nothing about the others; in milliseconds. */
const longest = 1000
/** How many times its time without load a request may take before others are refused. */
const slower = 2
/** The minimum and maximum of that time, in milliseconds. */
const [leastMs, mostMs] = [10, 400]
/** Requests admitted before there was a limit are refused after so many times the allowed time: they are already late. */
const stale = 2
/** The factors by which a tick changes the limit: if there is room, and otherwise if its requests were fast or slow. */
const [growth, faster, tighter] = [1.08, 1.02, 0.9]
/** The window in which the requests of addresses are counted, in milliseconds. */
const windowMs = 1000
/** A limit above this number is dropped. */
const unbounded = 10_000

/** A request that has waited for admission since a time in milliseconds. */
type Waiter = { since: number; enter(): void; refuse(): void }

/**
 * Decides whether a request is admitted, by the time it would take with the requests in flight. While
 * something behind it is full, that time is the number of requests divided by the requests done per
 * second; so only as many are admitted as can be done within a small multiple of the usual time, and the
 * limit then follows the real times. Other requests are refused at once.
 *
 * Before there is a limit, requests that the database could not start now wait outside for a moment: a
 * burst is then served as fast as before, and only few requests are late when an overload is noticed.
 */
export class Admission {
  readonly #behind: Behind
  readonly #inFlight: { readonly all: number }
  readonly #always: number
  #waiters: Waiter[] = []
  readonly #busy: () => number
  readonly #timer: NodeJS.Timeout
  #tickedAt = clock.now()
  #done = 0
  #sumMs = 0
  /** requests done a second */
  #rate = 0
  /** the requests of each address in this window and the one before */
  #arrivals = [new Tally(), new Tally()] as const
  #windowAt = clock.now()
  /** the time of a request while nothing is full */
  usualMs = guess
  /** the current limit of concurrent requests */
  most = Infinity
  /** requests refused so far */
  refused = 0

  /**
   * `inFlight.all` is the number of requests in progress; `always` are admitted whatever the load; `busy` is the
   * share of its time that the event loop was busy since the last call.
   */
  constructor(
    behind: Behind,
    inFlight: { readonly all: number },
    always: number,
    busy = utilization(),
  ) {
    this.#behind = behind
    this.#inFlight = inFlight
    this.#always = always
    this.#busy = busy
    this.#timer = setInterval(() => this.#tick(), tickMs)
    this.#timer.unref()
  }

  /** Whether there is room for another request, whoever sends it. */
  isOpen(): boolean {
    const { all } = this.#inFlight
    if (this.most < Infinity) return all < this.most
    if (all < few) return true
    const { writers, readers } = this.#behind.state()
    return readers.inFlight + readers.waiting < fewReads && writers.waiting < fewWrites
  }

  /**
   * Whether there is room for another request of an address. Above the limit, an address
   * with less than its share is still admitted, as long as all shares together are within the limit: what one
   * address has above its share counts against that address alone.
   */
  hasRoom(addresses: Tally, address: string): boolean {
    if (this.isOpen()) return true
    const most = Math.min(this.most, few)
    const share = Math.max(1, Math.floor(most / (addresses.size + 1)))
    return addresses.of(address) < share && addresses.sum(share) < most
  }

  /** Lets a request wait until there is room, or refuses it. */
  hold(enter: () => void, refuse: () => void): void {
    this.#waiters.push({ since: clock.now(), enter, refuse })
    if (this.#waiters.length + this.#inFlight.all > burst && this.most === Infinity) this.#bound()
    if (this.most < Infinity) for (const each of this.#waiters.splice(0)) each.refuse()
  }

  /** A request of an address was admitted. */
  admit(address: string): void {
    this.#arrivals[0].add(address)
  }

  /** A request of an address was refused. */
  refuse(address: string): void {
    this.#arrivals[0].add(address)
    this.refused++
  }

  /** Whether an address sends more than all others together, and there are others. */
  isFlood(address: string): boolean {
    const [now, before] = this.#arrivals
    const own = now.of(address) + before.of(address)
    const all = now.total + before.total
    return own < all && own > all / 2
  }

  /** A request was answered after so many milliseconds. */
  done(ms: number): void {
    this.#done++
    this.#sumMs += Math.min(ms, longest)
    this.#letIn()
  }

  /** Admits waiting requests. */
  close(): void {
    clearInterval(this.#timer)
    for (const each of this.#waiters.splice(0)) each.enter()
  }

  #tick(): void {
    const now = clock.now()
    const seconds = (now - this.#tickedAt) / 1000
    const isBusy = this.#busy() >= full
    this.#tickedAt = now
    if (now - this.#windowAt > windowMs) {
      this.#windowAt = now
      this.#arrivals = [new Tally(), this.#arrivals[0]]
    }
    const [done, sumMs] = [this.#done, this.#sumMs]
    this.#done = 0
    this.#sumMs = 0
    this.#rate += weight * (done / seconds - this.#rate)
    const takenMs = done ? sumMs / done : 0
    const { writers, readers } = this.#behind.state()
    const isBehind = writers.waiting > mostWrites || readers.inFlight + readers.waiting > mostReads
    if (!isBehind && !isBusy) {
      // slowly, because a moment says nothing about the usual time, and not while there is a limit
      if (done && this.most === Infinity) this.usualMs += (weight / 5) * (takenMs - this.usualMs)
      this.most = this.most > unbounded ? Infinity : this.most * growth + 1
    } else if (this.most < Infinity) {
      const step = takenMs > this.#targetMs ? tighter : faster
      this.most = Math.max(this.#always, this.most * step)
    } else if (this.#inFlight.all > burst) this.#bound()
    this.#behind.shed(this.most < Infinity ? stale * this.#targetMs : Infinity)
    this.#letIn(now)
  }

  /** Milliseconds that a request may take. */
  get #targetMs(): number {
    return Math.min(mostMs, Math.max(leastMs, slower * this.usualMs))
  }

  #bound(): void {
    this.most = Math.max(this.#always, (this.#rate * this.#targetMs) / 1000)
  }

  /**
   * Admits requests that have waited long enough, and others while there is room: the last first, since
   * in an overload the older ones are already late.
   */
  #letIn(now = -Infinity): void {
    const late = this.#waiters.findIndex(({ since }) => now - since < longestWait)
    for (const each of this.#waiters.splice(0, late === -1 ? Infinity : late)) each.enter()
    while (this.#waiters.length && this.isOpen()) this.#waiters.pop()?.enter()
  }
}

/** The share of its time, 0 to 1, that the event loop was busy between two calls. */
function utilization(): () => number {
  let last = clock.eventLoopUtilization()
  return () => {
    const before = last
    last = clock.eventLoopUtilization()
    return clock.eventLoopUtilization(last, before).utilization
  }
}
