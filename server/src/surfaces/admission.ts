import { performance as clock } from 'node:perf_hooks'
import { Tally } from '../kit/ground/tally.ts'

/** The database behind the requests, as far as it is looked at and spoken to here. */
type Behind = {
  /** how much it has to do */
  state(): {
    writers: { waiting: number }
    readers: { inFlight: number; waiting: number }
  }
  /** refuses what has waited so many milliseconds; Infinity for nothing */
  shed(staleMs: number): void
}

/** Milliseconds between checks of the load. */
const tickMs = 50
/** A tick weighs so much in an average: about a third of a second's ticks make most of it. */
const weight = 0.15
/** The event loop is full from this share of its time on. */
const full = 0.9
/** Reads and writes that wait for the database, beyond which it has more than it does at once. */
const [mostReads, mostWrites] = [32, 16]
/** Fewer requests at once are no overload: they are soon done, however busy the service is. */
const burst = 200
/** So many are let in at once; others wait while the database has this much to do, until they are a burst. */
const [few, fewReads, fewWrites] = [16, 16, 8]
/** Maximum milliseconds that a request waits to be admitted. */
const longestWait = 100
/** What a request takes when there is no load, in milliseconds, until that is known. */
const guess = 15
/** Requests that take longer, such as exports, say nothing about the others; in milliseconds. */
const longest = 1000
/** A request may take so many times what it takes without load, before others are refused. */
const slower = 2
/** The bounds of that time, in milliseconds. */
const [leastMs, mostMs] = [10, 400]
/** What was let in before there was a bound is refused after so many times what a request may take: it is late already. */
const stale = 2
/** What the bound is multiplied by in a tick: one that finds room, and, while there is none, one whose requests were fast or slow. */
const [growth, faster, tighter] = [1.08, 1.02, 0.9]
/** For so long is counted which addresses send, in milliseconds. */
const windowMs = 1000
/** Above so many a bound is none. */
const unbounded = 10_000

/** A request that waits to be let in, since a time in milliseconds. */
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
  /** what a request takes while nothing is */
  usualMs = guess
  /** how many may be worked on at once now */
  most = Infinity
  /** requests refused so far */
  refused = 0

  /**
   * `inFlight.all` are worked on; `always` are let in whatever the load; `busy` is the share of its time that the
   * event loop was taken since the last call.
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
   * Whether there is room for another request of an address. Beyond the bound, an address
   * that has less than its share still is, as long as all shares together are within the bound: what one
   * address has above its share counts against that address alone.
   */
  hasRoom(addresses: Tally, address: string): boolean {
    if (this.isOpen()) return true
    const most = Math.min(this.most, few)
    const share = Math.max(1, Math.floor(most / (addresses.size + 1)))
    return addresses.of(address) < share && addresses.sum(share) < most
  }

  /** Lets a request for which there is no room in as soon as there is, or refuses it. */
  hold(enter: () => void, refuse: () => void): void {
    this.#waiters.push({ since: clock.now(), enter, refuse })
    if (this.#waiters.length + this.#inFlight.all > burst && this.most === Infinity) this.#bound()
    if (this.most < Infinity) for (const each of this.#waiters.splice(0)) each.refuse()
  }

  /** A request of an address was let in. */
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

  /** Lets in those that wait. */
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
      // slowly: what is usual is no matter of a moment, and nothing is while there is a bound
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
   * Lets in those that have waited long enough at a time, and the others while there is room: the last first, since
   * the older ones are late already should this become an overload.
   */
  #letIn(now = -Infinity): void {
    const late = this.#waiters.findIndex(({ since }) => now - since < longestWait)
    for (const each of this.#waiters.splice(0, late === -1 ? Infinity : late)) each.enter()
    while (this.#waiters.length && this.isOpen()) this.#waiters.pop()?.enter()
  }
}

/** How much of its time the event loop was taken between two calls, of 1. */
function utilization(): () => number {
  let last = clock.eventLoopUtilization()
  return () => {
    const before = last
    last = clock.eventLoopUtilization()
    return clock.eventLoopUtilization(last, before).utilization
  }
}
