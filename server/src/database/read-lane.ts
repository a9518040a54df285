import pg from 'pg'
import { Failure } from '../kit/ground/errors.ts'
import type { Statement } from './bounded-query.ts'
import type { Rows, Send } from './bounded-query.ts'
import type { ConnectOptions } from './client.ts'
import { translate } from './errors.ts'
import type { FairQueue } from '../kit/ground/fair-queue.ts'
import type { StatementMeasured } from './reader.ts'
import { Reader } from './reader.ts'

/** Connections for reads of one kind, and their queue. */
export class ReadLane {
  readers: Reader[]
  queue: FairQueue
  /** seconds after which a statement is stopped */
  timeout: number
  /** whether statements are sent behind others on the same connection */
  isPipelined: boolean

  constructor(
    options: ConnectOptions,
    how: { connections: number; queue: FairQueue; timeout: number; isPipelined: boolean },
  ) {
    const { connections, queue, timeout, isPipelined } = how
    this.queue = queue
    this.timeout = timeout
    this.isPipelined = isPipelined
    this.readers = Array.from({ length: connections }, () => new Reader(options, this))
  }

  /** Sends a statement at once if the organization has room, else when its turn comes. */
  query(
    organization: string,
    statement: Statement | string,
    measured?: StatementMeasured,
  ): Promise<Rows> {
    const send = () => this.pick(organization).query(organization, statement, measured)
    const turn = this.queue.enter(organization)
    return turn ? turn.then(send) : send()
  }

  /** The least busy connection, preferring one that is already set to the organization. */
  pick(organization: string): Reader {
    const { readers } = this
    const other = this.isPipelined ? 1.5 : 0.5
    let best = readers[0]!
    let bestCost = Infinity
    for (const reader of readers) {
      const cost = reader.inFlight + (reader.organization === organization ? 0 : other)
      if (cost < bestCost) [best, bestCost] = [reader, cost]
    }
    return best
  }

  /**
   * Releases a place. Writing a large answer keeps the process busy afterwards, so the place is
   * released later, by as long as so many bytes may take.
   */
  finished(organization: string, bytes: number | undefined) {
    if (!bytes) this.queue.leave(organization)
    else setTimeout(() => this.queue.leave(organization), (1000 * bytes) / bytesPerSecond).unref()
  }

  /** PostgreSQL's error as the failure a caller should see. */
  translate = (error: unknown): unknown => {
    const isStopped = error instanceof pg.DatabaseError && error.code === '57014'
    return isStopped ? tooSlow(this.timeout) : translate(error)
  }

  get inFlight(): number {
    return this.readers.reduce((sum, { inFlight }) => sum + inFlight, 0)
  }

  async close() {
    await Promise.all(this.readers.map((reader) => reader.close()))
  }
}

/** The rate at which one place of a lane may return large answers. */
const bytesPerSecond = 8 * 1024 * 1024

/** 503 `query_timeout`: a read was cancelled because it took too long. */
function tooSlow(seconds: number): Failure {
  const message = `A read was stopped after ${seconds} s`
  return new Failure(503, 'query_timeout', message, { retryAfter: 5 })
}

/** Milliseconds from which on a statement counts as expensive. */
const slowMs = 100
/** How long that lasts, in milliseconds; then it is measured again. */
const slowFor = 15_000
/** A statement that takes so many milliseconds is expensive regardless of others. */
const verySlowMs = 1000
/** A slow one that is followed by no other for so many milliseconds was slowed down by something else. */
const suspectFor = 2000
const mostPlaces = 10_000
/** Milliseconds between looks at how late the event loop is. */
const lookMs = 20

/**
 * Statements of unknown cost, such as a list by a condition that may or may not have an index. They use
 * the connections for light reads until one turns out slow or large; then those about the same table
 * use the connections for heavy reads, in the same organization.
 */
export class Measured {
  light: ReadLane
  heavy: ReadLane
  /** by organization and table, until when */
  slow = new Map<string, number>()
  /** when a statement was slow, by the same */
  suspect = new Map<string, number>()
  #lateMs = 0
  #due = performance.now() + lookMs
  #watch: NodeJS.Timeout

  constructor(light: ReadLane, heavy: ReadLane) {
    this.light = light
    this.heavy = heavy
    this.#watch = setInterval(() => {
      this.#lateMs = this.#stalledMs
      this.#due = performance.now() + lookMs
    }, lookMs).unref()
  }

  /**
   * Milliseconds since the start in which the event loop read no answers, which are not caused by
   * statements.
   */
  get #stalledMs(): number {
    return this.#lateMs + Math.max(0, performance.now() - this.#due)
  }

  close(): void {
    clearInterval(this.#watch)
  }

  sendFor(organization: string, table: string): Send {
    const place = `${organization} ${table}`
    const measuredSince =
      (begun: number, stalledMs: number): StatementMeasured =>
      (ms, bytes) => {
        const own = ms - (this.#stalledMs - stalledMs)
        const isLarge = bytes !== undefined
        const isSlow = own > slowMs && (own >= verySlowMs || this.#noteSlow(place, begun))
        if (!isLarge && !isSlow) return
        if (this.slow.size >= mostPlaces) this.slow.clear()
        this.slow.set(place, performance.now() + slowFor)
      }
    return (statement) => {
      const now = performance.now()
      const until = this.slow.get(place) ?? 0
      if (until > now) return this.heavy.query(organization, statement)
      return this.light.query(organization, statement, measuredSince(now, this.#stalledMs))
    }
  }

  /**
   * Notes that a statement was slow. True where it began after another one had been slow: those that were under way
   * together may have waited for the same moment of a busy machine.
   */
  #noteSlow(place: string, begun: number): boolean {
    const now = performance.now()
    const at = this.suspect.get(place) ?? -Infinity
    if (begun >= at && now - at <= suspectFor) return true
    if (this.suspect.size >= mostPlaces) this.suspect.clear()
    if (now - at > suspectFor) this.suspect.set(place, now)
    return false
  }
}
