import type { Runtime } from '../runtime.ts'
import type { Permit } from './limits.ts'
import type { Claimed, Due } from './queue.ts'
import type { Outcome } from './settle.ts'
import type { Transport } from './transport.ts'

/** The state of this process's delivery worker, for the metrics. */
export type DeliveryMetrics = {
  /** settled attempts by outcome */
  outcomes: { [state in Outcome['state']]: number }
  /** deliveries in progress: sent and not yet settled */
  inHand: number
  /** for how long the longest waiting delivery of the last claim had been due */
  lagSeconds: number
}

/** A request in flight. */
export type Flight = {
  startedAt: number
  permit: Permit & { granted: true }
  /** it uses a place for slow subscriptions */
  isSlow: boolean
  /** it began before its subscription was marked as slow */
  isDemoted: boolean
  /** aborts it, which does not count as an attempt; set while the request is in flight */
  cancel?: (() => void) | undefined
}

/** The queue of a subscription's deliveries that have been read, and how its receiver answers. */
export type Line = {
  subscription: Due
  host: string
  waiting: Claimed[]
  flights: Set<Flight>
  /** nothing more is due than what has been read */
  isDrained: boolean
  /** it has answered in time before */
  isProven: boolean
  /** it answers late or not at all, and uses separate places */
  isSlow: boolean
  /** its usual response time, in ms */
  usualMs: number
  /** failures in a row */
  failures: number
  /** nothing is sent before this time, at the receiver's request; by `performance.now()` like all times here */
  notBefore: number
  /** how many requests its receiver takes at once: halved by a 429 or 503, one more after as many answers */
  places: number
  /** when its last request began */
  startedAt: number
  usedAt: number
}

/** The lane of one organization in this process, which alone sends for it while it holds the lease. */
export type Lane = {
  organization: string
  leasedUntil: number
  /** until when another process holds the lane, as far as is known */
  elsewhereUntil: number
  lines: Map<string, Line>
  /** deliveries that were read and are not yet settled, with their bytes */
  held: Map<string, number>
  bytes: number
  /** requests in flight, and the slow ones among them */
  inFlight: number
  slow: number
  isClaiming: boolean
  /** whether all its places are taken: the next claim waits for a free one */
  isFull: boolean
  /** when the next claim for it is allowed */
  nextClaim: number
  /** how many rows the next claim reads */
  batch: number
  isDispatching: boolean
  /** finished attempts that are not yet written */
  outcomes: Outcome[]
  settling: Promise<void> | undefined
  settleTimer: NodeJS.Timeout | undefined
  /** when to look for due deliveries again, and when a limit allows more of those already read */
  claimTimer: Timer
  sendTimer: Timer
  /** when retries are due that come soon */
  retries: Set<number>
  usedAt: number
}

/** The state of a process's delivery worker: its parts (claim, send, settle, renew) share it. */
export type DeliveryWorker = {
  runtime: Runtime
  transport: Transport
  /** names this process in leases */
  id: string
  state: 'new' | 'running' | 'stopping'
  lanes: Map<string, Lane>
  /** organizations to claim for as soon as there is room */
  ready: Set<string>
  /** lanes that wait for a place of the process */
  blocked: Set<Lane>
  /** claims under way */
  claiming: number
  /** size of the deliveries in hand, and requests under way */
  bytes: number
  inFlight: number
  metrics: DeliveryMetrics
  /** the last access to the database failed, and was logged */
  isFailing: boolean
  /** claims for the organizations that are ready, as far as there is room */
  pump(): void
  /**
   * gives requests their turn, and leaves them room: awaited before each delivery is sent; organizations take turns, so
   * that the few deliveries of one do not wait behind the many of another
   */
  turn(organization: string): Promise<void>
  /** sends what has been read, as far as the limits allow */
  dispatch(lane: Lane): void
  /** another process that leases the lane learns that something is due */
  notify(organization: string): void
  /** called while stopping, once nothing is in hand */
  whenIdle?: () => void
}

/** What deliveries in hand may hold of the heap; one organization's may hold a quarter of it. */
const mostBytes = 256 * 1024 * 1024
/** A burst of writes to one organization shares a claim. */
export const pauseMs = 10
/** A lane and a line that are not used for so long are removed from memory. */
const idleMs = 60_000

/** So many deliveries under way are no backlog, whose sending would keep the service busy. */
const fewInFlight = 16
/** While there are requests, sending leaves them so many milliseconds after each of its own. */
const restMs = 6
/** Requests that were there so many milliseconds ago are followed by others. */
const lullMs = 1000

/** How sending a backlog leaves room to the requests that this process answers; for `briefTurns`. */
export function roomForRequests(worker: DeliveryWorker) {
  let seenAt = -Infinity
  const hasBacklog = () => worker.inFlight > fewInFlight && worker.state === 'running'
  const hasRequests = () => {
    const { readers, writers } = worker.runtime.database.state()
    const requests = readers.inFlight + readers.waiting + writers.busy + writers.waiting
    if (requests) seenAt = performance.now()
    return requests > 0
  }
  return {
    isBusy: () => hasBacklog() && hasRequests(),
    restMs: () =>
      hasBacklog() && (hasRequests() || performance.now() - seenAt < lullMs) ? restMs : 0,
  }
}

/** How many more requests may start; those that hang hold their places for up to 15 s. */
export function roomOf({ inFlight, runtime: { config } }: DeliveryWorker): number {
  return config.webhookConcurrency ? Math.max(0, config.webhookConcurrency - inFlight) : Infinity
}

/**
 * How many of these may be the organization's: its slow hosts hold up nobody else. None holds more than
 * what is still free, so that there is always a place for one that holds nothing yet.
 */
export function roomIn(worker: DeliveryWorker, { inFlight }: Lane): number {
  const { webhookOrganizationConcurrency: most } = worker.runtime.config
  const room = roomOf(worker)
  return most ? Math.max(0, Math.min(room, most - inFlight, room - inFlight)) : room
}

/** Whether memory is left for more deliveries of the organization. */
export function hasMemory(worker: DeliveryWorker, lane: Lane): boolean {
  return worker.bytes < mostBytes && lane.bytes < mostBytes / 4
}

/** The organization's lane, added when it has none. */
export function laneOf(worker: DeliveryWorker, organization: string): Lane {
  const known = worker.lanes.get(organization)
  if (known) return known
  const lane: Lane = {
    organization,
    leasedUntil: -Infinity,
    elsewhereUntil: -Infinity,
    lines: new Map(),
    held: new Map(),
    bytes: 0,
    inFlight: 0,
    slow: 0,
    isClaiming: false,
    isFull: false,
    nextClaim: -Infinity,
    batch: 100,
    isDispatching: false,
    outcomes: [],
    settling: undefined,
    settleTimer: undefined,
    claimTimer: new Timer(() => wake(worker, organization)),
    sendTimer: new Timer(() => worker.dispatch(lane)),
    retries: new Set(),
    usedAt: performance.now(),
  }
  worker.lanes.set(organization, lane)
  return lane
}

/** The organization may have something to send; ignored unless the worker runs. */
export function wake(worker: DeliveryWorker, organization: string): void {
  if (worker.state !== 'running') return
  worker.ready.add(organization)
  worker.pump()
}

/** Something of the lane is due at a time: it is claimed for then. */
export function wakeAt(worker: DeliveryWorker, lane: Lane, time: number): void {
  if (worker.state === 'running') lane.claimTimer.at(time)
}

/** Claims again when the next retry is due. */
export function wakeForRetries(worker: DeliveryWorker, lane: Lane): void {
  const now = performance.now()
  let next = Infinity
  for (const at of lane.retries) {
    if (at <= now) lane.retries.delete(at)
    else next = Math.min(next, at)
  }
  if (next < Infinity) wakeAt(worker, lane, next)
}

/** Removes a lane that has nothing in hand and waits for nothing; ends a stop that waited for it. */
export function removeIfIdle(worker: DeliveryWorker, lane: Lane): void {
  const isIdle = !lane.isClaiming && !lane.held.size && !lane.settling && !lane.claimTimer.isSet
  if (isIdle && performance.now() - lane.usedAt > idleMs) {
    lane.sendTimer.clear()
    worker.lanes.delete(lane.organization)
  }
  if (worker.state === 'stopping' && !worker.claiming && !worker.metrics.inHand) worker.whenIdle?.()
}

/** Logs the first of a series of errors; `worker.isFailing` is cleared by the next success. */
export function reportError(worker: DeliveryWorker, error: unknown): void {
  if (!worker.isFailing) {
    worker.runtime.log.error({ err: error }, 'webhooks cannot be delivered right now')
  }
  worker.isFailing = true
}

/** Calls back at the earliest of the times that it was set to, by `performance.now()`. */
export class Timer {
  due = Infinity
  timer: NodeJS.Timeout | undefined
  run: () => void

  constructor(run: () => void) {
    this.run = run
  }

  get isSet(): boolean {
    return this.due !== Infinity
  }

  at(time: number): void {
    if (this.due <= time) return
    clearTimeout(this.timer)
    this.due = time
    const ms = Math.min(2 ** 31 - 1, Math.max(0, Math.ceil(time - performance.now())))
    this.timer = setTimeout(() => {
      this.due = Infinity
      this.run()
    }, ms).unref()
  }

  clear(): void {
    clearTimeout(this.timer)
    this.due = Infinity
  }
}
