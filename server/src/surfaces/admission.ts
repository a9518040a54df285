import { performance as clock } from 'node:perf_hooks'
import { Tally } from '../kit/ground/tally.ts'

/** How busy the parts behind the requests are, as `Database.state` says. */
type Backlog = () => {
  writers: { waiting: number }
  readers: { inFlight: number; waiting: number }
}

/** Milliseconds between looks at how the service does. */
const tickMs = 50
/** A tick weighs so much in an average: about a third of a second's ticks make most of it. */
const weight = 0.15
/** The event loop is full from this share of its time on. */
const full = 0.9
/** Reads and writes that wait for the database, beyond which it has more than it does at once. */
const [mostReads, mostWrites] = [32, 16]
/** For such a share of the last ticks: a burst is no overload. */
const lasting = 0.6
/** What a request takes when there is no load, in milliseconds, until that is known. */
const guess = 15
/** Requests that take longer, such as exports, say nothing about the others; in milliseconds. */
const longest = 1000
/** A request may take so many times what it takes without load, before others are refused. */
const slower = 2
/** The bounds of that time, in milliseconds. */
const [leastMs, mostMs] = [30, 400]
/** The bound grows by so much in a tick that finds room: from 64 to 1,000 in under two seconds. */
const growth = 1.08
/** For so long is counted which addresses send, in milliseconds. */
const windowMs = 1000
/** Above so many a bound is none. */
const unbounded = 10_000

/**
 * Decides whether a request is let in, by the time that it would spend with those that are there. While
 * something behind it is full, requests take as long as there are of them, divided by how many are done
 * a second; so no more are let in than are done within a small multiple of the usual time. What is not
 * let in is refused at once, and costs a tenth of an answer.
 */
export class Admission {
  readonly #backlog: Backlog
  readonly #always: number
  readonly #timer: NodeJS.Timeout
  #last = clock.eventLoopUtilization()
  #tickedAt = clock.now()
  #done = 0
  #sumMs = 0
  /** of the event loop's time, how much is taken */
  #busy = 0
  /** of the last ticks, how many found too much waiting for the database */
  #behind = 0
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

  /** `always` are let in whatever the load. */
  constructor(backlog: Backlog, always: number) {
    this.#backlog = backlog
    this.#always = always
    this.#timer = setInterval(() => this.#tick(), tickMs)
    this.#timer.unref()
  }

  /**
   * Whether another request of an address is let in, with so many `inFlight`. Beyond the bound, an address
   * that has less than its share still is, as long as all shares together are within the bound: what one
   * address has above its share counts against that address alone.
   */
  admits(inFlight: number, addresses: Tally, address: string): boolean {
    this.#arrivals[0].add(address)
    if (inFlight < this.most) return true
    const share = Math.max(1, Math.floor(this.most / (addresses.size + 1)))
    if (addresses.of(address) < share && addresses.sum(share) < this.most) return true
    this.refused++
    return false
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
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const now = clock.now()
    const seconds = (now - this.#tickedAt) / 1000
    const utilization = clock.eventLoopUtilization(this.#last).utilization
    this.#last = clock.eventLoopUtilization()
    this.#tickedAt = now
    if (now - this.#windowAt > windowMs) {
      this.#windowAt = now
      this.#arrivals = [new Tally(), this.#arrivals[0]]
    }
    const [done, sumMs] = [this.#done, this.#sumMs]
    this.#done = 0
    this.#sumMs = 0
    this.#busy += weight * (utilization - this.#busy)
    const { writers, readers } = this.#backlog()
    const isBehind = writers.waiting > mostWrites || readers.inFlight + readers.waiting > mostReads
    this.#behind += weight * (Number(isBehind) - this.#behind)
    this.#rate += weight * (done / seconds - this.#rate)
    if (this.#behind < lasting && this.#busy < full) {
      // slowly: what is usual is no matter of a moment
      if (done) this.usualMs += (weight / 5) * (sumMs / done - this.usualMs)
      this.most = this.most > unbounded ? Infinity : this.most * growth + 1
      return
    }
    const targetMs = Math.min(mostMs, Math.max(leastMs, slower * this.usualMs))
    this.most = Math.max(this.#always, Math.ceil((this.#rate * targetMs) / 1000))
  }
}
